/**
 * Who does the work of kernels: the calling thread, or the threads of a pool.
 *
 * A stage is a generator that yields batches of kernel calls which may run at the same time, and goes on when all of
 * a batch are done. So there is one description of the work, and what it leaves depends only on the batches.
 */
import { ImpingeError } from '../base/errors.js';
import type { KernelCall, WorkerPool } from './worker-pool.js';

/** Yields batches and returns T. What the calls of a batch return is known to `results`. */
export type Work<T> = Generator<readonly KernelCall[], T, readonly unknown[]>;

/** A batch of calls of kernels that return numbers, for these. */
export function* results(calls: readonly KernelCall<number>[]): Work<readonly number[]> {
  return (yield calls) as readonly number[];
}

/** Cuts `count` things into at most `parts` ranges of nearly the same length; none of them is empty. */
export function ranges(count: number, parts: number): [from: number, to: number][] {
  const length = Math.ceil(count / Math.max(1, Math.min(parts, count)));
  const cut: [number, number][] = [];
  for (let from = 0; from < count; from += length) cut.push([from, Math.min(from + length, count)]);
  return cut;
}

export function runHere<T>(work: Work<T>): T {
  try {
    let step = work.next([]);
    while (!step.done) {
      step = work.next(step.value.map(callHere));
    }
    return step.value;
  } finally {
    abandon(work);
  }
}

/** Makes a call on the calling thread. */
export function callHere<R>({ name, args, kernels }: KernelCall<R>): R {
  const callable = kernels.kernels() as unknown as Record<string, (...args: readonly unknown[]) => R>;
  return callable[name](...args);
}

/** Rejects with `aborted` between batches once the signal has fired; no call is then still at work. */
export async function runOn<T>(pool: WorkerPool, work: Work<T>, signal?: AbortSignal): Promise<T> {
  try {
    let step = work.next([]);
    while (!step.done) {
      if (signal?.aborted) throw new ImpingeError('aborted', 'the step was aborted');
      const outcomes = await Promise.allSettled(step.value.map((call) => pool.call(call)));
      step = work.next(
        outcomes.map((outcome) => {
          if (outcome.status === 'rejected') throw outcome.reason;
          return outcome.value;
        }),
      );
    }
    return step.value;
  } finally {
    abandon(work);
  }
}

/** Lets work that was not finished give back what it holds. */
function abandon<T>(work: Work<T>): void {
  work.return(undefined as T);
}
