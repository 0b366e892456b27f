/**
 * A joint: what holds a body to another, to scenery or to the world, and what it has carried.
 *
 * Points and axes are kept in the frames of both bodies, as they were when the joint was made. A `coordinate` is what a
 * joint leaves free and can be limited or driven: the angle of a hinge, the way along a slider, the length of a
 * distance or spring, the tilt of a ball joint; of body a, as seen from b.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  readAtMost,
  readChoice,
  readKnown,
  readLength,
  readPositive,
} from 'impinge/internal/base/options.js';
import type { Point } from 'impinge/internal/math/point.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import type { Body } from '../bodies/body.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { acrossOf, writeMatrix } from '../bodies/rotation.js';
import { Scenery } from '../bodies/scenery.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import { checkOption, readVector } from '../bodies/surface-input.js';
import { BodyTable } from './body-table.js';
import { measureCoordinate } from './joint-geometry.js';
import { FRAME, MATRIX, TURN } from './layout.generated.js';
import type { Member } from './member.js';
import { placeBy } from './placing.js';

export const JOINT_KINDS = ['fixed', 'ball', 'hinge', 'slider', 'distance', 'spring'] as const;
export type JointKind = (typeof JOINT_KINDS)[number];

/**
 * What drives a hinge or slider: to a speed, or to a position like a spring.
 */
export type JointMotor =
  | {
      /** Radians per second about the axis of a hinge, metres per second along that of a slider. */
      readonly speed: number;
      /** Its maximum push: N m for a hinge, N for a slider. Default: unlimited. */
      readonly most?: number;
    }
  | {
      /** Radians or metres, from where the joint was made. */
      readonly target: number;
      /** N m per radian, or N/m. */
      readonly stiffness: number;
      /** N m s per radian, or N s/m. Default: none. */
      readonly damping?: number;
      readonly most?: number;
    };

/** A joint to make; places and directions are those of the world, with the bodies where they are. */
export interface JointOptions {
  /**
   * `fixed`: nothing moves against the other; `ball`: a point is common; `hinge`: one turns about an axis of the other;
   * `slider`: it moves along one, unturned; `distance`: two points keep theirs; `spring`: a spring is between them.
   */
  readonly kind: JointKind;
  readonly a: RigidBody;
  /** A rigid body or scenery. Default: the world. */
  readonly b?: Body;
  /** The joint; for `distance` and `spring`, its end at a. Default: the centre of mass of a. */
  readonly at?: Point;
  /** For `distance` and `spring`: the end at b. Default: the centre of mass of b, which must then be a rigid body. */
  readonly to?: Point;
  /** For `hinge`, `slider`, and `ball` with limits. */
  readonly axis?: Point;
  /**
   * Least and most of the coordinate: radians of a hinge and metres of a slider, from where the joint is made; the
   * length of a distance (default: as it is made); for a ball joint, 0 and the radians by which the axis may tilt.
   */
  readonly limits?: readonly [number, number];
  /** For `hinge` and `slider`. */
  readonly motor?: JointMotor;
  /** For `spring`: N/m; N s/m (default: none); its length without load (default: as it is made). */
  readonly stiffness?: number;
  readonly damping?: number;
  readonly length?: number;
  /** The force (N) and the moment (N m) at which it breaks. Default: never. */
  readonly breakForce?: number;
  readonly breakTorque?: number;
  /**
   * Whether the two collide (default: true). Without, they are neither kept apart nor counted by `intersections()`,
   * until the joint is gone and they have come apart by the thickness.
   */
  readonly collide?: boolean;
}

export interface JointHandle {
  readonly kind: JointKind;
  readonly a: RigidBody;
  readonly b: Body | undefined;
  /** The coordinate that it leaves free, as for `limits`; 0 for `fixed`. */
  readonly position: number;
  /** On a, mean of the last step: N, and N m about `at`. */
  readonly force: Vec3;
  readonly torque: Vec3;
  /** Can be set between steps. */
  motor: JointMotor | undefined;
  /** Whether it holds no more because it carried too much. */
  readonly broken: boolean;
  remove(): void;
}

const NAMES = {
  kind: true,
  a: true,
  b: true,
  at: true,
  to: true,
  axis: true,
  limits: true,
  motor: true,
  stiffness: true,
  damping: true,
  length: true,
  breakForce: true,
  breakTorque: true,
  collide: true,
} as const;

