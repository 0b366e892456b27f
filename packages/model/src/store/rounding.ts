/**
 * Bounds the distance of an object's corners, as stored and placed, from their intended positions, on each axis of the
 * world.
 *
 * Four causes add up: the source's own statement; numbers that were float32 in the source, each off by at most half a
 * unit in its last place; the store's rounding, the same about its origin; and poses, which are turned into the nearest
 * rotation and applied in float64.
 *
 * Errs: upward. A number of size x that is rounded to p bits is off by at most 2⁻ᵖ of the power of two below x; a
 * rotated coordinate by the errors of the coordinates, times the entries of its row.
 */
import { IDENTITY, type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import type { DividedShape } from './divided-shape.js';
import type { SourceObject, SourceShape } from './source.js';

/** Half a unit in the last place of float32, as a share of the power of two below. */
const FLOAT32 = 2 ** -24;

/** `origin` is that of the shape's pieces, `given` the pose as it came, `kept` as it is stored. */
export function objectRounding(
  { precision = 0 }: Pick<SourceShape, 'precision'>,
  { box, isExact }: Pick<DividedShape, 'box' | 'isExact'>,
  origin: ArrayLike<number>,
  { rounding = 0, pose: given }: Pick<SourceObject, 'rounding' | 'pose'>,
  kept: RigidPose | undefined,
): number {
  const sizes = [0, 0, 0];
  const off = [0, 0, 0];
  for (let k = 0; k < 3; k++) {
    sizes[k] = reach(box!, k, 0);
    const stored = isExact ? 0 : FLOAT32 * powerBelow(reach(box!, k, origin[k])) + sizes[k] * 2 ** -52;
    off[k] = precision * powerBelow(sizes[k]) + stored;
  }
  const pose = kept ?? IDENTITY;
  const meant = given === undefined ? pose : toRigidPose(given);
  let most = 0;
  for (let row = 0; row < 3; row++) {
    let sum = 0;
    let terms = Math.abs(pose[9 + row]);
    for (let k = 0; k < 3; k++) {
      const at = 3 * row + k;
      sum += Math.abs(pose[at]) * off[k] + Math.abs(pose[at] - meant[at]) * sizes[k];
      terms += Math.abs(pose[at]) * sizes[k];
    }
    // three products and sums, each rounded: at most five units of 2⁻⁵³ of the terms
    const applied = kept === undefined ? 0 : terms * 2 ** -50;
    most = Math.max(most, sum + precision * powerBelow(Math.abs(pose[9 + row])) + applied);
  }
  return rounding + most;
}

/** The greatest distance of a box from a number on an axis. */
function reach(box: Float64Array, axis: number, from: number): number {
  return Math.max(Math.abs(box[axis] - from), Math.abs(box[axis + 3] - from));
}

function powerBelow(size: number): number {
  return size > 0 ? 2 ** Math.max(-126, Math.floor(Math.log2(size))) : 0;
}
