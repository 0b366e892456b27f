/** What a browser has to supply: threads. Without cross-origin isolation the pool runs on the calling thread. */
import { createPool, WORKER_SOURCE, type WorkerPool } from './parallel/worker-pool.js';

const PRELUDE = `
const post = (message) => postMessage(message);
const listen = (listener) => addEventListener('message', (event) => listener(event.data));
`;

/** Starts `size` web workers (default: one per core). */
export function webPool(size: number = navigator.hardwareConcurrency): WorkerPool {
  const url = URL.createObjectURL(new Blob([PRELUDE + WORKER_SOURCE], { type: 'text/javascript' }));
  const pool = createPool(size, () => {
    const worker = new Worker(url);
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
      onError: (listener) => worker.addEventListener('error', (event) => listener(new Error(event.message))),
      end: async () => worker.terminate(),
    };
  });
  return {
    ...pool,
    close: async () => {
      await pool.close();
      URL.revokeObjectURL(url);
    },
  };
}
