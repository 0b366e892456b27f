/**
 * A growable list of numbers in pages, so that growing a long list copies nothing and never doubles its memory.
 *
 * Invariant: all pages but the last have PAGE_LENGTH entries; the first grows to that by doubling.
 */
type Numbers = Uint8Array | Uint32Array | Float64Array;

/** Whole boxes and poses. */
const PAGE_LENGTH = 12 * 1024;

export class Column<T extends Numbers> {
  #length = 0;
  readonly #pages: T[];
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T, capacity: number) {
    this.#make = make;
    this.#pages = [make(capacity)];
  }

  get length(): number {
    return this.#length;
  }
  get byteLength(): number {
    return this.#length * this.#pages[0].BYTES_PER_ELEMENT;
  }

  push(value: number): void {
    this.#lastPage()[this.#length++ % PAGE_LENGTH] = value;
  }
  append(values: ArrayLike<number>): void {
    for (let i = 0; i < values.length; ) {
      const page = this.#lastPage();
      const at = this.#length % PAGE_LENGTH;
      const count = Math.min(values.length - i, page.length - at);
      for (let k = 0; k < count; k++) page[at + k] = values[i++];
      this.#length += count;
    }
  }
  set(index: number, value: number): void {
    this.#pages[Math.floor(index / PAGE_LENGTH)][index % PAGE_LENGTH] = value;
  }
  /** A copy of some entries. */
  slice(start: number, end: number): T {
    const out = this.#make(end - start);
    this.copy(start, out);
    return out;
  }
  /** Fills an array with entries from `start` on. */
  copy(start: number, into: T): void {
    for (let i = 0; i < into.length; ) {
      const [page, at] = [Math.floor((start + i) / PAGE_LENGTH), (start + i) % PAGE_LENGTH];
      const part = this.#pages[page].subarray(at, at + into.length - i);
      into.set(part, i);
      i += part.length;
    }
  }
  /** All values in one array. */
  values(): T {
    const [first] = this.#pages;
    return this.#pages.length === 1 ? (first.subarray(0, this.#length) as T) : this.slice(0, this.#length);
  }
  /** Drops everything after the first `length`. */
  cut(length: number): void {
    this.#length = length;
    this.#pages.length = Math.max(1, Math.ceil(length / PAGE_LENGTH));
  }
  /** All values, page by page. */
  *bytes(): Generator<Uint8Array> {
    let left = this.#length;
    for (const { buffer, length, BYTES_PER_ELEMENT } of this.#pages) {
      yield new Uint8Array(buffer, 0, Math.min(left, length) * BYTES_PER_ELEMENT);
      left -= length;
    }
  }

  /** The page with room for the next entry. */
  #lastPage(): T {
    const number = Math.floor(this.#length / PAGE_LENGTH);
    if (number === this.#pages.length) this.#pages.push(this.#make(PAGE_LENGTH));
    const page = this.#pages[number];
    if (this.#length % PAGE_LENGTH < page.length) return page;
    const larger = this.#make(Math.min(PAGE_LENGTH, 2 * page.length));
    larger.set(page);
    this.#pages[number] = larger;
    return larger;
  }
}

const CAPACITY = 64;

export function u32Column(): Column<Uint32Array> {
  return new Column<Uint32Array>((length) => new Uint32Array(length), CAPACITY);
}
/** `capacity`: the initial capacity, in numbers. */
export function f64Column(capacity = CAPACITY): Column<Float64Array> {
  return new Column<Float64Array>((length) => new Float64Array(length), capacity);
}
export function u8Column(): Column<Uint8Array> {
  return new Column<Uint8Array>((length) => new Uint8Array(length), CAPACITY);
}
