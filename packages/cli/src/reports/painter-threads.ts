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

interface Order {
  readonly subject: Subject;
  readonly resolve: (picture: Picture) => void;
  readonly reject: (error: Error) => void;
}

/** So many pictures are drawn before a thread has started. */
const FEW = 24;

/** Who draws pictures of the model in the store at `path` with so many threads, of which this is one. */
export function painterOf(scenery: Scenery, box: ReportBox, path: string, threads: number): Painter {
  const here = new PainterHere(box, scenery);
  return threads > 1 ? new PainterThreads({ store: path, model: box }, threads - 1, here) : here;
}

class PainterThreads implements Painter {
  readonly #start: PainterStart;
  readonly #size: number;
  readonly #here: Painter;
  readonly #threads: Worker[] = [];
  readonly #waiting: Order[] = [];

  /** `here` draws what is done before a thread has started, and what nobody has begun with when it is asked for. */
  constructor(start: PainterStart, size: number, here: Painter) {
    this.#start = start;
    this.#size = size;
    this.#here = here;
  }

  paint(subjects: readonly Subject[]): Pictures {
    if (subjects.length <= FEW) return this.#here.paint(subjects);
    const pictures = subjects.map(
      (subject) =>
        new Promise<Picture>((resolve, reject) => {
          this.#waiting.push({ subject, resolve, reject });
        }),
    );
    // what fails is told when it is asked for, if ever
    for (const picture of pictures) picture.catch(() => {});
    while (this.#threads.length < this.#size) this.#threads.push(this.#open());
    const here = this.#here.paint(subjects);
    return (index) => {
      // rather than to wait for it
      const at = this.#waiting.findIndex(({ subject }) => subject === subjects[index]);
      if (at < 0) return pictures[index];
      this.#waiting.splice(at, 1);
      return here(index);
    };
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#threads.splice(0).map((thread) => thread.terminate()));
  }

  #open(): Worker {
    // as it is built, also where this file is run from its source
    const thread = new Worker(createRequire(import.meta.url).resolve('#painter-worker'), {
      workerData: this.#start,
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    let current: Order | undefined;
    const next = () => {
      current = this.#waiting.shift();
      if (current) thread.postMessage(current.subject);
    };
    const fail = (error: Error) => {
      current?.reject(error);
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    };
    thread.on('message', (reply: PainterReply) => {
      if ('picture' in reply) current!.resolve(reply.picture);
      else fail(receivedError(reply.error));
      next();
    });
    thread.on('error', fail);
    thread.on('exit', (code) => fail(new Error(`the thread that draws has ended with ${code}`)));
    next();
    return thread;
  }
}
