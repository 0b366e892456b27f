/** The thread of `packInThread`: packs once, and reports progress. */
import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../command-error.js';
import { type PackMessage, type PackReply, type PackStart, sentError } from './pack-messages.js';
import { type PackProgress, packModel } from './pack-model.js';
import type { FileContents } from './source-contents.js';

/** Time between two reports; objects can be read faster than messages pass. */
const PROGRESS_EVERY_MS = 50;

const { paths, output, options } = workerData as PackStart;
const port = parentPort!;
const reply = (message: PackReply) => port.postMessage(message);

const stopping = new AbortController();
const contents = new Promise<readonly FileContents[] | undefined>((resolve) => {
  port.on('message', (message: PackMessage) => {
    if (message === 'stop') stopping.abort(new CommandError('stopped'));
    resolve(message === 'stop' ? undefined : message.contents);
  });
});

let nextAt = 0;
const onProgress = (progress: PackProgress) => {
  const now = performance.now();
  if (now < nextAt) return;
  nextAt = now + PROGRESS_EVERY_MS;
  reply({ progress });
};

try {
  const { signal } = stopping;
  reply({ packed: await packModel(paths, output, { ...options, contents, signal, onProgress }) });
} catch (error) {
  reply({ error: sentError(error) });
}
port.close();
