/** Threads for the kernels. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ASYNC_DISPOSE } from '../base/dispose.js';
import type { LevelsPool } from '../levels/group-task.js';
import { createPool, WORKER_SOURCE } from '../parallel/worker-pool.js';
import type { CheckPool } from '../query/check/executor.js';
import { checkExecutor } from './check-workers.js';
import { LevelsThreads } from './levels-workers.js';

const PRELUDE = `
const { parentPort } = require('node:worker_threads');
const post = (message) => parentPort.postMessage(message);
const listen = (listener) => parentPort.on('message', listener);
`;

/**
 * A pool of `size` worker threads (default: one per core), which start when they are first needed. Idle threads do not
 * keep the process alive; `dispose()` ends them.
 */
export function nodePool(size: number = availableParallelism()): CheckPool & LevelsPool {
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
  const levels = new LevelsThreads(size);
  const dispose = async () => {
    await Promise.all([kernels.dispose(), executor.dispose(), levels.dispose()]);
  };
  const simplify: LevelsPool['simplify'] = (task) => levels.simplify(task);
  return { ...kernels, executor, simplify, dispose, [ASYNC_DISPOSE]: dispose };
}
