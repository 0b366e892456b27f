/** Many questions of one kind, asked in batches on the threads of a pool, or here. */
import { ImpingeError } from 'impinge';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';

export interface PosesOptions {
  /** Threads; the answers are the same for any number, and without. */
  readonly pool?: WorkerPool;
  /** Stops between two batches of poses; the promise is then rejected with `aborted`. */
  readonly signal?: AbortSignalLike;
  /** Called with the share that is done. */
  readonly onProgress?: (done: number) => void;
}

export const POSES_NAMES = { pool: true, signal: true, onProgress: true } as const;

/** Questions in one call. */
const LEAST = 256;
/** And where there are very many: each call costs a message there and back. */
const MOST = 4096;
/** Calls for each thread, so that all end at about the same time. */
const EACH = 8;
/** Milliseconds after which the calling thread, if it does all, lets others go on. */
const BREATH = 20;

/** Has `count` questions answered by `check(from, to, pool)`, some at the same time; `what` names them in errors. */
export async function inBatches(
  count: number,
  what: string,
  { pool, signal, onProgress }: PosesOptions,
  check: (from: number, to: number, pool?: WorkerPool) => void | Promise<void>,
): Promise<void> {
  // one more than there are threads, to keep them busy while answers are read
  const lanes = pool ? pool.size + 1 : 1;
  const atOnce = pool ? Math.min(MOST, Math.max(LEAST, Math.ceil(count / (EACH * lanes)))) : LEAST;
  let next = 0;
  let done = 0;
  let began = performance.now();
  const checkOn = async () => {
    while (next < count) {
      if (signal?.aborted) throw new ImpingeError('aborted', `${what} was aborted after ${done} of ${count}`);
      const from = next;
      const to = (next = Math.min(from + atOnce, count));
      await check(from, to, pool);
      done += to - from;
      onProgress?.(done / count);
      if (pool || performance.now() - began < BREATH) continue;
      await new Promise((resolve) => setTimeout(resolve));
      began = performance.now();
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: lanes }, checkOn));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
}
