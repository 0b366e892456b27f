/** The numbers of glTF accessors: the size of a component, and the meaning of its bytes. */

const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};

/** The largest integer of each type, which stands for 1 where they are normalised. */
const LARGEST: Readonly<Record<number, number>> = {
  5120: 127,
  5121: 255,
  5122: 32767,
  5123: 65535,
  5125: 2 ** 32 - 1,
};

/** The size of a component in bytes; 0 when its type is unknown. */
export function componentBytes(componentType: number): number {
  return COMPONENT_BYTES[componentType] ?? 0;
}

/** The step between neighbouring values: 0 for floats, whose own rounding is counted elsewhere. */
export function componentStep(componentType: number, normalised: boolean): number {
  if (componentType === 5126) return 0;
  return normalised ? 1 / (LARGEST[componentType] ?? 1) : 1;
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
  switch (componentType) {
    case 5121:
      return new Uint32Array(bytes);
    case 5123:
      return new Uint32Array(new Uint16Array(bytes.buffer));
    case 5125:
      return new Uint32Array(bytes.buffer);
    default:
      return undefined;
  }
}

/** Little-endian components as float32; `normalised` integers are divided by the largest of their type. */
export function floatsOf(
  bytes: Uint8Array<ArrayBuffer>,
  componentType: number,
  normalised: boolean,
): Float32Array<ArrayBuffer> {
  const largest = normalised ? LARGEST[componentType] : 1;
  switch (componentType) {
    case 5126:
      return new Float32Array(bytes.buffer);
    case 5120:
      return scaled(new Int8Array(bytes.buffer), largest);
    case 5121:
      return scaled(bytes, largest);
    case 5122:
      return scaled(new Int16Array(bytes.buffer), largest);
    case 5123:
      return scaled(new Uint16Array(bytes.buffer), largest);
    default:
      return scaled(new Uint32Array(bytes.buffer), largest);
  }
}

function scaled(integers: Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array, largest: number) {
  const out = new Float32Array(integers.length);
  for (let i = 0; i < out.length; i++) {
    out[i] = largest === 1 ? integers[i] : Math.max(integers[i] / largest, -1);
  }
  return out;
}
