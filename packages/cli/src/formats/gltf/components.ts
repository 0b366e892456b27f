/** The numbers of glTF accessors: the size of a component, and the meaning of its bytes. */

const FLOAT = 5126;

/** Arrays of each type, and the largest integer of it, which stands for 1 where they are normalised. */
const COMPONENTS = new Map<unknown, { readonly Numbers: Arrays; readonly largest: number }>([
  [5120, { Numbers: Int8Array, largest: 127 }],
  [5121, { Numbers: Uint8Array, largest: 255 }],
  [5122, { Numbers: Int16Array, largest: 32767 }],
  [5123, { Numbers: Uint16Array, largest: 65535 }],
  [5125, { Numbers: Uint32Array, largest: 2 ** 32 - 1 }],
  [FLOAT, { Numbers: Float32Array, largest: 1 }],
]);

type Arrays =
  | typeof Int8Array
  | typeof Uint8Array
  | typeof Int16Array
  | typeof Uint16Array
  | typeof Uint32Array
  | typeof Float32Array;

const UNSIGNED: readonly unknown[] = [5121, 5123, 5125];

/** The size of a component in bytes; 0 when its type is unknown. */
export function componentBytes(componentType: number): number {
  return COMPONENTS.get(componentType)?.Numbers.BYTES_PER_ELEMENT ?? 0;
}

/** The step between neighbouring values: 0 for floats, whose own rounding is counted elsewhere. */
export function componentStep(componentType: number, normalised: boolean): number {
  if (componentType === FLOAT) return 0;
  return normalised ? 1 / (COMPONENTS.get(componentType)?.largest ?? 1) : 1;
}

/** A copy of `count` elements of `size` bytes, stride removed. */
export function packedElements(
  bytes: Uint8Array,
  count: number,
  size: number,
  stride: number,
): Uint8Array<ArrayBuffer> {
  if (stride === size) return bytes.slice(0, size * count) as Uint8Array<ArrayBuffer>;
  const out = new Uint8Array(size * count);
  for (let i = 0, from = 0; i < count; i++, from += stride) {
    for (let k = 0; k < size; k++) out[size * i + k] = bytes[from + k];
  }
  return out;
}

/** The position of the first NaN or infinity, or −1. */
export function firstNonFinite(numbers: Float32Array): number {
  // x − x is 0 for finite numbers only
  for (let i = 0; i < numbers.length; i++) if (numbers[i] - numbers[i] !== 0) return i;
  return -1;
}

/** Little-endian unsigned integers; undefined for any other type. */
export function indicesOf(bytes: Uint8Array<ArrayBuffer>, componentType: unknown): Uint32Array | undefined {
  const { Numbers } = COMPONENTS.get(componentType) ?? {};
  if (!Numbers || !UNSIGNED.includes(componentType)) return undefined;
  const numbers = new Numbers(bytes.buffer);
  return numbers instanceof Uint32Array ? numbers : new Uint32Array(numbers);
}

/** Little-endian components as float32; `normalised` integers are divided by the largest of their type. */
export function floatsOf(
  bytes: Uint8Array<ArrayBuffer>,
  componentType: number,
  normalised: boolean,
): Float32Array<ArrayBuffer> {
  const { Numbers, largest } = COMPONENTS.get(componentType)!;
  const numbers = new Numbers(bytes.buffer);
  if (numbers instanceof Float32Array) return numbers;
  const out = new Float32Array(numbers.length);
  for (let i = 0; i < out.length; i++) {
    out[i] = normalised ? Math.max(numbers[i] / largest, -1) : numbers[i];
  }
  return out;
}
