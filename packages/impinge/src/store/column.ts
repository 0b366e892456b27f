/** A typed array that grows. */
type Numbers = Uint8Array | Uint32Array | Float64Array;

export class Column<T extends Numbers> {
  length = 0;
  #values: T;
  readonly #make: (length: number) => T;

  constructor(make: (length: number) => T, capacity: number) {
    this.#make = make;
    this.#values = make(capacity);
  }

  push(value: number): void {
    this.#reserve(1);
    this.#values[this.length++] = value;
  }
  append(values: ArrayLike<number>): void {
    this.#reserve(values.length);
    this.#values.set(values, this.length);
    this.length += values.length;
  }
  /** Takes back what came after the first `length`. */
  cut(length: number): void {
    this.length = length;
  }
  /** A view of what is there; grows no further. */
  values(): T {
    return this.#values.subarray(0, this.length) as T;
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#values.length) return;
    const larger = this.#make(Math.max(2 * this.#values.length, this.length + more));
    larger.set(this.#values);
    this.#values = larger;
  }
}

const CAPACITY = 64;

export function u32Column(): Column<Uint32Array> {
  return new Column<Uint32Array>((length) => new Uint32Array(length), CAPACITY);
}
/** `capacity`: how much there is room for at first. */
export function f64Column(capacity = CAPACITY): Column<Float64Array> {
  return new Column<Float64Array>((length) => new Float64Array(length), capacity);
}
export function u8Column(): Column<Uint8Array> {
  return new Column<Uint8Array>((length) => new Uint8Array(length), CAPACITY);
}
