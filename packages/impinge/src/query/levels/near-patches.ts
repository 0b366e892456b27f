/**
 * Which patches of two meshes come near each other (see kernels/patches/near-patches.ts).
 *
 * A patch is a few neighbouring triangles in a box no larger than asked, or a single one of any size.
 */
import { arena } from '../../base/arena.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import { HierarchyHeader } from '../../hierarchy/layout.js';
import type { RigidPose } from '../../math/pose.js';
import { decideDoubts } from '../pair/collide.js';
import { Q, QueryContext, type QueryStats, Status } from '../pair/context.js';
import { expandPending } from '../pair/hierarchy-of.js';
import type { PatchList } from './patch-list.js';
import { patchesKernels } from './patches-kernel.js';

export interface PatchAsk {
  /** Every pair of triangles this near is among the answers. */
  readonly bound: number;
  /** Patches are an answer when points of theirs are this near. */
  readonly accept: number;
  /** Half the diagonal of the largest box around a patch of several triangles. */
  readonly radius: number;
  /** Most answers. */
  readonly limit: number;
}

/** Fields of the query that only this kernel knows, see kernels/patches/near-patches.ts. */
const Q_ACCEPT = 264;
const Q_PATCH = 272;
/** Words of an answer. */
const ANSWER = 6;

/** Adds the patches of a and b that are near each other to `list`; returns whether there are no more than that. */
export function findPatches(
  a: Hierarchy,
  b: Hierarchy,
  bToA: RigidPose,
  ask: PatchAsk,
  list: PatchList,
): { complete: boolean; stats: QueryStats } {
  const query = new QueryContext(a, b, bToA, { limit: ask.limit, bound: ask.bound });
  try {
    const memory = arena();
    memory.f64()[(query.block + Q_ACCEPT) >>> 3] = ask.accept;
    memory.f32()[(query.block + Q_PATCH) >>> 2] = ask.radius * ask.radius;
    query.setWord(Q.pairCapacity, Math.floor((2 * query.word(Q.pairCapacity)) / ANSWER));
    let adaptiveTests = 0;
    let left = ask.limit;
    let status: number;
    do {
      query.setWord(Q.limit, left);
      status = patchesKernels.kernels().nearPatches(query.block);
      left -= takeAnswers(query, list);
      const doubts = query.takeDoubts();
      adaptiveTests += doubts.length;
      for (const key of decideDoubts(query, doubts, left + 1)) {
        if (--left < 0) break; // there are more
        const [triangleA, triangleB] = [Number(key >> 32n), Number(key & 0xffffffffn)];
        list.addMeeting(triangleA, triangleB, positionOf(a, triangleA), positionOf(b, triangleB));
      }
      if (status === Status.needTreelet) expandPending(query);
    } while (status !== Status.done && left > 0);
    const complete = status === Status.done && left >= 0 && query.finished;
    return { complete, stats: query.stats(adaptiveTests) };
  } finally {
    query.release();
  }
}

/** Moves the answers that are there to the list; returns how many there were. */
function takeAnswers(query: QueryContext, list: PatchList): number {
  const count = query.word(Q.pairsFound);
  if (count === 0) return 0;
  const memory = arena();
  const words = memory.u32();
  const orderA = orderAt(query.treeA);
  const orderB = orderAt(query.treeB);
  list.addPatches(words, memory.f32(), query.word(Q.pairs) >>> 2, count, orderA, orderB);
  query.setWord(Q.pairsFound, 0);
  return count;
}

/** Word position of a tree's order of triangles. */
function orderAt(tree: Hierarchy): number {
  return (tree.block + tree.header(HierarchyHeader.orderByteOffset)) >>> 2;
}

/** `count` triangles from position `first` of a tree's order on. */
export function trianglesInOrder(tree: Hierarchy, first: number, count: number): Uint32Array {
  const at = orderAt(tree) + first;
  return arena()
    .u32()
    .slice(at, at + count);
}

/** Where a triangle is in a tree's order. */
function positionOf(tree: Hierarchy, triangle: number): number {
  return trianglesInOrder(tree, 0, tree.mesh.triangleCount).indexOf(triangle);
}
