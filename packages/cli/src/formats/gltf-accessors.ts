/**
 * glTF accessors: typed numbers out of buffers, buffer views and their compression. Only what is asked for is
 * read; every offset and count is held against the bytes that are really there.
 */
import { closeSync, openSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { MeshoptDecoder } from 'meshoptimizer/decoder';
import { fileBytes, type GltfBytes, memoryBytes } from './gltf-bytes.js';
import type { GltfContainer } from './gltf-container.js';
import type { Json, JsonReader } from './gltf-json.js';
import { readFully } from './temporary-file.js';

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

/** Bytes [start, end) of a buffer. */
interface ByteRange {
  readonly bytes: GltfBytes;
  readonly start: number;
  readonly end: number;
}

interface BufferView extends ByteRange {
  readonly stride: number | undefined;
}

/** The elements of an accessor where they lie. */
export interface AccessorRecords {
  readonly bytes: GltfBytes;
  readonly byteOffset: number;
  readonly strideBytes: number;
  readonly count: number;
  readonly componentType: number;
  readonly isNormalised: boolean;
}

export class GltfAccessors {
  readonly #json: JsonReader;
  readonly #root: Json;
  readonly #path: string;
  readonly #binaryChunk: GltfBytes | undefined;
  readonly #buffers = new Map<number, GltfBytes>();
  readonly #views = new Map<number, BufferView>();
  readonly #openFiles: number[] = [];
  #meshopt: typeof MeshoptDecoder | undefined;

  private constructor(json: JsonReader, root: Json, path: string, binaryChunk: GltfBytes | undefined) {
    this.#json = json;
    this.#root = root;
    this.#path = path;
    this.#binaryChunk = binaryChunk;
  }

  /** Loads the decoder if one is needed, so that nothing has to be waited for afterwards. */
  static async open({ json, root, binary }: GltfContainer, path: string): Promise<GltfAccessors> {
    const accessors = new GltfAccessors(json, root, path, binary);
    const isCompressed = json.array(root['bufferViews'], 'bufferViews').some((view, index) => {
      const where = `bufferView ${index}`;
      return accessors.#compression(json.object(view, where), where) !== undefined;
    });
    if (isCompressed) {
      const { MeshoptDecoder } = await import('meshoptimizer/decoder');
      await MeshoptDecoder.ready;
      accessors.#meshopt = MeshoptDecoder;
    }
    return accessors;
  }

  /** Floats of an accessor of the given type; normalised integers become fractions. */
  floats(index: unknown, type: 'VEC3' | 'VEC4', from: string): Float32Array<ArrayBuffer> {
    const accessor = this.#json.entry(this.#root, 'accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = this.#elements(accessor, type, where);
    const out = floatsOf(bytes, accessor['componentType'] as number, accessor['normalized'] === true);
    const bad = firstNonFinite(out);
    if (bad >= 0) {
      throw this.#json.fail(where, `element ${Math.floor(bad / COMPONENTS[type])} is not finite`);
    }
    return out;
  }

  /** Unsigned integers of a scalar accessor. */
  indices(index: unknown, from: string): Uint32Array {
    const accessor = this.#json.entry(this.#root, 'accessor', index, from);
    const where = `accessor ${index}`;
    const bytes = this.#elements(accessor, 'SCALAR', where);
    return this.#indicesOf(bytes, accessor['componentType'], where);
  }

  /** The raw bytes of a buffer view, decompressed. */
  viewBytes(index: unknown, from: string): Uint8Array {
    const { bytes, start, end } = this.#view(index, from);
    return bytes.slice(start, end);
  }

  /** Where the elements of an accessor lie; undefined when they are compressed or sparse, and not to be had like this. */
  records(index: unknown, type: 'VEC3' | 'SCALAR', from: string): AccessorRecords | undefined {
    const json = this.#json;
    const accessor = json.entry(this.#root, 'accessor', index, from);
    if (accessor['sparse'] !== undefined || accessor['bufferView'] === undefined) return undefined;
    const where = `accessor ${index}`;
    const view = json.entry(this.#root, 'bufferView', accessor['bufferView'], where);
    if (this.#compression(view, where) !== undefined) return undefined;
    const size = this.#elementBytes(accessor, type, where);
    const count = json.integer(accessor['count'], where, 'count');
    const offset = json.integer(accessor['byteOffset'], where, 'byteOffset', 0);
    const range = this.#range(accessor['bufferView'], offset, count, size, where);
    return {
      bytes: range.bytes,
      byteOffset: range.start,
      strideBytes: range.stride,
      count,
      componentType: accessor['componentType'] as number,
      isNormalised: accessor['normalized'] === true,
    };
  }

  /** How many elements an accessor says it has. */
  count(index: unknown, from: string): number {
    const accessor = this.#json.entry(this.#root, 'accessor', index, from);
    return this.#json.integer(accessor['count'], `accessor ${index}`, 'count');
  }

  /** Which compressed buffer view an accessor reads, if any. */
  compressedView(index: unknown, from: string): number | undefined {
    const viewIndex = this.#json.entry(this.#root, 'accessor', index, from)['bufferView'];
    if (viewIndex === undefined) return undefined;
    const view = this.#json.entry(this.#root, 'bufferView', viewIndex, `accessor ${index}`);
    const isCompressed = this.#compression(view, `bufferView ${viewIndex}`) !== undefined;
    return isCompressed ? (viewIndex as number) : undefined;
  }

  /** Lets go of what a compressed buffer view was decompressed to. */
  forget(viewIndex: number): void {
    this.#views.delete(viewIndex);
  }

  close(): void {
    for (const fd of this.#openFiles.splice(0)) closeSync(fd);
  }

  /** The accessor's elements, close together. */
  #elements(accessor: Json, type: string, where: string): Uint8Array<ArrayBuffer> {
    const json = this.#json;
    const size = this.#elementBytes(accessor, type, where);
    const count = json.integer(accessor['count'], where, 'count');
    const sparse =
      accessor['sparse'] === undefined ? undefined : json.object(accessor['sparse'], `${where}: sparse`);
    let elements: Uint8Array<ArrayBuffer>;
    if (accessor['bufferView'] !== undefined) {
      const offset = json.integer(accessor['byteOffset'], where, 'byteOffset', 0);
      elements = this.#packed(accessor['bufferView'], offset, count, size, where);
    } else {
      if (sparse === undefined) throw json.fail(where, 'it has no data');
      if (count > MAX_BASELESS) throw json.fail(where, `${count} elements without a buffer view`);
      elements = new Uint8Array(size * count);
    }
    if (sparse) this.#applySparse(sparse, elements, size, count, where);
    return elements;
  }

  #elementBytes(accessor: Json, type: string, where: string): number {
    const json = this.#json;
    if (accessor['type'] !== type)
      throw json.fail(where, `its type is ${JSON.stringify(accessor['type'])}, not ${type}`);
    const componentType = accessor['componentType'] as number;
    if (componentBytes(componentType) === 0) throw json.fail(where, `unknown componentType ${componentType}`);
    return componentBytes(componentType) * COMPONENTS[type];
  }

  #applySparse(sparse: Json, elements: Uint8Array, size: number, count: number, where: string): void {
    const json = this.#json;
    const changes = json.integer(sparse['count'], `${where}: sparse`, 'count');
    const indicesOf = json.object(sparse['indices'], `${where}: sparse.indices`);
    const valuesOf = json.object(sparse['values'], `${where}: sparse.values`);
    const indexBytes = componentBytes(indicesOf['componentType'] as number);
    const part = (of: Json, bytes: number) =>
      this.#packed(
        of['bufferView'],
        json.integer(of['byteOffset'], where, 'byteOffset', 0),
        changes,
        bytes,
        where,
      );
    const indices = this.#indicesOf(part(indicesOf, indexBytes), indicesOf['componentType'], where);
    const values = part(valuesOf, size);
    for (let i = 0; i < changes; i++) {
      if (indices[i] >= count)
        throw json.fail(where, `a sparse index is ${indices[i]}, but there are ${count} elements`);
      elements.set(values.subarray(size * i, size * i + size), size * indices[i]);
    }
  }

  #indicesOf(bytes: Uint8Array<ArrayBuffer>, componentType: unknown, where: string): Uint32Array {
    const indices = indicesOf(bytes, componentType);
    if (indices === undefined) {
      throw this.#json.fail(where, `componentType ${componentType} is not an unsigned integer`);
    }
    return indices;
  }

  /** `count` elements of `size` bytes out of a view, stride removed. */
  #packed(
    viewIndex: unknown,
    offset: number,
    count: number,
    size: number,
    where: string,
  ): Uint8Array<ArrayBuffer> {
    const { bytes, start, end, stride } = this.#range(viewIndex, offset, count, size, where);
    return packedElements(bytes.slice(start, end), count, size, stride);
  }

  /** The bytes from the first to the last of `count` elements, which are known to be there. */
  #range(
    viewIndex: unknown,
    offset: number,
    count: number,
    size: number,
    where: string,
  ): ByteRange & { readonly stride: number } {
    const { bytes, start, end, stride = size } = this.#view(viewIndex, where);
    const needed = count === 0 ? 0 : offset + stride * (count - 1) + size;
    if (needed > end - start) {
      throw this.#json.fail(
        where,
        `it reaches to byte ${needed} of bufferView ${viewIndex}, which has ${end - start}`,
      );
    }
    return { bytes, start: start + Math.min(offset, needed), end: start + needed, stride };
  }

  #view(index: unknown, from: string): BufferView {
    let view = this.#views.get(index as number);
    if (view === undefined) {
      view = this.#openView(this.#json.entry(this.#root, 'bufferView', index, from), `bufferView ${index}`);
      this.#views.set(index as number, view);
    }
    return view;
  }

  #openView(view: Json, where: string): BufferView {
    const stride =
      view['byteStride'] === undefined
        ? undefined
        : this.#json.integer(view['byteStride'], where, 'byteStride');
    const compression = this.#compression(view, where);
    if (compression === undefined) return { ...this.#bufferRange(view, where), stride };
    const decoded = this.#decodeMeshopt(compression, where);
    return { bytes: memoryBytes(decoded), start: 0, end: decoded.length, stride };
  }

  #compression(view: Json, where: string): Json | undefined {
    return (
      this.#json.extension(view, 'EXT_meshopt_compression', where) ??
      this.#json.extension(view, 'KHR_meshopt_compression', where)
    );
  }

  #bufferRange(part: Json, where: string): ByteRange {
    const json = this.#json;
    const bytes = this.#buffer(part['buffer'], where);
    const start = json.integer(part['byteOffset'], where, 'byteOffset', 0);
    const end = start + json.integer(part['byteLength'], where, 'byteLength');
    if (end > bytes.byteLength) {
      throw json.fail(
        where,
        `it reaches to byte ${end} of buffer ${part['buffer']}, which has ${bytes.byteLength}`,
      );
    }
    return { bytes, start, end };
  }

  #decodeMeshopt(meshopt: Json, where: string): Uint8Array {
    const json = this.#json;
    const range = this.#bufferRange(meshopt, where);
    const source = range.bytes.slice(range.start, range.end);
    const count = json.integer(meshopt['count'], where, 'count');
    const stride = json.integer(meshopt['byteStride'], where, 'byteStride');
    const mode = json.text(meshopt['mode']);
    if (stride > 256 || (mode !== 'ATTRIBUTES' && stride !== 2 && stride !== 4)) {
      throw json.fail(where, `byteStride ${stride} does not fit mode ${mode}`);
    }
    if (count * stride > MAX_MESHOPT_RATIO * source.length) {
      throw json.fail(where, `${count} elements cannot come out of ${source.length} compressed bytes`);
    }
    const target = new Uint8Array(count * stride);
    try {
      this.#meshopt!.decodeGltfBuffer(
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

  #buffer(index: unknown, from: string): GltfBytes {
    const buffer = this.#json.entry(this.#root, 'buffer', index, from);
    let bytes = this.#buffers.get(index as number);
    if (bytes === undefined) {
      bytes = this.#openBuffer(buffer, index as number);
      this.#buffers.set(index as number, bytes);
    }
    return bytes;
  }

  #openBuffer(buffer: Json, index: number): GltfBytes {
    const json = this.#json;
    const where = `buffer ${index}`;
    const byteLength = json.integer(buffer['byteLength'], where, 'byteLength');
    const uri = buffer['uri'];
    let bytes: GltfBytes;
    if (uri === undefined) {
      if (index !== 0 || this.#binaryChunk === undefined) throw json.fail(where, 'it has no data');
      bytes = this.#binaryChunk;
    } else if (typeof uri !== 'string') {
      throw json.fail(where, 'its uri is not text');
    } else if (uri.startsWith('data:')) {
      const comma = uri.indexOf(',');
      if (!uri.slice(0, comma).endsWith(';base64')) throw json.fail(where, 'its data URI is not base64');
      bytes = memoryBytes(new Uint8Array(Buffer.from(uri.slice(comma + 1), 'base64')));
    } else {
      bytes = this.#openBeside(uri, where);
    }
    if (bytes.byteLength < byteLength) {
      throw json.fail(where, `cut off: ${byteLength} bytes are promised, ${bytes.byteLength} are there`);
    }
    return { byteLength, slice: bytes.slice };
  }

  /** A file in the folder of the model, or below it: a stranger's file must not reach further. */
  #openBeside(uri: string, where: string): GltfBytes {
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
    const stat = statSync(target, { throwIfNoEntry: false });
    if (stat && !stat.isFile()) throw json.fail(where, `${JSON.stringify(uri.slice(0, 80))} is not a file`);
    let fd: number;
    try {
      fd = openSync(target, 'r');
    } catch {
      throw json.fail(where, `${JSON.stringify(uri.slice(0, 80))} cannot be opened`);
    }
    this.#openFiles.push(fd);
    const read = (into: Uint8Array, position: number) => {
      if (readFully(fd, into, position) < into.length) throw json.fail(where, 'cut off while it was read');
    };
    return fileBytes(read, 0, stat!.size);
  }
}

/** What a component takes; 0 when its type is unknown. */
export function componentBytes(componentType: number): number {
  return COMPONENT_BYTES[componentType] ?? 0;
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

/** Little-endian unsigned integers; undefined when they are of another type. */
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
    out[i] = largest === 1 ? integers[i] : Math.max(integers[i] / largest, -1);
  }
  return out;
}
