/**
 * Culling on the CPU: kernels with SIMD, on the calling thread or the threads of a pool; without SIMD, the portable
 * way.
 */
import { arena } from '../../base/arena.js';
import { runHere, runOn, type Work } from '../../kernel/schedule.js';
import type { WorkerPool } from '../../kernel/worker-pool.js';
import type { Backend, BackendResult, CullingRequest, World } from '../backend.js';
import { gpuKernels } from '../gpu-kernel.js';
import { CullingLevels } from './culling-levels.js';
import { HostStages } from './host-stages.js';
import { askPortable } from './portable.js';

export class CpuBackend implements Backend {
  readonly kind = 'cpu';
  readonly #pool: WorkerPool | undefined;
  readonly #stages = new HostStages();
  readonly #levels = new CullingLevels();

  /** With threads where memory can be shared among them. */
  constructor(pool?: WorkerPool) {
    this.#pool = pool && pool.size > 0 && arena().shared ? pool : undefined;
  }

  get description(): string {
    if (!gpuKernels.supported()) return 'CPU without SIMD';
    return this.#pool ? `CPU, ${this.#pool.size} threads` : 'CPU, one thread';
  }

  async ask(world: World, request: CullingRequest): Promise<BackendResult> {
    if (!gpuKernels.supported()) return askPortable(world, request);
    const work = this.#find(world, request, this.#pool?.size ?? 1);
    return this.#pool ? runOn(this.#pool, work) : runHere(work);
  }

  *#find(world: World, request: CullingRequest, parts: number): Work<BackendResult> {
    const begun = yield* this.#stages.begin(world, request, parts);
    const levels = yield* this.#levels.run(world, request, this.#stages.table, begun, parts);
    return yield* this.#stages.end(world, request, begun, levels, parts);
  }

  dispose(): void {
    this.#stages.dispose();
    this.#levels.dispose();
  }
}
