/**
 * Readings of files that take long to read, kept for the next model that they are part of: with eleven of twelve files
 * unchanged, only the twelfth is read. By contents, not by dates: see `keyOf`.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isReadSlowly, openSource } from '../formats/formats.js';
import type { ModelSource, SourceOptions } from '../formats/model-source.js';
import { version } from '../version.js';
import { keptSource, recordedSource } from './kept-reading.js';
import { removeLeftovers } from './leftovers.js';
import { PAIRS_EXTENSION, READING_EXTENSION } from './reading-folder.js';
import type { FileContents } from './source-contents.js';

/** Bytes of all readings together; those that were used longest ago go first. */
const CACHE_BYTES = 2e9;
const EXTENSIONS = [READING_EXTENSION, PAIRS_EXTENSION];

export class ReadingCache {
  readonly #folder: string;
  readonly #most: number;
  #ready: Promise<boolean> | undefined;
  readonly #kept = new Set<string>();
  readonly #read = new Set<string>();

  constructor(folder: string, most = CACHE_BYTES) {
    this.#folder = folder;
    this.#most = most;
  }

  /** How many files did not have to be read. */
  get kept(): number {
    return this.#kept.size;
  }

  /** `openSource`, or what it yielded for a file of these contents before. */
  async open(path: string, options: SourceOptions, contents: FileContents): Promise<ModelSource> {
    if (!(await isReadSlowly(path)) || !(await this.#usable())) return openSource(path, options);
    const place = join(this.#folder, keyOf(path, options, contents) + READING_EXTENSION);
    const kept = await keptSource(place, options);
    if (!kept) {
      this.#read.add(path);
      return recordedSource(await openSource(path, options), place);
    }
    if (!this.#read.has(path)) this.#kept.add(path);
    const now = new Date();
    await utimes(place, now, now).catch(() => {});
    return kept;
  }

  /** Makes room, once a model is packed. */
  async trim(): Promise<void> {
    if (!(await this.#usable())) return;
    const kept: { path: string; bytes: number; used: number }[] = [];
    for (const name of await readdir(this.#folder).catch(() => [])) {
      if (!EXTENSIONS.some((extension) => name.endsWith(extension))) continue;
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found) kept.push({ path, bytes: found.size, used: found.mtimeMs });
    }
    let bytes = 0;
    for (const one of kept.sort((a, b) => b.used - a.used)) {
      bytes += one.bytes;
      if (bytes > this.#most) await rm(one.path, { force: true }).catch(() => {});
    }
  }

  /** A folder that cannot be made or written to is no error: files are read. */
  #usable(): Promise<boolean> {
    this.#ready ??= mkdir(this.#folder, { recursive: true, mode: 0o700 }).then(
      async () => {
        await removeLeftovers(this.#folder);
        return true;
      },
      () => false,
    );
    return this.#ready;
  }
}

/** Everything that a reading depends on: readers, options, the file and its name, from which disciplines come. */
function keyOf(
  path: string,
  { metresPerUnit, unit, up, curveError }: SourceOptions,
  { sha256 }: FileContents,
): string {
  const question = { version: version(), readers: readers(), name: basename(path), sha256 };
  const given = { metresPerUnit, unit, up, curveError };
  return createHash('sha256')
    .update(JSON.stringify({ ...question, ...given }))
    .digest('hex');
}

/** The code that runs, as the command is built: the readers are in the same file as this. */
function readers(): string {
  code ??= createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .digest('hex');
  return code;
}

let code: string | undefined;
