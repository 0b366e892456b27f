/**
 * Rigid motions. x ↦ R x + t, float64 throughout.
 *
 * Layout: a `RigidPose` is a Float64Array of 12: R row-major in [0, 9), t in [9, 12).
 * A point is posed as (r0·x + r1·y) + r2·z + t, in this order, here and in the kernels: the decisions that
 * follow are exact for the posed numbers, so both must round the same way.
 */
import { ImpingeError } from '../base/errors.js';

export type Vec3 = readonly [number, number, number];

/**
 * How callers say where a mesh is. Either parts (rotation as a unit quaternion x, y, z, w or as nine row-major
 * matrix entries) or sixteen column-major entries, as in three.js `Matrix4.elements` and glTF.
 */
export type Pose =
  | { readonly rotation?: ArrayLike<number>; readonly translation?: ArrayLike<number> }
  | ArrayLike<number>;

export type RigidPose = Float64Array;

export const IDENTITY: Readonly<RigidPose> = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** A rotation may be off by this much per entry of RᵀR − I before it is refused as "not rigid". */
const RIGID_TOLERANCE = 1e-5;

/** Smaller entries of a rotation are taken as 0. */
const NEGLIGIBLE = 1e-30;

/** Reads any accepted form; refuses NaN, scale, shear and mirroring with a message that says how to bake them. */
export function toRigidPose(pose: Pose | undefined): RigidPose {
  if (pose === undefined) return IDENTITY as RigidPose;
  const out = new Float64Array(12);
  out.set(IDENTITY);
  if ('length' in pose) fromMatrix4(pose, out);
  else {
    if (pose.rotation === undefined && pose.translation === undefined && Object.keys(pose).length > 0) {
      throw badPose(`it has neither rotation nor translation, but ${Object.keys(pose).join(', ')}`);
    }
    if (pose.rotation !== undefined) fromRotation(pose.rotation, out);
    if (pose.translation !== undefined) {
      if (pose.translation.length !== 3) throw badPose('translation must have 3 entries');
      for (let i = 0; i < 3; i++) out[9 + i] = pose.translation[i]!;
    }
  }
  for (let i = 0; i < 12; i++) {
    if (!Number.isFinite(out[i]!))
      throw new ImpingeError('non-finite', `pose: entry ${i} is ${out[i]}`, { entry: i });
  }
  assertRotation(out);
  // products with such numbers underflow, and the exact predicates are exact only while nothing does
  for (let i = 0; i < 9; i++) if (Math.abs(out[i]!) < NEGLIGIBLE) out[i] = 0;
  return out;
}

function fromMatrix4(m: ArrayLike<number>, out: RigidPose): void {
  if (m.length !== 16) throw badPose(`a matrix must have 16 column-major entries, got ${m.length}`);
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) throw badPose('the last row must be 0 0 0 1');
  for (let row = 0; row < 3; row++) {
    for (let col = 0; col < 3; col++) out[3 * row + col] = m[4 * col + row]!;
    out[9 + row] = m[12 + row]!;
  }
}

function fromRotation(r: ArrayLike<number>, out: RigidPose): void {
  if (r.length === 9) {
    for (let i = 0; i < 9; i++) out[i] = r[i]!;
    return;
  }
  if (r.length !== 4) throw badPose('rotation must be a quaternion (x, y, z, w) or 9 row-major entries');
  const x = r[0]!;
  const y = r[1]!;
  const z = r[2]!;
  const w = r[3]!;
  const lengthSq = x * x + y * y + z * z + w * w;
  if (!(Math.abs(lengthSq - 1) < 1e-3))
    throw badPose(`the quaternion has length ${Math.sqrt(lengthSq)}, not 1`);
  const s = 2 / lengthSq;
  out[0] = 1 - s * (y * y + z * z);
  out[1] = s * (x * y - z * w);
  out[2] = s * (x * z + y * w);
  out[3] = s * (x * y + z * w);
  out[4] = 1 - s * (x * x + z * z);
  out[5] = s * (y * z - x * w);
  out[6] = s * (x * z - y * w);
  out[7] = s * (y * z + x * w);
  out[8] = 1 - s * (x * x + y * y);
}

