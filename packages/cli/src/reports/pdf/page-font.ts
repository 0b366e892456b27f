/** A font of a document: the widths of texts, which characters were drawn, and the objects that embed these. */
import type { PdfWriter } from './pdf-writer.js';
import { TrueTypeFont } from './true-type.js';

/** Numbers of glyphs per section of a character map. */
const MAP_MAX = 100;

export class PageFont {
  readonly name: string;
  readonly #font: TrueTypeFont;
  /** Glyphs that were drawn, and their characters. */
  readonly #used = new Map<number, number>();

  /** `name`: of the resource and of the font, without spaces. */
  constructor(name: string, bytes: Buffer) {
    this.name = name;
    this.#font = new TrueTypeFont(bytes);
  }

  /** In points, at a size in points. */
  widthOf(text: string, size: number): number {
    let width = 0;
    for (const character of text) width += this.#font.widthOf(this.#font.glyphOf(character.codePointAt(0)!));
    return (width * size) / 1000;
  }

  /** Height of the letters above the line, as a part of the size. */
  get ascent(): number {
    return this.#font.metrics.ascent / 1000;
  }

  /** The glyphs of a text in hexadecimal digits, which are embedded from now on. */
  encoded(text: string): string {
    let digits = '';
    for (const character of text) {
      const code = character.codePointAt(0)!;
      const glyph = this.#font.glyphOf(code);
      this.#used.set(glyph, code);
      digits += hex(glyph);
    }
    return digits;
  }

  /** Writes the font with the glyphs that were used. */
  async write(pdf: PdfWriter, number: number): Promise<void> {
    const [descendant, descriptor, file, map] = [0, 1, 2, 3].map(() => pdf.reserve());
    const glyphs = [...this.#used.keys()].sort((p, q) => p - q);
    const { ascent, descent, box } = this.#font.metrics;
    const name = `/AAAAAA+${this.name}`;
    const widths = glyphs.map((glyph) => `${glyph} [${Math.round(this.#font.widthOf(glyph))}]`);
    await pdf.object(
      number,
      `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H ` +
        `/DescendantFonts [${descendant} 0 R] /ToUnicode ${map} 0 R >>`,
    );
    await pdf.object(
      descendant,
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDToGIDMap /Identity ` +
        '/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
        `/FontDescriptor ${descriptor} 0 R /W [${widths.join(' ')}] >>`,
    );
    await pdf.object(
      descriptor,
      `<< /Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${box.join(' ')}] /ItalicAngle 0 ` +
        `/Ascent ${ascent} /Descent ${descent} /CapHeight ${ascent} /StemV 80 /FontFile2 ${file} 0 R >>`,
    );
    const bytes = this.#font.withGlyphs(glyphs);
    await pdf.stream(file, `/Length1 ${bytes.length}`, bytes);
    await pdf.stream(map, '', Buffer.from(this.#characterMap(glyphs), 'latin1'));
  }

  /** Which characters glyphs stand for, so that texts can be searched and copied. */
  #characterMap(glyphs: readonly number[]): string {
    const parts: string[] = [];
    for (let from = 0; from < glyphs.length; from += MAP_MAX) {
      const some = glyphs.slice(from, from + MAP_MAX);
      const lines = some.map((glyph) => {
        const character = String.fromCodePoint(this.#used.get(glyph)!);
        const units = Array.from({ length: character.length }, (_, i) => hex(character.charCodeAt(i)));
        return `<${hex(glyph)}> <${units.join('')}>\n`;
      });
      parts.push(`${some.length} beginbfchar\n${lines.join('')}endbfchar\n`);
    }
    return [
      '/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n',
      '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n',
      '/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n',
      '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n',
      ...parts,
      'endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n',
    ].join('');
  }
}

function hex(number: number): string {
  return number.toString(16).padStart(4, '0');
}
