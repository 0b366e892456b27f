/**
 * Pictures drawn by threads while the other reports are made, and then together with the one that makes them. Each thread
 * has its own view of the store.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { receivedError, type SentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import type { Painter, Picture, Pictures, Subject } from './picture.js';
import type { ReportBox } from './report-box.js';
import type { Scenery } from './scenery.js';

export interface PainterStart {
  readonly store: string;
  readonly model: ReportBox;
}

export type PainterReply = { readonly picture: Picture } | { readonly error: SentError };

interface PainterThread {
  readonly worker: Worker;
  /** Sends it what it has room for. */
  readonly send: () => void;
}

/** A picture that is wanted. */
interface Order {
  readonly subject: Subject;
  readonly picture: Promise<Picture>;
  readonly resolve: (picture: Picture) => void;
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
    const orders = subjects.map(orderOf);
    this.#waiting = [...orders];
    for (const { send } of this.#threads) send();
    return async (index) => {
      // threads begin with the first: what they come to last is left to this one
      for (let order: Order | undefined; !orders[index].isDone && (order = this.#waiting.pop()); ) {
        await this.#here.picture(order.subject).then(order.resolve, order.reject);
      }
      return orders[index].picture;
    };
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
        worker.postMessage(order.subject);
      }
    };
    const fail = (error: Error) => {
      ended ??= error;
      for (const { reject } of sent.splice(0)) reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    worker.on('message', (reply: PainterReply) => {
      const order = sent.shift()!;
      if ('picture' in reply) order.resolve(reply.picture);
      else order.reject(receivedError(reply.error));
      send();
    });
    worker.on('error', fail);
    worker.on('exit', (code) => fail(new Error(`the thread that draws has ended with ${code}`)));
    return { worker, send };
  }
}

function orderOf(subject: Subject): Order {
  let [resolve, reject]: [Order['resolve'], Order['reject']] = [() => {}, () => {}];
  const picture = new Promise<Picture>((...settle) => ([resolve, reject] = settle));
  // what fails is told when it is asked for, if ever
  picture.catch(() => {});
  const order: Order = {
    subject,
    picture,
    resolve: (drawn) => {
      order.isDone = true;
      resolve(drawn);
    },
    reject: (error) => {
      order.isDone = true;
      reject(error);
    },
    isDone: false,
  };
  return order;
}
