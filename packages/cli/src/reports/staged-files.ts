/**
 * Several files that appear together or not at all. Each is written under a temporary name and synced to disk; when all
 * are complete, they are renamed one after the other. A full disk leaves earlier files untouched.
 */
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../jobs/atomic-file.js';
import { explained } from '../jobs/file-errors.js';
import { makeFolder } from '../jobs/folder.js';
import { partialName, removeLeftovers } from '../jobs/leftovers.js';

export interface OpenFile {
  writeFile(data: string | Uint8Array): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a file that must not exist yet. */
export type OpenNew = (path: string) => Promise<OpenFile>;

export type Write = (data: string | Uint8Array) => Promise<void>;

/** Small, so that pending text is freed before V8 promotes it to the old generation. */
const FLUSH_CHARS = 1 << 15;

export class StagedFiles {
  readonly #folder: string;
  readonly #openNew: OpenNew;
  /** The final and the temporary path of each file. */
  readonly #staged: { readonly path: string; readonly partial: string }[] = [];

  constructor(folder: string, openNew: OpenNew = (path) => open(path, 'wx')) {
    this.#folder = folder;
    this.#openNew = openNew;
  }

  /** Writes one file under its temporary name. After an error or an abort, no staged file is left. */
  async stage(name: string, content: (write: Write) => Promise<void>, signal?: AbortSignal): Promise<void> {
    const path = join(this.#folder, name);
    try {
      await makeFolder(this.#folder);
      await removeLeftovers(this.#folder);
      const partial = partialName(path);
      this.#staged.push({ path, partial });
      const file = await this.#openNew(partial);
      try {
        const { write, flush } = buffered(file, signal);
        await content(write);
        await flush();
        await file.sync();
      } finally {
        await file.close();
      }
    } catch (error) {
      await this.discard();
      throw asCommandError(path, error);
    }
  }

  /** Moves the files into place and returns their paths. */
  async commit(): Promise<string[]> {
    try {
      for (const { path, partial } of this.#staged) await rename(partial, path);
      await syncFolder(this.#folder);
    } catch (error) {
      await this.discard();
      throw asCommandError(this.#folder, error);
    }
    return this.#staged.map(({ path }) => path);
  }

  async discard(): Promise<void> {
    for (const { partial } of this.#staged.splice(0)) await rm(partial, { force: true });
  }
}

/** Collects text into large writes. */
function buffered(
  file: OpenFile,
  signal: AbortSignal | undefined,
): { write: Write; flush: () => Promise<void> } {
  let waiting = '';
  const flush = async () => {
    const text = waiting;
    waiting = '';
    if (text !== '') await file.writeFile(text);
  };
  const write: Write = async (data) => {
    signal?.throwIfAborted();
    if (typeof data === 'string') waiting += data;
    if (typeof data !== 'string' || waiting.length > FLUSH_CHARS) await flush();
    if (typeof data !== 'string') await file.writeFile(data);
  };
  return { write, flush };
}

function asCommandError(path: string, error: unknown): unknown {
  return explained(error, (cause) => `${path}: cannot be written: ${cause}`);
}
