/**
 * The file behind a source: read in sequence from any place, or at random. A gzip file is decompressed into a temporary
 * one first, because neither works on it.
 */
import { fstatSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { IndexedTriangles, ShapeStream, SourceShape } from '@impinge/model';
import { READ_NOW } from '../regular-file.js';
import { ByteWindow, type FillBytes, gunzip } from './byte-window.js';
import { asFormatError, assertFile, FormatError } from './format-error.js';
import type { Georeference } from './georeference.js';
import { GrowthLimit } from './growth-limit.js';
import { type Landmarks, NO_LANDMARKS } from './landmarks.js';
import { LeftOutList } from './left-out.js';
import type { ModelSource, SourceOptions } from './model-source.js';
import { readFully, TemporaryFile } from './temporary-file.js';

/** A gzip file may grow by this factor; models do by 2 to 20. */
const MAX_INFLATION = 200;
/** Bytes that any gzip file may expand to, whatever its size. */
const ALWAYS_INFLATED_BYTES = 64 << 20;
/** Half a unit in the last place. */
const FLOAT32_PRECISION = 2 ** -24;
/** The corners of a triangle. */
const STREAMED_TRIANGLE_BYTES = 36;

export class SourceFile {
  readonly path: string;
  /** The name without folders and `.gz`. */
  readonly name: string;
  /** The name without its extension as well. */
  readonly stem: string;
  readonly bytesOnDisk: number;
  readonly options: SourceOptions;
  readonly growth: GrowthLimit;
  readonly #handle: FileHandle;
  readonly #inflated: TemporaryFile | undefined;
  #unpacked: TemporaryFile | undefined;
  readonly #closers: (() => void | Promise<void>)[] = [];
  readonly #watched: { readonly path: string; readonly fd: number; readonly state: string }[] = [];
  #reached = 0;

  private constructor(
    path: string,
    options: SourceOptions,
    handle: FileHandle,
    bytesOnDisk: number,
    inflated: TemporaryFile | undefined,
  ) {
    this.path = path;
    this.options = options;
    this.#handle = handle;
    this.bytesOnDisk = bytesOnDisk;
    this.#inflated = inflated;
    this.growth = new GrowthLimit(path, this.byteLength);
    this.name = inflated ? basename(path).replace(/\.gz$/i, '') : basename(path);
    this.stem = this.name.replace(/\.[a-z0-9]+$/i, '') || this.name;
    this.watch(path, handle.fd);
  }

  static async open(path: string, options: SourceOptions): Promise<SourceFile> {
    const handle = await open(path, READ_NOW);
    try {
      const stat = await handle.stat();
      assertFile(path, stat);
      if (stat.size === 0) throw new FormatError(path, 'is empty');
      const head = new Uint8Array(2);
      readFully(handle.fd, head, 0);
      const inflated =
        head[0] === 0x1f && head[1] === 0x8b ? await inflate(path, handle, options) : undefined;
      return new SourceFile(path, options, handle, stat.size, inflated);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  get #contents(): TemporaryFile | undefined {
    return this.#unpacked ?? this.#inflated;
  }

  /** Bytes of the contents, decompressed. */
  get byteLength(): number {
    return this.#contents?.byteLength ?? this.bytesOnDisk;
  }

  /** A descriptor of the contents, for direct reading; open until this file is closed. */
  get fd(): number {
    return this.#contents?.fd ?? this.#handle.fd;
  }

  /** Replaces the contents by `parts`, which were unpacked from the file. */
  async unpack(parts: AsyncIterable<Uint8Array>): Promise<void> {
    const contents = this.temporary();
    for await (const part of parts) contents.append(part);
    this.growth.alsoRead(contents.byteLength);
    this.#unpacked = contents;
  }

  /** Reads in sequence from `start`, up to `end`; between two chunks the signal is honoured and progress reported. */
  window(start = 0, end = this.byteLength): ByteWindow {
    let position = start;
    const fill: FillBytes = async (into) => {
      this.options.signal?.throwIfAborted();
      const part = into.subarray(0, Math.min(into.length, end - position));
      const contents = this.#contents;
      const count = contents
        ? contents.read(part, position)
        : (await this.#handle.read(part, 0, part.length, position)).bytesRead;
      position += count;
      this.reach(position);
      return count;
    };
    return new ByteWindow(this.path, start, end, fill, this.options.chunkBytes);
  }

  /** Reads at any position; returns the number of bytes read. */
  read(into: Uint8Array, position: number): number {
    return this.#contents?.read(into, position) ?? readFully(this.#handle.fd, into, position);
  }

  /** Says that the contents have been read up to `position`; reading something twice is no progress. */
  reach(position: number): void {
    if (position <= this.#reached) return;
    this.#reached = position;
    this.options.onProgress?.({
      done: Math.round((position / this.byteLength) * this.bytesOnDisk),
      total: this.bytesOnDisk,
    });
  }

  /** A temporary file, removed when this one is closed. */
  temporary(): TemporaryFile {
    const file = new TemporaryFile(this.path, this.options.tempDir);
    this.closeWith(() => file.close());
    return file;
  }

  /** Keeps in mind how an open file that belongs to this one is now. */
  watch(path: string, fd: number): void {
    this.#watched.push({ path, fd, state: stateOf(fd) });
  }

  /** Throws if this file, or one watched with it, has been modified. */
  assertUnchanged(): void {
    for (const { path, fd, state } of this.#watched) {
      if (stateOf(fd) !== state) throw new FormatError(path, 'was changed while it was read');
    }
  }

  /** Calls `close` when this file is closed. */
  closeWith(close: () => void | Promise<void>): void {
    this.#closers.push(close);
  }

  async close(): Promise<void> {
    // a later file may read from an earlier one
    for (const close of this.#closers.splice(0).reverse()) await close();
    this.#inflated?.close();
    await this.#handle.close();
  }
}

/** Changes when the contents do: not for files that are written twice within a tick of the system's clock. */
function stateOf(fd: number): string {
  const { size, mtimeNs } = fstatSync(fd, { bigint: true });
  return `${size} ${mtimeNs}`;
}

async function inflate(path: string, handle: FileHandle, options: SourceOptions): Promise<TemporaryFile> {
  const { size } = await handle.stat();
  const limit = Math.max(ALWAYS_INFLATED_BYTES, MAX_INFLATION * size);
  const most = options.mostBytes ?? Infinity;
  const inflated = new TemporaryFile(path, options.tempDir);
  try {
    const readNext: FillBytes = async (into) => (await handle.read(into, 0, into.length, null)).bytesRead;
    const fill = gunzip(new ByteWindow(path, 0, size, readNext));
    const chunk = new Uint8Array(1 << 20);
    for (let count = 1; count > 0; ) {
      options.signal?.throwIfAborted();
      count = await fill(chunk);
      inflated.append(chunk.subarray(0, count));
      if (inflated.byteLength > most) {
        throw new FormatError(
          path,
          `does not fit into memory: more than ${Math.round(most / 1e6)} MB unpacked`,
        );
      }
      if (inflated.byteLength > limit) {
        throw new FormatError(path, `grows to more than ${MAX_INFLATION} times its size when decompressed`);
      }
    }
    if (inflated.byteLength === 0) throw new FormatError(path, 'is empty');
    return inflated;
  } catch (error) {
    inflated.close();
    throw error;
  }
}

/** Maximum memory of one shape, in bytes; a larger one is streamed. */
export function shapeShare(file: SourceFile): number {
  return file.options.memoryBytes / 4;
}

export interface SourceContents {
  readonly format: string;
  /** Undefined where the format does not state it. */
  readonly metresPerUnit?: number;
  /** Of formats with georeferences; undefined where a file has none. */
  readonly georeference?: Georeference | undefined;
  readonly isTurnedUp?: boolean;
  readonly projectId?: string;
  readonly written?: string;
  shapes(): AsyncIterable<SourceShape>;
  landmarks?(): Promise<Landmarks>;
  /** Relative precision of its numbers; by default that of float32, which most files are made from. */
  readonly precision?: number;
  /** May grow while shapes are read. */
  readonly leftOut?: LeftOutList;
  readonly filesBeside?: readonly string[];
}

/** Opens `path` and looks into it with `prepare`; nothing stays open when that fails. Faults come as FormatErrors. */
export async function sourceOfFile(
  path: string,
  options: SourceOptions,
  prepare: (file: SourceFile) => Promise<SourceContents>,
): Promise<ModelSource> {
  let file: SourceFile | undefined;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= file?.close() ?? Promise.resolve());
  try {
    options.signal?.throwIfAborted();
    const opened = await SourceFile.open(path, options);
    file = opened;
    const contents = await prepare(opened);
    const { format, metresPerUnit, shapes, precision = FLOAT32_PRECISION } = contents;
    const { leftOut = new LeftOutList(), filesBeside = [] } = contents;
    return {
      format,
      metresPerUnit: options.unit ?? metresPerUnit ?? options.metresPerUnit ?? 1,
      statesUnit: (options.unit ?? metresPerUnit) !== undefined,
      georeference: contents.georeference,
      projectId: contents.projectId ?? '',
      ...(contents.written !== undefined && { written: contents.written }),
      mayBeGeoreferenced: 'georeference' in contents,
      isTurnedUp: contents.isTurnedUp === true,
      byteLength: opened.bytesOnDisk,
      filesBeside,
      shapes: () =>
        withFormatErrors(unchanged(withinLimit(shapes(), opened.growth, precision), opened), path),
      landmarks: async () => {
        try {
          return (await contents.landmarks?.()) ?? NO_LANDMARKS;
        } catch (error) {
          throw asFormatError(error, path);
        }
      },
      get leftOut() {
        return leftOut.all;
      },
      close,
    };
  } catch (error) {
    await close();
    throw asFormatError(error, path);
  }
}

async function* withinLimit(
  shapes: AsyncIterable<SourceShape>,
  growth: GrowthLimit,
  precision: number,
): AsyncGenerator<SourceShape> {
  for await (const shape of shapes) {
    const { geometry } = shape;
    growth.shape(
      'indices' in geometry
        ? geometry.positions.byteLength + geometry.indices.byteLength
        : STREAMED_TRIANGLE_BYTES * geometry.triangleCount,
    );
    yield { ...shape, precision };
  }
}

/** Refuses items read from two states of a file, which belong to no model. */
async function* unchanged<T>(items: AsyncIterable<T>, file: SourceFile): AsyncGenerator<T> {
  try {
    yield* items;
  } finally {
    file.assertUnchanged(); // before any other error in it
  }
}

async function* withFormatErrors<T>(items: AsyncIterable<T>, path: string): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    throw asFormatError(error, path);
  }
}

/** A stream whose errors are FormatErrors; `indexed`: the same triangles, where their vertices fit into memory. */
export function shapeStream(
  file: SourceFile,
  triangleCount: number,
  batches: () => AsyncIterable<Float32Array | Float64Array>,
  indexed?: IndexedTriangles,
): ShapeStream {
  return {
    triangleCount,
    batches: () => withFormatErrors(batches(), file.path),
    ...(indexed && {
      indexed: { ...indexed, indices: () => withFormatErrors(indexed.indices(), file.path) },
    }),
  };
}
