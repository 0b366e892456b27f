/**
 * What the last check of the same files, by their names, has found out about pairs of objects: of pairs in which
 * nothing has changed, the next one knows the answers. By contents, not by dates: see `KnownPairs`.
 *
 * Layout: the SHA-256 of all that follows; names and answers in the format of `node:v8`. Invariant: a file under its
 * own name is complete. One with another checksum counts as none.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import type { KnownPair, KnownPairs, StoredModel } from '@impinge/model';
import { CHECK_WORKER } from '@impinge/model/internal/node/check-workers.js';
import { version } from '../version.js';
import { partialName, removeLeftovers } from './leftovers.js';
import { PAIRS_EXTENSION } from './reading-folder.js';

const CHECKSUM_BYTES = 32;
/** Of a name: as many as no two pairs share by chance, or by intent. */
const NAME_BYTES = 16;

export class KeptPairs implements KnownPairs {
  readonly #path: string;
  readonly #before: Map<string, KnownPair>;
  readonly #now = new Map<string, KnownPair>();
  #isNew = false;

  private constructor(path: string, before: Map<string, KnownPair>) {
    this.#path = path;
    this.#before = before;
  }

  /** Those of the files of a model, kept in a folder. A folder that cannot be used is no error: nothing is known. */
  static async open(folder: string, model: StoredModel): Promise<KeptPairs> {
    await mkdir(folder, { recursive: true, mode: 0o700 }).catch(() => {});
    await removeLeftovers(folder);
    const files = model.meta.files.map(({ name }) => name).sort();
    const key = hashOf(JSON.stringify({ version: version(), code: codeThatMeasures(), files }));
    const path = join(folder, key.toString('hex') + PAIRS_EXTENSION);
    return new KeptPairs(path, await readPairs(path));
  }

  get some(): boolean {
    return this.#before.size > 0;
  }

  nameOf(bytes: Uint8Array): string {
    return hashOf(bytes).toString('latin1', 0, NAME_BYTES);
  }

  find(name: string): KnownPair | undefined {
    const pair = this.#before.get(name);
    if (pair) this.#now.set(name, pair);
    return pair;
  }

  keep(name: string, pair: KnownPair): void {
    this.#now.set(name, pair);
    this.#isNew = true;
  }

  /** Ends with keeping what the check has asked for, and nothing else. Not being able to is no error. */
  async end(): Promise<void> {
    const now = new Date();
    const isSame = !this.#isNew && this.#now.size === this.#before.size;
    const bytes = isSame ? undefined : serialize(this.#now);
    this.#before.clear();
    this.#now.clear();
    if (bytes === undefined) return utimes(this.#path, now, now).catch(() => {});
    const partial = partialName(this.#path);
    try {
      await writeFile(partial, [hashOf(bytes), bytes], { flag: 'wx', mode: 0o600 });
      await rename(partial, this.#path);
    } catch {
      await rm(partial, { force: true }).catch(() => {});
    }
  }
}

async function readPairs(path: string): Promise<Map<string, KnownPair>> {
  try {
    const file = await readFile(path);
    const bytes = file.subarray(CHECKSUM_BYTES);
    if (hashOf(bytes).equals(file.subarray(0, CHECKSUM_BYTES))) return deserialize(bytes);
  } catch {
    // none, or damaged: everything is measured
  }
  return new Map();
}

/** The code that runs, as the command is built: all that measures is in one file. */
function codeThatMeasures(): string {
  return hashOf(readFileSync(fileURLToPath(CHECK_WORKER))).toString('hex');
}

function hashOf(bytes: string | Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
