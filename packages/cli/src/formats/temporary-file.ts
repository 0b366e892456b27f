/**
 * Bytes that do not fit in memory, for as long as a file is being read.
 *
 * Invariant: the file has no name once it is open (where the system allows that, else once it is closed), so that it
 * is gone however the process ends.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FormatError } from './format-error.js';

export class TemporaryFile {
  /** Bytes written so far. */
  byteLength = 0;
  readonly #folder: string;
  readonly #model: string;
  readonly #fd: number;
  #nameLeft: string | undefined;

  /** `model` is the file it is used for: errors name it. */
  constructor(model: string, folder: string = tmpdir()) {
    this.#folder = folder;
    this.#model = model;
    const name = join(folder, `impinge-${randomUUID()}.tmp`);
    try {
      this.#fd = openSync(name, 'wx+', 0o600);
    } catch (error) {
      throw this.#failure(error);
    }
    try {
      unlinkSync(name);
    } catch {
      this.#nameLeft = name;
    }
  }

  /** For direct reading; open until `close`. */
  get fd(): number {
    return this.#fd;
  }

  append(bytes: Uint8Array): void {
    try {
      for (let done = 0; done < bytes.length; ) {
        const written = writeSync(this.#fd, bytes, done, bytes.length - done, this.byteLength);
        done += written;
        this.byteLength += written;
      }
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Reads up to `into.length` bytes; returns the number of bytes read. */
  read(into: Uint8Array, position: number): number {
    return readFully(this.#fd, into, position);
  }

  close(): void {
    closeSync(this.#fd);
    if (this.#nameLeft !== undefined) unlinkSync(this.#nameLeft);
  }

  #failure(error: unknown): FormatError {
    const code = (error as NodeJS.ErrnoException).code;
    const cause = code === 'ENOSPC' ? 'there is no space left' : `${(error as Error).message}`;
    return new FormatError(this.#model, `needs a temporary file in ${this.#folder}: ${cause}`);
  }
}

/** Reads at `position` until `into` is full or the file ends; returns the number of bytes read. */
export function readFully(fd: number, into: Uint8Array, position: number): number {
  let done = 0;
  while (done < into.length) {
    const count = readSync(fd, into, done, into.length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}
