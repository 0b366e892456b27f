/**
 * Before the grid: triangles that no other surface comes near are left out, by clusters of up to 64.
 *
 * Worth it only where most triangles are of surfaces that do not test themselves (a thousand letters); elsewhere the stage
 * does nothing. How clusters are judged: kernels/deform/clusters.ts.
 */
import { arena } from '../base/arena.js';
import { ArenaBuffer } from '../base/arena-buffer.js';
import { ranges, type Work } from '../kernel/schedule.js';
import { deformKernels } from './deform-kernel.js';
import { BOUND_BYTES, CLUSTER_BYTES, ClusterWord, Ctx } from './layout.js';

const CLUSTER_SIZE = 64;
/** With fewer triangles to gain, the stage costs more than it saves. */
const LEAST_TRIANGLES = 4096;
const TESTS_ITSELF = 1;

/** Some of the moving triangles: u32 each; `list` 0: all of them. */
export interface ActiveTriangles {
  readonly list: number;
  readonly count: number;
}

export class Clusters {
  readonly #clusters = new ArenaBuffer();
  readonly #surfaces = new ArenaBuffer();
  readonly #list = new ArenaBuffer();
  /** The context that the clusters were cut for. */
  #cutFor = 0;
  /** Its first cluster that moves; none where the stage is not worth it. */
  #firstMoving: number | undefined;

  /** Finds the moving triangles that may meet something, after the sweep. */
  *run(ctx: number, parts: number): Work<ActiveTriangles> {
    const still = wordAt(ctx, Ctx.staticTriangleCount);
    const moving = wordAt(ctx, Ctx.triangleCount) - still;
    if (this.#cutFor !== ctx || wordAt(ctx, Ctx.clusters) === 0) this.#cut(ctx);
    const from = this.#firstMoving;
    if (from === undefined) return { list: 0, count: moving };
    const count = wordAt(ctx, Ctx.clusterCount);
    yield ranges(count, parts).map(([a, b]) => deformKernels.call('boundClusters', ctx, a, b));
    yield [deformKernels.call('markClusters', ctx)];
    const list = this.#list.reserve(4 * moving);
    const [active] = yield [deformKernels.call('listTriangles', ctx, from, list)];
    return { list, count: active };
  }

  dispose(): void {
    this.#clusters.dispose();
    this.#surfaces.dispose();
    this.#list.dispose();
  }

  #cut(ctx: number): void {
    this.#cutFor = ctx;
    this.#firstMoving = undefined;
    const starts = surfaceStarts(ctx);
    const surfaceCount = starts.length - 1;
    const clusterCount = starts.reduce(
      (sum, t, s) => sum + Math.ceil((starts[s + 1] - t || 0) / CLUSTER_SIZE),
      0,
    );
    const clusters = this.#clusters.reserve(CLUSTER_BYTES * Math.max(1, clusterCount));
    const surfaces = this.#surfaces.reserve((BOUND_BYTES + 8) * (surfaceCount + 1));
    const words = arena().u32();
    const firsts = (surfaces + BOUND_BYTES * surfaceCount) >>> 2;
    const order = firsts + surfaceCount + 1;
    let cluster = 0;
    for (let s = 0; s < surfaceCount; s++) {
      if (starts[s] === wordAt(ctx, Ctx.staticTriangleCount)) this.#firstMoving = cluster;
      words[firsts + s] = cluster;
      words[order + s] = s;
      for (let t = starts[s]; t < starts[s + 1]; t += CLUSTER_SIZE, cluster++) {
        const at = (clusters + CLUSTER_BYTES * cluster) >>> 2;
        words[at + ClusterWord.first] = t;
        words[at + ClusterWord.count] = Math.min(CLUSTER_SIZE, starts[s + 1] - t);
      }
    }
    words[firsts + surfaceCount] = cluster;
    const entries = [
      [Ctx.clusters, clusters],
      [Ctx.clusterCount, clusterCount],
      [Ctx.surfaceCount, surfaceCount],
      [Ctx.surfaceClusters, 4 * firsts],
      [Ctx.surfaceBounds, surfaces],
      [Ctx.surfaceOrder, 4 * order],
    ] as const;
    for (const [field, value] of entries) words[(ctx >>> 2) + field] = value;
    if (!isWorthIt(ctx, starts)) this.#firstMoving = undefined;
  }
}

function wordAt(block: number, field: number): number {
  return arena().u32()[(block >>> 2) + field];
}

/** The first triangle of each surface, and the number of triangles. */
function surfaceStarts(ctx: number): number[] {
  const surfaceOf = wordAt(ctx, Ctx.surfaceOf) >>> 2;
  const count = wordAt(ctx, Ctx.triangleCount);
  const words = arena().u32();
  const starts: number[] = [];
  for (let t = 0; t < count; t++) {
    while (starts.length <= words[surfaceOf + t]) starts.push(t);
  }
  starts.push(count);
  return starts;
}

function isWorthIt(ctx: number, starts: readonly number[]): boolean {
  const still = wordAt(ctx, Ctx.staticTriangleCount);
  const flags = wordAt(ctx, Ctx.surfaceFlags) >>> 2;
  let gain = 0;
  for (let s = 0; s + 1 < starts.length; s++) {
    if (starts[s] < still || (arena().u32()[flags + s] & TESTS_ITSELF) !== 0) continue;
    gain += starts[s + 1] - starts[s];
  }
  return gain >= LEAST_TRIANGLES && 2 * gain > wordAt(ctx, Ctx.triangleCount) - still;
}
