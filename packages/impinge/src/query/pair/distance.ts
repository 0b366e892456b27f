/**
 * How far apart two meshes are, and where. The kernels find the closest pair in float64; its distance, witness
 * points and features are then computed once more by the reference code.
 * Errs: the distance is within 1e-14 of the largest coordinate of the true one; it is 0 exactly when the meshes meet.
 */
import { readAtMost, readBag } from '../../base/options.js';
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { kernel } from '../../kernel/kernel.js';
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import { decideDoubts } from './collide.js';
import { type Placement, type PoseOptions, Q, QueryContext, readPlacement, Status } from './context.js';
import {
  type EngineDistanceResult,
  type ErrorOptions,
  engineOf,
  type QueryEngine,
  readErrorLimit,
} from './engine.js';
import { expandPending, hierarchyOf, portableKindFor } from './hierarchy-of.js';
import { findClosestPortable } from './portable.js';
import type { DistanceResult } from './results.js';

export interface DistanceOptions extends PoseOptions, ErrorOptions {
  /** Do not look beyond this distance (default: Infinity). */
  readonly atMost?: number;
}

/** Finds the closest points of a and b. */
export function distance(a: Mesh, b: Mesh, options?: DistanceOptions): DistanceResult;
export function distance(
  a: Mesh | QueryEngine,
  b: Mesh | QueryEngine,
  options?: DistanceOptions,
): Promise<EngineDistanceResult>;
export function distance(
  a: Mesh | QueryEngine,
  b: Mesh | QueryEngine,
  options: DistanceOptions = {},
): DistanceResult | Promise<EngineDistanceResult> {
  const atMost = readAtMost('atMost', readBag(options).atMost ?? Infinity);
  const placed = readPlacement(options);
  const error = readErrorLimit(options);
  return (
    engineOf(a, b)?.closest({ a, b, ...placed, atMost, error }) ??
    distancePlaced(a as Mesh, b as Mesh, placed, atMost)
  );
}

/** The same for sides that are placed already. The pair found may be `slack` farther apart than the closest. */
export function distancePlaced(
  a: Mesh,
  b: Mesh,
  { bToA, aToWorld }: Placement,
  atMost: number,
  slack = 0,
): DistanceResult {
  const type = portableKindFor(a, b);
  const found = type ? findClosestPortable(a, b, bToA, atMost, type) : findClosest(a, b, bToA, atMost, slack);
  const { pair, pose, stats } = found;
  if (pair === undefined) {
    const nowhere = {
      pointA: undefined,
      pointB: undefined,
      triangleA: -1,
      triangleB: -1,
      featureA: -1,
      featureB: -1,
    };
    return { distance: Infinity, ...nowhere, error: 0, stats };
  }
  return { ...witnessOf(a, b, pose, pair, aToWorld), error: 0, stats };
}

/** Distance, points and features of two triangles; `pose` is between the numbers stored. */
export function witnessOf(
  a: Mesh,
  b: Mesh,
  pose: RigidPose,
  [triangleA, triangleB]: readonly [number, number],
  aToWorld: RigidPose,
): Omit<DistanceResult, 'error' | 'stats'> {
  const corners = new PairReader(a, b, pose).read(triangleA, triangleB);
  const witness = new Float64Array(8);
  const d = Math.sqrt(distanceSqTriangleTriangle(corners, 0, corners, 9, witness));
  for (let side = 0; side < 6; side += 3) {
    for (let k = 0; k < 3; k++) witness[side + k] += a.origin[k];
    posePoint(aToWorld, witness[side], witness[side + 1], witness[side + 2], witness, side);
  }
  return {
    distance: d,
    pointA: [witness[0], witness[1], witness[2]],
    pointB: [witness[3], witness[4], witness[5]],
    triangleA,
    triangleB,
    featureA: witness[6],
    featureB: witness[7],
  };
}

function findClosest(a: Mesh, b: Mesh, bToA: RigidPose, atMost: number, slack: number) {
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit: 1, bound: atMost, slack });
  try {
    let adaptiveTests = 0;
    let touching: bigint | undefined;
    let status: number;
    do {
      status = kernel().closest(query.block);
      if (status === Status.needTreelet) expandPending(query);
      const doubts = query.takeDoubts();
      adaptiveTests += doubts.length;
      touching = decideDoubts(query, doubts, 1)[0];
    } while (status !== Status.done && touching === undefined);
    const key = touching ?? (BigInt(query.word(Q.bestA)) << 32n) | BigInt(query.word(Q.bestB));
    const triangleA = Number(key >> 32n);
    const pair = triangleA === NONE ? undefined : ([triangleA, Number(key & 0xffffffffn)] as const);
    return { pair, pose: query.pose, stats: query.stats(adaptiveTests) };
  } finally {
    query.release();
  }
}

const NONE = 0xffffffff;
