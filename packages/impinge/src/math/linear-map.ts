/**
 * Poses that are no rigid motions: x ↦ L x + t with any invertible L, in the layout of a `RigidPose`.
 *
 * They scale, stretch, shear or mirror. This file measures their deviation from rigid, and inverts them.
 */
import {
  assertFinitePose,
  badPose,
  copyIfRigid,
  determinant,
  type Pose,
  RIGID_TOLERANCE,
  type RigidPose,
  rigidDeviation,
  writePose,
} from './pose.js';

/** Twelve numbers as of a rigid pose. */
export type LinearPose = RigidPose;

/** Maximum ratio of stretches in two directions; beyond that a map is nearly singular. */
const MOST_UNEVEN = 1e6;
/** Relative to the largest entry; smaller ones are taken as 0, as in rigid poses. */
const NEGLIGIBLE = 1e-30;

/** Cosines of right angles, rounded. */
const RIGHT = 1e-12;

/** The effect of a pose on lengths. */
export interface Stretch {
  /** Whether it is a rigid motion, as all queries take it. */
  readonly rigid: boolean;
  /** The factor of every length; 0 where it depends on direction. */
  readonly scale: number;
  /** No length grows by more than `most`, nor to less than 1 / `leastInverse` of itself. */
  readonly most: number;
  readonly leastInverse: number;
}

/** Reads a pose into twelve numbers; rejects non-finite and singular ones. */
export function readLinearPose(pose: Pose, out: LinearPose): Stretch {
  writePose(pose, out);
  if (copyIfRigid(out, 0, out, 0) >= 0) return RIGID;
  const stretch = stretchOf(out);
  assertFinitePose(out, 0);
  if (!(stretch.most * stretch.leastInverse <= MOST_UNEVEN && stretch.most < 1e18 && stretch.most > 1e-18)) {
    throw badPose('it is not invertible: it flattens, or scales beyond 1e±18');
  }
  for (let i = 0; i < 9; i++) if (Math.abs(out[i]) < NEGLIGIBLE * stretch.most) out[i] = 0;
  return stretch;
}

export function stretchOf(p: Readonly<LinearPose>): Stretch {
  if (rigidDeviation(p) <= RIGID_TOLERANCE && determinant(p) > 0) return RIGID;
  const xx = p[0] * p[0] + p[3] * p[3] + p[6] * p[6];
  const yy = p[1] * p[1] + p[4] * p[4] + p[7] * p[7];
  const zz = p[2] * p[2] + p[5] * p[5] + p[8] * p[8];
  const xy = Math.abs(p[0] * p[1] + p[3] * p[4] + p[6] * p[7]);
  const yz = Math.abs(p[1] * p[2] + p[4] * p[5] + p[7] * p[8]);
  const zx = Math.abs(p[2] * p[0] + p[5] * p[3] + p[8] * p[6]);
  const square = (xx + yy + zz) / 3;
  const uneven = Math.max(Math.abs(xx - square), Math.abs(yy - square), Math.abs(zz - square), xy, yz, zx);
  const scale = uneven <= 1e-12 * square ? Math.sqrt(square) : 0;
  const most = Math.sqrt(xx + yy + zz);
  const inverse = invertLinear(p);
  let sum = 0;
  for (let i = 0; i < 9; i++) sum += inverse[i] * inverse[i];
  return { rigid: false, scale, most, leastInverse: Math.sqrt(sum) };
}

export const RIGID: Stretch = { rigid: true, scale: 1, most: 1, leastInverse: 1 };

/** Whether a map turns left into right. */
export function isMirror(p: Readonly<LinearPose>): boolean {
  return determinant(p) < 0;
}

/** The inverse of a pose; not finite where there is none. */
export function invertLinear(p: Readonly<LinearPose>, out: LinearPose = new Float64Array(12)): LinearPose {
  const det = determinant(p);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const a = 3 * ((j + 1) % 3);
      const b = 3 * ((j + 2) % 3);
      const c = (i + 1) % 3;
      const d = (i + 2) % 3;
      out[3 * i + j] = (p[a + c] * p[b + d] - p[a + d] * p[b + c]) / det;
    }
  }
  for (let i = 0; i < 3; i++)
    out[9 + i] = -(out[3 * i] * p[9] + out[3 * i + 1] * p[10] + out[3 * i + 2] * p[11]);
  return out;
}

/**
 * What a pose does to a mesh before a rigid motion, without a shift: scales, one for each axis, where right angles stay
 * right, the first below zero in a mirror; else all that the pose does but for its shift.
 */
export function stretchPart(p: Readonly<LinearPose>): LinearPose {
  const out = Float64Array.from(p, (x, i) => (i < 9 ? x : 0));
  const dot = (i: number, j: number) => p[i] * p[j] + p[3 + i] * p[3 + j] + p[6 + i] * p[6 + j];
  const [x, y, z] = [0, 1, 2].map((i) => Math.sqrt(dot(i, i)));
  const isSheared =
    Math.abs(dot(0, 1)) > RIGHT * x * y ||
    Math.abs(dot(1, 2)) > RIGHT * y * z ||
    Math.abs(dot(2, 0)) > RIGHT * z * x;
  if (isSheared) return out;
  out.fill(0);
  out[0] = isMirror(p) ? -x : x;
  out[4] = y;
  out[8] = z;
  return out;
}

/** The rotation nearest to a map, or to its negative if the map mirrors. */
export function nearestRotation(p: Readonly<LinearPose>): RigidPose {
  const sign = determinant(p) < 0 ? -1 : 1;
  let r = Float64Array.from(p, (x, i) => (i < 9 ? sign * x : 0));
  // R ← (R + R⁻ᵀ) / 2, each time of the size that brings both together
  for (let step = 0; step < 60; step++) {
    const inverse = invertLinear(r);
    const size = (m: Float64Array) => Math.hypot(...m.subarray(0, 9));
    const grow = step < 50 ? Math.sqrt(size(inverse) / size(r)) : 1;
    const next = new Float64Array(12);
    let change = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        next[3 * i + j] = 0.5 * (grow * r[3 * i + j] + inverse[3 * j + i] / grow);
        change = Math.max(change, Math.abs(next[3 * i + j] - r[3 * i + j]));
      }
    }
    r = next;
    if (change < 1e-14) break;
  }
  return r;
}
