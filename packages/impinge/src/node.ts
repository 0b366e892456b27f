/** `impinge/node`: what Node.js has to supply: threads. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { createPool, WORKER_SOURCE, type WorkerPool } from './parallel/worker-pool.js';

const PRELUDE = `
const { parentPort } = require('node:worker_threads');
const post = (message) => parentPort.postMessage(message);
const listen = (listener) => parentPort.on('message', listener);
`;

/**
 * A pool of `size` worker threads (default: one per core), which start when they are first needed. Idle threads do not
 * keep the process alive; `dispose()` ends them.
 */
export function nodePool(size: number = availableParallelism()): WorkerPool {
  return createPool(size, () => {
    const worker = new Worker(PRELUDE + WORKER_SOURCE, { eval: true });
    worker.unref();
    return {
      post: (message) => {
        worker.ref();
        worker.postMessage(message);
      },
      onMessage: (listener) =>
        worker.on('message', (message) => {
          worker.unref();
          listener(message);
        }),
      onError: (listener) => worker.on('error', listener),
      end: async () => {
        await worker.terminate();
      },
    };
  });
}
