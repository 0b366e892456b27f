/** Stores in files. */
import { constants, readvSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readInteger } from 'impinge/internal/base/options.js';
import type { StoredModel } from '../store/model.js';
import { openStore } from '../store/open.js';
import { cutOff, type PageSink, type PageSource } from '../store/page-source.js';
import type { Spill } from '../store/spill.js';
import { openNameless } from './nameless-file.js';

/** A file to read pages from; several threads may each open their own. */
export class FileSource implements PageSource, AsyncDisposable {
  readonly path: string;
  readonly byteLength: number;
  readonly #handle: FileHandle;
  readonly #fd: number;

  private constructor(path: string, handle: FileHandle, byteLength: number) {
    this.path = path;
    this.#handle = handle;
    this.#fd = handle.fd;
    this.byteLength = byteLength;
  }

  static async open(path: string): Promise<FileSource> {
    if (typeof path !== 'string') throw new ImpingeError('bad-input', 'the path of a store must be a string');
    // opening a pipe would wait for a writer
    const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (stat.isFile()) return new FileSource(path, handle, stat.size);
    await handle.close();
    throw new ImpingeError('bad-input', `${path}: is not a regular file`, { file: path });
  }

  async read(at: number, into: readonly Uint8Array[]): Promise<void> {
    for (let rest = into; rest.length > 0; ) {
      const { bytesRead } = await this.#handle.readv(rest, at);
      rest = this.#after(rest, bytesRead, at);
      at += bytesRead;
    }
  }

  readNow(at: number, into: readonly Uint8Array[]): void {
    for (let rest = into; rest.length > 0; ) {
      const bytesRead = readvSync(this.#fd, rest, at);
      rest = this.#after(rest, bytesRead, at);
      at += bytesRead;
    }
  }

  /** The part still to be filled after a read, which systems may cut short. */
  #after(into: readonly Uint8Array[], bytesRead: number, at: number): readonly Uint8Array[] {
    let left = bytesRead;
    let full = 0;
    while (full < into.length && left >= into[full].length) left -= into[full++].length;
    if (full === into.length) return [];
    if (bytesRead === 0) throw cutOff(at + into[0].length, this.byteLength);
    return [into[full].subarray(left), ...into.slice(full + 1)];
  }

  async dispose(): Promise<void> {
    await this.#handle.close();
  }
  [ASYNC_DISPOSE](): Promise<void> {
    return this.dispose();
  }
}

/** The members used of a `FileHandle` of `node:fs/promises`. */
export interface Appendable {
  write(bytes: Uint8Array, offset: number, length: number): Promise<{ readonly bytesWritten: number }>;
}

/** Appends to a file that is open for writing. */
export class FileSink implements PageSink {
  readonly #handle: Appendable;

  constructor(handle: Appendable) {
    this.#handle = handle;
  }
  async write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      at += (await this.#handle.write(bytes, at, bytes.length - at)).bytesWritten;
    }
  }
}

/** Opens the store at `path`; errors name it. */
export async function openStoreFile(path: string): Promise<StoredModel> {
  const source = await FileSource.open(path);
  try {
    return await openStore(source);
  } catch (error) {
    await source.dispose();
    if (!(error instanceof ImpingeError)) throw error;
    throw new ImpingeError(error.code, `${path}: ${error.message}`, { ...error.detail, file: path });
  }
}

/** Room for shapes larger than memory, in a temporary file that has no name. */
export function fileSpill(triangles: number, folder: string = tmpdir()): Spill {
  readInteger('the number of triangles', triangles, 1);
  if (typeof folder !== 'string') throw new ImpingeError('bad-input', 'the folder must be a string');
  return {
    triangles,
    open: async () => {
      const { handle, dispose } = await openNameless(folder);
      const sink = new FileSink(handle);
      return {
        write: (bytes) => sink.write(bytes),
        read: async (at, into) => {
          for (let done = 0; done < into.length; ) {
            const { bytesRead } = await handle.read(into, done, into.length - done, at + done);
            if (bytesRead === 0) throw new ImpingeError('bad-buffer', 'a temporary file was cut off');
            done += bytesRead;
          }
        },
        dispose,
      };
    },
  };
}
