/**
 * Failures: deduplicated by signature, confirmed in a new process, reduced, and saved with the command that repeats
 * them.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { numberedMutant } from './mutants.mjs';
import { extensionOf } from './mutate/structures.mjs';
import { reduced } from './reduce.mjs';
import { TARGETS } from './targets/index.mjs';
import { WatchedChild } from './watched-child.mjs';

const FOLDER = fileURLToPath(new URL('./found', import.meta.url));
/** Time limit for reducing one failure. */
const REDUCING_SECONDS = 30;

export class Findings {
  #seed;
  #child;
  #scratch = mkdtempSync(join(tmpdir(), 'impinge-fuzz-found-'));
  #seen = new Map();
  #number = 0;

  constructor(seed, hangSeconds) {
    this.#seed = seed;
    this.#child = new WatchedChild(hangSeconds);
  }

  /** One line per defect, with its number of occurrences. */
  get lines() {
    return [...this.#seen.values()].map(({ message, count, saved }) => `${message} (${count} ×): ${saved}`);
  }

  get count() {
    return this.#seen.size;
  }

  /** Records a failure. One that does not repeat is reported, but not saved as a finding. */
  async add({ target, number, message, signature }) {
    const key = `${target}: ${signature}`;
    const known = this.#seen.get(key);
    if (known) {
      known.count++;
      return;
    }
    const confirmed = await this.#signatureOf({ target, seed: this.#seed, number });
    if (confirmed === undefined) {
      console.log(`  ${target} ${number}: ${message}; not when tried again`);
      return;
    }
    const entry = { message: `${target}: ${message}`, count: 1, saved: '' };
    this.#seen.set(key, entry);
    entry.saved = await this.#save(target, number, message, confirmed);
    console.log(`  FAILED ${entry.message}: ${entry.saved}`);
  }

  async close() {
    await this.#child.stop();
    rmSync(this.#scratch, { recursive: true, force: true });
  }

  /** The signature of an attempt's failure; undefined if it does not fail. */
  async #signatureOf(attempt) {
    const { done, lost } = await this.#child.ask({ attempt });
    return lost ? lost.kind : done.failure?.signature;
  }

  async #save(target, number, message, signature) {
    const { name, bytes } = numberedMutant(await this.#seeds(target), target, this.#seed, number);
    const extension = extensionOf(name);
    const fails = async (candidate) => {
      const path = join(this.#scratch, `${this.#number++}.${extension}`);
      writeFileSync(path, candidate);
      const found = await this.#signatureOf({ target, number, path, name });
      rmSync(path);
      return found === signature;
    };
    const smallest = await reduced(bytes, extension, fails, REDUCING_SECONDS);
    const hash = createHash('sha256').update(signature).digest('hex').slice(0, 8);
    const folder = join(FOLDER, `${target}-${hash}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `mutant.${extension}`), bytes);
    writeFileSync(join(folder, `reduced.${extension}`), smallest);
    const replay = `npm run fuzz -- --format ${target} --replay ${join(folder, `reduced.${extension}`)} --number ${number}`;
    const again = `npm run fuzz -- --format ${target} --seed ${this.#seed} --number ${number}`;
    writeFileSync(join(folder, 'README'), `${message}\n\n${replay}\n${again}\n`);
    return folder;
  }

  async #seeds(target) {
    const folder = mkdtempSync(join(this.#scratch, 'seeds-'));
    return TARGETS[target].seeds(folder);
  }
}
