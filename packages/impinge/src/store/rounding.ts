/**
 * How far the corners of an object, as they are stored and placed, may be from what was meant.
 *
 * Four causes add up: what the source says itself; numbers that were float32 in the source, each off by at most 2⁻²⁴ of
 * its size; what the store rounds, half a unit in the last place of float32 about its origin; and poses, which are turned
 * into the nearest rotation and applied in float64.
 *
 * Errs: upward. A point whose coordinates are each off by e is off by at most √3 e.
 */
import type { RigidPose } from '../math/pose.js';
import type { DividedShape } from './divided-shape.js';
import type { SourceObject, SourceShape } from './source.js';

const SQRT3 = 1.7320508075688774;

/** Half a unit in the last place of float32, for numbers of up to this size. */
export function halfUlp32(largest: number): number {
  return largest > 0 ? 2 ** (Math.max(-126, Math.floor(Math.log2(largest))) - 24) : 0;
}

/** `origin` is that of the shape's pieces, `given` the pose as it came, `kept` as it is stored. */
export function objectRounding(
  { precision = 0 }: SourceShape,
  { box, isExact }: DividedShape,
  origin: ArrayLike<number>,
  { rounding = 0, pose: given }: SourceObject,
  kept: RigidPose | undefined,
): number {
  let largest = 0;
  let local = 0;
  for (let k = 0; k < 6; k++) {
    largest = Math.max(largest, Math.abs(box![k]));
    local = Math.max(local, Math.abs(box![k] - origin[k % 3]));
  }
  const stored = isExact ? 0 : halfUlp32(local) + largest * 2 ** -52;
  if (kept === undefined) return rounding + SQRT3 * (precision * largest + stored);
  let shift = 0;
  for (let k = 9; k < 12; k++) shift = Math.max(shift, Math.abs(kept[k]));
  // the Frobenius norm of what the rotation was corrected by: no vector is changed by a larger share
  let correction = 0;
  for (let k = 0; k < 9; k++) correction = Math.hypot(correction, kept[k] - given![k]);
  // three products and sums per coordinate, each rounded: at most five units of 2⁻⁵³ of what is summed up
  const applied = (SQRT3 * largest + shift) * 2 ** -50;
  return rounding + SQRT3 * (precision * (largest + shift) + stored + correction * largest + applied);
}
