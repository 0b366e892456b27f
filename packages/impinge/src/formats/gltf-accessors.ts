/** Numbers out of the buffers of a glTF file. Whatever the JSON says is checked against the bytes there are. */
import type { FileBytes } from './mesh-file.js';

export type Json = Readonly<Record<string, unknown>>;

/** Component type → reader, bytes, and what a normalised 1 is stored as. */
const COMPONENTS = {
  5120: { bytes: 1, one: 127, read: (view: DataView, at: number) => view.getInt8(at) },
  5121: { bytes: 1, one: 255, read: (view: DataView, at: number) => view.getUint8(at) },
  5122: { bytes: 2, one: 32767, read: (view: DataView, at: number) => view.getInt16(at, true) },
  5123: { bytes: 2, one: 65535, read: (view: DataView, at: number) => view.getUint16(at, true) },
  5125: { bytes: 4, one: 1, read: (view: DataView, at: number) => view.getUint32(at, true) },
  5126: { bytes: 4, one: 1, read: (view: DataView, at: number) => view.getFloat32(at, true) },
};

export class GltfAccessors {
  readonly #file: FileBytes;
  readonly #json: Json;
  /** The bytes of a buffer. */
  readonly #bufferOf: (index: number, json: Json) => Uint8Array;
  readonly #buffers = new Map<number, Uint8Array>();

  constructor(file: FileBytes, json: Json, bufferOf: (index: number, json: Json) => Uint8Array) {
    this.#file = file;
    this.#json = json;
    this.#bufferOf = bufferOf;
  }

  /** An entry of one of the file's lists. */
  entry(list: string, index: unknown, from: string): Json {
    const all = this.#json[list];
    const found = Array.isArray(all) && Number.isInteger(index) ? all[index as number] : undefined;
    if (found !== null && typeof found === 'object') return found as Json;
    throw this.#file.fail(`refers to ${list}[${String(index)}], which does not exist`, from);
  }

  /** Three numbers per vertex. */
  positions(index: unknown, from: string): Float32Array {
    return Float32Array.from(this.vectors(index, 3, from));
  }

  /** Of instances: `width` finite numbers each. */
  vectors(index: unknown, width: 3 | 4, from: string): Float64Array {
    const accessor = this.entry('accessors', index, from);
    if (accessor['type'] !== `VEC${width}`) throw this.#file.fail(`an attribute is not VEC${width}`, from);
    const numbers = this.#numbers(accessor, width, from);
    if (numbers.every(Number.isFinite)) return numbers;
    throw this.#file.fail('a number is not finite', from);
  }

  indices(index: unknown, from: string): Float64Array {
    const accessor = this.entry('accessors', index, from);
    const isWhole = [5121, 5123, 5125].includes(accessor['componentType'] as number);
    if (accessor['type'] !== 'SCALAR' || !isWhole)
      throw this.#file.fail('indices are not whole numbers', from);
    return this.#numbers(accessor, 1, from);
  }

  #numbers(accessor: Json, width: number, from: string): Float64Array {
    const count = this.#whole(accessor['count'], 'count', from);
    this.#file.allow(8 * width * count);
    const out = new Float64Array(width * count);
    const type = accessor['componentType'];
    if (accessor['bufferView'] !== undefined) {
      this.#read(accessor['bufferView'], accessor['byteOffset'], type, width, count, from, out);
    }
    if (accessor['sparse'] !== undefined) this.#replace(accessor['sparse'], type, width, count, from, out);
    const { one } = this.#component(type, from);
    if (accessor['normalized'] === true) {
      for (let i = 0; i < out.length; i++) out[i] = Math.max(out[i] / one, -1);
    }
    return out;
  }

  /** Puts the entries of a sparse accessor where they belong. */
  #replace(
    given: unknown,
    type: unknown,
    width: number,
    count: number,
    from: string,
    out: Float64Array,
  ): void {
    const sparse = Object(given) as Json;
    const places = Object(sparse['indices']) as Json;
    const values = Object(sparse['values']) as Json;
    const changed = this.#whole(sparse['count'], 'count', from);
    if (changed > count) throw this.#file.fail(`${changed} of ${count} entries are replaced`, from);
    const at = new Float64Array(changed);
    const by = new Float64Array(width * changed);
    this.#read(places['bufferView'], places['byteOffset'], places['componentType'], 1, changed, from, at);
    this.#read(values['bufferView'], values['byteOffset'], type, width, changed, from, by);
    for (let i = 0; i < changed; i++) {
      if (!(at[i] < count)) throw this.#file.fail(`entry ${at[i]} of ${count} is replaced`, from);
      out.set(by.subarray(width * i, width * (i + 1)), width * at[i]);
    }
  }

  #read(
    ...[index, start, type, width, count, from, out]: [
      ...[unknown, unknown, unknown],
      ...[number, number, string, Float64Array],
    ]
  ): void {
    const view = this.entry('bufferViews', index, from);
    const buffer = this.#buffer(view['buffer'], from);
    const { bytes, read } = this.#component(type, from);
    const stride =
      view['byteStride'] === undefined ? width * bytes : this.#whole(view['byteStride'], 'stride', from);
    const viewStart = this.#whole(view['byteOffset'] ?? 0, 'byteOffset', from);
    const viewEnd = viewStart + this.#whole(view['byteLength'], 'byteLength', from);
    const first = viewStart + this.#whole(start ?? 0, 'byteOffset', from);
    const end = count === 0 ? first : first + stride * (count - 1) + width * bytes;
    if (end > viewEnd || viewEnd > buffer.length) {
      throw this.#file.fail(`needs ${end} bytes of a buffer of ${Math.min(viewEnd, buffer.length)}`, from);
    }
    const data = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < width; k++) out[width * i + k] = read(data, first + stride * i + bytes * k);
    }
  }

  #buffer(index: unknown, from: string): Uint8Array {
    const json = this.entry('buffers', index, from);
    const known = this.#buffers.get(index as number) ?? this.#bufferOf(index as number, json);
    this.#buffers.set(index as number, known);
    return known;
  }

  #component(type: unknown, from: string) {
    if (Object.hasOwn(COMPONENTS, String(type))) return COMPONENTS[type as keyof typeof COMPONENTS];
    throw this.#file.fail(`unknown component type ${String(type)}`, from);
  }

  #whole(value: unknown, what: string, from: string): number {
    if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
    throw this.#file.fail(`${what} is ${String(value)}`, from);
  }
}
