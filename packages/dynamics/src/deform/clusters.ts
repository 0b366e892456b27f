/**
 * Pairs of different surfaces, and of one that tests itself: by clusters of up to 16 triangles, and a tree of boxes
 * over those of each surface.
 *
 * Clusters follow the mesh, so they stay small however it moves, and are cut only once. Loose triangles, which may
 * scatter, are left to the grid with regard to their own surface. Surfaces that have not moved keep their boxes. How
 * clusters are judged: kernels/deform/clusters.ts and cluster-pairs.ts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { ranges, results, type Work } from 'impinge/internal/kernel/schedule.js';
import type { KernelCall } from 'impinge/internal/kernel/worker-pool.js';
import { arenaBuffers, disposeAll } from './arena-buffers.js';
import { deformKernels } from './kernels.generated.js';
import {
  BOUND_BYTES,
  BRANCHES,
  CLUSTER_BYTES,
  CLUSTER_PACKS,
  ClusterWord,
  Ctx,
  IS_LOOSE,
  PACK_BYTES,
  SIDES_BYTES,
  TESTS_ITSELF,
} from './layout.generated.js';
import type { PairTask } from './primitive-culling.js';

const CLUSTER_SIZE = 16;
const PAIR_BYTES = 8;
const FIRST_CAPACITY = 4096;

/** Some triangles: u32 each. */
export interface ActiveTriangles {
  readonly list: number;
  readonly count: number;
}

/** Part of the search for partners: kernel calls that stop where their pairs do not fit. */
interface Search {
  readonly from: number;
  readonly to: number;
  call(from: number, at: number, room: number, report: number): KernelCall<number>;
}

