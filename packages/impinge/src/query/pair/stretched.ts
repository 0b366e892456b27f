/**
 * Queries about two meshes of which one or both are scaled, stretched, sheared or mirrored by their poses: the trees of the
 * meshes as they are, and the kernels of kernels/stretched.ts.
 *
 * Idea: everything is asked in the frame of one mesh, the other posed into it. Whether triangles meet is the same in any
 * frame; how far apart they are is so where the frame's own pose is rigid, or scales everything alike.
 * Errs: towards keeping. The corners of the posed mesh are rounded once, as by a rigid pose, and decided about exactly.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { HierarchyHeader } from '../../hierarchy/layout.js';
import { kernel } from '../../kernel/kernel.js';
import { invertLinear, type LinearPose, nearestRotation, stretchOf } from '../../math/linear-map.js';
import { composePoses, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { FAR, LEAST_NORMAL } from '../../mesh/reach.js';
import { boxesApart, nothingMeets } from './boxes-apart.js';
import { NOWHERE, searchClosest, witnessOf } from './closest-search.js';
import { type Ask, Q, QueryContext, tooFar, writeRotations } from './context.js';
import { hierarchyOf, portableKindFor } from './hierarchy-of.js';
import { swapPairs } from './pair-list.js';
import type { StretchedPlacement } from './placement.js';
import type { CollideResult, DistanceResult } from './results.js';
import { runToLimit } from './run-query.js';

/** The mesh in whose frame is asked, the other, and how to read the answer. */
interface Arranged {
  readonly first: Mesh;
  readonly second: Mesh;
  readonly toFirst: LinearPose;
  readonly toWorld: LinearPose;
  /** Of the first mesh's frame, in units of the world; 0 where it has none. */
  readonly unit: number;
  readonly swapped: boolean;
}

/** Pairs that meet, or come within `distance`. */
export function withinStretched(
  a: Mesh,
  b: Mesh,
  placed: StretchedPlacement,
  limit: number,
  distance: number,
): CollideResult {
  const { first, second, toFirst, unit, swapped } = arrange(a, b, placed);
  if (distance > 0) assertUnit(unit);
  else if (boxesApart(first, second, toFirst)) return nothingMeets();
  const bound = distance === 0 ? 0 : (distance / unit) * (1 + 1e-14);
  const { query, rounding } = openStretched(first, second, toFirst, { limit, bound });
  try {
    if (bound > 0) arena().f64()[(query.block + Q.bound) >>> 3] = bound + rounding;
    const found = runToLimit(query, limit, () => kernel().stretchedWithin(query.block));
    return swapped ? { ...found, pairs: swapPairs(found.pairs) } : found;
  } finally {
    query.release();
  }
}

/** The closest points. */
export function distanceStretched(
  a: Mesh,
  b: Mesh,
  placed: StretchedPlacement,
  atMost: number,
): DistanceResult {
  const { first, second, toFirst, toWorld, unit, swapped } = arrange(a, b, placed);
  assertUnit(unit);
  const { query } = openStretched(first, second, toFirst, { limit: 1, bound: atMost / unit });
  try {
    const { pair, stats } = searchClosest(query, () => kernel().stretchedClosest(query.block));
    if (pair === undefined) return { ...NOWHERE, error: 0, stats };
    const found = witnessOf(first, second, query.pose, pair, toWorld);
    const distance = unit * found.distance;
    if (!swapped) return { ...found, distance, error: 0, stats };
    return {
      distance,
      pointA: found.pointB,
      pointB: found.pointA,
      triangleA: found.triangleB,
      triangleB: found.triangleA,
      featureA: found.featureB,
      featureB: found.featureA,
      error: 0,
      stats,
    };
  } finally {
    query.release();
  }
}

/** Asks in the frame of a, unless only that of b has a unit of length, or only b is rigid. */
function arrange(a: Mesh, b: Mesh, { a: poseA, b: poseB, stretchA, stretchB }: StretchedPlacement): Arranged {
  if (portableKindFor(a, b))
    throw new ImpingeError('unsupported', 'poses that scale need the kernels and trees of oriented boxes');
  const swapped = !stretchA.rigid && (stretchB.rigid || (stretchA.scale === 0 && stretchB.scale > 0));
  const [first, second] = swapped ? [b, a] : [a, b];
  const [toWorld, other] = swapped ? [poseB, poseA] : [poseA, poseB];
  const unit = (swapped ? stretchB : stretchA).scale;
  return { first, second, toFirst: composePoses(invertLinear(toWorld), other), toWorld, unit, swapped };
}

function assertUnit(unit: number): void {
  if (unit === 0)
    throw new ImpingeError(
      'bad-pose',
      'both poses stretch unevenly: bake one of them into its mesh first: mesh.transformed(matrix)',
    );
}

/** A query whose walk maps the boxes of b; and more than distances lose to rounding. */
function openStretched(
  a: Mesh,
  b: Mesh,
  toFirst: RigidPose,
  ask: Ask,
): { readonly query: QueryContext; readonly rounding: number } {
  const { most, leastInverse } = stretchOf(toFirst);
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), toFirst, ask);
  const floats = arena().f32();
  const p = query.pose;
  const forward = (query.block + Q.bToA) >>> 2;
  const radius = (tree: number) => floats[(tree >>> 2) + HierarchyHeader.radius];
  const apart = Math.hypot(floats[forward + 4], floats[forward + 5], floats[forward + 6]);
  const reach = radius(query.treeA.block) + most * radius(query.treeB.block) + apart;
  if (!(reach < FAR)) {
    query.release();
    throw tooFar();
  }
  const far = largest(a) + most * largest(b) + Math.abs(p[9]) + Math.abs(p[10]) + Math.abs(p[11]);
  writeRotations(query.block, nearestRotation(p));
  floats[forward + 7] = 1e-5 * reach + 4e-15 * far + LEAST_NORMAL;
  // leaves round by 3e-6 of their coordinates where the pose is rigid, and by its condition more where it is not
  arena().f64()[(query.block + Q.slack) >>> 3] =
    1e-5 * most * leastInverse * reach + 4e-15 * far + LEAST_NORMAL;
  return { query, rounding: 2e-15 * far };
}

/** The largest coordinate that is stored. */
function largest({ box: { min, max }, origin }: Mesh): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    most = Math.max(most, Math.abs(min[k] - origin[k]), Math.abs(max[k] - origin[k]));
  }
  return most;
}
