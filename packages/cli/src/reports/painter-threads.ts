/**
 * Pictures and models made by threads while the other reports are written, and together with the thread that writes
 * them, which never waits while there is something to make. Each thread has its own view of the store.
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

/** What is wanted, for whoever comes first: this thread or one of the others. */
export interface PainterOrders {
  readonly works: readonly PainterWork[];
  /** By their positions: 1 where somebody has begun. */
  readonly begun: Int32Array<SharedArrayBuffer>;
  /** How many were wanted before. */
  readonly first: number;
}

export type PainterReply = { readonly order: number } & (
  | { readonly made: Picture | string }
  | { readonly error: SentError }
);

/** Whether nobody has begun with it; then the caller has. */
export function begins(begun: Int32Array<SharedArrayBuffer>, index: number): boolean {
  return Atomics.exchange(begun, index, 1) === 0;
}

/** Something that is wanted. */
interface Order {
  readonly work: PainterWork;
  /** Whether nobody has begun with it; then the caller has. */
  readonly begin: () => boolean;
  readonly result: Promise<Picture | string>;
  readonly resolve: (made: Picture | string) => void;
  readonly reject: (error: unknown) => void;
  isDone: boolean;
}

/** So many pictures are drawn before a thread has started. */
const FEW = 24;

/** Who draws pictures of a model with so many threads, of which this is one. */
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

  /** `here` draws what is done before a thread has started, and while what is asked for is not ready. */
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

  /** Made here where nobody has begun with it; while another thread is at it, this one does what comes last. */
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
    // as it is built, also where this file is run from its source
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

  /** What a thread had begun with is not known. */
  #fail(error: Error): void {
    this.#ended ??= error;
    for (const { isDone, reject } of this.#orders) if (!isDone) reject(error);
  }
}

function orderOf(work: PainterWork, begin: () => boolean): Order {
  let [resolve, reject]: [Order['resolve'], Order['reject']] = [() => {}, () => {}];
  const result = new Promise<Picture | string>((...settle) => ([resolve, reject] = settle));
  // what fails is told when it is asked for, if ever
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
