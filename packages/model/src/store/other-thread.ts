/**
 * Kernels on another thread. Whether a call is done is looked up in memory, because its message is not heard before the
 * caller has nothing to do.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { type PiecesKernel, piecesKernels } from './pieces-kernel.js';

export interface ThreadCall {
  readonly isDone: boolean;
  /** What the kernel returned. */
  readonly end: Promise<number>;
}

export class OtherThread {
  readonly #pool: Pick<WorkerPool, 'call'>;
  readonly #calls = new Set<ThreadCall>();

  constructor(pool: Pick<WorkerPool, 'call'>) {
    this.#pool = pool;
  }

  /** Whether it would not begin at once with what it is given. */
  get isBusy(): boolean {
    for (const call of this.#calls) if (!call.isDone) return true;
    return false;
  }

  /** Calls a kernel whose last argument is the address of a word, which it sets when it is done. */
  call(name: keyof PiecesKernel, ...args: number[]): ThreadCall {
    const memory = arena();
    const word = memory.alloc(4);
    memory.u32()[word >>> 2] = 0;
    let isOver = false;
    const end = this.#pool.call(piecesKernels.call(name, ...args, word)).finally(() => {
      isOver = true;
      memory.free(word);
      this.#calls.delete(call);
    });
    end.catch(() => {}); // told to whoever waits for it
    const call: ThreadCall = {
      get isDone() {
        return isOver || memory.u32()[word >>> 2] !== 0;
      },
      end,
    };
    this.#calls.add(call);
    return call;
  }
}
