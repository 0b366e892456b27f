/** The relative motion of two bodies, and its deviation from straight. */
import type { PairMotion } from '../contact-engine.js';

/** Relative: more than rounding does to a pose, a place and a product with a direction. */
const ROUNDING = 1e-12;

/**
 * `way`: no point of one comes nearer to any of the other by more. `stray`: points are that far off the straight way
 * between both ends, those of both bodies together; see kernels/contacts/guard.ts.
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

/** A motion from one share of it to another; undefined where a body turns too far for its axis to be certain. */
export function partOf(
  { fromA: p, toA: p1, fromB: q, toB: q1 }: PairMotion,
  from: number,
  to: number,
): PairMotion | undefined {
  const [fromA, toA] = [poseAt(p, p1, from), poseAt(p, p1, to)];
  const [fromB, toB] = [poseAt(q, q1, from), poseAt(q, q1, to)];
  return fromA && toA && fromB && toB && { fromA, toA, fromB, toB };
}

/** Where a body is that turns at a constant rate about its centre, which moves straight. */
function poseAt(p: Float64Array, q: Float64Array, share: number): Float64Array | undefined {
  // rows of q times rows of p: the turn between them
  const dot = (i: number, j: number) =>
    q[3 * i] * p[3 * j] + q[3 * i + 1] * p[3 * j + 1] + q[3 * i + 2] * p[3 * j + 2];
  // sine of the angle, times the axis
  let x = 0.5 * (dot(2, 1) - dot(1, 2));
  let y = 0.5 * (dot(0, 2) - dot(2, 0));
  let z = 0.5 * (dot(1, 0) - dot(0, 1));
  const sine = Math.sqrt(x * x + y * y + z * z);
  const cosine = 0.5 * (dot(0, 0) + dot(1, 1) + dot(2, 2) - 1);
  if (cosine < 0) return undefined;
  const out = p.slice();
  for (let k = 9; k < 12; k++) out[k] += share * (q[k] - p[k]);
  if (sine === 0 || share === 0) return out;
  x /= sine;
  y /= sine;
  z /= sine;
  const angle = share * Math.atan2(sine, cosine);
  const s = Math.sin(angle);
  const c = 2 * Math.sin(0.5 * angle) ** 2;
  for (let k = 0; k < 3; k++) {
    const a = p[k];
    const b = p[3 + k];
    const d = p[6 + k];
    const along = c * (x * a + y * b + z * d);
    out[k] = (1 - c) * a + s * (y * d - z * b) + along * x;
    out[3 + k] = (1 - c) * b + s * (z * a - x * d) + along * y;
    out[6 + k] = (1 - c) * d + s * (x * b - y * a) + along * z;
  }
  return out;
}
