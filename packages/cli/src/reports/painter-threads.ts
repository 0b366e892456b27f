/**
 * Pictures and models made by threads while the other reports are written, and by the writing thread itself, which
 * never waits while there is something to make. Each thread has its own view of the store.
 */
import { createRequire } from 'node:module';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { StoredModel } from '@impinge/model';
import { type SharedStore, shareStore } from '@impinge/model/node';
import { receivedError, type SentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import type { ModelledClash, Models, Painter, Picture, Pictures, Subject } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';

export interface PainterStart {
  readonly store: SharedStore;
  readonly model: ReportBox;
}

export type PainterWork = { readonly subject: Subject } | { readonly clash: ModelledClash };

/** A queue of work for whichever thread comes first. */
export interface PainterOrders {
  readonly works: readonly PainterWork[];
  /** By index: 1 if a thread has started it. */
  readonly begun: Int32Array<SharedArrayBuffer>;
  /** Number of earlier orders. */
  readonly first: number;
}

export type PainterReply = { readonly order: number } & (
  | { readonly made: Picture | string }
  | { readonly error: SentError }
);

/** Claims an item; returns whether it was unclaimed. */
export function begins(begun: Int32Array<SharedArrayBuffer>, index: number): boolean {
  return Atomics.exchange(begun, index, 1) === 0;
}

/** An item of work and its result. */
interface Order {
  readonly work: PainterWork;
  /** Claims it; returns whether it was unclaimed. */
  readonly begin: () => boolean;
  readonly result: Promise<Picture | string>;
  readonly resolve: (made: Picture | string) => void;
  readonly reject: (error: unknown) => void;
  isDone: boolean;
}

/** This many pictures are drawn faster than a thread starts. */
const FEW = 24;

/** A painter with this many threads, including the calling one. */
export function painterOf(stored: StoredModel, scenery: Scenery, box: ReportBox, threads: number): Painter {
  const here = new PainterHere(box, scenery);
  return threads > 1 ? new PainterThreads(stored, box, threads - 1, here) : here;
}

class PainterThreads implements Painter {
  readonly #stored: StoredModel;
  readonly #box: ReportBox;
  readonly #size: number;
  readonly #here: PainterHere;
  readonly #threads: Worker[] = [];
  readonly #orders: Order[] = [];
  #ended: Error | undefined;

  /** `here` draws in the calling thread, until threads have started and while results are awaited. */
  constructor(stored: StoredModel, box: ReportBox, size: number, here: PainterHere) {
    this.#stored = stored;
    this.#box = box;
    this.#size = size;
    this.#here = here;
  }

  prepare(subjects: number): void {
    while (subjects > FEW && this.#threads.length < this.#size) this.#threads.push(this.#open());
  }

  paint(subjects: readonly Subject[]): Pictures {
    if (subjects.length <= FEW) return this.#here.paint(subjects);
    this.prepare(subjects.length);
    const orders = this.#order(subjects.map((subject) => ({ subject })));
    return (index) => this.#result(orders[index]) as Promise<Picture>;
  }

  models(clashes: readonly ModelledClash[]): Models {
    if (this.#threads.length === 0) return this.#here.models(clashes);
    const orders = this.#order(clashes.map((clash) => ({ clash })));
    return {
      of: (index) => this.#result(orders[index]) as Promise<string>,
      end: () => {
        for (const order of orders) order.begin();
      },
    };
  }

  #order(works: readonly PainterWork[]): Order[] {
    const first = this.#orders.length;
    const begun = new Int32Array(new SharedArrayBuffer(4 * works.length));
    const orders = works.map((work, i) => orderOf(work, () => begins(begun, i)));
    this.#orders.push(...orders);
    for (const thread of this.#threads) thread.postMessage({ works, begun, first } satisfies PainterOrders);
    if (this.#ended) this.#fail(this.#ended);
    return orders;
  }

  /** Makes it here if unclaimed; while another thread makes it, this one does the last unclaimed item. */
  async #result(wanted: Order): Promise<Picture | string> {
    while (!wanted.isDone) {
      const order = wanted.begin() ? wanted : this.#beginLast();
      if (!order) break;
      const { work } = order;
      const made = 'subject' in work ? this.#here.picture(work.subject) : this.#here.model(work.clash);
      await made.then(order.resolve, order.reject);
    }
    return wanted.result;
  }

  #beginLast(): Order | undefined {
    for (let i = this.#orders.length - 1; i >= 0; i--) if (this.#orders[i].begin()) return this.#orders[i];
    return undefined;
  }

  async dispose(): Promise<void> {
    for (const { begin } of this.#orders) begin();
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  #open(): Worker {
    const { store, ports } = shareStore(this.#stored);
    // the built file, even if this one runs from source
    const thread = new Worker(createRequire(import.meta.url).resolve('#painter-worker'), {
      workerData: { store, model: this.#box } satisfies PainterStart,
      transferList: ports as MessagePort[],
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    thread.on('message', (reply: PainterReply) => {
      const order = this.#orders[reply.order];
      if ('made' in reply) order.resolve(reply.made);
      else order.reject(receivedError(reply.error));
    });
    thread.on('error', (error) => this.#fail(error));
    thread.on('exit', (code) => this.#fail(new Error(`the drawing thread exited with ${code}`)));
    return thread;
  }

  /** Which items a failed thread had claimed is unknown, so all pending ones fail. */
  #fail(error: Error): void {
    this.#ended ??= error;
    for (const { isDone, reject } of this.#orders) if (!isDone) reject(error);
  }
}

function orderOf(work: PainterWork, begin: () => boolean): Order {
  let [resolve, reject]: [Order['resolve'], Order['reject']] = [() => {}, () => {}];
  const result = new Promise<Picture | string>((...settle) => ([resolve, reject] = settle));
  // errors are reported to the caller that requests the result, if any
  result.catch(() => {});
  const order: Order = {
    work,
    begin,
    result,
    resolve: (made) => {
      order.isDone = true;
      resolve(made);
    },
    reject: (error) => {
      order.isDone = true;
      reject(error);
    },
    isDone: false,
  };
  return order;
}
