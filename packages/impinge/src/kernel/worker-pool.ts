/** Threads, as the library sees them. Pools are made by `impinge/node` and `impinge/web`. */
import { ImpingeError } from '../base/errors.js';
import type { KernelCall } from './kernel-set.js';

export type { KernelCall };

export interface WorkerPool extends AsyncDisposable {
  /** Threads besides the caller's; 0 where memory cannot be shared, and then everything runs on the caller's. */
  readonly size: number;
  /** Runs one call on the next free thread. */
  call<R>(call: KernelCall<R>): Promise<R>;
  /** Ends the threads. Calls still waiting are rejected. */
  dispose(): Promise<void>;
}

/** Throws unless it is a pool of threads. */
export function assertPool(pool: WorkerPool): void {
  if (typeof pool?.call !== 'function')
    throw new ImpingeError('bad-option', 'pool must be a pool of threads');
}
