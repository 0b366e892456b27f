/**
 * The queries that report all pairs, on several threads. The answer is the same as on one, in the same order.
 *
 * Idea: a walk over two trees is the sum of the walks over pairs of their subtrees. The subtrees one and two levels
 * down make a fixed list of pairs, each a query of its own, run by whichever thread is free. Meshes must not deform
 * meanwhile: the answer would be about a mixture, and is refused.
 */
import { arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { readKnown, readLength } from '../base/options.js';
import type { AbortSignalLike } from '../base/platform-types.js';
import { completeHierarchy } from '../hierarchy/build-obb.js';
import type { Hierarchy } from '../hierarchy/hierarchy.js';
import { isLeaf, LANES } from '../hierarchy/layout.js';
import { BLOCK_BYTES, EMPTY, HierarchyHeader, Status } from '../kernel/layout.generated.js';
import { assertPool, type WorkerPool } from '../kernel/worker-pool.js';
import { IDENTITY, type RigidPose } from '../math/pose.js';
import type { Mesh } from '../mesh/mesh.js';
import { whileUnchanged } from '../mesh/revisions.js';
import { type CollideOptions, decideDoubts, resultOf, UNLIMITED } from '../query/pair/collide.js';
import { type Ask, POSE_NAMES, QueryContext } from '../query/pair/context.js';
import { hierarchyOf } from '../query/pair/hierarchy-of.js';
import { pairKernels } from '../query/pair/kernels.generated.js';
import { joinKeys } from '../query/pair/pair-list.js';
import { ERROR_NAMES } from '../query/pair/pair-request.js';
import { isStretched, readAnyPlacement } from '../query/pair/placement.js';
import type { CollideResult, WithinResult } from '../query/pair/results.js';
import { addStats, noStats } from '../query/pair/stats.js';
import { withinStretched } from '../query/pair/stretched.js';
import { asWithin, reachOf, type WithinOptions, within } from '../query/pair/within.js';

export interface ParallelOptions {
  readonly pool: WorkerPool;
  /** Stops between subtrees; the promise is then rejected with `aborted`. */
  readonly signal?: AbortSignalLike;
  /** Called as subtrees are done. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

const NAMES = { pool: true, signal: true, onProgress: true } as const;
const COLLIDE_NAMES = { ...POSE_NAMES, ...ERROR_NAMES, ...NAMES } as const;

/** All pairs of triangles of a and b that meet. */
export async function collideParallel(
  a: Mesh,
  b: Mesh,
  options: Omit<CollideOptions, 'mode' | 'limit' | 'patch' | 'budget'> & ParallelOptions,
): Promise<CollideResult> {
  assertPool(readKnown('collideParallel', options, COLLIDE_NAMES).pool);
  const placed = readAnyPlacement(options);
  // kernels for these walk whole trees: on the calling thread
  if (isStretched(placed)) return withinStretched(a, b, placed, UNLIMITED, 0);
  const { bToA } = placed;
  const [treeA, treeB] = [completeTree(a), completeTree(b)];
  return runSeeds(treeA, treeB, bToA, { limit: UNLIMITED }, pairSeeds(treeA, treeB), 'collide', options);
}

/** All pairs of triangles of a and b at a distance of at most `distance`. */
export async function withinParallel(
  a: Mesh,
  b: Mesh,
  options: Omit<WithinOptions, 'mode' | 'limit' | 'patch' | 'budget'> & ParallelOptions,
): Promise<WithinResult> {
  assertPool(readKnown('withinParallel', options, { ...COLLIDE_NAMES, distance: true }).pool);
  const distance = readLength('distance', options.distance);
  const placed = readAnyPlacement(options);
  const { pool, signal, onProgress, ...asked } = options;
  if (isStretched(placed)) return within(a, b, asked);
  const { bToA } = placed;
  const [treeA, treeB] = [completeTree(a), completeTree(b)];
  const ask = { limit: UNLIMITED, ...(distance > 0 && { bound: reachOf(a, b, bToA, distance) }) };
  const name = distance > 0 ? 'within' : 'collide';
  return asWithin(await runSeeds(treeA, treeB, bToA, ask, pairSeeds(treeA, treeB), name, options));
}

/** All pairs of triangles of a mesh that meet and are not neighbours. */
export async function selfIntersectParallel(mesh: Mesh, options: ParallelOptions): Promise<CollideResult> {
  assertPool(readKnown('selfIntersectParallel', options, NAMES).pool);
  const tree = completeTree(mesh);
  const seeds = selfSeeds(tree, 0, 2);
  return runSeeds(tree, tree, IDENTITY as RigidPose, { limit: UNLIMITED }, seeds, 'selfCollide', options);
}

/** Completes a lazy tree first, since worker threads must not build. */
function completeTree(mesh: Mesh): Hierarchy {
  const tree = hierarchyOf(mesh);
  if (tree.header(HierarchyHeader.pendingCount) > 0) completeHierarchy(tree);
  return tree;
}

/** Addresses of lanes, two by two. */
type Seed = readonly [slotA: number, slotB: number];

function pairSeeds(a: Hierarchy, b: Hierarchy): Seed[] {
  const slotsB = slotsBelow(b, 0, 1);
  return slotsBelow(a, 0, 1).flatMap((slotA) => slotsB.map((slotB): Seed => [slotA, slotB]));
}

/** Lanes `depth` blocks below a block; leaves above that depth are included themselves. */
function slotsBelow(tree: Hierarchy, block: number, depth: number): number[] {
  return lanesOf(tree, block).flatMap(({ slot, ref }) =>
    depth === 0 || isLeaf(ref) ? [slot] : slotsBelow(tree, ref, depth - 1),
  );
}

function selfSeeds(tree: Hierarchy, block: number, depth: number): Seed[] {
  const lanes = lanesOf(tree, block);
  return lanes.flatMap(({ slot, ref }, i) => {
    const inner: Seed[] = depth === 0 || isLeaf(ref) ? [[slot, slot]] : selfSeeds(tree, ref, depth - 1);
    return [...inner, ...lanes.slice(i + 1).map((other): Seed => [slot, other.slot])];
  });
}

function lanesOf(tree: Hierarchy, block: number): { slot: number; ref: number }[] {
  const start = tree.blocksByteOffset + BLOCK_BYTES * block;
  const refs = arena()
    .u32()
    .subarray((start + BLOCK_BYTES) / 4 - LANES, (start + BLOCK_BYTES) / 4);
  return Array.from(refs, (ref, lane) => ({ slot: start + 4 * lane, ref })).filter(
    ({ ref }) => ref !== EMPTY,
  );
}

async function runSeeds(
  treeA: Hierarchy,
  treeB: Hierarchy,
  bToA: RigidPose,
  ask: Ask,
  seeds: readonly Seed[],
  name: 'collide' | 'within' | 'selfCollide',
  options: ParallelOptions,
): Promise<CollideResult> {
  const { pool, signal, onProgress } = options;
  const batches: BigUint64Array[] = [];
  const stats = noStats();
  let next = 0;
  let done = 0;
  // one query more than there are threads, to keep them busy while answers are read
  const lanes = Array.from({ length: pool.size + 1 }, async () => {
    while (next < seeds.length) {
      const [slotA, slotB] = seeds[next++];
      if (signal?.aborted) throw new ImpingeError('aborted', 'the query was aborted');
      const query = new QueryContext(treeA, treeB, bToA, ask);
      try {
        query.startAt(slotA, slotB);
        let adaptiveTests = 0;
        let status: number;
        do {
          status = await pool.call(pairKernels.call(name, query.block));
          const doubts = query.takeDoubts();
          adaptiveTests += doubts.length;
          batches.push(query.takePairs(), decideDoubts(query, doubts));
        } while (status !== Status.done);
        addStats(stats, query.stats(adaptiveTests));
        onProgress?.({ done: ++done, total: seeds.length });
      } finally {
        query.release();
      }
    }
  });
  const outcomes = await whileUnchanged([treeA.mesh, treeB.mesh], () => Promise.allSettled(lanes));
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  return resultOf({ keys: joinKeys(batches), complete: true, stats }, UNLIMITED);
}
