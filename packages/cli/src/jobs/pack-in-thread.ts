/**
 * Packing in a thread of its own. What readers and trees have taken stays with a thread as long as it lives, and its
 * WebAssembly memory never shrinks; when this one ends, the check that follows has all of the memory.
 */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { type PackReply, type PackStart, receivedError } from './pack-messages.js';
import type { Packed, PackOptions } from './pack-model.js';

/** `packModel`, with the same errors. */
export async function packInThread(
  paths: readonly string[],
  output: string,
  { signal, onProgress, ...options }: PackOptions,
): Promise<Packed> {
  signal?.throwIfAborted();
  const start: PackStart = { paths, output, options };
  // as it is built, also where this file is run from its source
  const worker = new Worker(createRequire(import.meta.url).resolve('#pack-worker'), {
    workerData: start,
    // what is read is garbage as soon as it is written; a small nursery keeps it from adding up to megabytes
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  const stop = () => worker.postMessage('stop');
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise<Packed>((resolve, reject) => {
      worker.on('message', (reply: PackReply) => {
        if ('progress' in reply) onProgress?.(reply.progress);
        else if ('packed' in reply) resolve(reply.packed);
        else reject(receivedError(reply.error));
      });
      worker.on('error', reject);
      worker.on('exit', (code) => reject(new Error(`the thread that packs has ended with ${code}`)));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
