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
  readonly #threads: Worker[] = [];
  /** Nobody has begun with these. */
  #waiting: Order[] = [];

  /** `here` draws what is done before a thread has started, and while what is asked for is not ready. */
  constructor(start: PainterStart, size: number, here: PainterHere) {
    this.#start = start;
    this.#size = size;
    this.#here = here;
  }

  paint(subjects: readonly Subject[]): Pictures {
    if (subjects.length <= FEW) return this.#here.paint(subjects);
    const orders = subjects.map(orderOf);
    this.#waiting = [...orders];
    while (this.#threads.length < this.#size) this.#threads.push(this.#open());
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
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  #open(): Worker {
    // as it is built, also where this file is run from its source
    const thread = new Worker(createRequire(import.meta.url).resolve('#painter-worker'), {
      workerData: this.#start,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    const sent: Order[] = [];
    const send = () => {
      while (sent.length < AHEAD && this.#waiting.length > 0) {
        const order = this.#waiting.shift()!;
        sent.push(order);
        thread.postMessage(order.subject);
      }
    };
    const fail = (error: Error) => {
      for (const { reject } of sent.splice(0)) reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    thread.on('message', (reply: PainterReply) => {
      const order = sent.shift()!;
      if ('picture' in reply) order.resolve(reply.picture);
      else order.reject(receivedError(reply.error));
      send();
    });
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`the thread that draws has ended with ${code}`)));
    send();
    return thread;
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
