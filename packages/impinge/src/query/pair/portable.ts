/**
 * The queries without kernels: the same answers where WebAssembly SIMD is missing, and for trees of other volumes than
 * oriented boxes. A walk with a visitor per question, every pair decided by the reference geometry.
 */
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from '../../geometry/intersect/triangle-triangle.js';
import type { TreeView } from '../../hierarchy/tree-view.js';
import type { PairVisitor } from '../../hierarchy/visitor.js';
import { IDENTITY, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { type QueryStats, storedPose } from './context.js';
import { treeOf } from './hierarchy-of.js';
import type { PortableTrees } from './known.js';

/** What a walk found: keys of pairs in no particular order. */
export interface PortableFinding {
  readonly keys: BigUint64Array;
  readonly complete: boolean;
  readonly stats: QueryStats;
}

/**
 * Which pairs are wanted. A value rather than a flag: who asks for meeting pairs does not load the code of distances.
 */
export interface Wanted {
  /** How far apart the triangles may be. */
  readonly bound: number;
  /** Whether a pair is one: both triangles in one array, as `PairReader` reads them. */
  readonly accepts: (corners: Float64Array) => boolean;
}

export const MEETING: Wanted = {
  bound: 0,
  accepts: (corners) => intersectsTriangleTriangle(corners, 0, corners, 9),
};

export function comingWithin(bound: number): Wanted {
  return { bound, accepts: (corners) => distanceSqTriangleTriangle(corners, 0, corners, 9) <= bound * bound };
}

export function findPairsPortable(
  a: Mesh,
  b: Mesh,
  bToA: RigidPose,
  limit: number,
  { bound, accepts }: Wanted,
  trees: PortableTrees,
): PortableFinding {
  const { viewA, viewB, pose, treePose, slack } = place(a, b, bToA, trees);
  const reader = new PairReader(a, b, pose);
  const counts = { triangles: 0 };
  const keys: bigint[] = [];
  const visitor = visitTriangles(viewA, viewB, bound + slack, counts, (triangleA, triangleB) => {
    if (accepts(reader.read(triangleA, triangleB))) keys.push(keyOf(triangleA, triangleB));
    return keys.length >= limit;
  });
  const { volumeTests, stopped } = trees.walk(viewA, viewB, treePose, visitor);
  return {
    keys: BigUint64Array.from(keys),
    complete: !stopped,
    stats: statsOf(volumeTests, counts.triangles),
  };
}

/** The closest pair no farther apart than `atMost`, or undefined. */
export function findClosestPortable(
  a: Mesh,
  b: Mesh,
  bToA: RigidPose,
  atMost: number,
  trees: PortableTrees,
): {
  readonly pair: readonly [number, number] | undefined;
  readonly pose: RigidPose;
  readonly stats: QueryStats;
} {
  const { viewA, viewB, pose, treePose, slack } = place(a, b, bToA, trees);
  const reader = new PairReader(a, b, pose);
  const counts = { triangles: 0 };
  let best = atMost * atMost;
  let pair: readonly [number, number] | undefined;
  const visitor = visitTriangles(viewA, viewB, atMost + slack, counts, (triangleA, triangleB) => {
    const corners = reader.read(triangleA, triangleB);
    const d = distanceSqTriangleTriangle(corners, 0, corners, 9);
    if (d < best || (d === best && pair === undefined)) {
      best = d;
      pair = [triangleA, triangleB];
      visitor.bound = Math.sqrt(d) + slack;
    }
    return d === 0;
  });
  const { volumeTests } = trees.walk(viewA, viewB, treePose, visitor, 'closest');
  return { pair, pose, stats: statsOf(volumeTests, counts.triangles) };
}

/** Pairs of one mesh that meet and share no corner, the smaller number first. */
export function findSelfPairsPortable(mesh: Mesh, limit: number, trees: PortableTrees): PortableFinding {
  const view = trees.viewOf(treeOf(mesh, trees));
  const reader = new PairReader(mesh, mesh, IDENTITY as RigidPose);
  const counts = { triangles: 0 };
  const keys = new Set<bigint>(); // a leaf against itself meets every pair twice
  const visitor = visitTriangles(view, view, 0, counts, (s, t) => {
    if (s === t) return false;
    const corners = reader.read(Math.min(s, t), Math.max(s, t));
    if (!shareCorner(corners) && MEETING.accepts(corners)) {
      keys.add(keyOf(Math.min(s, t), Math.max(s, t)));
    }
    return keys.size >= limit;
  });
  const { volumeTests, stopped } = trees.walk(view, view, undefined, visitor);
  return {
    keys: BigUint64Array.from(keys),
    complete: !stopped,
    stats: statsOf(volumeTests, counts.triangles),
  };
}

function place(a: Mesh, b: Mesh, bToA: RigidPose, trees: PortableTrees) {
  const [treeA, treeB] = [treeOf(a, trees), treeOf(b, trees)];
  const [viewA, viewB] = [trees.viewOf(treeA), trees.viewOf(treeB)];
  const pose = storedPose(a, b, bToA);
  const treePose = new Float64Array(pose);
  const [ca, cb] = [viewA.centre, viewB.centre];
  let far = 0;
  for (let i = 0; i < 3; i++) {
    treePose[9 + i] =
      pose[3 * i] * cb[0] + pose[3 * i + 1] * cb[1] + pose[3 * i + 2] * cb[2] + pose[9 + i] - ca[i];
    far += Math.abs(pose[9 + i]) + Math.abs(cb[i]);
  }
  // positions far from zero are rounded when they are posed, the trees' volumes are not
  return { viewA, viewB, pose, treePose, slack: 1e-15 * far };
}

/** Calls `visit` for each pair of triangles in a pair of leaves; it returns true to stop. */
function visitTriangles(
  viewA: TreeView,
  viewB: TreeView,
  bound: number,
  counts: { triangles: number },
  visit: (triangleA: number, triangleB: number) => boolean,
): PairVisitor {
  return {
    bound,
    leafPair(startA, countA, startB, countB) {
      counts.triangles += countA * countB;
      for (let i = 0; i < countA; i++) {
        for (let j = 0; j < countB; j++) {
          if (visit(viewA.triangleAt(startA + i), viewB.triangleAt(startB + j))) return true;
        }
      }
      return false;
    },
  };
}

function shareCorner(corners: Float64Array): boolean {
  for (let i = 0; i < 9; i += 3) {
    for (let j = 9; j < 18; j += 3) {
      if (
        corners[i] === corners[j] &&
        corners[i + 1] === corners[j + 1] &&
        corners[i + 2] === corners[j + 2]
      ) {
        return true;
      }
    }
  }
  return false;
}

function keyOf(triangleA: number, triangleB: number): bigint {
  return (BigInt(triangleA) << 32n) | BigInt(triangleB);
}

function statsOf(volumeTests: number, triangleTests: number): QueryStats {
  return { volumeTests, triangleTests, exactTests: triangleTests, adaptiveTests: triangleTests };
}
