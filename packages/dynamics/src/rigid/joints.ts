/**
 * Joints between a body and the world: it hangs on a point, turns about an axis, or slides along one.
 *
 * A joint is a few rows, each a direction in which a point may not move or about which the body may not turn; rows are
 * solved like contacts, several times in turn. A motor is a row with a target speed and a limit of its push. Layout:
 * `ROW` numbers per row: direction, lever (r × direction, or the axis), the answer I⁻¹ · lever, then as named.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readChoice, readKnown } from 'impinge/internal/base/options.js';
import type { RigidBody } from '../bodies/rigid-body.js';
import { cross, dot } from '../bodies/rotation.js';
import { checkOption, readVector } from '../bodies/surface-input.js';
import type { ImpulseSystem } from './impulse-system.js';
import { ANGULAR, INVERSE_INERTIA, INVERSE_MASS, MATRIX, PUSHED, SPIN, TURN } from './layout.generated.js';

export interface JointMotor {
  /** Radians per second about the axis of a hinge, metres per second along that of a slider. */
  readonly speed: number;
  /** Its maximum push: N m for a hinge, N for a slider. Default: unlimited. */
  readonly most?: number;
}

/** A joint to make; places and directions are those of the world, with the body where it is. */
export interface JointOptions {
  /**
   * `pin`: a point stays where it is; `hinge`: the body turns about an axis; `slider`: it moves along one, unturned.
   */
  readonly kind: 'pin' | 'hinge' | 'slider';
  readonly body: RigidBody;
  /** For `pin` and `hinge`. Default: the body's centre of mass. */
  readonly at?: readonly [number, number, number];
  /** For `hinge` and `slider`. */
  readonly axis?: readonly [number, number, number];
  readonly motor?: JointMotor;
}

export interface JointHandle {
  readonly body: RigidBody;
  remove(): void;
}

export const JOINT_KINDS = ['pin', 'hinge', 'slider'] as const;
const [LEVER, ANSWER, MASS, IMPULSE, ERROR, WANTED, MOST, ROW] = [3, 6, 9, 10, 11, 12, 13, 14];
/** Share of the error corrected per part of a step; number of sweeps over the rows in it. */
const RECOVERY = 0.2;
const ROUNDS = 8;

export class Joint {
  readonly kind: (typeof JOINT_KINDS)[number];
  readonly body: RigidBody;
  readonly motor: JointMotor | undefined;
  readonly at: Float64Array;
  readonly axis: Float64Array;
  /** Seen from the body: the point, the axis, and how it is turned. */
  readonly localAt: Float64Array;
  readonly localAxis: Float64Array;
  readonly turn: Float64Array;
  impulses: Float64Array = new Float64Array(6);

  constructor(options: JointOptions) {
    const { kind, body, at, axis, motor } = readKnown('join', options, {
      kind: true,
      body: true,
      at: true,
      axis: true,
      motor: true,
    });
    this.kind = readChoice('kind of the joint', kind, JOINT_KINDS);
    if (body?.state === undefined) throw new ImpingeError('bad-input', 'a joint needs a rigid body');
    const { centre, rotation } = body.state;
    this.body = body;
    this.at = Float64Array.from(readVector(`${body.name}: at`, at ?? Array.from(centre)));
    this.axis = Float64Array.from(readVector(`${body.name}: axis`, axis ?? [0, kind === 'pin' ? 1 : 0, 0]));
    const length = Math.hypot(...this.axis);
    checkOption(`${body.name}: the length of the axis`, length, length > 0);
    for (let k = 0; k < 3; k++) this.axis[k] /= length;
    if (motor !== undefined) {
      checkOption(`${body.name}: speed of the motor`, motor.speed, kind !== 'pin');
      if (motor.most !== undefined)
        checkOption(`${body.name}: limit of the motor`, motor.most, motor.most >= 0);
    }
    this.motor = motor;
    this.turn = rotation.slice();
    const arm = this.at.map((x, k) => x - centre[k]);
    this.localAt = Float64Array.from(body.turnedBack(arm));
    this.localAxis = Float64Array.from(body.turnedBack(this.axis));
  }
}

export class JointRows {
  readonly #system: ImpulseSystem;
  #rows = new Float64Array(0);
  #bodies: number[] = [];
  #owners: { joint: Joint; from: number }[] = [];

  constructor(system: ImpulseSystem) {
    this.#system = system;
  }

  get count(): number {
    return this.#bodies.length;
  }

  /** Forgets joints; their impulses are kept with them. */
  clear(): void {
    for (const { joint, from } of this.#owners) {
      for (let r = 0; r < 6 && from + r < this.count; r++)
        joint.impulses[r] = this.#rows[ROW * (from + r) + IMPULSE];
    }
    this.#bodies = [];
    this.#owners = [];
  }

  /** Enters a joint of a body, by its number in the system. */
  add(joint: Joint, body: number, h: number): void {
    const from = this.count;
    const rows = joint.kind === 'pin' ? 3 : 6;
    if (ROW * (from + 6) > this.#rows.length) {
      const old = this.#rows;
      this.#rows = new Float64Array(2 * ROW * (from + 6));
      this.#rows.set(old);
    }
    for (let r = 0; r < rows; r++) {
      this.#bodies.push(body);
      const at = ROW * (from + r);
      this.#rows.fill(0, at, at + ROW);
      this.#rows[at + MOST] = Infinity;
      this.#rows[at + IMPULSE] = joint.impulses[r];
    }
    if (joint.kind !== 'pin') {
      const at = ROW * (from + 5);
      this.#rows[at + MOST] = joint.motor ? (joint.motor.most ?? Infinity) * h : 0;
      this.#rows[at + WANTED] = joint.motor?.speed ?? 0;
    }
    this.#owners.push({ joint, from });
  }