/** One side of a joint: the body, where the joint is in its frame, and its axis there. */
export interface JointSide {
  /** Absent for the world. */
  readonly member: Member | undefined;
  readonly at: Float64Array;
  readonly axis: Float64Array;
  /** At right angles to the axis. */
  readonly across: Float64Array;
}

/** What changes from step to step. */
export interface JointState {
  broken: boolean;
  position: number;
  /** Impulse and moment on a since the step began. */
  readonly carried: Float64Array;
}

export interface JointSpring {
  readonly stiffness: number;
  readonly damping: number;
  readonly rest: number;
  readonly most: number;
}

export class Joint {
  readonly kind: JointKind;
  readonly a: JointSide;
  readonly b: JointSide;
  /** The rotation of a seen from b when it was made. */
  readonly turn: Float64Array;
  readonly limits: readonly [number, number] | undefined;
  readonly spring: JointSpring | undefined;
  readonly breakForce: number;
  readonly breakTorque: number;
  readonly collide: boolean;
  /** The force that it carried in the last step, N. */
  load = 0;
  #motor: JointMotor | undefined;
  readonly state: JointState = { broken: false, position: 0, carried: new Float64Array(6) };
  readonly #kept: JointState[] = [0, 1].map(() => ({
    broken: false,
    position: 0,
    carried: new Float64Array(6),
  }));

  constructor(options: JointOptions, a: Member, b: Member | undefined) {
    const read = readKnown('join', options, NAMES);
    const { name } = a.body;
    const kind = (this.kind = readChoice('kind of the joint', read.kind, JOINT_KINDS));
    const spans = kind === 'distance' || kind === 'spring';
    const poseA = poseOf(a);
    const poseB = poseOf(b);
    const at = readVector(`${name}: at`, read.at ?? poseA.slice(0, 3));
    refuse('to', read.to, spans);
    const to = spans ? readVector(`${name}: to`, read.to ?? (b?.rigid ? poseB.slice(0, 3) : [])) : at;
    const axis = this.#readAxis(read);
    this.a = sideOf(a, poseA, at, axis);
    this.b = sideOf(b, poseB, to, axis);
    this.turn = relativeTurn(poseA, poseB);
    this.state.position = kind === 'fixed' ? 0 : measureCoordinate(this, poseA, 0, poseB, 0);
    const length = this.state.position;
    refuse('limits', read.limits, kind !== 'fixed' && kind !== 'spring');
    this.limits = read.limits ? readLimits(name, kind, read.limits) : undefined;
    if (kind === 'distance') this.limits ??= [length, length];
    for (const option of ['stiffness', 'damping', 'length'] as const)
      refuse(option, read[option], kind === 'spring');
    if (kind === 'spring') {
      this.spring = {
        stiffness: readLength('stiffness', read.stiffness as number),
        damping: readLength('damping', read.damping ?? 0),
        rest: readLength('length', read.length ?? length),
        most: Infinity,
      };
    }
    this.breakForce = readPositive('breakForce', read.breakForce ?? Infinity);
    this.breakTorque = readPositive('breakTorque', read.breakTorque ?? Infinity);
    refuse('collide', read.collide, b !== undefined);
    this.collide = readChoice('collide', read.collide ?? true, [true, false]);
    this.motor = read.motor;
    for (const state of this.#kept) copyState(this.state, state);
  }

  get motor(): JointMotor | undefined {
    return this.#motor;
  }

  set motor(motor: JointMotor | undefined) {
    refuse('motor', motor, this.kind === 'hinge' || this.kind === 'slider');
    if (motor !== undefined) {
      if ('target' in motor) {
        readKnown('motor', motor, { target: true, stiffness: true, damping: true, most: true });
        checkOption('target of the motor', motor.target, true);
        readLength('stiffness of the motor', motor.stiffness);
        readLength('damping of the motor', motor.damping ?? 0);
      } else {
        readKnown('motor', motor, { speed: true, most: true });
        checkOption('speed of the motor', motor.speed, true);
      }
      readAtMost('limit of the motor', motor.most ?? Infinity);
    }
    this.#motor = motor;
    this.disturb();
  }

  /** Wakes its bodies. */
  disturb(): void {
    for (const { member } of [this.a, this.b]) if (member?.rigid) member.rigid.state.disturbed = true;
  }

  /** Of the spring that acts on the coordinate, if any. */
  get acting(): JointSpring | undefined {
    const motor = this.#motor;
    if (!motor || !('target' in motor)) return this.spring;
    const { target, stiffness, damping = 0, most = Infinity } = motor;
    return { stiffness, damping, rest: target, most };
  }

  /** The current value of the coordinate. */
  get position(): number {
    if (this.kind === 'fixed') return 0;
    return measureCoordinate(this, poseOf(this.a.member), 0, poseOf(this.b.member), 0);
  }

  /** Writes what changes from step to step; the caller sets the motor. */
  save(out: StateWriter): void {
    out.flag(this.state.broken);
    out.number(this.state.position);
    out.number(this.load);
    out.array(this.state.carried);
  }

  restore(from: StateReader): void {
    this.state.broken = from.flag();
    this.state.position = from.number();
    this.load = from.number();
    from.into(this.state.carried);
  }

  /** Keeps the state at the beginning of a step (0) or of a motion (1), to come back to it. */
  keep(level: 0 | 1): void {
    copyState(this.state, this.#kept[level]);
  }

  /** Whether it broke since the beginning of the step. */
  get breaks(): boolean {
    return this.state.broken && !this.#kept[0].broken;
  }

  comeBack(level: 0 | 1): void {
    copyState(this.#kept[level], this.state);
  }

  #readAxis({ kind, a, axis, limits }: JointOptions): ArrayLike<number> {
    const needed = kind === 'hinge' || kind === 'slider' || (kind === 'ball' && limits !== undefined);
    refuse('axis', axis, needed);
    if (!needed) return [0, 1, 0];
    const given = readVector(`${a.name}: axis`, axis);
    const length = Math.hypot(...given);
    checkOption(`${a.name}: the length of the axis`, length, length > 0);
    return given.map((x) => x / length);
  }
}

function refuse(option: string, value: unknown, fits: boolean): void {
  if (value !== undefined && !fits)
    throw new ImpingeError('bad-option', `a joint of this kind has no ${option}`, { option });
}

function readLimits(
  name: string,
  kind: JointKind,
  [least, most]: readonly [number, number],
): readonly [number, number] {
  const isLength = kind === 'distance' || kind === 'ball';
  if (!(least <= most) || (isLength && least < 0) || (kind === 'ball' && least !== 0)) {
    throw new ImpingeError('bad-option', `${name}: limits of the joint are ${least} and ${most}`, {
      option: 'limits',
    });
  }
  return [least, most];
}

function copyState(from: JointState, to: JointState): void {
  to.broken = from.broken;
  to.position = from.position;
  to.carried.set(from.carried);
}

/** Where the frame of a body is, laid out as in the kernels; of the world, where it always is. */
function poseOf(member: Member | undefined): Float64Array {
  const frame = new Float64Array(FRAME);
  frame[TURN + 3] = 1;
  if (member?.rigid) {
    frame.set(member.rigid.state.centre);
    frame.set(member.rigid.state.rotation, TURN);
  } else if (member) {
    const table = new BodyTable();
    table.resize(1);
    if (member.body instanceof Scenery) placeBy(member.body.pose, member.shape.centre, table, 0);
    else table.place.set(member.shape.centre);
    if (member.body instanceof Scenery) frame.set(table.turn, TURN);
    frame.set(table.place);
  }
  writeMatrix(frame, TURN, frame, MATRIX);
  return frame;
}

function sideOf(
  member: Member | undefined,
  pose: Float64Array,
  at: ArrayLike<number>,
  axis: ArrayLike<number>,
): JointSide {
  const turned = seenFrom(pose, axis, false);
  return {
    member,
    at: seenFrom(pose, at, true),
    axis: turned,
    across: Float64Array.from(acrossOf(turned).flat()),
  };
}

/** A place or direction of the world, in a frame. */
function seenFrom(pose: Float64Array, v: ArrayLike<number>, isPlace: boolean): Float64Array {
  const d = [0, 1, 2].map((k) => v[k] - (isPlace ? pose[k] : 0));
  return Float64Array.from([0, 1, 2], (k) => {
    const m = MATRIX + k;
    return pose[m] * d[0] + pose[m + 3] * d[1] + pose[m + 6] * d[2];
  });
}

/** conj(b) · a. */
function relativeTurn(a: Float64Array, b: Float64Array): Float64Array {
  const [ax, ay, az, aw] = a.subarray(TURN, TURN + 4);
  const [bx, by, bz, bw] = b.subarray(TURN, TURN + 4);
  return Float64Array.of(
    bw * ax - bx * aw - by * az + bz * ay,
    bw * ay - by * aw - bz * ax + bx * az,
    bw * az - bz * aw - bx * ay + by * ax,
    bw * aw + bx * ax + by * ay + bz * az,
  );
}
