/**
 * glTF accessors: typed numbers out of buffers, buffer views and their compression. Only what is asked for is
 * loaded; every offset and count is held against the bytes that are really there.
 */
import { open } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Json, JsonReader } from './gltf-json.js';

const COMPONENTS: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4 };
const COMPONENT_BYTES: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
/** A sparse accessor without a base claims its size without bytes to show for it; this many are believed. */
const MAX_BASELESS = 1 << 20;
/** Meshopt never packs tighter than this: a control byte for a kilobyte of equal bytes. */
const MAX_MESHOPT_RATIO = 2048;

interface BufferView {
  readonly bytes: Uint8Array;
  readonly stride: number | undefined;
}

export class GltfAccessors {
  readonly #json: JsonReader;
  readonly #root: Json;
  readonly #path: string;
  readonly #binaryChunk: Uint8Array | undefined;
  readonly #buffers = new Map<number, Promise<Uint8Array>>();
  readonly #views = new Map<number, Promise<BufferView>>();

  constructor(json: JsonReader, root: Json, path: string, binaryChunk: Uint8Array | undefined) {
    this.#json = json;
    this.#root = root;
    this.#path = path;
    this.#binaryChunk = binaryChunk;
  }

  /** Floats of an accessor of the given type; normalised integers become fractions. */
  async floats(index: unknown, type: 'VEC3' | 'VEC4', from: string): Promise<Float32Array<ArrayBuffer>> {
    const accessor = this.#json.entry(this.#root, 'accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = await this.#elements(accessor, type, where);
    const out = floatsOf(bytes, accessor['componentType'] as number, accessor['normalized'] === true);
    const bad = firstNonFinite(out);
    if (bad >= 0) {
      throw this.#json.fail(where, `element ${Math.floor(bad / COMPONENTS[type]!)} is not finite`);
    }
    return out;
  }

  /** Unsigned integers of a scalar accessor. */
  async indices(index: unknown, from: string): Promise<Uint32Array> {
    const accessor = this.#json.entry(this.#root, 'accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = await this.#elements(accessor, 'SCALAR', where);
    return this.#indicesOf(bytes, accessor['componentType'], where);
  }

  /** The raw bytes of a buffer view, decompressed. */
  async viewBytes(index: unknown, from: string): Promise<Uint8Array> {
    return (await this.#view(index, from)).bytes;
  }

  /** The accessor's elements, close together. */
  async #elements(accessor: Json, type: string, where: string): Promise<Uint8Array<ArrayBuffer>> {
    const json = this.#json;
    if (accessor['type'] !== type)
      throw json.fail(where, `its type is ${JSON.stringify(accessor['type'])}, not ${type}`);
    const componentBytes = COMPONENT_BYTES[accessor['componentType'] as number];
    if (componentBytes === undefined)
      throw json.fail(where, `unknown componentType ${accessor['componentType']}`);
    const size = componentBytes * COMPONENTS[type]!;
    const count = json.integer(accessor['count'], where, 'count');
    const sparse =
      accessor['sparse'] === undefined ? undefined : json.object(accessor['sparse'], `${where}: sparse`);
    let elements: Uint8Array<ArrayBuffer>;
    if (accessor['bufferView'] !== undefined) {
      const offset = json.integer(accessor['byteOffset'], where, 'byteOffset', 0);
      elements = await this.#packed(accessor['bufferView'], offset, count, size, where);
    } else {
      if (sparse === undefined) throw json.fail(where, 'it has no data');
      if (count > MAX_BASELESS) throw json.fail(where, `${count} elements without a buffer view`);
      elements = new Uint8Array(size * count);
    }
    if (sparse) await this.#applySparse(sparse, elements, size, count, where);
    return elements;
  }

