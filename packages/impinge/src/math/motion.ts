/**
 * Rigid motion over the time from 0 to 1, between two poses.
 *
 * Idea: turning about a point that moves straight and turning along a screw are the same formula. With φ = angle · t,
 *   x(t) = x(0) + velocity · t + sin φ · (axis × arm) − (1 − cos φ) · arm,
 * where arm leads from the axis to x at the start, at right angles to the axis. `linear` has the axis pass through the
 * centre and be carried along with it; `screw` has it stand still, with a velocity along it.
 * The distance to a screw's axis grows without limit as the angle goes to zero. It only ever appears multiplied by the
 * sine, so that nothing is lost.
 */
import { ImpingeError } from '../base/errors.js';
import { readChoice, shown } from '../base/options.js';
import { invertLinear, type LinearPose, readLinearPose, stretchPart } from './linear-map.js';
import { type Point, readPoint } from './point.js';
import {
  carvePose,
  composePoses,
  copyIfRigid,
  orthonormalise,
  type Pose,
  posePoint,
  type RigidPose,
  type Vec3,
  writeRigidPose,
} from './pose.js';

export const MOTION_KINDS = ['linear', 'screw'] as const;
export type MotionKind = (typeof MOTION_KINDS)[number];

/** The motion of a mesh from one pose to another, turning at a constant rate by the shorter angle. */
export interface Motion {
  /** Where it starts (default: where it was modelled). */
  readonly from?: Pose;
  /** Where it ends (default: `from`, it stays). */
  readonly to?: Pose;
  /**
   * `linear` (default): `centre` moves straight, at constant speed, while the mesh turns about it. `screw`: turning
   * about the one line, and sliding along it, that take `from` to `to`.
   */
  readonly kind?: MotionKind;
  /** For `linear`, the point of the mesh that moves straight, in its own coordinates (default: their origin). */
  readonly centre?: Point;
}

/** A pose for any query: nine row-major entries and a translation. */
export interface MovedPose {
  readonly rotation: Float64Array;
  readonly translation: Float64Array;
  /** Of meshes that are scaled while they move. */
  readonly scale?: Vec3;
}

const ORIGIN = [0, 0, 0] as const;

/** Of the motion that is being made: where it ends, and the centre as it was read. */
const end = new Float64Array(12);
const point = new Float64Array(3);

/** Turns by less than this are none: no point in reach moves by more than rounding. */
const NO_TURN = 1e-15;

export class RigidMotion {
  /** At the start. The rotation is orthonormal to the last bits, whatever the caller's was. */
  readonly start: RigidPose;
  /** Unit vector, and the turn about it in radians, from 0 to π. */
  readonly axis: Float64Array;
  readonly angle: number;
  /** Of the points on the axis. */
  readonly velocity: Float64Array;
  /** Of the frame's origin. */
  readonly #arm: Float64Array;

