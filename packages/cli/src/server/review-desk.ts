/**
 * The decisions of a report while several parties change them: pages, other processes, people with editors. The file is
 * authoritative; it is read before every response, and a write merges with what it has become since it was read.
 *
 * Invariant: the file is replaced as a whole, under a lock that all our processes respect, and only while it is still
 * what was read; for programs that do not know the lock, a brief moment between that check and the renaming remains.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../command-error.js';
import { writeAtomically } from '../jobs/atomic-file.js';
import { fileErrorCause } from '../jobs/file-errors.js';
import { LockFile } from '../jobs/lock-file.js';
import { type Review, UNDECIDED } from '../reports/review/decision.js';
import { type Changed, mergedChange } from '../reports/review/merge-change.js';
import { type ReviewFile, readFolderReview, reviewUpdate } from '../reports/review/review-file.js';

import { REVIEW_NAMES } from '../reports/review/review-names.js';

export interface ReviewState {
  /** Identifies these decisions. */
  readonly revision: string;
  readonly decisions: Review;
}

/** Number of revisions remembered, which pages may still show. */
const REMEMBERED = 64;
const ATTEMPTS = 20;
const LOCK_POLL_MS = 50;
const LOCK_ATTEMPTS = 60;

/** The file was changed between reading and writing. */
class Overtaken extends Error {}

export class ReviewDesk {
  readonly #folder: string;
  /** The latest decisions by their revisions, the oldest first. */
  readonly #known = new Map<string, Review>();
  #last: { readonly file: ReviewFile; readonly state: ReviewState } | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async read(): Promise<ReviewState> {
    return this.#stateOf(await readFolderReview(this.#folder, this.#last?.file));
  }

  /** Changes when the file may have changed; costs less than reading it. */
  async stamp(): Promise<string> {
    const stats = await Promise.all(
      REVIEW_NAMES.map((name) => stat(join(this.#folder, name), { bigint: true }).catch(() => undefined)),
    );
    return stats.map((one) => one && `${one.ino} ${one.size} ${one.mtimeNs}`).join();
  }

  /** Merges changes that were made relative to the decisions of revision `base`. */
  change(base: string, changes: Review, by: Changed): Promise<ReviewState> {
    return this.update((now) => {
      const earlier = this.#known.get(base);
      const next = new Map(now);
      for (const [id, mine] of changes) {
        // the base is no longer known: unset fields count as unchanged
        const was = earlier?.get(id) ?? UNDECIDED;
        next.set(id, mergedChange(was, mine, now.get(id) ?? UNDECIDED, by));
      }
      return next;
    });
  }

  /**
   * Writes the result of `make` for the current decisions; `make` may be called again. Updates run one after the other.
   */
  update(make: (now: Review) => Review): Promise<ReviewState> {
    const done = this.#turn.then(() => this.#locked(() => this.#update(make)));
    this.#turn = done.catch(() => {});
    return done;
  }

  async #update(make: (now: Review) => Review): Promise<ReviewState> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const own = await readFolderReview(this.#folder, this.#last?.file);
      const { decisions } = this.#stateOf(own);
      const next = make(decisions);
      const written = reviewUpdate(own, next, 'review.json');
      if (!written) return this.read();
      try {
        await writeAtomically(join(this.#folder, written.name), async (file) => {
          await file.writeFile(written.text);
          await file.sync();
          const now = await readFolderReview(this.#folder, own);
          if (now?.path !== own?.path || now?.text !== own?.text) throw new Overtaken();
        });
        return this.read();
      } catch (error) {
        if (!(error instanceof Overtaken)) throw error;
      }
    }
    throw new CommandError(`${this.#folder}: review.yaml keeps changing while it is read`);
  }

  async #locked<T>(work: () => Promise<T>): Promise<T> {
    const path = join(this.#folder, 'review.lock');
    let lock: LockFile | undefined;
    for (let attempt = 1; !lock; attempt++) {
      try {
        lock = await LockFile.acquire(path, 'the file of decisions');
      } catch (error) {
        const cause = fileErrorCause(error);
        if (cause !== undefined) throw new CommandError(`${path}: cannot be written: ${cause}`);
        if (!(error instanceof CommandError) || attempt === LOCK_ATTEMPTS) throw error;
        await delay(LOCK_POLL_MS);
      }
    }
    try {
      return await work();
    } finally {
      await lock.release();
    }
  }

  #stateOf(file: ReviewFile | undefined): ReviewState {
    if (file !== undefined && file === this.#last?.file) return this.#last.state;
    const text = file ? `${basename(file.path)}\n${file.text}` : '';
    const revision = createHash('sha256').update(text).digest('hex').slice(0, 32);
    const state = { revision, decisions: file?.decisions ?? new Map() };
    this.#last = file && { file, state };
    this.#known.delete(revision);
    this.#known.set(revision, state.decisions);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    return state;
  }
}
