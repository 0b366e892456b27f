/**
 * Which triangles of two meshes come within a given distance of each other. A pair counts when its distance is at
 * most the one asked for, meeting pairs included.
 */
import { readKnown, readLength } from '../../base/options.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type Target, thenOf } from '../target.js';
import { boxesApart, nothingMeets } from './boxes-apart.js';
import {
  COLLIDE_NAMES,
  type CollideOptions,
  collidePlaced,
  collideTrees,
  readFineness,
  readLimit,
  resultOf,
  runToLimit,
} from './collide.js';
import { distanceRounding, QueryContext, readPlacement } from './context.js';
import { hierarchyOf, portableTreesFor } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { type AnyPairs, areParted, askPair, pairsOfParts } from './near-pairs.js';
import { type PairAnswer, type PairsRequest, readErrorLimit } from './pair-request.js';
import { areUneven, isStretched, readAnyPlacement, readRigidPlacement } from './placement.js';
import { comingWithin, findPairsPortable } from './portable.js';
import type { CollideResult, WithinResult } from './results.js';
import { rigidSides } from './rigid-sides.js';
import { findSmallPairs } from './small-pair.js';
import { withinStretched } from './stretched.js';

export interface WithinOptions extends CollideOptions {
  /** In the meshes' unit; 0: meeting pairs. */
  readonly distance: number;
}

export const WITHIN_NAMES = { ...COLLIDE_NAMES, distance: true } as const;

/** Finds the triangles of a and b that are at most `distance` apart. */
export function within<A extends Target, B extends Target>(
  a: A,
  b: B,
  options: WithinOptions,
): PairAnswer<A, B, WithinResult<A, B>>;
export function within(a: Target, b: Target, options: WithinOptions): unknown {
  const distance = readLength('distance', readKnown('within', options, WITHIN_NAMES).distance);
  const limit = readLimit(options);
  const error = readErrorLimit(options);
  if (areParted(a, b)) {
    const request = {
      a,
      b,
      ...readRigidPlacement(options),
      limit,
      distance,
      error,
      ...readFineness(options),
    };
    return thenOf(askPair('pairs', request, pairsWithin), asWithin);
  }
  const placed = readAnyPlacement(options);
  if (distance > 0 && areUneven(placed)) {
    const sides = rigidSides(a as Mesh, b as Mesh, options);
    const { bToA } = readPlacement(sides.poses);
    return asWithin(withinPlaced(sides.a, sides.b, bToA, limit, distance));
  }
  return asWithin(
    isStretched(placed)
      ? withinStretched(a as Mesh, b as Mesh, placed, limit, distance)
      : withinPlaced(a as Mesh, b as Mesh, placed.bToA, limit, distance),
  );
}

/** Pairs of two targets, part by part. */
export function pairsWithin(request: PairsRequest): AnyPairs | Promise<AnyPairs> {
  return pairsOfParts(request, withinPlaced);
}

/** The same for sides that are placed already. */
export function withinPlaced(
  a: Mesh,
  b: Mesh,
  bToA: RigidPose,
  limit: number,
  distance: number,
): CollideResult {
  if (distance === 0) return collidePlaced(a, b, bToA, limit);
  const bound = reachOf(a, b, bToA, distance);
  const trees = portableTreesFor(a, b);
  if (boxesApart(a, b, bToA, bound)) return nothingMeets();
  if (trees) return resultOf(findPairsPortable(a, b, bToA, limit, comingWithin(bound), trees), limit);
  const small = findSmallPairs(a, b, bToA, { limit, bound });
  return small ? resultOf(small, limit) : withinTrees(a, b, bToA, limit, bound);
}

/** The same by kernels and trees, which are built where there are none; `bound` as of `reachOf`. */
export function withinTrees(a: Mesh, b: Mesh, bToA: RigidPose, limit: number, bound: number): CollideResult {
  if (bound === 0) return collideTrees(a, b, bToA, limit);
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit, bound });
  try {
    return runToLimit(query, limit, () => pairKernels.kernels().within(query.block));
  } finally {
    query.release();
  }
}

/**
 * What is compared with the distances of triangles: doubt is resolved by reporting, so it is above by more than
 * rounding.
 */
export function reachOf(a: Mesh, b: Mesh, bToA: RigidPose, distance: number): number {
  return distance === 0 ? 0 : reachBeyond(distance, distanceRounding(a, b, bToA));
}

export function reachBeyond(distance: number, rounding: number): number {
  return distance * (1 + 1e-14) + rounding;
}

export function asWithin<Result extends { readonly colliding: boolean }>({
  colliding,
  ...rest
}: Result): Omit<Result, 'colliding'> & { readonly within: boolean } {
  return { within: colliding, ...rest };
}
