/**
 * Culling on the CPU: kernels with SIMD, on the calling thread or the threads of a pool. Nothing is drawn: rasterising
 * costs a CPU more than all the pairs that it would save. So stages of visibility drop nothing here, and every object
 * whose box is near another's is potentially colliding.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { runHere, runOn } from 'impinge/internal/kernel/schedule.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { Backend, BackendResult, CullingInput, CullingRequest } from '../backend.js';
import { HostStages } from './host-stages.js';

export class CpuBackend implements Backend {
  readonly kind = 'cpu';
  readonly #pool: WorkerPool | undefined;
  readonly #stages = new HostStages();

  /** With threads where memory can be shared among them. */
  constructor(pool?: WorkerPool) {
    this.#pool = pool && pool.size > 0 && arena().shared ? pool : undefined;
  }

  get description(): string {
    return this.#pool ? `CPU, ${this.#pool.size} threads` : 'CPU, one thread';
  }

  async ask(input: CullingInput, request: CullingRequest): Promise<BackendResult> {
    const work = this.#stages.find(input, request, this.#pool?.size ?? 1);
    return this.#pool ? runOn(this.#pool, work) : runHere(work);
  }

  dispose(): void {
    this.#stages.dispose();
  }
}