export class Clusters {
  /** Moving triangles in clusters that have partners. */
  triangleCount = 0;
  readonly #buffers = {
    ...arenaBuffers('clusters', 'vertices', 'nodes', 'surfaces', 'packs', 'bounds', 'sides'),
    ...arenaBuffers('table', 'starts', 'partners', 'list'),
  };
  readonly #lists: ArenaBuffer[] = [];
  /** The context that the clusters were cut for, the first cluster of each of its surfaces, and of those that move. */
  #cutFor = 0;
  #firsts = new Uint32Array(0);
  #firstMovingCluster = 0;
  #clusterCount = 0;

  /** Finds partners, after the sweep; returns the triangles that are left to the grid. */
  *run(ctx: number, parts: number): Work<ActiveTriangles> {
    if (this.#cutFor !== ctx || wordAt(ctx, Ctx.clusters) === 0) this.#cut(ctx);
    const all = ranges(this.#clusterCount, parts);
    yield all.map(([from, to]) => deformKernels.call('boundClusters', ctx, from, to));
    yield [deformKernels.call('orderSurfaces', ctx)];
    yield* this.#findPartners(ctx, parts);
    yield all.map(([from, to]) => deformKernels.call('fillClusters', ctx, from, to));
    const list = this.#buffers.list.reserve(4 * this.#looseCount(ctx));
    const [count] = yield* results([deformKernels.call('listTriangles', ctx, list)]);
    return { list, count };
  }

  /** Ranges of clusters with about the same number of partners. */
  tasks(parts: number): PairTask[] {
    const words = arena().u32();
    const starts = this.#buffers.starts.at >>> 2;
    const total = words[starts + this.#clusterCount];
    const cut: PairTask[] = [];
    let from = 0;
    for (let part = 1; part <= parts && from < this.#clusterCount; part++) {
      let to = this.#clusterCount;
      for (let low = from; low < to; ) {
        const mid = (low + to) >>> 1;
        if (words[starts + mid] < (total * part) / parts) low = mid + 1;
        else to = mid;
      }
      if (part === parts) to = this.#clusterCount;
      if (to > from) cut.push({ kernel: 'cullClusters', from, to });
      from = Math.max(from, to);
    }
    return cut;
  }

  dispose(): void {
    for (const list of this.#lists.splice(0)) list.dispose();
    disposeAll(this.#buffers);
  }

  /** Lists pairs of clusters task by task, then the partners of each cluster. */
  *#findPartners(ctx: number, parts: number): Work<void> {
    const tasks = this.#searches(ctx, parts);
    while (this.#lists.length < tasks.length) this.#lists.push(new ArenaBuffer());
    const counts = tasks.map(() => 0);
    let open = tasks.map(({ from, to }, task) => ({ task, from, to }));
    for (const { task } of open) this.#lists[task].reserve(PAIR_BYTES * FIRST_CAPACITY);
    const table = this.#buffers.table.reserve(8 * tasks.length);
    while (open.length > 0) {
      const calls = open.map(({ task, from }) => {
        const list = this.#lists[task];
        const room = Math.floor(list.bytes / PAIR_BYTES) - counts[task];
        const at = list.at + PAIR_BYTES * counts[task];
        return tasks[task].call(from, at, room, table + 4 * task);
      });
      const next = yield* results(calls);
      for (const { task } of open) counts[task] += arena().u32()[(table >>> 2) + task];
      open = open.map((o, i) => ({ ...o, from: next[i] })).filter(({ from, to }) => from < to);
      // tasks that overflowed get twice the room
      for (const { task } of open)
        this.#lists[task].reserve(2 * this.#lists[task].bytes, PAIR_BYTES * counts[task]);
    }
    const kept = yield* this.#keepWithinReach(ctx, counts, parts);
    const total = kept.reduce((sum, count) => sum + count, 0);
    const starts = this.#buffers.starts.reserve(4 * (this.#clusterCount + 2));
    const partners = this.#buffers.partners.reserve(4 * Math.max(1, total));
    const words = arena().u32();
    words[(ctx >>> 2) + Ctx.partnerStarts] = starts;
    words[(ctx >>> 2) + Ctx.partners] = partners;
    kept.forEach((count, task) => {
      words[(table >>> 2) + 2 * task] = this.#lists[task].at;
      words[(table >>> 2) + 2 * task + 1] = count;
    });
    const first = this.#firstMovingCluster;
    const sort = deformKernels.call('sortPartners', ctx, table, tasks.length, first);
    [this.triangleCount] = yield* results([sort]);
  }

  /** Drops pairs that are apart along the sides from all lists; returns how many are left in each. */
  *#keepWithinReach(ctx: number, counts: readonly number[], parts: number): Work<readonly number[]> {
    yield ranges(this.#clusterCount, parts).map(([from, to]) =>
      deformKernels.call('boundSides', ctx, from, to),
    );
    const drops = counts.map((count, task) =>
      deformKernels.call('dropApart', ctx, this.#lists[task].at, count),
    );
    return yield* results(drops);
  }

  /** Partners of one surface, which come first in the list of each cluster; then those of different ones. */
  #searches(ctx: number, parts: number): Search[] {
    const flags = wordAt(ctx, Ctx.surfaceFlags) >>> 2;
    const firsts = this.#firsts;
    const own: Search[] = [];
    for (let s = 0; s + 1 < firsts.length; s++) {
      if ((arena().u32()[flags + s] & (TESTS_ITSELF | IS_LOOSE)) !== TESTS_ITSELF) continue;
      const count = firsts[s + 1] - firsts[s];
      for (const [from, to] of ranges(count, Math.ceil((parts * count) / this.#clusterCount))) {
        const call = (first: number, at: number, room: number, report: number) =>
          deformKernels.call('findOwnPartners', ctx, s, first, to, at, room, report);
        own.push({ from, to, call });
      }
    }
    const others = ranges(wordAt(ctx, Ctx.surfaceCount), parts).map(([from, to]): Search => {
      const call = (first: number, at: number, room: number, report: number) =>
        deformKernels.call('findPartners', ctx, first, to, at, room, report);
      return { from, to, call };
    });
    return [...own, ...others];
  }

  #looseCount(ctx: number): number {
    const words = arena().u32();
    const base = wordAt(ctx, Ctx.triangleBase) >>> 2;
    const flags = wordAt(ctx, Ctx.surfaceFlags) >>> 2;
    let count = 0;
    for (let s = 0; s < wordAt(ctx, Ctx.surfaceCount); s++) {
      if ((words[flags + s] & IS_LOOSE) !== 0) count += words[base + s + 1] - words[base + s];
    }
    return count;
  }

  #cut(ctx: number): void {
    this.#cutFor = ctx;
    const surfaceCount = wordAt(ctx, Ctx.surfaceCount);
    const base = wordAt(ctx, Ctx.triangleBase) >>> 2;
    const starts = arena()
      .u32()
      .slice(base, base + surfaceCount + 1);
    const firsts = new Uint32Array(surfaceCount + 1);
    const nodes = new Uint32Array(surfaceCount + 1);
    for (let s = 0; s < surfaceCount; s++) {
      let count = Math.ceil((starts[s + 1] - starts[s]) / CLUSTER_SIZE);
      firsts[s + 1] = firsts[s] + count;
      nodes[s + 1] = nodes[s];
      do {
        count = Math.ceil(count / BRANCHES);
        nodes[s + 1] += count;
      } while (count > 1);
    }
    const clusterCount = firsts[surfaceCount];
    this.#clusterCount = clusterCount;
    this.#firsts = firsts;
    const surfaces = this.#buffers.surfaces.reserve((BOUND_BYTES + 16) * (surfaceCount + 1));
    const tables = surfaces + BOUND_BYTES * surfaceCount;
    const table = (i: number) => tables + 4 * i * (surfaceCount + 1);
    const entries = [
      [Ctx.clusters, this.#buffers.clusters.reserve(CLUSTER_BYTES * (clusterCount + 1))],
      [Ctx.clusterCount, clusterCount],
      [Ctx.clusterNodes, this.#buffers.nodes.reserve(BOUND_BYTES * nodes[surfaceCount])],
      [Ctx.clusterVertices, this.#buffers.vertices.reserve(12 * wordAt(ctx, Ctx.triangleCount))],
      [Ctx.clusterPacks, this.#buffers.packs.reserve(PACK_BYTES * CLUSTER_PACKS * clusterCount)],
      [Ctx.clusterBounds, this.#buffers.bounds.reserve(BOUND_BYTES * CLUSTER_PACKS * clusterCount)],
      [Ctx.clusterSides, this.#buffers.sides.reserve(SIDES_BYTES * clusterCount)],
      [Ctx.surfaceBounds, surfaces],
      [Ctx.surfaceClusters, table(0)],
      [Ctx.surfaceNodes, table(1)],
      [Ctx.surfaceOrder, table(2)],
      [Ctx.bounded, table(3)],
    ] as const;
    for (const [field, value] of entries) arena().u32()[(ctx >>> 2) + field] = value;
    const words = arena().u32();
    words.set(firsts, table(0) >>> 2);
    words.set(nodes, table(1) >>> 2);
    this.#firstMovingCluster = clusterCount;
    for (let s = 0; s < surfaceCount; s++) {
      if (starts[s] === wordAt(ctx, Ctx.staticTriangleCount)) this.#firstMovingCluster = firsts[s];
      words[(table(2) >>> 2) + s] = s;
      words[(table(3) >>> 2) + s] = 0;
    }
    writeClusters(ctx, starts);
  }
}

/** Writes which triangles and vertices each cluster has, and an end; none has packs. */
function writeClusters(ctx: number, starts: Uint32Array): void {
  const words = arena().u32();
  const corners = wordAt(ctx, Ctx.corners) >>> 2;
  const vertices = wordAt(ctx, Ctx.clusterVertices) >>> 2;
  /** By vertex: the last cluster that it was listed for, from 1 on. */
  const listed = new Uint32Array(wordAt(ctx, Ctx.vertexCount));
  let at = wordAt(ctx, Ctx.clusters) >>> 2;
  let end = 0;
  let cluster = 0;
  for (let s = 0; s + 1 < starts.length; s++) {
    for (let i = starts[s]; i < starts[s + 1]; at += CLUSTER_BYTES / 4) {
      cluster++;
      const last = Math.min(i + CLUSTER_SIZE, starts[s + 1]);
      words[at + ClusterWord.first] = i;
      words[at + ClusterWord.count] = last - i;
      words[at + ClusterWord.vertices] = end;
      words[at + ClusterWord.packed] = 0;
      words[at + ClusterWord.sided] = 0;
      for (; i < last; i++) {
        for (let k = 0; k < 3; k++) {
          const v = words[corners + 3 * i + k];
          if (listed[v] === cluster) continue;
          listed[v] = cluster;
          words[vertices + end++] = v;
        }
      }
    }
  }
  words[at + ClusterWord.vertices] = end;
}

function wordAt(block: number, field: number): number {
  return arena().u32()[(block >>> 2) + field];
}
