/**
 * Arrays that grow as a file is read: counts in headers are promises by strangers, so memory follows the bytes
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
