/**
 * Who does the work of a step: the calling thread, or the threads of a pool.
 *
 * A stage is a generator that yields batches of kernel calls which may run at the same time, and goes on when all of
 * a batch are done. So there is one description of the work, and what it leaves depends only on the batches.
 */
import { ImpingeError } from '../base/errors.js';
import type { KernelCall, WorkerPool } from '../kernel/worker-pool.js';
import { deformKernels } from './deform-kernel.js';

/** Yields batches, receives what their calls returned, returns T. */
export type Work<T> = Generator<readonly KernelCall[], T, readonly number[]>;

/** A call of a kernel of the deformables. */
export function kernelCall(name: string, ...args: number[]): KernelCall {
  return { name, args, kernels: deformKernels };
}

/** Cuts `count` things into at most `parts` ranges of nearly the same length; none of them is empty. */
export function ranges(count: number, parts: number): [from: number, to: number][] {
  const length = Math.ceil(count / Math.max(1, Math.min(parts, count)));
  const cut: [number, number][] = [];
  for (let from = 0; from < count; from += length) cut.push([from, Math.min(from + length, count)]);
  return cut;
}

export function runHere<T>(work: Work<T>): T {
  const kernels = deformKernels.kernels() as unknown as Record<
    string,
    (...args: number[]) => number | undefined
  >;
  try {
    let step = work.next([]);
    while (!step.done) {
      step = work.next(step.value.map(({ name, args }) => kernels[name]!(...args) ?? 0));
    }
    return step.value;
  } finally {
    abandon(work);
  }
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
