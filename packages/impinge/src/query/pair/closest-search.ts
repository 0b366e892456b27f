/** The closest two triangles: how a kernel that looks for them is run, and what is said of those it found. */
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { Q, Status } from '../../kernel/layout.generated.js';
import { posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { PairReader } from '../../mesh/pair-reader.js';
import type { QueryContext } from './context.js';
import { expandPending } from './hierarchy-of.js';
import type { DistanceResult } from './results.js';
import { decideDoubts } from './run-query.js';

/** Distance, points and features of two triangles; `pose` is between the numbers stored. */
export function witnessOf(
  a: Mesh,
  b: Mesh,
  pose: RigidPose,
  [triangleA, triangleB]: readonly [number, number],
  aToWorld: RigidPose,
): Omit<DistanceResult, 'error' | 'stats'> {
  const corners = new PairReader(a, b, pose).read(triangleA, triangleB);
  return { ...witnessIn(corners, aToWorld, a.origin), triangleA, triangleB };
}

/** The same of two triangles in one array; the points are shifted, then posed. */
export function witnessIn(corners: Float64Array, pose: RigidPose, origin: Vec3) {
  const witness = new Float64Array(8);
  const d = Math.sqrt(distanceSqTriangleTriangle(corners, 0, corners, 9, witness));
  for (let side = 0; side < 6; side += 3) {
    for (let k = 0; k < 3; k++) witness[side + k] += origin[k];
    posePoint(pose, witness[side], witness[side + 1], witness[side + 2], witness, side);
  }
  return {
    distance: d,
    bounds: [d, d] as const,
    pointA: [witness[0], witness[1], witness[2]] as const,
    pointB: [witness[3], witness[4], witness[5]] as const,
    featureA: witness[6],
    featureB: witness[7],
  };
}

/** The answer where nothing is near enough. */
export const NOWHERE = {
  distance: Infinity,
  bounds: [Infinity, Infinity],
  pointA: undefined,
  pointB: undefined,
  triangleA: -1,
  triangleB: -1,
  featureA: -1,
  featureB: -1,
} as const;

/** Runs a kernel that looks for the closest pair until it is done, deciding its doubts on the way. */
export function searchClosest(query: QueryContext, step: () => number) {
  let adaptiveTests = 0;
  let touching: bigint | undefined;
  let status: number;
  do {
    status = step();
    if (status === Status.needTreelet) expandPending(query);
    const doubts = query.takeDoubts();
    adaptiveTests += doubts.length;
    touching = decideDoubts(query, doubts, 1)[0];
  } while (status !== Status.done && touching === undefined);
  const key = touching ?? (BigInt(query.word(Q.bestA)) << 32n) | BigInt(query.word(Q.bestB));
  const triangleA = Number(key >> 32n);
  const pair = triangleA === NONE ? undefined : ([triangleA, Number(key & 0xffffffffn)] as const);
  return { pair, stats: query.stats(adaptiveTests) };
}

const NONE = 0xffffffff;
