/** Poses as in stores: twelve numbers, a rotation row by row and a translation. */
import type { BoxBound, Vec3 } from 'impinge';

export interface PoseParts {
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
}

/** In the form that queries take. */
export function poseOf(pose: Float64Array): PoseParts {
  return { rotation: pose.subarray(0, 9), translation: pose.subarray(9, 12) };
}

export function posed(pose: Float64Array, [x, y, z]: Vec3): Vec3 {
  const at = (k: number) => pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
  return [at(0), at(1), at(2)];
}

/** The inverse of `posed`. */
export function unposed(pose: Float64Array, [x, y, z]: Vec3): Vec3 {
  const [dx, dy, dz] = [x - pose[9], y - pose[10], z - pose[11]];
  const at = (k: number) => pose[k] * dx + pose[3 + k] * dy + pose[6 + k] * dz;
  return [at(0), at(1), at(2)];
}

/** A lower bound on the distance to a box. */
export function gapTo(box: Float64Array): BoxBound {
  return (boxes, at) => {
    const gap = (k: number) => Math.max(0, box[k] - boxes[at + 3 + k], boxes[at + k] - box[3 + k]);
    return Math.hypot(gap(0), gap(1), gap(2));
  };
}

/** Translated. */
export function shifted(pose: Float64Array, [x, y, z]: Vec3): Float64Array {
  const out = pose.slice();
  out[9] += x;
  out[10] += y;
  out[11] += z;
  return out;
}

/** Bounds of meshes in one pose, with a margin for rounding. */
export function boxOf(
  meshes: readonly { readonly box: { readonly min: Vec3; readonly max: Vec3 } }[],
  pose: Float64Array,
): Float64Array {
  const out = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (const { box } of meshes) {
    for (let k = 0; k < 3; k++) {
      let middle = pose[9 + k];
      let half = 0;
      let reach = Math.abs(pose[9 + k]);
      for (let j = 0; j < 3; j++) {
        middle += pose[3 * k + j] * 0.5 * (box.min[j] + box.max[j]);
        half += Math.abs(pose[3 * k + j]) * 0.5 * (box.max[j] - box.min[j]);
        reach += Math.abs(box.min[j]) + Math.abs(box.max[j]);
      }
      out[k] = Math.min(out[k], middle - half - SLACK * reach);
      out[3 + k] = Math.max(out[3 + k], middle + half + SLACK * reach);
    }
  }
  return out;
}

/** Relative margin, well above rounding and deviations of rotations. */
const SLACK = 1e-9;
