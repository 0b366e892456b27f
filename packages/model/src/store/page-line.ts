/**
 * Makes pages and passes them on in the order of the requests, so that a store does not depend on the threads used.
 *
 * A thread receives a bundle at a time, while the caller cuts the next pieces. When enough are waiting and the thread
 * is still busy, the caller makes pages as well: neither waits for the other.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { piecesKernels } from './kernels.generated.js';
import type { OtherThread, ThreadCall } from './other-thread.js';
import { type MadePage, makeHere, type PageTask, taskList } from './page-task.js';

/** Pages that a thread is given at a time, each well below a megabyte: four of a large shape, and more small ones. */
const BUNDLE_PAGES = 4;
const BUNDLE_WORK = 8192;
/** Overhead of a page, as a number of triangles. */
const PAGE_WORK = 200;
/** Most data given to a thread at a time that is not passed on yet. */
const MOST_BUNDLES = 4;

/** Receives each page after all earlier ones, and must not use it after it returns. */
export type TakePage = (page: MadePage) => Promise<void>;

interface Entry {
  readonly task: PageTask;
  readonly take: TakePage;
  isMade: boolean;
}

/** The pages that a thread is working on. */
interface Bundle {
  readonly entries: readonly Entry[];
  readonly list: number;
  readonly call: ThreadCall;
}

export class PageLine {
  readonly #thread: OtherThread | undefined;
  readonly #line = new Entries();
  /** Waiting tasks that no thread has started. */
  readonly #waiting = new Entries();
  #bundle: Bundle | undefined;

  constructor(thread: OtherThread | undefined) {
    this.#thread = thread;
  }

  /** Takes a page to make, of which it disposes. `work()` is to follow. */
  put(task: PageTask, take: TakePage): void {
    const entry = { task, take, isMade: false };
    this.#line.push(entry);
    this.#waiting.push(entry);
  }

  /** Makes a page, or has it made, for each that was put. */
  async work(): Promise<void> {
    if (!this.#thread) this.#makeOne();
    else if (this.#bundle && (this.#bundle.call.isDone || this.#line.bundles >= MOST_BUNDLES))
      await this.#unpack();
    if (this.#thread && this.#waiting.bundles >= 1) {
      if (this.#bundle || this.#thread.isBusy) this.#makeOne();
      else this.#send();
    }
    await this.#handOn();
  }

  /** Hands on all pages. */
  async empty(): Promise<void> {
    if (this.#thread && !this.#bundle && this.#waiting.bundles > 0.5) this.#send();
    while (this.#waiting.length > 0) this.#makeOne();
    if (this.#bundle) await this.#unpack();
    await this.#handOn();
  }

  /** After an error: waits for pages under way, and discards them. */
  async drop(): Promise<void> {
    await this.#bundle?.call.end.catch(() => {});
    if (this.#bundle) arena().free(this.#bundle.list);
    this.#bundle = undefined;
    this.#waiting.takeAll();
    for (const { task } of this.#line.takeAll()) task.dispose();
  }

  #makeOne(): void {
    const entry = this.#waiting.shift();
    makeHere([entry.task]);
    entry.isMade = true;
  }

  /** Sends the waiting entries to a thread. */
  #send(): void {
    const entries = this.#waiting.takeAll();
    const list = taskList(entries.map(({ task }) => task));
    const call = this.#thread!.call((done) => piecesKernels.call('makePages', list, entries.length, done));
    this.#bundle = { entries, list, call };
  }

  /** Takes the pages the thread has made. */
  async #unpack(): Promise<void> {
    const { entries, list, call } = this.#bundle!;
    await call.end;
    this.#bundle = undefined;
    arena().free(list);
    for (const entry of entries) entry.isMade = true;
  }

  /** Hands on the pages that are made, up to the first that is not. */
  async #handOn(): Promise<void> {
    while (this.#line.first?.isMade) {
      const { task, take } = this.#line.first;
      await take(task.result());
      this.#line.shift();
      task.dispose();
    }
  }
}

/** A list of entries with their total work. */
class Entries {
  #entries: Entry[] = [];
  #work = 0;

  get length(): number {
    return this.#entries.length;
  }
  get first(): Entry | undefined {
    return this.#entries[0];
  }
  /** The size of the list, in bundles. */
  get bundles(): number {
    return Math.min(this.length / BUNDLE_PAGES, this.#work / BUNDLE_WORK);
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    this.#work += PAGE_WORK + entry.task.triangleCount;
  }

  shift(): Entry {
    const entry = this.#entries.shift()!;
    this.#work -= PAGE_WORK + entry.task.triangleCount;
    return entry;
  }

  takeAll(): Entry[] {
    this.#work = 0;
    return this.#entries.splice(0);
  }
}
