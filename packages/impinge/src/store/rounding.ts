/**
 * How far the corners of an object, as they are stored and placed, may be from what was meant.
 *
 * Four causes add up: what the source says itself; numbers that were float32 in the source, each off by at most half a
 * unit in its last place; what the store rounds, the same about its origin; and poses, which are turned into the nearest
 * rotation and applied in float64.
 *
 * Errs: upward. A number of size x that is rounded to p bits is off by at most 2⁻ᵖ of the power of two below x; a vector
 * by at most the length of the vector of its coordinates' errors.
 */
import type { RigidPose } from '../math/pose.js';
import type { DividedShape } from './divided-shape.js';
import type { SourceObject, SourceShape } from './source.js';

/** Half a unit in the last place of float32, as a share of the power of two below. */
const FLOAT32 = 2 ** -24;

/** `origin` is that of the shape's pieces, `given` the pose as it came, `kept` as it is stored. */
export function objectRounding(
  { precision = 0 }: SourceShape,
  { box, isExact }: DividedShape,
  origin: ArrayLike<number>,
  { rounding = 0, pose: given }: SourceObject,
  kept: RigidPose | undefined,
): number {
  const sizes = [0, 1, 2].map((k) => Math.max(Math.abs(box![k]), Math.abs(box![k + 3])));
  const largest = Math.hypot(...sizes);
  let sum = rounding + lengthOf(sizes, precision);
  if (!isExact) {
    const local = [0, 1, 2].map((k) =>
      Math.max(Math.abs(box![k] - origin[k]), Math.abs(box![k + 3] - origin[k])),
    );
    sum += lengthOf(local, FLOAT32) + largest * 2 ** -52;
  }
  if (kept === undefined) return sum;
  const shift = [kept[9], kept[10], kept[11]];
  // the Frobenius norm of what the rotation was corrected by: no vector is changed by a larger share
  let correction = 0;
  for (let k = 0; k < 9; k++) correction = Math.hypot(correction, kept[k] - given![k]);
  // three products and sums per coordinate, each rounded: at most five units of 2⁻⁵³ of what is summed up, on each axis
  const applied = (largest + Math.hypot(...shift)) * 2 ** -49;
  return sum + lengthOf(shift, precision) + correction * largest + applied;
}

/** How far a vector may be off whose coordinates, of these sizes at most, are each rounded to this share. */
function lengthOf(sizes: readonly number[], share: number): number {
  return Math.hypot(...sizes.map((size) => share * powerBelow(Math.abs(size))));
}

function powerBelow(size: number): number {
  return size > 0 ? 2 ** Math.max(-126, Math.floor(Math.log2(size))) : 0;
}
