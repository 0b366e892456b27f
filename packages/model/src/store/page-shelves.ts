/**
 * Pages of coarser pieces, held back until there are enough of one level to lie together in the file. Small shapes have
 * one or two pages of each level; in order of creation, a distant view of a large model would read a little everywhere
 * in the file.
 */
export interface ShelvedPage {
  readonly piece: number;
  readonly bytes: Uint8Array;
}

/** Bytes that a level holds back at most, not counting the last page. */
const SHELF_BYTES = 1 << 18;

export class PageShelves {
  #levels: { pages: ShelvedPage[]; byteLength: number }[] = [];

  /** Takes in a page; the pages of its level are handed back when there are enough of them. */
  add(level: number, page: ShelvedPage): readonly ShelvedPage[] {
    while (this.#levels.length <= level) this.#levels.push({ pages: [], byteLength: 0 });
    const shelf = this.#levels[level];
    shelf.pages.push(page);
    shelf.byteLength += page.bytes.length;
    if (shelf.byteLength < SHELF_BYTES) return [];
    this.#levels[level] = { pages: [], byteLength: 0 };
    return shelf.pages;
  }

  /** Hands back everything, the coarsest first. */
  empty(): readonly ShelvedPage[] {
    const all = this.#levels.reverse().flatMap(({ pages }) => pages);
    this.#levels = [];
    return all;
  }

  /** Forgets the pages of all pieces from this one on. */
  cut(piece: number): void {
    for (const shelf of this.#levels) {
      shelf.pages = shelf.pages.filter((page) => page.piece < piece);
      shelf.byteLength = shelf.pages.reduce((sum, { bytes }) => sum + bytes.length, 0);
    }
  }
}
