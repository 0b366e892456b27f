/**
 * How far apart two meshes are, and where. The kernels find the closest pair in float64; its distance, witness
 * points and features are then computed once more by the reference code.
 * Errs: the distance is within 1e-14 of the largest coordinate of the true one; it is 0 exactly when the meshes meet.
 */
import { readAtMost, readKnown } from '../../base/options.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Target } from '../target.js';
import { boxesApart, ONE_TEST } from './boxes-apart.js';
import { NOWHERE, searchClosest, witnessOf } from './closest-search.js';
import { type Placement, POSE_NAMES, type PoseOptions, QueryContext, readPlacement } from './context.js';
import { hierarchyOf, portableTreesFor } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { areParted, askPair, closestOfParts } from './near-pairs.js';
import {
  type ClosestRequest,
  ERROR_NAMES,
  type ErrorOptions,
  type PairAnswer,
  readErrorLimit,
} from './pair-request.js';
import { areUneven, isStretched, readAnyPlacement, readRigidPlacement } from './placement.js';
import { findClosestPortable } from './portable.js';
import type { DistanceResult } from './results.js';
import { rigidSides } from './rigid-sides.js';
import { distanceStretched } from './stretched.js';

export { witnessOf } from './closest-search.js';

export interface DistanceOptions extends PoseOptions, ErrorOptions {
  /** Do not look beyond this distance (default: Infinity). */
  readonly atMost?: number;
}

const NAMES = { ...POSE_NAMES, ...ERROR_NAMES, atMost: true } as const;

/** Finds the closest points of a and b. */
export function distance<A extends Target, B extends Target>(
  a: A,
  b: B,
  options?: DistanceOptions,
): PairAnswer<A, B, DistanceResult<A, B>>;
export function distance(a: Target, b: Target, options: DistanceOptions = {}): unknown {
  const atMost = readAtMost('atMost', readKnown('distance', options, NAMES).atMost ?? Infinity);
  const error = readErrorLimit(options);
  if (areParted(a, b)) {
    const request = { a, b, ...readRigidPlacement(options), atMost, error };
    return askPair('closest', request, closestWithin);
  }
  return distanceOfMeshes(a as Mesh, b as Mesh, options, atMost);
}

/** The closest points of two targets, part by part. */
export function closestWithin(request: ClosestRequest) {
  return closestOfParts(request, distanceOfMeshes);
}

function distanceOfMeshes(a: Mesh, b: Mesh, poses: PoseOptions, atMost: number): DistanceResult {
  const placed = readAnyPlacement(poses);
  if (areUneven(placed)) {
    const sides = rigidSides(a, b, poses);
    return distancePlaced(sides.a, sides.b, readPlacement(sides.poses), atMost);
  }
  return isStretched(placed) ? distanceStretched(a, b, placed, atMost) : distancePlaced(a, b, placed, atMost);
}

/** The same for sides that are placed already. The pair found may be `slack` farther apart than the closest. */
export function distancePlaced(
  a: Mesh,
  b: Mesh,
  { bToA, aToWorld }: Placement,
  atMost: number,
  slack = 0,
): DistanceResult {
  const trees = portableTreesFor(a, b);
  if (boxesApart(a, b, bToA, atMost)) return { ...NOWHERE, error: 0, stats: ONE_TEST };
  const found = trees
    ? findClosestPortable(a, b, bToA, atMost, trees)
    : findClosest(a, b, bToA, atMost, slack);
  const { pair, pose, stats } = found;
  if (pair === undefined) return { ...NOWHERE, error: 0, stats };
  return { ...witnessOf(a, b, pose, pair, aToWorld), error: 0, stats };
}

function findClosest(a: Mesh, b: Mesh, bToA: RigidPose, atMost: number, slack: number) {
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit: 1, bound: atMost, slack });
  try {
    return { ...searchClosest(query, () => pairKernels.kernels().closest(query.block)), pose: query.pose };
  } finally {
    query.release();
  }
}