  async #applySparse(
    sparse: Json,
    elements: Uint8Array,
    size: number,
    count: number,
    where: string,
  ): Promise<void> {
    const json = this.#json;
    const changes = json.integer(sparse['count'], `${where}: sparse`, 'count');
    const indicesOf = json.object(sparse['indices'], `${where}: sparse.indices`);
    const valuesOf = json.object(sparse['values'], `${where}: sparse.values`);
    const indexBytes = COMPONENT_BYTES[indicesOf['componentType'] as number] ?? 0;
    const part = (of: Json, bytes: number) =>
      this.#packed(
        of['bufferView'],
        json.integer(of['byteOffset'], where, 'byteOffset', 0),
        changes,
        bytes,
        where,
      );
    const indices = this.#indicesOf(await part(indicesOf, indexBytes), indicesOf['componentType'], where);
    const values = await part(valuesOf, size);
    for (let i = 0; i < changes; i++) {
      if (indices[i]! >= count)
        throw json.fail(where, `a sparse index is ${indices[i]}, but there are ${count} elements`);
      elements.set(values.subarray(size * i, size * i + size), size * indices[i]!);
    }
  }

  #indicesOf(bytes: Uint8Array<ArrayBuffer>, componentType: unknown, where: string): Uint32Array {
    switch (componentType) {
      case 5121:
        return Uint32Array.from(bytes);
      case 5123:
        return Uint32Array.from(new Uint16Array(bytes.buffer));
      case 5125:
        return new Uint32Array(bytes.buffer);
      default:
        throw this.#json.fail(where, `componentType ${componentType} is not an unsigned integer`);
    }
  }

  /** `count` elements of `size` bytes out of a view, stride removed. */
  async #packed(
    viewIndex: unknown,
    offset: number,
    count: number,
    size: number,
    where: string,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { bytes, stride = size } = await this.#view(viewIndex, where);
    const needed = count === 0 ? 0 : offset + stride * (count - 1) + size;
    if (needed > bytes.length) {
      throw this.#json.fail(
        where,
        `it reaches to byte ${needed} of bufferView ${viewIndex}, which has ${bytes.length}`,
      );
    }
    if (stride === size) return bytes.slice(offset, needed) as Uint8Array<ArrayBuffer>;
    const out = new Uint8Array(size * count);
    for (let i = 0, from = offset; i < count; i++, from += stride) {
      for (let k = 0; k < size; k++) out[size * i + k] = bytes[from + k]!;
    }
    return out;
  }

  #view(index: unknown, from: string): Promise<BufferView> {
    const view = this.#json.entry(this.#root, 'bufferView', index, from);
    let loading = this.#views.get(index as number);
    if (loading === undefined) {
      loading = this.#loadView(view, `bufferView ${index}`);
      this.#views.set(index as number, loading);
    }
    return loading;
  }

  async #loadView(view: Json, where: string): Promise<BufferView> {
    const json = this.#json;
    const stride =
      view['byteStride'] === undefined ? undefined : json.integer(view['byteStride'], where, 'byteStride');
    const meshopt =
      json.extension(view, 'EXT_meshopt_compression', where) ??
      json.extension(view, 'KHR_meshopt_compression', where);
    const bytes = meshopt ? await this.#decodeMeshopt(meshopt, where) : await this.#slice(view, where);
    return { bytes, stride };
  }

  async #slice(part: Json, where: string): Promise<Uint8Array> {
    const json = this.#json;
    const buffer = await this.#buffer(part['buffer'], where);
    const offset = json.integer(part['byteOffset'], where, 'byteOffset', 0);
    const end = offset + json.integer(part['byteLength'], where, 'byteLength');
    if (end > buffer.length) {
      throw json.fail(
        where,
        `it reaches to byte ${end} of buffer ${part['buffer']}, which has ${buffer.length}`,
      );
    }
    return buffer.subarray(offset, end);
  }

  async #decodeMeshopt(meshopt: Json, where: string): Promise<Uint8Array> {
    const json = this.#json;
    const source = await this.#slice(meshopt, where);
    const count = json.integer(meshopt['count'], where, 'count');
    const stride = json.integer(meshopt['byteStride'], where, 'byteStride');
    const mode = json.text(meshopt['mode']);
    if (stride > 256 || (mode !== 'ATTRIBUTES' && stride !== 2 && stride !== 4)) {
      throw json.fail(where, `byteStride ${stride} does not fit mode ${mode}`);
    }
    if (count * stride > MAX_MESHOPT_RATIO * source.length) {
      throw json.fail(where, `${count} elements cannot come out of ${source.length} compressed bytes`);
    }
    const { MeshoptDecoder } = await import('meshoptimizer/decoder');
    await MeshoptDecoder.ready;
    const target = new Uint8Array(count * stride);
    try {
      MeshoptDecoder.decodeGltfBuffer(
        target,
        count,
        stride,
        source,
        mode,
        json.text(meshopt['filter']) || 'NONE',
      );
    } catch {
      throw json.fail(where, 'the meshopt data is damaged');
    }
    return target;
  }

  #buffer(index: unknown, from: string): Promise<Uint8Array> {
    const buffer = this.#json.entry(this.#root, 'buffer', index, from);
    let loading = this.#buffers.get(index as number);
    if (loading === undefined) {
      loading = this.#loadBuffer(buffer, index as number);
      this.#buffers.set(index as number, loading);
    }
    return loading;
  }

  async #loadBuffer(buffer: Json, index: number): Promise<Uint8Array> {
    const json = this.#json;
    const where = `buffer ${index}`;
    const byteLength = json.integer(buffer['byteLength'], where, 'byteLength');
    const uri = buffer['uri'];
    let bytes: Uint8Array;
    if (uri === undefined) {
      if (index !== 0 || this.#binaryChunk === undefined) throw json.fail(where, 'it has no data');
      bytes = this.#binaryChunk;
    } else if (typeof uri !== 'string') {
      throw json.fail(where, 'its uri is not text');
    } else if (uri.startsWith('data:')) {
      const comma = uri.indexOf(',');
      if (!uri.slice(0, comma).endsWith(';base64')) throw json.fail(where, 'its data URI is not base64');
      bytes = new Uint8Array(Buffer.from(uri.slice(comma + 1), 'base64'));
    } else {
      bytes = await this.#readBeside(uri, byteLength, where);
    }
    if (bytes.length < byteLength) {
      throw json.fail(where, `cut off: ${byteLength} bytes are promised, ${bytes.length} are there`);
    }
    return bytes.subarray(0, byteLength);
  }

  /** A file in the folder of the model, or below it: a stranger's file must not reach further. */
  async #readBeside(uri: string, byteLength: number, where: string): Promise<Uint8Array> {
    const json = this.#json;
    const folder = resolve(dirname(this.#path));
    let target: string;
    try {
      target = resolve(folder, decodeURIComponent(uri));
    } catch {
      throw json.fail(where, 'its uri is malformed');
    }
    const inside = relative(folder, target);
    if (
      /^[a-z][a-z0-9+.-]+:/i.test(uri) ||
      inside === '' ||
      isAbsolute(inside) ||
      inside.split(sep)[0] === '..'
    ) {
      throw json.fail(where, `${JSON.stringify(uri.slice(0, 80))} is not a file in the model's folder`);
    }
    const handle = await open(target, 'r').catch(() => {
      throw json.fail(where, `${JSON.stringify(uri.slice(0, 80))} cannot be opened`);
    });
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) throw json.fail(where, `${JSON.stringify(uri.slice(0, 80))} is not a file`);
      const bytes = new Uint8Array(Math.min(byteLength, stat.size));
      let done = 0;
      while (done < bytes.length) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, done);
        if (bytesRead === 0) break;
        done += bytesRead;
      }
      return bytes.subarray(0, done);
    } finally {
      await handle.close();
    }
  }
}

