/** The thread of `packInThread`: packs once, and says how far it is. */
import { parentPort, workerData } from 'node:worker_threads';
import { CommandError } from '../command-error.js';
import { type PackReply, type PackStart, sentError } from './pack-messages.js';
import { type PackProgress, packModel } from './pack-model.js';

/** Between two reports; objects can be read faster than messages pass. */
const PROGRESS_EVERY_MS = 50;

const { paths, output, options } = workerData as PackStart;
const port = parentPort!;
const reply = (message: PackReply) => port.postMessage(message);

const stopping = new AbortController();
port.once('message', () => stopping.abort(new CommandError('stopped')));

let nextAt = 0;
const onProgress = (progress: PackProgress) => {
  const now = performance.now();
  if (now < nextAt) return;
  nextAt = now + PROGRESS_EVERY_MS;
  reply({ progress });
};

try {
  reply({ packed: await packModel(paths, output, { ...options, signal: stopping.signal, onProgress }) });
} catch (error) {
  reply({ error: sentError(error) });
}
port.close();
