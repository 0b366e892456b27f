/**
 * The bytes behind glTF accessors: buffers in memory, in the file or in files beside it, the views of them, and their
 * compression. Every offset is held against the bytes that are really there.
 */
import { closeSync, existsSync, fstatSync, openSync, statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import type { Json, JsonReader } from 'impinge/internal/formats/gltf-json.js';
import type { MeshoptDecoder } from 'meshoptimizer/decoder';
import { FormatError } from '../format-error.js';
import { type SourceFile, shapeShare } from '../source-file.js';
import { readFully } from '../temporary-file.js';
import { type ByteRange, fileBytes, type GltfBytes, memoryBytes } from './bytes.js';
import type { GltfContainer } from './container.js';
import { decodeMeshopt } from './meshopt.js';

/** Meshopt never packs tighter than this: a control byte for a kilobyte of equal bytes. */
const MAX_MESHOPT_RATIO = 2048;

export interface BufferView extends ByteRange {
  readonly stride: number | undefined;
}

export class GltfBuffers {
  readonly #json: JsonReader;
  readonly #file: SourceFile;
  readonly #binaryChunk: GltfBytes | undefined;
  readonly #buffers = new Map<number, GltfBytes>();
  readonly #views = new Map<number, BufferView>();
  readonly #files = new Set<string>();
  readonly #openFiles: number[] = [];
  #meshopt: typeof MeshoptDecoder | undefined;

  private constructor({ json, binary }: GltfContainer, file: SourceFile) {
    this.#json = json;
    this.#file = file;
    this.#binaryChunk = binary;
  }

  /** Loads the decoder if one is needed, so that later calls can be synchronous. */
  static async open(container: GltfContainer, file: SourceFile): Promise<GltfBuffers> {
    const { json } = container;
    const buffers = new GltfBuffers(container, file);
    buffers.#listFiles();
    const isCompressed = json.array(json.root['bufferViews'], 'bufferViews').some((view, index) => {
      const where = `bufferView ${index}`;
      return buffers.#compression(json.object(view, where), where) !== undefined;
    });
    if (isCompressed) {
      const { MeshoptDecoder } = await import('meshoptimizer/decoder');
      await MeshoptDecoder.ready;
      buffers.#meshopt = MeshoptDecoder;
    }
    return buffers;
  }

  /** The existing files beside the model that buffers name; no other files are opened. */
  get files(): readonly string[] {
    return [...this.#files];
  }

  /** Whether a buffer view is compressed, so that its bytes cannot be read individually; `from` names the referrer. */
  isCompressed(index: unknown, from: string): boolean {
    const view = this.#json.entry('bufferView', index, from);
    return this.#compression(view, `bufferView ${index}`) !== undefined;
  }

  /** Frees the decompressed bytes of a buffer view. */
  forget(viewIndex: number): void {
    this.#views.delete(viewIndex);
  }

  close(): void {
    for (const fd of this.#openFiles.splice(0)) closeSync(fd);
  }

  /** A buffer view, decompressed; `from` names the referrer. */
  view(index: unknown, from: string): BufferView {
    let view = this.#views.get(index as number);
    if (view === undefined) {
      view = this.#openView(this.#json.entry('bufferView', index, from), `bufferView ${index}`);
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
    const bytes = this.#decodeMeshopt(compression, where);
    return { bytes, start: 0, end: bytes.byteLength, stride };
  }

  /** The decompressed bytes of a view: all meshes of a file may share it, so it is kept while they are read. */
  #kept(parts: Iterable<Uint8Array>, byteLength: number): GltfBytes {
    if (byteLength > shapeShare(this.#file)) {
      const contents = this.#file.temporary();
      for (const part of parts) contents.append(part);
      return fileBytes((into, position) => void contents.read(into, position), 0, byteLength);
    }
    const contents = new Uint8Array(byteLength);
    let at = 0;
    for (const part of parts) {
      contents.set(part, at);
      at += part.length;
    }
    return memoryBytes(contents);
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

  #decodeMeshopt(meshopt: Json, where: string): GltfBytes {
    const json = this.#json;
    const source = this.#bufferRange(meshopt, where);
    const count = json.integer(meshopt['count'], where, 'count');
    const stride = json.integer(meshopt['byteStride'], where, 'byteStride');
    const mode = json.text(meshopt['mode']);
    if (stride > 256 || (mode !== 'ATTRIBUTES' && stride !== 2 && stride !== 4)) {
      throw json.fail(where, `byteStride ${stride} does not fit mode ${mode}`);
    }
    const sourceBytes = source.end - source.start;
    if (count * stride > MAX_MESHOPT_RATIO * sourceBytes) {
      throw json.fail(where, `${count} elements cannot come from ${sourceBytes} compressed bytes`);
    }
    const filter = json.text(meshopt['filter']) || 'NONE';
    try {
      const parts = decodeMeshopt(this.#meshopt!, { source, count, stride, mode, filter });
      return this.#kept(parts, count * stride);
    } catch (error) {
      if (error instanceof FormatError) throw error;
      throw json.fail(where, 'the meshopt data is damaged');
    }
  }

  #buffer(index: unknown, from: string): GltfBytes {
    const buffer = this.#json.entry('buffer', index, from);
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
      bytes = memoryBytes(this.#fromBase64(uri.slice(comma + 1), where));
    } else {
      bytes = this.#openBeside(uri, where);
    }
    if (bytes.byteLength < byteLength) {
      throw json.fail(where, `cut off: ${byteLength} bytes are declared, ${bytes.byteLength} are present`);
    }
    return { byteLength, slice: bytes.slice };
  }

  /** Node.js skips invalid base64; a result shorter than the text implies reveals it. */
  #fromBase64(text: string, where: string): Uint8Array {
    const length = text.replace(/={1,2}$/, '').length;
    const bytes = new Uint8Array(Buffer.from(text, 'base64'));
    if (length % 4 === 1 || bytes.length !== Math.floor((3 * length) / 4)) {
      throw this.#json.fail(where, 'its data URI is not valid base64');
    }
    return bytes;
  }

  #listFiles(): void {
    for (const [index, buffer] of this.#json.array(this.#json.root['buffers'], 'buffers').entries()) {
      const uri = this.#json.object(buffer, `buffer ${index}`)['uri'];
      if (typeof uri !== 'string' || uri.startsWith('data:')) continue;
      const target = pathBeside(this.#file.path, uri);
      if (target !== undefined && isRegularFile(target)) this.#files.add(target);
    }
  }

  #openBeside(uri: string, where: string): GltfBytes {
    const json = this.#json;
    const shown = JSON.stringify(uri.slice(0, 80));
    if (decoded(uri) === undefined) throw json.fail(where, 'its uri is malformed');
    const target = pathBeside(this.#file.path, uri);
    if (target === undefined) throw json.fail(where, `${shown} is not a file in the model's folder`);
    if (!this.#files.has(target)) {
      throw json.fail(where, `${shown} ${existsSync(target) ? 'is not a file' : 'cannot be opened'}`);
    }
    let fd: number;
    try {
      fd = openSync(target, 'r');
    } catch {
      throw json.fail(where, `${shown} cannot be opened`);
    }
    this.#openFiles.push(fd);
    const { size } = fstatSync(fd);
    this.#file.growth.alsoRead(size);
    this.#file.watch(target, fd);
    const read = (into: Uint8Array, position: number) => {
      if (readFully(fd, into, position) < into.length) throw json.fail(where, 'cut off while it was read');
    };
    return fileBytes(read, 0, size);
  }
}

/** A file in the folder of the model, or below it: an untrusted file must not reach further. */
function pathBeside(model: string, uri: string): string | undefined {
  const name = decoded(uri);
  if (name === undefined || /^[a-z][a-z0-9+.-]+:/i.test(uri)) return undefined;
  const folder = resolve(dirname(model));
  const target = resolve(folder, name);
  const inside = relative(folder, target);
  const isOutside = inside === '' || isAbsolute(inside) || inside.split(sep)[0] === '..';
  return isOutside ? undefined : target;
}

function decoded(uri: string): string | undefined {
  try {
    return decodeURIComponent(uri);
  } catch {
    return undefined;
  }
}

function isRegularFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
