/** Numbers out of the buffers of a glTF file. Whatever the JSON says is checked against the bytes there are. */
import { type Decoders, decodedView, meshoptOf } from './gltf-codecs.js';
import type { Json, JsonReader } from './gltf-json.js';

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
  readonly #json: JsonReader;
  /** The bytes of a buffer. */
  readonly #bufferOf: (index: number, json: Json) => Uint8Array;
  /** Called before memory is taken. */
  readonly #allow: (bytes: number) => void;
  readonly #meshopt: Decoders['meshopt'];
  readonly #buffers = new Map<number, Uint8Array>();
  /** Decoded buffer views. */
  readonly #decoded = new Map<unknown, Uint8Array>();

  constructor(
    json: JsonReader,
    bufferOf: (index: number, json: Json) => Uint8Array,
    allow: (bytes: number) => void,
    meshopt?: Decoders['meshopt'],
  ) {
    this.#meshopt = meshopt;
    this.#json = json;
    this.#bufferOf = bufferOf;
    this.#allow = allow;
  }

  /** Finite numbers; `packed`: without gaps, instead of those of its buffer view. */
  floats(index: unknown, type: 'VEC3' | 'VEC4', from: string, packed?: Uint8Array): Float32Array {
    const accessor = this.#json.entry('accessor', index, from);
    if (accessor['type'] !== type) throw this.#json.fail(from, `an attribute is not ${type}`);
    const width = Number(type[3]);
    const numbers = Float32Array.from(
      packed ? this.#unpacked(accessor, packed, from) : this.#numbers(accessor, width, from),
    );
    if (numbers.every(Number.isFinite)) return numbers;
    throw this.#json.fail(from, 'a number is not finite');
  }

  indices(index: unknown, from: string): Uint32Array {
    const accessor = this.#json.entry('accessor', index, from);
    const isWhole = [5121, 5123, 5125].includes(accessor['componentType'] as number);
    if (accessor['type'] !== 'SCALAR' || !isWhole) {
      throw this.#json.fail(from, 'indices are not whole numbers');
    }
    return Uint32Array.from(this.#numbers(accessor, 1, from));
  }

  #numbers(accessor: Json, width: number, from: string): Float64Array {
    const count = this.#json.integer(accessor['count'], from, 'count');
    this.#allow(8 * width * count);
    const out = new Float64Array(width * count);
    const type = accessor['componentType'];
    if (accessor['bufferView'] !== undefined) this.#read(accessor, type, width, count, from, out);
    if (accessor['sparse'] !== undefined) this.#replace(accessor['sparse'], type, width, count, from, out);
    return this.#normalised(accessor, out, from);
  }

  #unpacked(accessor: Json, packed: Uint8Array, from: string): Float64Array {
    const { bytes, read } = this.#component(accessor['componentType'], from);
    const data = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
    this.#allow(8 * (packed.length / bytes));
    const out = Float64Array.from({ length: packed.length / bytes }, (_, i) => read(data, bytes * i));
    return this.#normalised(accessor, out, from);
  }

  #normalised(accessor: Json, out: Float64Array, from: string): Float64Array {
    const { one } = this.#component(accessor['componentType'], from);
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
    const json = this.#json;
    const sparse = json.object(given, from);
    const places = json.object(sparse['indices'], from);
    const changed = json.integer(sparse['count'], from, 'count');
    if (changed > count) throw json.fail(from, `${changed} of ${count} entries are replaced`);
    const at = new Float64Array(changed);
    const by = new Float64Array(width * changed);
    this.#read(places, places['componentType'], 1, changed, from, at);
    this.#read(json.object(sparse['values'], from), type, width, changed, from, by);
    for (let i = 0; i < changed; i++) {
      if (!(at[i] < count)) throw json.fail(from, `entry ${at[i]} of ${count} is replaced`);
      out.set(by.subarray(width * i, width * (i + 1)), width * at[i]);
    }
  }

  /** Reads `count` times `width` numbers from the buffer view of `of`. */
  #read(of: Json, type: unknown, width: number, count: number, from: string, out: Float64Array): void {
    const json = this.#json;
    const view = json.entry('bufferView', of['bufferView'], from);
    const { bytes, read } = this.#component(type, from);
    const stride = json.integer(view['byteStride'], from, 'byteStride', width * bytes);
    const part = this.view(of['bufferView'], from);
    const first = json.integer(of['byteOffset'], from, 'byteOffset', 0);
    const end = count === 0 ? first : first + stride * (count - 1) + width * bytes;
    if (end > part.length) throw json.fail(from, `needs ${end} bytes of a buffer view of ${part.length}`);
    const data = new DataView(part.buffer, part.byteOffset, part.byteLength);
    for (let i = 0; i < count; i++) {
      for (let k = 0; k < width; k++) out[width * i + k] = read(data, first + stride * i + bytes * k);
    }
  }

  /** The bytes of a buffer view, decoded where it is compressed; `from` names the referrer. */
  view(index: unknown, from: string): Uint8Array {
    const json = this.#json;
    const view = json.entry('bufferView', index, from);
    const where = `bufferView ${index}`;
    const compressed = this.#meshopt && meshoptOf(json, view, where);
    if (!this.#meshopt || !compressed) return this.#part(view, where);
    const sourceOf = (part: Json) => this.#part(part, where);
    const known =
      this.#decoded.get(index) ?? decodedView(this.#meshopt, compressed, json, where, sourceOf, this.#allow);
    this.#decoded.set(index, known);
    return known;
  }

  /** What a buffer view, or a description of a compressed one, says of a buffer. */
  #part(part: Json, where: string): Uint8Array {
    const json = this.#json;
    const buffer = this.#buffer(part['buffer'], where);
    const start = json.integer(part['byteOffset'], where, 'byteOffset', 0);
    const end = start + json.integer(part['byteLength'], where, 'byteLength');
    if (end > buffer.length) throw json.fail(where, `needs ${end} bytes of a buffer of ${buffer.length}`);
    return buffer.subarray(start, end);
  }

  #buffer(index: unknown, from: string): Uint8Array {
    const buffer = this.#json.entry('buffer', index, from);
    const known = this.#buffers.get(index as number) ?? this.#bufferOf(index as number, buffer);
    this.#buffers.set(index as number, known);
    return known;
  }

  #component(type: unknown, from: string) {
    if (Object.hasOwn(COMPONENTS, String(type))) return COMPONENTS[type as keyof typeof COMPONENTS];
    throw this.#json.fail(from, `unknown component type ${String(type)}`);
  }
}
