/** `impinge/web`: what a browser has to supply: threads. Without cross-origin isolation they are the calling one. */
import { ASYNC_DISPOSE } from './base/dispose.js';
import { createPool, WORKER_SOURCE, type WorkerPool } from './parallel/worker-pool.js';

const PRELUDE = `
const post = (message) => postMessage(message);
const listen = (listener) => addEventListener('message', (event) => listener(event.data));
`;

/** Starts `size` web workers (default: one per core) when they are first needed. */
export function webPool(size: number = globalThis.navigator?.hardwareConcurrency ?? 1): WorkerPool {
  let url: string | undefined;
  const pool = createPool(size, () => {
    url ??= URL.createObjectURL(new Blob([PRELUDE + WORKER_SOURCE], { type: 'text/javascript' }));
    const worker = new Worker(url);
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (listener) => worker.addEventListener('message', (event) => listener(event.data)),
      onError: (listener) =>
        worker.addEventListener('error', (event) =>
          listener(new Error(event.message || 'the policy of the page forbids it')),
        ),
      end: async () => worker.terminate(),
    };
  });
  const dispose = async () => {
    await pool.dispose();
    if (url !== undefined) URL.revokeObjectURL(url);
  };
  return { ...pool, dispose, [ASYNC_DISPOSE]: dispose };
}
