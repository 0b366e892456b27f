/** Threads for the kernels. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ASYNC_DISPOSE } from '../base/dispose.js';
import { createPool, WORKER_SOURCE } from '../parallel/worker-pool.js';
import type { CheckPool } from '../query/check/executor.js';
import { checkExecutor } from './check-workers.js';

const PRELUDE = `
const { parentPort } = require('node:worker_threads');
const post = (message) => parentPort.postMessage(message);
const listen = (listener) => parentPort.on('message', listener);
`;

/**
 * A pool of `size` worker threads (default: one per core), which start when they are first needed. Idle threads do not
 * keep the process alive; `dispose()` ends them.
 */
export function nodePool(size: number = availableParallelism()): CheckPool {
  const kernels = createPool(size, () => {
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
  const executor = checkExecutor(size);
  const dispose = async () => {
    await Promise.all([kernels.dispose(), executor.dispose()]);
  };
  return { ...kernels, executor, dispose, [ASYNC_DISPOSE]: dispose };
}
