/**
 * Kernels on another thread. A flag in memory shows whether a call has finished, because its message is not delivered
 * before the caller is idle.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { KernelCall } from 'impinge/internal/kernel/kernel-set.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';

export interface ThreadCall<R = unknown> {
  readonly isDone: boolean;
  /** The kernel's result. */
  readonly end: Promise<R>;
}

export class OtherThread {
  readonly #pool: Pick<WorkerPool, 'call'>;
  readonly #calls = new Set<ThreadCall>();

  constructor(pool: Pick<WorkerPool, 'call'>) {
    this.#pool = pool;
  }

  /** Whether a new call would have to wait. */
  get isBusy(): boolean {
    for (const call of this.#calls) if (!call.isDone) return true;
    return false;
  }

  /** Calls a kernel that is given the address of a completion flag. */
  call<R>(callWith: (word: number) => KernelCall<R>): ThreadCall<R> {
    const memory = arena();
    const word = memory.alloc(4);
    memory.u32()[word >>> 2] = 0;
    let isOver = false;
    const end = this.#pool.call(callWith(word)).finally(() => {
      isOver = true;
      memory.free(word);
      this.#calls.delete(call);
    });
    end.catch(() => {}); // reported to whoever awaits it
    const call: ThreadCall<R> = {
      get isDone() {
        return isOver || memory.u32()[word >>> 2] !== 0;
      },
      end,
    };
    this.#calls.add(call);
    return call;
  }
}