  /** Writes directions, levers and errors for where bodies are. */
  write(): void {
    for (const { joint, from } of this.#owners) {
      const body = this.#bodies[from];
      const m = this.#system.numbers;
      const place = this.#system.frameAt(body);
      const r = place + MATRIX;
      const arm = [0, 3, 6].map(
        (k) =>
          m[r + k] * joint.localAt[0] + m[r + k + 1] * joint.localAt[1] + m[r + k + 2] * joint.localAt[2],
      );
      const off = [0, 1, 2].map((k) => m[place + k] + arm[k] - joint.at[k]);
      const [u, v] = acrossOf(joint.axis);
      const point = (row: number, d: ArrayLike<number>, lever: ArrayLike<number>) =>
        this.#write(row, d, cross(lever, d), dot(off, d));
      const axes = [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ];
      if (joint.kind !== 'slider') for (let k = 0; k < 3; k++) point(from + k, axes[k], arm);
      if (joint.kind === 'pin') continue;
      const axis = [0, 3, 6].map(
        (k) =>
          m[r + k] * joint.localAxis[0] +
          m[r + k + 1] * joint.localAxis[1] +
          m[r + k + 2] * joint.localAxis[2],
      );
      const none = [0, 0, 0];
      if (joint.kind === 'hinge') {
        const lean = cross(joint.axis, axis);
        this.#write(from + 3, none, u, dot(lean, u));
        this.#write(from + 4, none, v, dot(lean, v));
        this.#write(from + 5, none, joint.axis, 0);
      } else {
        point(from, u, arm);
        point(from + 1, v, arm);
        const turned = this.#turnOf(joint, body);
        for (let k = 0; k < 3; k++) this.#write(from + 2 + k, none, axes[k], turned[k]);
        this.#write(from + 5, joint.axis, none, 0);
      }
    }
  }

  warmStart(): void {
    for (let row = 0; row < this.count; row++) this.#push(row, this.#rows[ROW * row + IMPULSE]);
  }

  solve(h: number, settle: boolean): void {
    const { numbers: x } = this.#system;
    const rows = this.#rows;
    for (let round = 0; round < ROUNDS; round++) {
      for (let row = 0; row < this.count; row++) {
        const at = ROW * row;
        const b = this.#system.bodyAt(this.#bodies[row]);
        let speed = 0;
        for (let k = 0; k < 3; k++) speed += rows[at + k] * x[b + k] + rows[at + LEVER + k] * x[b + SPIN + k];
        const bias = settle ? 0 : (RECOVERY * rows[at + ERROR]) / h;
        const wanted = rows[at + IMPULSE] + rows[at + MASS] * (rows[at + WANTED] - speed - bias);
        const impulse = Math.min(rows[at + MOST], Math.max(-rows[at + MOST], wanted));
        this.#push(row, impulse - rows[at + IMPULSE]);
        rows[at + IMPULSE] = impulse;
      }
    }
  }

  #push(row: number, impulse: number): void {
    const { numbers: x } = this.#system;
    const body = this.#system.bodyAt(this.#bodies[row]);
    const at = ROW * row;
    if (impulse !== 0) x[body + PUSHED] = 1;
    for (let k = 0; k < 3; k++) {
      x[body + k] += x[body + INVERSE_MASS] * impulse * this.#rows[at + k];
      x[body + SPIN + k] += impulse * this.#rows[at + ANSWER + k];
      x[body + ANGULAR + k] += impulse * this.#rows[at + LEVER + k];
    }
  }

  #write(row: number, direction: ArrayLike<number>, lever: ArrayLike<number>, error: number): void {
    const { numbers: x } = this.#system;
    const body = this.#system.bodyAt(this.#bodies[row]);
    const at = ROW * row;
    const rows = this.#rows;
    let resistance = x[body + INVERSE_MASS] * dot(direction, direction);
    const [xx, xy, xz, yy, yz, zz] = x.subarray(body + INVERSE_INERTIA, body + INVERSE_INERTIA + 6);
    const answers = [dot([xx, xy, xz], lever), dot([xy, yy, yz], lever), dot([xz, yz, zz], lever)];
    for (let k = 0; k < 3; k++) {
      const answer = answers[k];
      rows[at + k] = direction[k];
      rows[at + LEVER + k] = lever[k];
      rows[at + ANSWER + k] = answer;
      resistance += lever[k] * answer;
    }
    rows[at + MASS] = resistance > 0 ? 1 / resistance : 0;
    rows[at + ERROR] = error;
  }

  /** The rotation of a body since the joint was made. */
  #turnOf({ turn: p }: Joint, body: number): [number, number, number] {
    const at = this.#system.frameAt(body) + TURN;
    const q = this.#system.numbers.subarray(at, at + 4);
    const x = -q[3] * p[0] + q[0] * p[3] - q[1] * p[2] + q[2] * p[1];
    const y = -q[3] * p[1] + q[1] * p[3] - q[2] * p[0] + q[0] * p[2];
    const z = -q[3] * p[2] + q[2] * p[3] - q[0] * p[1] + q[1] * p[0];
    const w = q[3] * p[3] + q[0] * p[0] + q[1] * p[1] + q[2] * p[2];
    const twice = w < 0 ? -2 : 2;
    return [twice * x, twice * y, twice * z];
  }
}

/** Two unit vectors at right angles to a unit vector and to each other. */
function acrossOf([x, y, z]: Float64Array): [number[], number[]] {
  const sign = z < 0 ? -1 : 1;
  const a = -1 / (sign + z);
  const b = x * y * a;
  return [
    [1 + sign * x * x * a, sign * b, -sign * x],
    [b, sign + y * y * a, -y],
  ];
}
