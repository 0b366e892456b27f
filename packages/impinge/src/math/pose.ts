/**
 * Rigid motions. x ↦ R x + t, float64 throughout. Maps that are not rigid: linear-map.ts.
 *
 * Layout: a `RigidPose` is a Float64Array of 12: R row-major in [0, 9), t in [9, 12).
 * A point is posed as (r0·x + r1·y) + r2·z + t, in this order, here and in the kernels: the decisions that
 * follow are exact for the posed numbers, so both must round the same way.
 */
import { ImpingeError } from '../base/errors.js';
import { isList, shown } from '../base/options.js';
import { type Point, readPoint } from './point.js';

export type Vec3 = readonly [number, number, number];

/**
 * The pose of a mesh, as callers give it: parts (translation; rotation as a unit quaternion or as nine row-major matrix
 * entries; scale, one number or one per axis, which comes before the rotation); sixteen column-major entries, as in
 * glTF, or what has them as its `elements`, such as a `Matrix4` of three.js; an `Object3D`, whose world matrix is
 * brought up to date; or twelve numbers as the library hands them out, nine row-major entries and the translation.
 */
export type Pose =
  | {
      readonly rotation?: ArrayLike<number> | QuaternionLike;
      readonly translation?: Point;
      readonly scale?: number | Point;
    }
  | MatrixLike
  | PlacedLike
  | ArrayLike<number>;

/** A `Quaternion` of three.js. */
export interface QuaternionLike {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
}

/** A `Matrix4` of three.js. */
export interface MatrixLike {
  readonly elements: ArrayLike<number>;
}

/** An `Object3D` of three.js. */
export interface PlacedLike {
  readonly matrixWorld: MatrixLike;
  updateWorldMatrix?(parents: boolean, children: boolean): void;
}

export type RigidPose = Float64Array;

export const IDENTITY: Readonly<RigidPose> = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);

/** Tolerance for each entry of RᵀR − I, beyond which a rotation is refused as "not rigid". */
export const RIGID_TOLERANCE = 1e-5;

/** Smaller entries of a rotation are taken as 0. */
const NEGLIGIBLE = 1e-30;

function newPose(): RigidPose {
  return new Float64Array(12);
}

const SLAB_BYTES = 32 * 96;
let slab = new ArrayBuffer(0);
let carved = 0;

/**
 * A pose of zeros, a part of a larger buffer: engines allocate buffers of more than 64 bytes one by one, which takes
 * longer than many a question. For poses that last as long as a question: each holds the whole buffer.
 */
export function carvePose(): RigidPose {
  if (carved === slab.byteLength) {
    slab = new ArrayBuffer(SLAB_BYTES);
    carved = 0;
  }
  carved += 96;
  return new Float64Array(slab, carved - 96, 12);
}

/**
 * Reads any accepted form; refuses NaN, scale, shear and mirroring with a message that explains how to bake them.
 * `makePose` allocates the array.
 */
export function toRigidPose(pose: Pose | undefined, makePose = newPose): RigidPose {
  if (pose === undefined) return IDENTITY as RigidPose;
  const out = makePose();
  writeRigidPose(pose, out);
  return out;
}

/** The same, to a pose that is there. */
export function writeRigidPose(pose: Pose | undefined, out: RigidPose): void {
  out.set(IDENTITY);
  if (pose === undefined) return;
  writePose(pose, out);
  copyRigidPose(out, 0, out, 0);
}

/** Reads any accepted form without asking whether it is rigid. */
export function writePose(pose: Pose, out: RigidPose): void {
  if (typeof pose !== 'object' || pose === null) throw badPose(`it is ${shown(pose)}, not an object`);
  const { matrixWorld, elements, rotation, translation, scale } = pose as Partial<
    PlacedLike & MatrixLike & { rotation: ArrayLike<number>; translation: Point; scale: number | Point }
  >;
  if (matrixWorld) (pose as PlacedLike).updateWorldMatrix?.(true, false);
  const numbers = matrixWorld ? matrixWorld.elements : (elements ?? (isList(pose) ? pose : undefined));
  if (numbers) {
    fromNumbers(numbers as ArrayLike<number>, out);
    return;
  }
  if ((rotation ?? translation ?? scale) === undefined && Object.keys(pose).length > 0)
    throw badPose(`rotation, translation or scale is missing, got ${shown(pose)}`);
  out.fill(0);
  out[0] = out[4] = out[8] = 1;
  if (rotation !== undefined) fromRotation(rotation, out);
  if (translation !== undefined) readPoint('pose: translation', translation, out, 9, 'bad-pose');
  if (scale === undefined) return;
  const factors = [scale, scale, scale] as number[];
  if (typeof scale !== 'number') readPoint('pose: scale', scale, factors, 0, 'bad-pose');
  for (let i = 0; i < 9; i++) out[i] *= factors[i % 3];
}

