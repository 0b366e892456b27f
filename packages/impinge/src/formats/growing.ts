/**
 * Arrays that grow as a file is read: counts in headers cannot be trusted, so memory follows the bytes
 * that really arrive.
 */
type NumberArray = Float32Array | Float64Array | Uint32Array;

/** `array`, or a copy at least twice as long, with room for `length` entries. */
export function withRoom<T extends NumberArray>(array: T, length: number): T {
  if (length <= array.length) return array;
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, 2 * array.length));
  larger.set(array);
  return larger;
}

/** The first `length` entries, without the spare room. */
export function trimmed<T extends NumberArray>(array: T, length: number): T {
  return (length === array.length ? array : array.slice(0, length)) as T;
}

/** Numbers that come by threes. */
export class Triples<T extends NumberArray> {
  /** Of numbers. */
  length = 0;
  #numbers: T;

  constructor(room: T) {
    this.#numbers = room;
  }

  push(a: number, b: number, c: number): void {
    const at = this.length;
    const numbers = (this.#numbers = withRoom(this.#numbers, at + 3));
    numbers[at] = a;
    numbers[at + 1] = b;
    numbers[at + 2] = c;
    this.length = at + 3;
  }

  /** All of them, without spare room. */
  whole(): T {
    return trimmed(this.#numbers, this.length);
  }

  /** Those since the last call; they are overwritten by the next ones. */
  take(): T {
    const taken = this.#numbers.subarray(0, this.length) as T;
    this.length = 0;
    return taken;
  }
}