function assertRotation(p: RigidPose): void {
  const off = Math.max(
    Math.abs(p[0]! * p[0]! + p[3]! * p[3]! + p[6]! * p[6]! - 1),
    Math.abs(p[1]! * p[1]! + p[4]! * p[4]! + p[7]! * p[7]! - 1),
    Math.abs(p[2]! * p[2]! + p[5]! * p[5]! + p[8]! * p[8]! - 1),
    Math.abs(p[0]! * p[1]! + p[3]! * p[4]! + p[6]! * p[7]!),
    Math.abs(p[1]! * p[2]! + p[4]! * p[5]! + p[7]! * p[8]!),
    Math.abs(p[2]! * p[0]! + p[5]! * p[3]! + p[8]! * p[6]!),
  );
  if (off > RIGID_TOLERANCE) {
    throw badPose('it scales or shears; bake that into the mesh first: mesh.transformed(matrix)');
  }
  const det =
    p[0]! * (p[4]! * p[8]! - p[5]! * p[7]!) -
    p[1]! * (p[3]! * p[8]! - p[5]! * p[6]!) +
    p[2]! * (p[3]! * p[7]! - p[4]! * p[6]!);
  if (det < 0) throw badPose('it mirrors; bake that into the mesh first: mesh.transformed(matrix)');
}

function badPose(why: string): ImpingeError {
  return new ImpingeError('bad-pose', `pose is not a rigid motion: ${why}`);
}

/** The nearest pose whose rotation is one to the last bits; a rotation made of 0 and ±1 is left as it is. */
export function orthonormalised(pose: Readonly<RigidPose>): RigidPose {
  const r = new Float64Array(pose);
  // Newton's iteration R ← R (3 − RᵀR) / 2 towards the nearest rotation; it squares the deviation
  for (let step = 0; step < 4; step++) {
    const gram = new Float64Array(9);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        gram[3 * i + j] = r[i] * r[j] + r[3 + i] * r[3 + j] + r[6 + i] * r[6 + j];
      }
    }
    const off = gram.reduce((most, g, k) => Math.max(most, Math.abs(g - (k % 4 === 0 ? 1 : 0))), 0);
    if (off < 1e-15) break;
    const [a, b, c, d, e, f, g, h, k] = r;
    [a, b, c].forEach((_, column) => {
      const correction = (x: number, y: number, z: number) =>
        0.5 * (3 * [x, y, z][column] - (x * gram[column] + y * gram[3 + column] + z * gram[6 + column]));
      r[column] = correction(a, b, c);
      r[3 + column] = correction(d, e, f);
      r[6 + column] = correction(g, h, k);
    });
  }
  return r;
}

/** The pose that applies `b` first, then `a`. */
export function composePoses(a: Readonly<RigidPose>, b: Readonly<RigidPose>): RigidPose {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = a[3 * i]! * b[j]! + a[3 * i + 1]! * b[3 + j]! + a[3 * i + 2]! * b[6 + j]!;
    }
    out[9 + i] = a[3 * i]! * b[9]! + a[3 * i + 1]! * b[10]! + a[3 * i + 2]! * b[11]! + a[9 + i]!;
  }
  return out;
}

export function invertPose(a: Readonly<RigidPose>): RigidPose {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * j + i]!;
    out[9 + i] = -(a[i]! * a[9]! + a[3 + i]! * a[10]! + a[6 + i]! * a[11]!);
  }
  return out;
}

/** Writes the posed point (x, y, z) to out[o .. o + 3). */
export function posePoint(
  pose: Readonly<RigidPose>,
  x: number,
  y: number,
  z: number,
  out: Float64Array | number[],
  o: number,
): void {
  out[o] = pose[0]! * x + pose[1]! * y + pose[2]! * z + pose[9]!;
  out[o + 1] = pose[3]! * x + pose[4]! * y + pose[5]! * z + pose[10]!;
  out[o + 2] = pose[6]! * x + pose[7]! * y + pose[8]! * z + pose[11]!;
}
