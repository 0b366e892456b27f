/** How far two bodies move against each other, and by how much that is not straight. */
import type { PairMotion } from '../contact-engine.js';

/** Relative: more than rounding does to a pose, a place and a product with a direction. */
const ROUNDING = 1e-12;

/**
 * `way`: no point of one comes nearer to any of the other by more. `stray`: points are that far off the straight way between
 * both ends, those of both bodies together; see pair-guard.ts.
 */
export function bendOf(
  radiusA: number,
  radiusB: number,
  { fromA, toA, fromB, toB }: PairMotion,
): { readonly way: number; readonly stray: number } {
  const angleA = angleBetween(fromA, toA);
  const angleB = angleBetween(fromB, toB);
  let waySq = 0;
  let size = radiusA + radiusB;
  for (let k = 9; k < 12; k++) {
    waySq += (toB[k] - fromB[k] - toA[k] + fromA[k]) ** 2;
    size += Math.abs(fromA[k]) + Math.abs(fromB[k]) + Math.abs(toA[k]) + Math.abs(toB[k]);
  }
  return {
    way: Math.sqrt(waySq) + angleA * radiusA + angleB * radiusB,
    stray: (angleA * angleA * radiusA + angleB * angleB * radiusB) / 8 + ROUNDING * size,
  };
}

/** The angle between two rotations, not too small: ‖P − Q‖² = 8 sin²(φ / 2). */
function angleBetween(p: Float64Array, q: Float64Array): number {
  let sq = 0;
  for (let k = 0; k < 9; k++) sq += (p[k] - q[k]) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(sq / 8))) * (1 + ROUNDING);
}

/** Where b is in the frame of a, both placed in the world. */
export function relativePose(p: Float64Array, q: Float64Array): Float64Array {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = p[i] * q[j] + p[3 + i] * q[3 + j] + p[6 + i] * q[6 + j];
    out[9 + i] = p[i] * (q[9] - p[9]) + p[3 + i] * (q[10] - p[10]) + p[6 + i] * (q[11] - p[11]);
  }
  return out;
}