  /** `name` identifies the motion in errors. */
  constructor(motion: Motion | undefined, name: string) {
    const { from, to = from, kind = 'linear', centre = ORIGIN } = motion ?? {};
    readChoice(`kind of ${name}`, kind, MOTION_KINDS);
    const [x, y, z] = readPoint(`${name}: centre`, centre, point, 0, 'bad-option');
    const start = (this.start = carvePose());
    writeRigidPose(from, start);
    orthonormalise(start);
    writeRigidPose(to, end);
    orthonormalise(end);
    const axis = (this.axis = new Float64Array(3));
    const angle = (this.angle = writeTurnBetween(start, end, axis));
    const velocity = (this.velocity = new Float64Array(3));
    const arm = (this.#arm = new Float64Array(3));
    const [ux, uy, uz] = axis;
    const [mx, my, mz] = [end[9] - start[9], end[10] - start[10], end[11] - start[11]];
    if (kind === 'screw' && angle > 0) {
      const along = ux * mx + uy * my + uz * mz;
      write(velocity, along * ux, along * uy, along * uz);
      const [px, py, pz] = [mx - velocity[0], my - velocity[1], mz - velocity[2]];
      // the axis passes at ½ (p + cot(angle / 2) · axis × p) from the origin, where p is the translation across the
      // axis
      const cot = 1 / Math.tan(angle / 2);
      const cross = [uy * pz - uz * py, uz * px - ux * pz, ux * py - uy * px];
      write(arm, -0.5 * (px + cot * cross[0]), -0.5 * (py + cot * cross[1]), -0.5 * (pz + cot * cross[2]));
    } else {
      writeTurned(start, x, y, z, arm);
      if (angle > 0) {
        writeTurned(end, x, y, z, velocity);
        for (let k = 0; k < 3; k++) velocity[k] -= arm[k];
      }
      write(velocity, mx + velocity[0], my + velocity[1], mz + velocity[2]);
      for (let k = 0; k < 3; k++) arm[k] = -arm[k];
      turnAcross(axis, arm);
    }
  }

  /** The arm, at the start, of a point given in the mesh's coordinates. */
  armOf(point: Float64Array): Float64Array {
    const out = new Float64Array(3);
    writeTurned(this.start, point[0], point[1], point[2], out);
    turnAcross(this.axis, out);
    for (let k = 0; k < 3; k++) out[k] += this.#arm[k];
    return out;
  }

  /** The pose at time t. */
  poseAt(t: number): RigidPose {
    const out = new Float64Array(12);
    const step = new MotionStep(this, Float64Array.of(0, 0, 0));
    step.moveTo(t);
    out.set(step.rotation);
    out.set(step.position, 9);
    return out;
  }
}

/**
 * The motion of a mesh that a map has been baked into, which both poses contain: what is left of them is rigid. The
 * centre is that of the mapped mesh.
 */
export function rigidPart(motion: Motion, name: string, map: LinearPose): Motion {
  const { from = {}, to = from, centre } = motion;
  const back = invertLinear(map);
  const [start, end] = [from, to].map((pose) => {
    const read = new Float64Array(12);
    readLinearPose(pose, read);
    return composePoses(read, back);
  });
  if (copyIfRigid(end, 0, end, 0) < 0)
    throw new ImpingeError('bad-pose', `${name}: the mesh is stretched differently at its start and its end`);
  const middle = readPoint(`${name}: centre`, centre ?? [0, 0, 0], [0, 0, 0], 0, 'bad-option');
  posePoint(map, middle[0], middle[1], middle[2], middle, 0);
  return { ...motion, from: start, to: end, centre: middle };
}

/** The pose of a moving mesh at a time from 0 to 1, as `timeOfImpact` has it. */
export function poseAt(motion: Motion, time: number): MovedPose {
  if (typeof time !== 'number' || !(time >= 0 && time <= 1)) {
    throw new ImpingeError('bad-option', `poseAt: time must be from 0 to 1, got ${shown(time)}`);
  }
  const start = new Float64Array(12);
  const { from } = Object(motion) as Motion;
  const isRigid = from === undefined || readLinearPose(from, start).rigid;
  const stretch = stretchPart(start);
  const rigid = isRigid ? motion : rigidPart(motion, 'poseAt', stretch);
  const pose = new RigidMotion(rigid, 'poseAt').poseAt(time);
  const moved = { rotation: pose.slice(0, 9), translation: pose.slice(9, 12) };
  if (isRigid) return moved;
  if (stretch.some((x, i) => i % 4 !== 0 && x !== 0))
    throw new ImpingeError('bad-pose', 'poseAt: the motion shears, which is neither a rotation nor a scale');
  return { ...moved, scale: [stretch[0], stretch[4], stretch[8]] };
}

/** A motion seen from one point of the mesh: where that is at a time, the rotation, the arm. */
export class MotionStep {
  readonly rotation: Float64Array = new Float64Array(9);
  readonly position: Float64Array = new Float64Array(3);
  readonly arm: Float64Array = new Float64Array(3);
  readonly motion: RigidMotion;
  readonly #position0: Float64Array;
  readonly #arm0: Float64Array;
  /** axis × arm at the start; axis × R and axis × (axis × R) for the columns of the first rotation R. */
  readonly #across = new Float64Array(3);
  readonly #turning = new Float64Array(9);
  readonly #bending = new Float64Array(9);
  #time = -1;

