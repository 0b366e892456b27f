/**
 * Pages in the making, handed on in the order in which they were asked for: a store does not depend on who made them.
 *
 * A thread is given some at a time, while the caller cuts the next pieces. When there are enough of these and the thread is
 * not done, the caller makes pages as well: neither waits for the other.
 */
import { arena } from '../base/arena.js';
import type { Mesh } from '../mesh/mesh.js';
import type { OtherThread, ThreadCall } from './other-thread.js';
import { type MadePage, makeHere, PageTask, taskList } from './page-task.js';

/** Pages that a thread is given at a time, each well below a megabyte. */
const BUNDLE = 4;
/** Pages of which none is handed on yet, at most. */
const MOST_IN_LINE = 4 * BUNDLE;

/** What a thread is at work on. */
interface Bundle {
  readonly tasks: readonly PageTask[];
  readonly list: number;
  readonly call: ThreadCall;
}

export class PageLine {
  readonly #thread: OtherThread | undefined;
  readonly #take: (page: MadePage) => Promise<void>;
  /** In order; `#made` are those of them that can be handed on, `#waiting` those that nobody has begun. */
  #line: PageTask[] = [];
  readonly #made = new Set<PageTask>();
  readonly #waiting: PageTask[] = [];
  #bundle: Bundle | undefined;

  /** `take` is given one page after the other, and has to be done with it when it returns. */
  constructor(thread: OtherThread | undefined, take: (page: MadePage) => Promise<void>) {
    this.#thread = thread;
    this.#take = take;
  }

  /** Takes a piece; `isOwned`: it is disposed of when its page is handed on. */
  async add(piece: Mesh, isOwned: boolean): Promise<void> {
    const task = new PageTask(piece, isOwned);
    this.#line.push(task);
    this.#waiting.push(task);
    if (!this.#thread) this.#makeOne();
    else if (this.#bundle && (this.#bundle.call.isDone || this.#line.length >= MOST_IN_LINE))
      await this.#unpack();
    if (this.#thread && this.#waiting.length >= BUNDLE) {
      if (this.#bundle || this.#thread.isBusy) this.#makeOne();
      else this.#send();
    }
    await this.#handOn();
  }

  /** Hands on all pages. */
  async empty(): Promise<void> {
    if (this.#thread && !this.#bundle && this.#waiting.length > BUNDLE / 2) this.#send();
    while (this.#waiting.length > 0) this.#makeOne();
    if (this.#bundle) await this.#unpack();
    await this.#handOn();
  }

  /** After an error: waits for what is being made, and forgets it. */
  async drop(): Promise<void> {
    await this.#bundle?.call.end.catch(() => {});
    if (this.#bundle) arena().free(this.#bundle.list);
    this.#bundle = undefined;
    for (const task of this.#line.splice(0)) task.dispose();
  }

  #makeOne(): void {
    const task = this.#waiting.shift()!;
    makeHere([task]);
    this.#made.add(task);
  }

  /** Gives what waits to a thread. */
  #send(): void {
    const tasks = this.#waiting.splice(0);
    const list = taskList(tasks);
    const call = this.#thread!.call('makePages', list, tasks.length);
    this.#bundle = { tasks, list, call };
  }

  /** Takes what the thread has made. */
  async #unpack(): Promise<void> {
    const { tasks, list, call } = this.#bundle!;
    await call.end;
    this.#bundle = undefined;
    arena().free(list);
    for (const task of tasks) this.#made.add(task);
  }

  /** Hands on the pages that are made, up to the first that is not. */
  async #handOn(): Promise<void> {
    const { length } = this.#line;
    let count = 0;
    while (count < length && this.#made.has(this.#line[count])) count++;
    for (const task of this.#line.slice(0, count)) {
      await this.#take(task.result());
      this.#line.shift();
      this.#made.delete(task);
      task.dispose();
    }
  }
}
