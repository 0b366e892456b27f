/**
 * Parts of a remote file, kept in a temporary file for all threads of the process.
 *
 * Layout: the temporary file is a row of places for one part each; `placeOf` is the place of each part, or NOWHERE.
 * Threads share that table and the file, and read without messages; they request missing parts from the one thread that
 * fetches, see cached-source.ts. When all places are taken, the oldest part makes room.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { RemoteFile } from '../../store/http-file.js';
import { type NamelessFile, openNameless } from '../nameless-file.js';

/** Size of a part: smaller ones take more requests, larger ones more time to arrive. */
export const PART_BYTES = 4 << 20;
export const NOWHERE = -1;
/**
 * Maximum parts per request. Adjacent parts wanted at the same time are one request; parts in transit are in memory.
 */
const PARTS_PER_REQUEST = 2;
const MOST_REQUESTS = 4;

/** The table shared with other threads. */
export interface PartTable {
  readonly name: string;
  readonly byteLength: number;
  /** The descriptor of the temporary file, valid in all threads of the process. */
  readonly fd: number;
  readonly placeOf: Int32Array<SharedArrayBuffer>;
}

/** Somebody waits for a part, or may soon. */
interface Wish {
  readonly done: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** Only urgent requests are notified. */
  state: 'expected' | 'urgent' | 'under way';
}

export class PartCache {
  readonly table: PartTable;
  readonly #file: RemoteFile;
  readonly #kept: NamelessFile;
  /** By place: the part that is there. */
  readonly #partAt: Int32Array;
  #nextPlace = 0;
  readonly #wishes = new Map<number, Wish>();
  /**
   * Parts not yet requested from the server: the ones that a reader waits for, and the ones each reader expects to
   * need.
   */
  #urgent: number[] = [];
  readonly #expected = new Map<object, number[]>();
  #requests = 0;
  #isDisposed = false;

  private constructor(file: RemoteFile, kept: NamelessFile, places: number) {
    const parts = Math.ceil(file.byteLength / PART_BYTES);
    this.#file = file;
    this.#kept = kept;
    this.#partAt = new Int32Array(Math.min(places, parts)).fill(NOWHERE);
    const { name, byteLength } = file;
    const placeOf = new Int32Array(new SharedArrayBuffer(4 * parts)).fill(NOWHERE);
    this.table = { name, byteLength, fd: kept.handle.fd, placeOf };
  }

  /** Limit of cached bytes of a file. */
  static async open(file: RemoteFile, bytes: number): Promise<PartCache> {
    const places = Math.max(MOST_REQUESTS * PARTS_PER_REQUEST, Math.floor(bytes / PART_BYTES));
    return new PartCache(file, await openNameless(), places);
  }

  /** Resolves when a part is there, or was for a moment. */
  want(part: number): Promise<void> {
    if (this.#isDisposed) return Promise.reject(new ImpingeError('disposed', 'the store was disposed'));
    if (Atomics.load(this.table.placeOf, part) !== NOWHERE) return Promise.resolve();
    const wish = this.#wish(part);
    if (wish.state === 'expected') {
      wish.state = 'urgent';
      this.#urgent.push(part);
      // parts wanted at the same time can be one request
      queueMicrotask(() => this.#fetchMore());
    }
    return wish.done;
  }

  /**
   * Fetches parts ahead of demand, in this order, as far as there are places; replaces the reader's earlier
   * expectations.
   */
  expect(parts: readonly number[], reader: object): void {
    const missing = parts.filter((part) => Atomics.load(this.table.placeOf, part) === NOWHERE);
    this.#expected.set(reader, missing.slice(0, this.#partAt.length >> 1));
    this.#fetchMore();
  }

  /** A reader is gone. */
  forget(reader: object): void {
    this.#expected.delete(reader);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#expected.clear();
    this.#urgent = [];
    const error = new ImpingeError('disposed', 'the store was disposed');
    for (const { reject } of this.#wishes.values()) reject(error);
    await this.#kept.dispose();
  }

  #wish(part: number): Wish {
    let wish = this.#wishes.get(part);
    if (!wish) {
      let resolve!: () => void;
      let reject!: (error: unknown) => void;
      const done = new Promise<void>((yes, no) => {
        [resolve, reject] = [yes, no];
      });
      done.catch(() => {}); // reported to each waiting reader
      this.#wishes.set(part, (wish = { done, resolve, reject, state: 'expected' }));
    }
    return wish;
  }

  #fetchMore(): void {
    while (this.#requests < MOST_REQUESTS) {
      const run = this.#nextRun();
      if (run.length === 0) return;
      this.#requests++;
      this.#fetch(run).finally(() => {
        this.#requests--;
        this.#fetchMore();
      });
    }
  }

  /** Parts for one request: the first, and the wanted ones adjacent to it. */
  #nextRun(): number[] {
    const first = this.#urgent.shift() ?? this.#nextExpected();
    if (first === undefined) return [];
    const run = [first];
    while (run.length < PARTS_PER_REQUEST && this.#takes(first + run.length)) run.push(first + run.length);
    for (const part of run) this.#wish(part).state = 'under way';
    return run;
  }

  /** Whether a part is wanted, and not yet under way; it is in no row any more. */
  #takes(part: number): boolean {
    const urgent = this.#urgent.indexOf(part);
    if (urgent >= 0) this.#urgent.splice(urgent, 1);
    return (
      urgent >= 0 || (this.#isMissing(part) && [...this.#expected.values()].some((row) => row.includes(part)))
    );
  }

  /** The next expected part, from each reader in turn. */
  #nextExpected(): number | undefined {
    for (const [reader, row] of this.#expected) {
      this.#expected.delete(reader);
      let part = row.shift();
      while (part !== undefined && !this.#isMissing(part)) part = row.shift();
      if (part === undefined) continue;
      this.#expected.set(reader, row); // to the end of the queue
      return part;
    }
    return undefined;
  }

  /** Neither cached nor requested. */
  #isMissing(part: number): boolean {
    const { placeOf } = this.table;
    return part < placeOf.length && Atomics.load(placeOf, part) === NOWHERE && !this.#wishes.has(part);
  }

  async #fetch(run: readonly number[]): Promise<void> {
    const wishes = run.map((part) => this.#wish(part));
    try {
      const at = run[0] * PART_BYTES;
      const length = Math.min(run.length * PART_BYTES, this.table.byteLength - at);
      const bytes = await this.#file.part(at, length);
      if (!(bytes instanceof Uint8Array) || bytes.length !== length)
        throw new ImpingeError(
          'bad-input',
          `${this.table.name}: cannot be read: the server sent another range`,
        );
      for (const [i, part] of run.entries()) {
        if (this.#isDisposed) return;
        await this.#keep(part, bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES));
        this.#wishes.delete(part);
        wishes[i].resolve();
      }
    } catch (error) {
      for (const [i, part] of run.entries()) {
        this.#wishes.delete(part);
        wishes[i].reject(error);
      }
    }
  }

  async #keep(part: number, bytes: Uint8Array): Promise<void> {
    const { placeOf } = this.table;
    const place = this.#nextPlace;
    this.#nextPlace = (place + 1) % this.#partAt.length;
    const before = this.#partAt[place];
    if (before !== NOWHERE) Atomics.store(placeOf, before, NOWHERE);
    this.#partAt[place] = part;
    for (let done = 0; done < bytes.length; ) {
      const at = place * PART_BYTES + done;
      done += (await this.#kept.handle.write(bytes, done, bytes.length - done, at)).bytesWritten;
    }
    Atomics.store(placeOf, part, place);
  }
}
