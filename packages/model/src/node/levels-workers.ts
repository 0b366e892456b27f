/** The threads that make levels. Each has its own memory; threads exchange only the arrays of one group. */
import { Worker } from 'node:worker_threads';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { arraysOf } from '../levels/cluster.js';
import type { GroupTask, LevelsPool, SimplifiedGroup } from '../levels/group-task.js';
import type { LevelsReply } from './levels-messages.js';
import { receivedError } from './sent-error.js';

interface Waiting {
  readonly task: GroupTask;
  readonly buffers: ArrayBuffer[];
  readonly resolve: (group: SimplifiedGroup | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Threads that start when there is work for them, and do not keep the process alive without; `dispose()` ends them. */
export class LevelsThreads implements LevelsPool {
  readonly size: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];
  #ended = false;

  constructor(size: number) {
    this.size = size;
  }

  simplify(task: GroupTask): Promise<SimplifiedGroup | undefined> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(new ImpingeError('disposed', 'the pool was disposed'));
      const arrays = [...arraysOf(task.input), task.input.locked];
      const buffers = arrays.map(({ buffer }) => buffer as ArrayBuffer);
      this.#queue.push({ task, buffers, resolve, reject });
      this.#start();
    });
  }

  async dispose(): Promise<void> {
    this.#ended = true;
    const workers = [...this.#idle, ...this.#busy.keys()];
    for (const { reject } of this.#queue.splice(0))
      reject(new ImpingeError('disposed', 'the pool was disposed'));
    for (const { reject } of this.#busy.values()) reject(hasEnded());
    this.#busy.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** Assigns waiting tasks to free threads. */
  #start(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? (this.#busy.size < this.size ? this.#newWorker() : undefined);
      if (!worker) return;
      const waiting = this.#queue.shift()!;
      this.#busy.set(worker, waiting);
      worker.ref();
      worker.postMessage(waiting.task, waiting.buffers);
    }
  }

  #newWorker(): Worker {
    const worker = new Worker(new URL('./levels-worker.js', import.meta.url), {
      // replies become garbage at once; a small nursery keeps them from adding up to megabytes
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    worker.on('message', (reply: LevelsReply) => {
      const waiting = this.#busy.get(worker);
      if (!waiting) return; // too late: the pool was disposed
      const { resolve, reject } = waiting;
      this.#busy.delete(worker);
      this.#idle.push(worker);
      worker.unref();
      if ('error' in reply) reject(receivedError(reply.error));
      else resolve(reply.group);
      this.#start();
    });
    const fail = (error: Error) => {
      this.#busy.get(worker)?.reject(error);
      this.#busy.delete(worker);
      const at = this.#idle.indexOf(worker);
      if (at >= 0) this.#idle.splice(at, 1);
      if (!this.#ended) this.#start();
    };
    worker.on('error', fail);
    worker.on('exit', () => fail(hasEnded()));
    return worker;
  }
}

function hasEnded(): ImpingeError {
  return new ImpingeError('aborted', 'a thread that builds levels has ended');
}
