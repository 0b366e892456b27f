/** Answers with an error held against the originals, by brute force. */
import type { Random } from '@impinge/scenes/random';
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { posePoint, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { WithinResult } from 'impinge/internal/query/pair/results.js';
import type { PartsTarget } from 'impinge/internal/query/target.js';
import { expect } from 'vitest';
import type { LevelsTarget } from '../../src/index.js';
import type { Shape } from '../levels/families.js';

/** Corners of all triangles, posed. */
export function cornersOf({ positions, indices }: Shape, pose: RigidPose): Float64Array {
  const corners = new Float64Array(3 * indices.length);
  indices.forEach((v, i) => {
    posePoint(pose, positions[3 * v], positions[3 * v + 1], positions[3 * v + 2], corners, 3 * i);
  });
  return corners;
}

const IDENTITY = toRigidPose(undefined);

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

/** Originals that come within `reach` of some of the triangles. */
function nearTo(originals: Float64Array, triangles: Float64Array, reach: number): number[] {
  const found: number[] = [];
  const witness = new Float64Array(8);
  for (let o = 0; o < originals.length; o += 9) {
    for (let t = 0; t < triangles.length; t += 9) {
      if (areApart(originals, o, triangles, t, reach)) continue;
      if (distanceSqTriangleTriangle(originals, o, triangles, t, witness) > reach * reach) continue;
      found.push(o);
      break;
    }
  }
  return found;
}

interface Case {
  readonly a: Shape;
  readonly b: Shape;
  readonly targetA: LevelsTarget;
  readonly targetB: LevelsTarget;
  readonly pose: RigidPose;
  readonly apart: number;
  readonly error: number;
}

export const TINY = 1e-9;

/** Holds an answer against the originals, both ways; returns how many pairs of originals were to be stood for. */
export async function assertPromise(of: Case, found: WithinResult<PartsTarget>): Promise<number> {
  const { a, b, targetA, targetB, pose, apart, error } = of;
  const originalsA = cornersOf(a, IDENTITY);
  const originalsB = cornersOf(b, pose);
  const { bounds, counts, firsts } = found.patches!;
  const patches = await Promise.all(
    Array.from({ length: 2 * found.count }, async (_, i) => {
      const stored = i % 2 === 0 ? targetA : targetB;
      const patch = { object: found.objects[i], piece: found.pieces[i], first: firsts[i], count: counts[i] };
      const { corners, triangles } = await stored.trianglesOf(patch);
      expect(triangles).toContain(found.pairs[i]);
      const at = stored.errorsOf(patch.object, patch.piece);
      return { corners: i % 2 === 0 ? corners : posed(corners, pose), ...at };
    }),
  );
  const witness = new Float64Array(8);
  // nothing is invented: originals near both patches come as near as the bound says
  for (let i = 0; i < found.count; i++) {
    const upper = bounds[2 * i + 1];
    expect(upper).toBeLessThanOrEqual(apart + error + TINY);
    expect(bounds[2 * i]).toBeLessThanOrEqual(upper);
    const nearA = nearTo(originalsA, patches[2 * i].corners, patches[2 * i].in + TINY);
    const nearB = nearTo(originalsB, patches[2 * i + 1].corners, patches[2 * i + 1].in + TINY);
    let least = Infinity;
    for (const o of nearA) {
      for (const p of nearB) {
        least = Math.min(least, distanceSqTriangleTriangle(originalsA, o, originalsB, p, witness));
      }
    }
    expect(Math.sqrt(least)).toBeLessThanOrEqual(upper + TINY);
  }
  // nothing is missed: where originals are that near, there is a pair of patches
  let pairs = 0;
  for (let o = 0; o < originalsA.length; o += 9) {
    for (let p = 0; p < originalsB.length; p += 9) {
      if (areApart(originalsA, o, originalsB, p, apart)) continue;
      const d = Math.sqrt(distanceSqTriangleTriangle(originalsA, o, originalsB, p, witness));
      if (d > apart) continue;
      pairs++;
      const [pointA, pointB] = [witness.slice(0, 3), witness.slice(3, 6)];
      let stood = false;
      for (let i = 0; i < found.count && !stood; i++) {
        const [ofA, ofB] = [patches[2 * i], patches[2 * i + 1]];
        stood =
          bounds[2 * i] <= d + TINY &&
          isNear(pointA, ofA.corners, ofA.out + TINY) &&
          isNear(pointB, ofB.corners, ofB.out + TINY);
      }
      expect(stood).toBe(true);
    }
  }
  return pairs;
}