/** The position of the first NaN or infinity, or −1. */
export function firstNonFinite(numbers: Float32Array): number {
  // x − x is 0 for finite numbers only
  for (let i = 0; i < numbers.length; i++) if (numbers[i]! - numbers[i]! !== 0) return i;
  return -1;
}

/** Little-endian components as float32; `normalised` integers are divided by the largest of their type. */
export function floatsOf(
  bytes: Uint8Array<ArrayBuffer>,
  componentType: number,
  normalised: boolean,
): Float32Array<ArrayBuffer> {
  switch (componentType) {
    case 5126:
      return new Float32Array(bytes.buffer);
    case 5120:
      return scaled(new Int8Array(bytes.buffer), normalised ? 127 : 1);
    case 5121:
      return scaled(bytes, normalised ? 255 : 1);
    case 5122:
      return scaled(new Int16Array(bytes.buffer), normalised ? 32767 : 1);
    case 5123:
      return scaled(new Uint16Array(bytes.buffer), normalised ? 65535 : 1);
    default:
      return scaled(new Uint32Array(bytes.buffer), normalised ? 2 ** 32 - 1 : 1);
  }
}

function scaled(integers: Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array, largest: number) {
  const out = new Float32Array(integers.length);
  for (let i = 0; i < out.length; i++) {
    out[i] = largest === 1 ? integers[i]! : Math.max(integers[i]! / largest, -1);
  }
  return out;
}
