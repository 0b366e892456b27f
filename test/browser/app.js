import { answers } from './answers.js';

/** The worker's answers. */
function fromWorker() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`worker: ${message}`));
  });
}

globalThis.finished = (async () => ({
  isolated: globalThis.crossOriginIsolated,
  sharedArrayBuffer: typeof SharedArrayBuffer !== 'undefined',
  page: answers(),
  worker: await fromWorker(),
}))();
