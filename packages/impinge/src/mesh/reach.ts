/** How far from zero meshes may reach: kernels square distances in float32. */
import { ImpingeError } from '../base/errors.js';
import { FAR } from '../kernel/layout.generated.js';
import { type Pose, posePoint, toRigidPose } from '../math/pose.js';

/** The least normal float32. A relative margin vanishes below it, so this much is added. */
export const LEAST_NORMAL = 2 ** -126;

/**
 * The limit of `reachOf` for an object in a model. It keeps any two pieces of two such objects below FAR, however they
 * are divided: a piece lies in its object's box, so that its radius is at most the half diagonal h, and its centre at
 * most h from that of the box. Both together are at most the reach, and the sum for two is below FAR, with 2 % to spare
 * for rounding.
 */
export const FARTHEST = 0.49 * FAR;

/** The distance from zero to the centre of a posed box (minimum, maximum), plus its diagonal. */
export function reachOf(box: ArrayLike<number>, pose: Pose | undefined): number {
  if (box?.length !== 6) throw new ImpingeError('bad-input', 'a box is 6 numbers');
  const posed = [0, 1, 2].map((k) => box[k] / 2 + box[k + 3] / 2);
  if (pose) posePoint(toRigidPose(pose), posed[0], posed[1], posed[2], posed, 0);
  return Math.hypot(...posed) + Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
}

/** Widens a box, minimum then maximum, to hold all points; false where a coordinate is not finite. */
export function widenBox(box: Float64Array, points: Float32Array | Float64Array): boolean {
  let x0 = box[0];
  let y0 = box[1];
  let z0 = box[2];
  let x1 = box[3];
  let y1 = box[4];
  let z1 = box[5];
  let sum = 0;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    // x − x is 0 for finite numbers only, and once NaN stays NaN
    sum += x - x + (y - y) + (z - z);
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  box.set([x0, y0, z0, x1, y1, z1]);
  return sum === 0;
}
