/**
 * A binary glTF in memory: its JSON, and numbers of its buffer.
 *
 * Read far enough for recordings, which have one buffer, without gaps in its views. Files are untrusted: whatever is
 * followed is checked. Throws an `Error` of one line.
 */
const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BIN_CHUNK = 0x004e4942;
const WIDTHS = { SCALAR: 1, VEC3: 3, VEC4: 4, MAT4: 16 } as const;
const ARRAYS = { 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array } as const;

export type Numbers = Float32Array | Uint32Array | Uint16Array;
/** An object of the document: of anything else, one without fields. */
export type Fields = Readonly<Record<string, unknown>>;

export class GlbDocument {
  readonly json: Fields;
  readonly #binary: Uint8Array<ArrayBuffer>;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    check(bytes.length >= 20 && view.getUint32(0, true) === MAGIC, 'it is not a GLB');
    const length = view.getUint32(12, true);
    check(view.getUint32(16, true) === JSON_CHUNK && 20 + length <= bytes.length, 'it is cut off');
    try {
      this.json = fieldsOf(JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))));
    } catch {
      throw wrong('its JSON is wrong');
    }
    const at = 20 + length;
    if (at === bytes.length) this.#binary = new Uint8Array(0);
    else {
      check(at + 8 <= bytes.length && view.getUint32(at + 4, true) === BIN_CHUNK, 'it is cut off');
      const binary = view.getUint32(at, true);
      check(at + 8 + binary <= bytes.length, 'it is cut off');
      // views are aligned to the beginning of the chunk
      this.#binary = new Uint8Array(bytes.subarray(at + 8, at + 8 + binary));
    }
  }

  /** An entry of a list at the top. */
  entry(list: string, index: unknown): Fields {
    const entries = this.list(list);
    check(isWhole(index) && index < entries.length, `it has no "${list}" ${index}`);
    return fieldsOf(entries[index]);
  }

  list(name: string): readonly unknown[] {
    return listOf(this.json[name]);
  }

  /** The numbers of an accessor, which has this type and array. */
  numbers<A extends keyof typeof ARRAYS>(
    index: unknown,
    type: keyof typeof WIDTHS,
    component: A,
  ): InstanceType<(typeof ARRAYS)[A]> {
    const accessor = this.entry('accessors', index);
    const { byteOffset = 0, byteLength } = this.entry('bufferViews', accessor['bufferView']);
    const NumberArray = ARRAYS[component];
    const { count } = accessor;
    const isRight = accessor['type'] === type && accessor['componentType'] === component && isWhole(count);
    check(isRight, `accessor ${index} is wrong`);
    const length = WIDTHS[type] * count;
    const bytes = NumberArray.BYTES_PER_ELEMENT * length;
    check(isWhole(byteOffset) && byteOffset % 4 === 0 && byteLength === bytes, `accessor ${index} is wrong`);
    check(byteOffset + bytes <= this.#binary.length, 'it is cut off');
    return new NumberArray(this.#binary.buffer, byteOffset, length) as InstanceType<(typeof ARRAYS)[A]>;
  }
}

export function check(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw wrong(message);
}

export function fieldsOf(given: unknown): Fields {
  return given instanceof Object ? (given as Fields) : {};
}

export function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}

export function areNumbers(given: unknown, count: number): given is number[] {
  return Array.isArray(given) && given.length === count && given.every((x) => Number.isFinite(x));
}

export function isWhole(given: unknown): given is number {
  return Number.isSafeInteger(given) && (given as number) >= 0;
}

function wrong(message: string): Error {
  return new Error(`not a recording: ${message}`);
}
