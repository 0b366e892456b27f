/**
 * A document of A4 pages: texts in columns, lines, boxes and pictures, measured in points from the upper left corner.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { cleanText } from '../../wire/text.js';
import { paletteImage } from '../png.js';
import type { Write } from '../staged-files.js';
import { PageFont } from './page-font.js';
import { PdfWriter, pdfDate, pdfText } from './pdf-writer.js';
import { brokenText } from './text-lines.js';

/** Points: 1/72 inch. */
export const PAGE = { width: 595.28, height: 841.89 } as const;

export interface TextStyle {
  readonly size: number;
  readonly isBold?: boolean;
  /** 0xrrggbb. */
  readonly colour?: number;
  readonly isRight?: boolean;
  /** Most lines; longer texts end with an ellipsis. */
  readonly lines?: number;
}

export const INK = 0x16202b;
const LINE_HEIGHT = 1.2;
const LINE_WIDTH = 0.6;

interface Bookmark {
  readonly title: string;
  readonly page: number;
  readonly inner: Bookmark[];
}

export class SheetDocument {
  readonly #pdf: PdfWriter;
  readonly #regular: PageFont;
  readonly #bold: PageFont;
  readonly #fonts: readonly number[];
  readonly #tree: number;
  readonly #pages: number[] = [];
  readonly #bookmarks: Bookmark[] = [];
  /** The page that is drawn. */
  #content: string[] = [];
  #images: number[] = [];

  private constructor(pdf: PdfWriter, regular: PageFont, bold: PageFont) {
    this.#pdf = pdf;
    this.#regular = regular;
    this.#bold = bold;
    this.#tree = pdf.reserve();
    this.#fonts = [pdf.reserve(), pdf.reserve()];
  }

  static async begin(write: Write): Promise<SheetDocument> {
    const find = createRequire(import.meta.url).resolve;
    const font = async (name: string) => new PageFont(name, await readFile(find(`#ui/fonts/${name}.ttf`)));
    const pdf = new PdfWriter(write);
    await pdf.begin();
    return new SheetDocument(pdf, await font('DejaVuSans'), await font('DejaVuSans-Bold'));
  }

  /** Writes the page that was drawn last, and begins the next. */
  async nextPage(): Promise<void> {
    await this.#writePage();
    this.#pages.push(this.#pdf.reserve());
  }

  /** A bookmark to the page that is drawn; `isInner`: below the last one that is not. */
  bookmark(title: string, isInner: boolean): void {
    const one = { title, page: this.#pages.at(-1)!, inner: [] };
    (isInner ? this.#bookmarks.at(-1)!.inner : this.#bookmarks).push(one);
  }

  /** Draws a text in a column; returns its height. */
  text(
    text: string,
    x: number,
    y: number,
    width: number,
    { size, isBold = false, colour = INK, isRight = false, lines = 1 }: TextStyle,
  ): number {
    const font = isBold ? this.#bold : this.#regular;
    const shown = brokenText(cleanText(text).trim(), width, lines, (part) => font.widthOf(part, size));
    for (const [i, line] of shown.entries()) {
      const from = isRight ? x + width - font.widthOf(line, size) : x;
      const base = PAGE.height - y - size * (LINE_HEIGHT * i + font.ascent);
      this.#content.push(
        `BT /F${isBold ? 1 : 0} ${size} Tf ${rgb(colour)} rg 1 0 0 1 ${number(from)} ${number(base)} Tm ` +
          `<${font.encoded(line)}> Tj ET`,
      );
    }
    return shown.length * size * LINE_HEIGHT;
  }

  line(x0: number, y0: number, x1: number, y1: number, colour: number): void {
    const [from, to] = [
      `${number(x0)} ${number(PAGE.height - y0)}`,
      `${number(x1)} ${number(PAGE.height - y1)}`,
    ];
    this.#content.push(`${LINE_WIDTH} w ${rgb(colour)} RG ${from} m ${to} l S`);
  }

  box(x: number, y: number, width: number, height: number, colour: number, isFilled: boolean): void {
    const place = [x, PAGE.height - y - height, width, height].map(number).join(' ');
    const paint = isFilled
      ? `${rgb(colour)} rg ${place} re f`
      : `${LINE_WIDTH} w ${rgb(colour)} RG ${place} re S`;
    this.#content.push(paint);
  }

  /** A PNG that was made by `encodePng`. */
  async image(png: Uint8Array, x: number, y: number, width: number, height: number): Promise<void> {
    const image = paletteImage(png);
    const object = this.#pdf.reserve();
    const colours = Buffer.from(image.colours).toString('hex');
    await this.#pdf.stream(
      object,
      `/Type /XObject /Subtype /Image /Width ${image.width} /Height ${image.height} /BitsPerComponent 8 ` +
        `/ColorSpace [/Indexed /DeviceRGB ${image.colours.length / 3 - 1} <${colours}>] /Filter /FlateDecode ` +
        `/DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 8 /Columns ${image.width} >>`,
      image.data,
    );
    this.#images.push(object);
    const place = [width, 0, 0, height, x, PAGE.height - y - height].map(number).join(' ');
    this.#content.push(`q ${place} cm /I${this.#images.length - 1} Do Q`);
  }

