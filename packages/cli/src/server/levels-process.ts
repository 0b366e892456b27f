/**
 * The process of `makeLevels`: packs a store again, with levels, and reports progress. Ends with its parent process.
 */
import { packInThread } from '../jobs/pack-in-thread.js';
import { type SentError, sentError } from '../jobs/pack-messages.js';

export interface LevelsStart {
  readonly store: string;
  readonly output: string;
  readonly memory: number;
  readonly workers: number;
}

export type LevelsReply =
  | { readonly share: number }
  | { readonly made: true }
  | { readonly error: SentError };

const REPORT_EVERY_MS = 500;

const reply = (message: LevelsReply) => {
  // the parent may have ended
  if (process.connected) process.send!(message);
};

let isDone = false;
process.once('disconnect', () => {
  if (isDone) process.exit();
  else process.kill(process.pid, 'SIGTERM');
});
process.once('message', async ({ store, output, memory, workers }: LevelsStart) => {
  let nextAt = 0;
  try {
    await packInThread([store], output, {
      ...{ memory, workers, levels: true },
      onProgress: ({ done, total }) => {
        const now = performance.now();
        if (now < nextAt) return;
        nextAt = now + REPORT_EVERY_MS;
        reply({ share: done / total });
      },
    });
    isDone = true;
    reply({ made: true });
  } catch (error) {
    isDone = true;
    reply({ error: sentError(error) });
  }
  // otherwise the parent ends it, once it has read the message
  if (!process.connected) process.exit();
});
