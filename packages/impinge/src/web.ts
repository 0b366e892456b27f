/**
 * What a browser has to supply: threads, devices to cull on, and stores on servers. Without cross-origin isolation the
 * pool runs on the calling thread.
 */
import { ASYNC_DISPOSE } from './base/dispose.js';
import { requestGpu } from './gpu/request-gpu.js';
import type { CullingDevice } from './gpu/types.js';
import { createPool, WORKER_SOURCE, type WorkerPool } from './parallel/worker-pool.js';

export { openStoreUrl, UrlSource } from './store/url-source.js';

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

/**
 * The devices that this page or worker has for a `VisibilityCuller`, the fastest first: WebGPU, and the CPU in any
 * case. A GPU in software is left out: the CPU does better by itself. Never throws.
 */
export async function webCullingDevices(): Promise<CullingDevice[]> {
  const { device } = await requestGpu((globalThis.navigator as Navigator | undefined)?.gpu);
  if (!device) return ['cpu'];
  if (!device.adapterInfo?.isFallbackAdapter) return [device, 'cpu'];
  device.destroy();
  return ['cpu'];
}