  /** Ends the file; `date`, so that the same input gives the same bytes. */
  async end(title: string, date: Date): Promise<void> {
    const pdf = this.#pdf;
    await this.#writePage();
    await this.#regular.write(pdf, this.#fonts[0]);
    await this.#bold.write(pdf, this.#fonts[1]);
    const kids = this.#pages.map((page) => `${page} 0 R`).join(' ');
    await pdf.object(this.#tree, `<< /Type /Pages /Kids [${kids}] /Count ${this.#pages.length} >>`);
    const outlines = pdf.reserve();
    const ends = await this.#writeBookmarks(this.#bookmarks, outlines);
    await pdf.object(outlines, `<< /Type /Outlines ${ends} >>`);
    const [catalogue, info] = [pdf.reserve(), pdf.reserve()];
    const mode = this.#bookmarks.length > 0 ? ' /PageMode /UseOutlines' : '';
    await pdf.object(
      catalogue,
      `<< /Type /Catalog /Pages ${this.#tree} 0 R /Outlines ${outlines} 0 R${mode} >>`,
    );
    const dates = `/CreationDate ${pdfDate(date)} /ModDate ${pdfDate(date)}`;
    await pdf.object(info, `<< /Title ${pdfText(title)} /Producer (impinge) ${dates} >>`);
    await pdf.end(catalogue, info, title);
  }

  async #writePage(): Promise<void> {
    const page = this.#pages.at(-1);
    if (page === undefined) return;
    const content = this.#pdf.reserve();
    const images = this.#images.map((object, i) => `/I${i} ${object} 0 R`).join(' ');
    const fonts = this.#fonts.map((object, i) => `/F${i} ${object} 0 R`).join(' ');
    await this.#pdf.stream(content, '', Buffer.from(this.#content.join('\n'), 'latin1'));
    await this.#pdf.object(
      page,
      `<< /Type /Page /Parent ${this.#tree} 0 R /MediaBox [0 0 ${PAGE.width} ${PAGE.height}] ` +
        `/Resources << /Font << ${fonts} >> /XObject << ${images} >> >> /Contents ${content} 0 R >>`,
    );
    this.#content = [];
    this.#images = [];
  }

  /** Writes bookmarks that follow each other; returns the entries of what they are below of. */
  async #writeBookmarks(bookmarks: readonly Bookmark[], parent: number): Promise<string> {
    if (bookmarks.length === 0) return '';
    const numbers = bookmarks.map(() => this.#pdf.reserve());
    for (const [i, { title, page, inner }] of bookmarks.entries()) {
      const below = await this.#writeBookmarks(inner, numbers[i]);
      const before = i > 0 ? `/Prev ${numbers[i - 1]} 0 R ` : '';
      const after = i + 1 < numbers.length ? `/Next ${numbers[i + 1]} 0 R ` : '';
      await this.#pdf.object(
        numbers[i],
        `<< /Title ${pdfText(title)} /Parent ${parent} 0 R ${before}${after}${below} /Dest [${page} 0 R /Fit] >>`,
      );
    }
    return `/First ${numbers[0]} 0 R /Last ${numbers.at(-1)} 0 R /Count ${numbers.length}`;
  }
}

function rgb(colour: number): string {
  return [16, 8, 0].map((shift) => number(((colour >> shift) & 255) / 255)).join(' ');
}

function number(value: number): string {
  return String(Number(value.toFixed(3)));
}
