/** Rows of numbers whose count is not known beforehand. */
const PAGE_ROWS = 1024;

/** Rows of numbers in pages, so that growing does not copy. */
export class Rows<T extends Float64Array | Uint32Array> {
  length = 0;
  readonly #width: number;
  readonly #make: (length: number) => T;
  readonly #pages: T[] = [];

  constructor(width: number, make: (length: number) => T) {
    this.#width = width;
    this.#make = make;
  }

  /** Returns the number of the row. */
  push(row: ArrayLike<number>): number {
    const number = this.length++;
    if (number % PAGE_ROWS === 0) this.#pages.push(this.#make(this.#width * PAGE_ROWS));
    this.at(number).set(row);
    return number;
  }

  /** The row itself, not a copy. */
  at(number: number): T {
    const start = this.#width * (number % PAGE_ROWS);
    return this.#pages[Math.floor(number / PAGE_ROWS)].subarray(start, start + this.#width) as T;
  }
}