/** The largest entry of RᵀR − I: 0 for a rotation, or a mirrored one. */
export function rigidDeviation(p: Readonly<RigidPose>, at = 0): number {
  const a = p[at];
  const b = p[at + 1];
  const c = p[at + 2];
  const d = p[at + 3];
  const e = p[at + 4];
  const f = p[at + 5];
  const g = p[at + 6];
  const h = p[at + 7];
  const k = p[at + 8];
  return Math.max(
    Math.abs(a * a + d * d + g * g - 1),
    Math.abs(b * b + e * e + h * h - 1),
    Math.abs(c * c + f * f + k * k - 1),
    Math.abs(a * b + d * e + g * h),
    Math.abs(b * c + e * f + h * k),
    Math.abs(c * a + f * d + k * g),
  );
}

/**
 * Copies the twelve numbers of a pose after the checks of `toRigidPose`; returns the largest entry of RᵀR − I.
 * Where they are refused nothing is copied.
 */
export function copyRigidPose(p: Float64Array, at: number, out: Float64Array, to: number): number {
  const off = copyIfRigid(p, at, out, to);
  if (off < 0) refusePose(p, at);
  return off;
}

/** The same without complaint: −1 where they would be refused. */
export function copyIfRigid(p: Float64Array, at: number, out: Float64Array, to: number): number {
  const off = rigidDeviation(p, at);
  // a sum of differences is 0 for finite numbers, else NaN
  const x = p[at + 9];
  const y = p[at + 10];
  const z = p[at + 11];
  if (!(off <= RIGID_TOLERANCE && determinant(p, at) >= 0 && x - x + (y - y) + (z - z) === 0)) return -1;
  for (let i = 0; i < 12; i++) {
    const entry = p[at + i];
    // products with such numbers underflow, and the exact predicates are exact only while nothing does
    out[to + i] = i < 9 && Math.abs(entry) < NEGLIGIBLE ? 0 : entry;
  }
  return off;
}

/** The determinant of the nine entries: negative where they mirror. */
export function determinant(p: Readonly<RigidPose>, at = 0): number {
  return (
    p[at] * (p[at + 4] * p[at + 8] - p[at + 5] * p[at + 7]) -
    p[at + 1] * (p[at + 3] * p[at + 8] - p[at + 5] * p[at + 6]) +
    p[at + 2] * (p[at + 3] * p[at + 7] - p[at + 4] * p[at + 6])
  );
}

/** Throws where a number of a pose is not finite. */
export function assertFinitePose(p: Float64Array, at: number): void {
  const i = p.subarray(at, at + 12).findIndex((x) => !Number.isFinite(x));
  if (i >= 0) throw new ImpingeError('non-finite', `pose: entry ${i} is ${p[at + i]}`, { entry: i });
}

function refusePose(p: Float64Array, at: number): never {
  assertFinitePose(p, at);
  throw badPose(
    'not a rigid motion: it scales, shears or mirrors; bake that into the mesh first: mesh.transformed(matrix)',
  );
}

function fromNumbers(m: ArrayLike<number>, out: RigidPose): void {
  for (let i = 0; i < 12; i++) out[i] = m[i];
  if (m.length === 12) return;
  if (m.length !== 16) throw badPose(`a list must have 12 or 16 entries, got ${m.length}`);
  if (m[3] !== 0 || m[7] !== 0 || m[11] !== 0 || m[15] !== 1) throw badPose('the last row must be 0 0 0 1');
  for (let row = 0; row < 3; row++) {
    for (let col = 0; col < 3; col++) out[3 * row + col] = m[4 * col + row];
    out[9 + row] = m[12 + row];
  }
}

function fromRotation(given: ArrayLike<number>, out: RigidPose): void {
  if (given?.length === 9) {
    for (let i = 0; i < 9; i++) out[i] = given[i];
    if (copyIfRigid(out, 0, out, 0) < 0) throw badPose('rotation must not scale or mirror');
    return;
  }
  const q = Object(given);
  const [x, y, z, w] = q.length === 4 ? Array.from<number>(q) : [q.x, q.y, q.z, q.w];
  if (!(Math.abs(x * x + y * y + z * z + w * w - 1) < 1e-3))
    throw badPose(`rotation must be a quaternion of length 1, or 9 entries, got ${shown(given)}`);
  writeQuaternionTurn(x, y, z, w, out);
}

