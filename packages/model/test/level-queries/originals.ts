/** Originals and patches by brute force, for what answers with an error are held against. */
import type { Random } from '@impinge/scenes/random';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { intersectsTriangleTriangle } from 'impinge/internal/geometry/intersect/triangle-triangle.js';
import { posePoint, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import type { LevelsTarget } from '../../src/index.js';
import type { Shape } from '../levels/families.js';
import { distanceTo } from './extremes.js';

/** Corners of all triangles, posed. */
export function cornersOf({ positions, indices }: Shape, pose: RigidPose): Float64Array {
  const corners = new Float64Array(3 * indices.length);
  indices.forEach((v, i) => {
    posePoint(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], corners, 3 * i);
  });
  return corners;
}

export function poseOf(random: Random, apart: number): RigidPose {
  const q = [0, 1, 2, 3].map(() => 2 * random.next() - 1);
  const length = Math.hypot(...q);
  const shift = [0, 1, 2].map(() => apart * (2 * random.next() - 1)) as [number, number, number];
  return toRigidPose({
    rotation: q.map((x) => x / length) as [number, number, number, number],
    translation: shift,
  });
}

export function isNear(point: Float64Array, triangles: Float64Array, reach: number): boolean {
  for (let t = 0; t < triangles.length; t += 9) {
    if (distanceSqPointTriangle(point, 0, triangles, t) <= reach * reach) return true;
  }
  return false;
}

export function posed(corners: Float64Array, pose: RigidPose): Float64Array {
  const out = new Float64Array(corners.length);
  for (let i = 0; i < corners.length; i += 3)
    posePoint(pose, corners[i], corners[i + 1], corners[i + 2], out, i);
  return out;
}

/** Whether the boxes of two triangles are farther apart than that. */
export function areApart(p: Float64Array, o: number, q: Float64Array, t: number, reach: number): boolean {
  for (let k = 0; k < 3; k++) {
    const low = Math.min(p[o + k], p[o + 3 + k], p[o + 6 + k]);
    const high = Math.max(p[o + k], p[o + 3 + k], p[o + 6 + k]);
    if (low > Math.max(q[t + k], q[t + 3 + k], q[t + 6 + k]) + reach) return true;
    if (high < Math.min(q[t + k], q[t + 3 + k], q[t + 6 + k]) - reach) return true;
  }
  return false;
}

export const TINY = 1e-9;

/** The distance of two lists of triangles. */
export function trianglesApart(a: Float64Array, b: Float64Array): number {
  let least = Infinity;
  for (let i = 0; i < a.length; i += 9) {
    for (let j = 0; j < b.length; j += 9) {
      if (intersectsTriangleTriangle(a, i, b, j)) return 0;
      least = Math.min(least, distanceSqTriangleTriangle(a, i, b, j));
    }
  }
  return Math.sqrt(least);
}

/** The patch at a place of an answer (2 i of a, 2 i + 1 of b): in its target, and where that is. */
export async function patchAt(
  target: LevelsTarget,
  { objects, pieces, patches }: Pick<WithinResult<PartsTarget>, 'objects' | 'pieces' | 'patches'>,
  at: number,
  pose?: RigidPose,
) {
  const [object, piece] = [objects[at], pieces[at]];
  const patch = { object, piece, first: patches!.firsts[at], count: patches!.counts[at] };
  const { corners: own, triangles } = await target.trianglesOf(patch);
  const corners = pose ? posed(own, pose) : own;
  return { patch, triangles, own, corners, ...target.errorsOf(object, piece) };
}

interface NearPatch {
  readonly corners: Float64Array;
  readonly out: number;
}

/** Whether two points, one of a and one of b, that are `apart` are stood for by a pair of patches of an answer. */
export function isStoodFor(
  points: { readonly a: Float64Array; readonly b: Float64Array; readonly apart: number },
  bounds: Float64Array,
  ofA: readonly NearPatch[],
  ofB: readonly NearPatch[],
): boolean {
  return ofA.some(
    ({ corners, out }, n) =>
      bounds[2 * n] <= points.apart + TINY &&
      distanceTo(corners, points.a) <= out + TINY &&
      distanceTo(ofB[n].corners, points.b) <= ofB[n].out + TINY,
  );
}
