/**
 * Pictures and models made by threads while the other reports are written, and together with the thread that writes them,
 * which never waits while there is something to make. Each thread has its own view of the store.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { receivedError, type SentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import type { ModelledClash, Models, Painter, Picture, Pictures, Subject } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';

export interface PainterStart {
  readonly store: string;
  readonly model: ReportBox;
}

export type PainterWork = { readonly subject: Subject } | { readonly clash: ModelledClash };

export type PainterReply = { readonly made: Picture | string } | { readonly error: SentError };

interface PainterThread {
  readonly worker: Worker;
  /** Sends it what it has room for. */
  readonly send: () => void;
}

/** Something that is wanted. */
interface Order {
  readonly work: PainterWork;
  readonly result: Promise<Picture | string>;
  readonly resolve: (made: Picture | string) => void;
  readonly reject: (error: unknown) => void;
  isDone: boolean;
}

/** So many pictures are drawn before a thread has started. */
const FEW = 24;
/** So many are sent to a thread beforehand: the one that sends them may be at something else when the first is done. */
const AHEAD = 3;

/** Who draws pictures of the model in the store at `path` with so many threads, of which this is one. */
export function painterOf(scenery: Scenery, box: ReportBox, path: string, threads: number): Painter {
  const here = new PainterHere(box, scenery);
  return threads > 1 ? new PainterThreads({ store: path, model: box }, threads - 1, here) : here;
}

class PainterThreads implements Painter {
  readonly #start: PainterStart;
  readonly #size: number;
  readonly #here: PainterHere;
  readonly #threads: PainterThread[] = [];
  /** Nobody has begun with these. */
  #waiting: Order[] = [];

  /** `here` draws what is done before a thread has started, and while what is asked for is not ready. */
  constructor(start: PainterStart, size: number, here: PainterHere) {
    this.#start = start;
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
        this.#waiting = this.#waiting.filter((order) => !orders.includes(order));
      },
    };
  }

  #order(works: readonly PainterWork[]): Order[] {
    const orders = works.map(orderOf);
    this.#waiting.push(...orders);
    for (const { send } of this.#threads) send();
    return orders;
  }

  /** Made here where nobody has begun with it; while another thread is at it, this one does what comes last. */
  async #result(wanted: Order): Promise<Picture | string> {
    while (!wanted.isDone) {
      const at = this.#waiting.indexOf(wanted);
      const order = at < 0 ? this.#waiting.pop() : this.#waiting.splice(at, 1)[0];
      if (!order) break;
      const { work } = order;
      const made = 'subject' in work ? this.#here.picture(work.subject) : this.#here.model(work.clash);
      await made.then(order.resolve, order.reject);
    }
    return wanted.result;
  }

  async dispose(): Promise<void> {
    this.#waiting = [];
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  #open(): PainterThread {
    // as it is built, also where this file is run from its source
    const worker = new Worker(createRequire(import.meta.url).resolve('#painter-worker'), {
      workerData: this.#start,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    const sent: Order[] = [];
    let ended: Error | undefined;
    const send = () => {
      if (ended) fail(ended);
      while (sent.length < AHEAD && this.#waiting.length > 0) {
        const order = this.#waiting.shift()!;
        sent.push(order);
        worker.postMessage(order.work);
      }
    };
    const fail = (error: Error) => {
      ended ??= error;
      for (const { reject } of sent.splice(0)) reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    worker.on('message', (reply: PainterReply) => {
      const order = sent.shift()!;
      if ('made' in reply) order.resolve(reply.made);
      else order.reject(receivedError(reply.error));
      send();
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the thread that draws has ended with ${code}`)));
    return { worker, send };
  }
}

function orderOf(work: PainterWork): Order {
  let [resolve, reject]: [Order['resolve'], Order['reject']] = [() => {}, () => {}];
  const result = new Promise<Picture | string>((...settle) => ([resolve, reject] = settle));
  // what fails is told when it is asked for, if ever
  result.catch(() => {});
  const order: Order = {
    work,
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
