/** Threads, as the library sees them. Pools are made by `impinge/node` and `impinge/web`. */
import type { KernelSet } from './kernel-set.js';

/** A kernel and its arguments. */
export interface KernelCall {
  readonly name: string;
  readonly args: readonly number[];
  /** The set the kernel is of; the one of meshes and trees unless given. */
  readonly kernels?: KernelSet;
}

export interface WorkerPool extends AsyncDisposable {
  /** Threads besides the caller's; 0 where memory cannot be shared, and then everything runs on the caller's. */
  readonly size: number;
  /** Runs one call on the next free thread. */
  call(call: KernelCall): Promise<number>;
  /** Ends the threads. Calls still waiting are rejected. */
  dispose(): Promise<void>;
}