  /** `point` is in the mesh's coordinates; positions are counted from `origin`, a point of the world. */
  constructor(motion: RigidMotion, point: Float64Array, origin: ArrayLike<number> = [0, 0, 0]) {
    this.motion = motion;
    const { start, axis } = motion;
    this.#position0 = new Float64Array(3);
    writeTurned(start, point[0], point[1], point[2], this.#position0);
    for (let k = 0; k < 3; k++) this.#position0[k] += start[9 + k] - origin[k];
    this.#arm0 = motion.armOf(point);
    writeCross(axis, this.#arm0, 0, 1, this.#across);
    for (let column = 0; column < 3; column++) {
      writeCross(axis, start, column, 3, this.#turning);
      writeCross(axis, this.#turning, column, 3, this.#bending);
    }
  }

  /** Brings the fields to time t. */
  moveTo(t: number): void {
    if (t === this.#time) return;
    this.#time = t;
    const { start, angle, velocity } = this.motion;
    const sine = Math.sin(angle * t);
    const half = Math.sin(0.5 * angle * t);
    const bend = 2 * half * half; // 1 − cos, without cancellation
    for (let k = 0; k < 3; k++) {
      const moved = sine * this.#across[k] - bend * this.#arm0[k];
      this.position[k] = this.#position0[k] + (velocity[k] * t + moved);
      this.arm[k] = this.#arm0[k] + moved;
    }
    for (let i = 0; i < 9; i++) {
      this.rotation[i] = start[i] + (sine * this.#turning[i] + bend * this.#bending[i]);
    }
  }
}

/** axis × the three numbers of `v` that begin at `at` and are `stride` apart, to the same places of `out`. */
function writeCross(
  axis: Float64Array,
  v: Float64Array,
  at: number,
  stride: number,
  out: Float64Array,
): void {
  const [ux, uy, uz] = axis;
  const x = v[at];
  const y = v[at + stride];
  const z = v[at + 2 * stride];
  out[at] = uy * z - uz * y;
  out[at + stride] = uz * x - ux * z;
  out[at + 2 * stride] = ux * y - uy * x;
}

function write(out: Float64Array, x: number, y: number, z: number): void {
  out[0] = x;
  out[1] = y;
  out[2] = z;
}

function writeTurned(pose: RigidPose, x: number, y: number, z: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) out[k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
}

/** Leaves of a vector what is across the axis. */
function turnAcross(axis: Float64Array, v: Float64Array): void {
  const along = axis[0] * v[0] + axis[1] * v[1] + axis[2] * v[2];
  for (let k = 0; k < 3; k++) v[k] -= along * axis[k];
}

/** Axis and angle, in the world, of the shorter turn from one pose to another; of a half turn, either axis. */
function writeTurnBetween(from: RigidPose, to: RigidPose, axis: Float64Array): number {
  // entries of to · fromᵀ
  const xx = product(to, from, 0, 0);
  const yy = product(to, from, 3, 3);
  const zz = product(to, from, 6, 6);
  const xy = product(to, from, 0, 3);
  const yx = product(to, from, 3, 0);
  const xz = product(to, from, 0, 6);
  const zx = product(to, from, 6, 0);
  const yz = product(to, from, 3, 6);
  const zy = product(to, from, 6, 3);
  // four times the squares of the quaternion's components, and the products of the largest with all four
  const [ww, qx, qy, qz] = [1 + xx + yy + zz, 1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz];
  const most = Math.max(ww, qx, qy, qz);
  let w = ww;
  if (most === ww) write(axis, zy - yz, xz - zx, yx - xy);
  else if (most === qx) {
    w = zy - yz;
    write(axis, qx, xy + yx, xz + zx);
  } else if (most === qy) {
    w = xz - zx;
    write(axis, xy + yx, qy, yz + zy);
  } else {
    w = yx - xy;
    write(axis, xz + zx, yz + zy, qz);
  }
  const [x, y, z] = axis;
  const length = Math.sqrt(x * x + y * y + z * z);
  const angle = 2 * Math.atan2(length, Math.abs(w));
  if (!(angle > NO_TURN)) {
    write(axis, 0, 0, 1);
    return 0;
  }
  const scale = (w < 0 ? -1 : 1) / length;
  write(axis, x * scale, y * scale, z * scale);
  return angle;
}

/** Of a row of each. */
function product(a: RigidPose, b: RigidPose, i: number, j: number): number {
  return a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2];
}