/** Writes the nine entries of the rotation of a quaternion of any length but 0. */
export function writeQuaternionTurn(x: number, y: number, z: number, w: number, out: Float64Array): void {
  const s = 2 / (x * x + y * y + z * z + w * w);
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

export function badPose(why: string): ImpingeError {
  return new ImpingeError('bad-pose', `pose: ${why}`);
}

/** The nearest pose with a rotation orthonormal to the last bits; a rotation of 0 and ±1 is left unchanged. */
export function orthonormalised(pose: Readonly<RigidPose>, makePose = newPose): RigidPose {
  const r = makePose();
  r.set(pose);
  orthonormalise(r);
  return r;
}

/** The same, in place. */
export function orthonormalise(r: RigidPose): void {
  // Newton's iteration R ← R (3 − RᵀR) / 2 towards the nearest rotation; it squares the deviation
  for (let step = 0; step < 4; step++) {
    const xx = r[0] * r[0] + r[3] * r[3] + r[6] * r[6];
    const xy = r[0] * r[1] + r[3] * r[4] + r[6] * r[7];
    const xz = r[0] * r[2] + r[3] * r[5] + r[6] * r[8];
    const yy = r[1] * r[1] + r[4] * r[4] + r[7] * r[7];
    const yz = r[1] * r[2] + r[4] * r[5] + r[7] * r[8];
    const zz = r[2] * r[2] + r[5] * r[5] + r[8] * r[8];
    const own = Math.max(Math.abs(xx - 1), Math.abs(yy - 1), Math.abs(zz - 1));
    if (Math.max(own, Math.abs(xy), Math.abs(xz), Math.abs(yz)) < 1e-15) break;
    for (let row = 0; row < 9; row += 3) {
      const x = r[row];
      const y = r[row + 1];
      const z = r[row + 2];
      r[row] = 0.5 * (3 * x - (x * xx + y * xy + z * xz));
      r[row + 1] = 0.5 * (3 * y - (x * xy + y * yy + z * yz));
      r[row + 2] = 0.5 * (3 * z - (x * xz + y * yz + z * zz));
    }
  }
}

/** The pose that applies `b` first, then `a`. */
export function composePoses(a: Readonly<RigidPose>, b: Readonly<RigidPose>, makePose = newPose): RigidPose {
  const out = makePose();
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
    }
    out[9 + i] = a[3 * i] * b[9] + a[3 * i + 1] * b[10] + a[3 * i + 2] * b[11] + a[9 + i];
  }
  return out;
}

export function invertPose(a: Readonly<RigidPose>, out: RigidPose = new Float64Array(12)): RigidPose {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = a[3 * j + i];
    out[9 + i] = -(a[i] * a[9] + a[3 + i] * a[10] + a[6 + i] * a[11]);
  }
  return out;
}

/** From the frame of b to the frame of a, both placed in the world. */
export function relativePose(a: RigidPose, b: RigidPose): RigidPose {
  if (samePose(a, b)) return IDENTITY as RigidPose;
  const out = new Float64Array(12);
  writeRelativePose(a, 0, b, 0, out);
  return out;
}

/** The same for poses at offsets, not equal: the rotation of a taken back, then b. */
export function writeRelativePose(
  a: Float64Array,
  atA: number,
  b: Float64Array,
  atB: number,
  out: Float64Array,
): void {
  const [x, y, z] = [b[atB + 9], b[atB + 10], b[atB + 11]];
  const [ax, ay, az] = [a[atA + 9], a[atA + 10], a[atA + 11]];
  for (let i = 0; i < 3; i++) {
    const r0 = a[atA + i];
    const r1 = a[atA + 3 + i];
    const r2 = a[atA + 6 + i];
    out[3 * i] = r0 * b[atB] + r1 * b[atB + 3] + r2 * b[atB + 6];
    out[3 * i + 1] = r0 * b[atB + 1] + r1 * b[atB + 4] + r2 * b[atB + 7];
    out[3 * i + 2] = r0 * b[atB + 2] + r1 * b[atB + 5] + r2 * b[atB + 8];
    out[9 + i] = r0 * x + r1 * y + r2 * z - (r0 * ax + r1 * ay + r2 * az);
  }
}

export function samePose(a: Readonly<RigidPose>, b: Readonly<RigidPose>): boolean {
  return samePoseAt(a, 0, b, 0);
}

export function samePoseAt(a: Float64Array, atA: number, b: Float64Array, atB: number): boolean {
  for (let i = 0; i < 12; i++) if (a[atA + i] !== b[atB + i]) return false;
  return true;
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
  out[o] = pose[0] * x + pose[1] * y + pose[2] * z + pose[9];
  out[o + 1] = pose[3] * x + pose[4] * y + pose[5] * z + pose[10];
  out[o + 2] = pose[6] * x + pose[7] * y + pose[8] * z + pose[11];
}
