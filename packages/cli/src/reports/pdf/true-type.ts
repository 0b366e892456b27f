/**
 * A TrueType font as documents need it: glyphs of characters, their widths, and a copy with nothing but the outlines of
 * some glyphs. The numbers of glyphs stay the same in the copy.
 *
 * Layout: a table of tables (tag, checksum, offset, length), then these, at multiples of four bytes.
 */
const KEPT = ['cvt ', 'fpgm', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp', 'prep'];

/** Flags of a part of a glyph that is made of others. */
const WORDS = 1;
const SCALE = 8;
const MORE = 0x20;
const TWO_SCALES = 0x40;
const MATRIX = 0x80;

export class TrueTypeFont {
  readonly #bytes: Buffer;
  readonly #tables = new Map<string, { readonly offset: number; readonly length: number }>();
  readonly #glyphs = new Map<number, number>();
  readonly #unitsPerEm: number;
  readonly #widths: number;
  readonly #hasLongOffsets: boolean;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    for (let i = 0; i < bytes.readUInt16BE(4); i++) {
      const at = 12 + 16 * i;
      const place = { offset: bytes.readUInt32BE(at + 8), length: bytes.readUInt32BE(at + 12) };
      this.#tables.set(bytes.toString('latin1', at, at + 4), place);
    }
    const head = this.#offset('head');
    this.#unitsPerEm = bytes.readUInt16BE(head + 18);
    this.#hasLongOffsets = bytes.readInt16BE(head + 50) === 1;
    this.#widths = bytes.readUInt16BE(this.#offset('hhea') + 34);
    this.#readCharacters();
  }

  /** The number of the glyph of a character; 0: it has none, and a box is shown. */
  glyphOf(codePoint: number): number {
    return this.#glyphs.get(codePoint) ?? 0;
  }

  /** In thousandths of the size. */
  widthOf(glyph: number): number {
    const at = this.#offset('hmtx') + 4 * Math.min(glyph, this.#widths - 1);
    return (1000 * this.#bytes.readUInt16BE(at)) / this.#unitsPerEm;
  }

  /** Heights above and below the line, and the box around all glyphs, in thousandths of the size. */
  get metrics(): { readonly ascent: number; readonly descent: number; readonly box: readonly number[] } {
    const scaled = (at: number) => Math.round((1000 * this.#bytes.readInt16BE(at)) / this.#unitsPerEm);
    const [head, line] = [this.#offset('head'), this.#offset('hhea')];
    return {
      ascent: scaled(line + 4),
      descent: scaled(line + 6),
      box: [36, 38, 40, 42].map((at) => scaled(head + at)),
    };
  }

  /** The font with these glyphs, and those that they are made of; all others are empty. */
  withGlyphs(glyphs: Iterable<number>): Buffer {
    const kept = new Set([0]);
    const keep = (glyph: number) => {
      if (kept.has(glyph)) return;
      kept.add(glyph);
      for (const part of this.#partsOf(glyph)) keep(part);
    };
    for (const glyph of glyphs) keep(glyph);
    const count = this.#bytes.readUInt16BE(this.#offset('maxp') + 4);
    const offsets = Buffer.alloc(4 * (count + 1));
    const outlines: Buffer[] = [];
    let length = 0;
    for (let glyph = 0; glyph < count; glyph++) {
      offsets.writeUInt32BE(length, 4 * glyph);
      if (!kept.has(glyph)) continue;
      const outline = padded(this.#outlineOf(glyph));
      outlines.push(outline);
      length += outline.length;
    }
    offsets.writeUInt32BE(length, 4 * count);
    const head = Buffer.from(this.#table('head'));
    head.writeInt16BE(1, 50);
    const tables = KEPT.filter((tag) => this.#tables.has(tag)).map((tag): readonly [string, Buffer] => {
      if (tag === 'glyf') return [tag, Buffer.concat(outlines)];
      if (tag === 'loca') return [tag, offsets];
      return [tag, tag === 'head' ? head : this.#table(tag)];
    });
    return fontFile(tables);
  }

  #offset(tag: string): number {
    return this.#tables.get(tag)!.offset;
  }

  #table(tag: string): Buffer {
    const { offset, length } = this.#tables.get(tag)!;
    return this.#bytes.subarray(offset, offset + length);
  }

  #outlineOf(glyph: number): Buffer {
    const at = this.#offset('loca');
    const place = (i: number) =>
      this.#hasLongOffsets ? this.#bytes.readUInt32BE(at + 4 * i) : 2 * this.#bytes.readUInt16BE(at + 2 * i);
    return this.#table('glyf').subarray(place(glyph), place(glyph + 1));
  }

  #partsOf(glyph: number): number[] {
    const outline = this.#outlineOf(glyph);
    const parts: number[] = [];
    // the number of contours is negative for glyphs that are made of others
    if (outline.length === 0 || outline.readInt16BE(0) >= 0) return parts;
    for (let at = 10, flags = MORE; flags & MORE; ) {
      flags = outline.readUInt16BE(at);
      parts.push(outline.readUInt16BE(at + 2));
      const scales = flags & SCALE ? 2 : flags & TWO_SCALES ? 4 : flags & MATRIX ? 8 : 0;
      at += 4 + (flags & WORDS ? 4 : 2) + scales;
    }
    return parts;
  }

  /** Reads the map of all Unicode characters (format 12). */
  #readCharacters(): void {
    const map = this.#table('cmap');
    for (let i = 0; i < map.readUInt16BE(2); i++) {
      const at = map.readUInt32BE(4 + 8 * i + 4);
      if (map.readUInt16BE(at) !== 12) continue;
      for (let group = 0; group < map.readUInt32BE(at + 12); group++) {
        const [first, last, glyph] = [0, 4, 8].map((k) => map.readUInt32BE(at + 16 + 12 * group + k));
        for (let code = first; code <= last; code++) this.#glyphs.set(code, glyph + code - first);
      }
      return;
    }
  }
}

function fontFile(tables: readonly (readonly [tag: string, content: Buffer])[]): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.length);
  const power = Math.floor(Math.log2(tables.length));
  head.writeUInt32BE(0x00010000, 0);
  head.writeUInt16BE(tables.length, 4);
  head.writeUInt16BE(16 << power, 6);
  head.writeUInt16BE(power, 8);
  head.writeUInt16BE(16 * tables.length - (16 << power), 10);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (const [i, [tag, content]] of tables.entries()) {
    const at = 12 + 16 * i;
    const written = padded(content);
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(checksum(written), at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(content.length, at + 12);
    parts.push(written);
    offset += written.length;
  }
  return Buffer.concat(parts);
}

function padded(bytes: Buffer): Buffer {
  const rest = (4 - (bytes.length % 4)) % 4;
  return rest === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(rest)]);
}

function checksum(bytes: Buffer): number {
  let sum = 0;
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0;
  return sum;
}
