/** Reads the pages of a PDF file that we wrote, by its table of objects: texts, and the sizes of pictures. */
import { inflateSync } from 'node:zlib';

export interface PdfPage {
  /** Pieces of text in the order in which they are drawn. */
  readonly texts: readonly string[];
  readonly pictures: readonly { readonly width: number; readonly height: number }[];
}

interface PdfObject {
  readonly dictionary: string;
  readonly stream: Buffer | undefined;
}

export class PdfFile {
  readonly #objects: ReadonlyMap<number, PdfObject>;
  readonly #catalogue: PdfObject;

  constructor(file: Buffer) {
    this.#objects = objectsOf(file);
    const trailer = file.toString('latin1').slice(file.lastIndexOf('trailer'));
    this.#catalogue = this.#at(trailer, 'Root');
  }

  get pages(): PdfPage[] {
    const tree = this.#at(this.#catalogue.dictionary, 'Pages').dictionary;
    const kids = /\/Kids \[([^\]]*)\]/.exec(tree)![1].matchAll(/(\d+) 0 R/g);
    return [...kids].map(([, page]) => {
      const { dictionary } = this.#objects.get(Number(page))!;
      const fonts = new Map(
        [...dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name, number]) => [
          name,
          charactersOf(this.#at(this.#objects.get(Number(number))!.dictionary, 'ToUnicode').stream!),
        ]),
      );
      const pictures = [...dictionary.matchAll(/\/I\d+ (\d+) 0 R/g)].map(([, number]) => {
        const { dictionary: image, stream } = this.#objects.get(Number(number))!;
        const size = (key: string) => Number(new RegExp(`/${key} (\\d+)`).exec(image)![1]);
        const [width, height] = [size('Width'), size('Height')];
        // a byte of the filter before each row
        if (inflateSync(stream!).length !== (1 + width) * height) throw new Error('rows are missing');
        return { width, height };
      });
      const content = this.#at(dictionary, 'Contents').stream!;
      return { texts: textsOf(content.toString('latin1'), fonts), pictures };
    });
  }

  /** Titles of bookmarks, each followed by those below it; checks that all are linked both ways. */
  get bookmarks(): string[] {
    const outlines = reference(this.#catalogue.dictionary, 'Outlines');
    return this.#below(outlines);
  }

  #below(parent: number): string[] {
    const titles: string[] = [];
    let before: number | undefined;
    let next = referenced(this.#objects.get(parent)!.dictionary, 'First');
    for (
      ;
      next !== undefined;
      before = next, next = referenced(this.#objects.get(next)!.dictionary, 'Next')
    ) {
      const { dictionary } = this.#objects.get(next)!;
      if (reference(dictionary, 'Parent') !== parent || referenced(dictionary, 'Prev') !== before)
        throw new Error('a bookmark is linked to others than it should be');
      const [, digits] = /\/Title <feff(\w*)>/.exec(dictionary)!;
      titles.push(charactersIn(digits), ...this.#below(next));
    }
    return titles;
  }

  #at(dictionary: string, key: string): PdfObject {
    return this.#objects.get(reference(dictionary, key))!;
  }
}

function objectsOf(file: Buffer): Map<number, PdfObject> {
  const text = file.toString('latin1');
  const start = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)![1]);
  const entries = [...text.slice(start).matchAll(/(\d{10}) 00000 n /g)].map(([, offset]) => Number(offset));
  const objects = new Map<number, PdfObject>();
  for (const [i, offset] of entries.entries()) {
    const head = `${i + 1} 0 obj\n`;
    if (!text.startsWith(head, offset)) throw new Error(`object ${i + 1} is not where the table says`);
    const from = offset + head.length;
    const end = text.indexOf('\nendobj', from);
    const stream = text.indexOf(' >>\nstream\n', from);
    if (stream < 0 || stream > end) {
      objects.set(i + 1, { dictionary: text.slice(from, end), stream: undefined });
      continue;
    }
    const dictionary = text.slice(from, stream);
    const length = Number(/\/Length (\d+)$/.exec(dictionary)![1]);
    const bytes = file.subarray(stream + 11, stream + 11 + length);
    if (!text.startsWith('\nendstream', stream + 11 + length)) throw new Error('a length is wrong');
    objects.set(i + 1, { dictionary, stream: dictionary.includes('/Image') ? bytes : inflateSync(bytes) });
  }
  return objects;
}

function reference(dictionary: string, key: string): number {
  return referenced(dictionary, key)!;
}

function referenced(dictionary: string, key: string): number | undefined {
  const found = new RegExp(`/${key} (\\d+) 0 R`).exec(dictionary);
  return found ? Number(found[1]) : undefined;
}

/** Characters by the numbers of their glyphs. */
function charactersOf(map: Buffer): Map<number, string> {
  const pairs = map.toString('latin1').matchAll(/^<(\w{4})> <(\w+)>$/gm);
  return new Map(
    [...pairs]
      .filter(([, glyph, units]) => !(glyph === '0000' && units === 'ffff'))
      .map(([, glyph, units]) => [Number.parseInt(glyph, 16), charactersIn(units)]),
  );
}

function charactersIn(digits: string): string {
  return String.fromCharCode(...(digits.match(/.{4}/g) ?? []).map((unit) => Number.parseInt(unit, 16)));
}

function textsOf(content: string, fonts: ReadonlyMap<string, ReadonlyMap<number, string>>): string[] {
  return [...content.matchAll(/\/(F\d+) [\d.]+ Tf .* <(\w*)> Tj/g)].map(([, font, glyphs]) =>
    (glyphs.match(/.{4}/g) ?? []).map((glyph) => fonts.get(font)!.get(Number.parseInt(glyph, 16))).join(''),
  );
}
