/**
 * Packs in a separate thread, except for small files. Memory of readers and trees stays with a thread as long as it
 * lives, and its WebAssembly memory never shrinks; when this thread ends, the check that follows has all of the memory.
 */
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { interruptible } from '../interruptible.js';
import { spareHeapStill } from '../v8-settings.js';
import { removePartials } from './leftovers.js';
import { type PackMessage, type PackReply, type PackStart, receivedError } from './pack-messages.js';
import type { Packed, PackOptions } from './pack-model.js';
import { readingFolder } from './reading-folder.js';
import { contentsOf, type FileContents } from './source-contents.js';

/** How long the thread may take to clean up its files; then it is terminated. */
const PATIENCE_MS = 300;

/** Smaller input is read faster than a thread starts: total bytes of all files, in formats that do not compress. */
const LITTLE_BYTES = 1 << 16;
const PLAIN = new Set(['.stl', '.obj', '.ply']);

/** `packModel`, with the same errors; signals stop it. */
export async function packInThread(
  paths: readonly string[],
  output: string,
  { signal, onProgress, contents: _, ...others }: PackOptions,
): Promise<Packed> {
  const readings = others.readings ?? readingFolder();
  const options = { ...others, ...(readings !== undefined && { readings }) };
  const isHere = !options.levels && (await areSmall(paths));
  return interruptible(async (stopping) => {
    if (!isHere) return pack({ paths, output, options }, onProgress, stopping);
    const { packModel } = await import('./pack-model.js');
    return packModel(paths, output, { ...options, ...(onProgress && { onProgress }), signal: stopping });
  }, signal);
}

async function areSmall(paths: readonly string[]): Promise<boolean> {
  let bytes = 0;
  for (const path of paths) {
    if (!PLAIN.has(extname(path).toLowerCase())) return false;
    // the reader reports files that cannot be inspected
    bytes += await stat(path).then(
      ({ size }) => size,
      () => Infinity,
    );
    if (bytes > LITTLE_BYTES) return false;
  }
  return true;
}

async function contentsOfAll(paths: readonly string[], signal: AbortSignal): Promise<FileContents[]> {
  const all: FileContents[] = [];
  for (const path of paths) all.push(await contentsOf(path, signal));
  return all;
}

async function pack(
  start: PackStart,
  onProgress: PackOptions['onProgress'],
  stopping: AbortSignal,
): Promise<Packed> {
  stopping.throwIfAborted();
  // the built script, even if this file runs from its source
  const worker = new Worker(createRequire(import.meta.url).resolve('#pack-worker'), {
    workerData: start,
    // data that is read becomes garbage as soon as it is written; a small nursery keeps it from adding up to megabytes
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
  });
  worker.once('online', spareHeapStill);
  const post = (message: PackMessage) => worker.postMessage(message);
  // while the thread starts; it reads no file before it has the answer
  const ended = new AbortController();
  const asked = contentsOfAll(start.paths, AbortSignal.any([stopping, ended.signal]));
  asked.then(
    (contents) => post({ contents }),
    () => post({ contents: undefined }), // the thread looks for itself, and reports the error
  );
  let patience: NodeJS.Timeout | undefined;
  const stop = () => {
    post('stop');
    patience = setTimeout(() => worker.terminate(), PATIENCE_MS);
  };
  stopping.addEventListener('abort', stop);
  try {
    return await new Promise<Packed>((resolve, reject) => {
      worker.on('message', (reply: PackReply) => {
        if ('progress' in reply) onProgress?.(reply.progress);
        else if ('packed' in reply) resolve(reply.packed);
        else reject(stopping.aborted ? stopping.reason : receivedError(reply.error));
      });
      worker.on('error', reject);
      worker.on('exit', (code) =>
        reject(stopping.aborted ? stopping.reason : new Error(`the packing thread exited with ${code}`)),
      );
    });
  } finally {
    stopping.removeEventListener('abort', stop);
    clearTimeout(patience);
    ended.abort();
    await asked.catch(() => {});
    await worker.terminate();
    if (stopping.aborted) await removePartials(start.output);
  }
}
