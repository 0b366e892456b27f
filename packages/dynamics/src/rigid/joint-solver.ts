/**
 * Impulses of the joints of an island, all at once.
 *
 * Before bodies move, joints push so that they hold where the bodies will be, at the end of their exact motion without
 * moments: errors there are measured, and taken away by Newton's method with the matrix of the start. After the move
 * they push so that nothing goes on to part them. Where nothing else pushes, half of gravity, of springs and of motors
 * acts before the move and half after it (RATTLE, of Andersen 1983; for tops, McLachlan & Zanna 2005): such steps are
 * symmetric in time and symplectic, so that energy stays, and nothing drifts. Springs pull by the mean of their lengths
 * at both ends. Among contacts, all acts before the move, and springs pull by their length at the end.
 */
import type { ImpulseSystem } from './impulse-system.js';
import type { Joint } from './joint.js';
import {
  DRIVE,
  HOLD,
  LEVER_A,
  measureCoordinate,
  measureRows,
  ROW_SIZE,
  SPRING,
  STOP,
} from './joint-geometry.js';
import { JointPivots } from './joint-pivots.js';
import { type Entry, JointRows } from './joint-rows.js';
import { MATRIX, PUSHED, SPIN } from './layout.generated.js';

/** Rounds of Newton's method; errors that need no further one, in radians or in radii of the bodies. */
const ROUNDS = 12;
const EXACT = 1e-10;
/** Errors above this at the start, as of bodies that were cut short, decay at this rate, 1 / s, instead of at once. */
const OFF = 1e-6;
const RECOVERY = 50;

export class JointSolver {
  readonly #system: ImpulseSystem;
  readonly #rows: JointRows;
  readonly #pivots: JointPivots;
  #firstBody = 0;
  #endBody = 0;
  #h = 1;
  /** Whether joints hold to the last digits after the move. */
  isExact = false;
  /** How much of what acts in a part acts before the move, and of the length at its end in the pull of a spring. */
  #share = 1;
  /** By row: measured where bodies will be; the impulse before the move. */
  #ahead = new Float64Array(0);
  #before = new Float64Array(0);

  constructor(system: ImpulseSystem) {
    this.#system = system;
    this.#rows = new JointRows(system);
    this.#pivots = new JointPivots(system, this.#rows);
  }

  /** Takes over joints of an island, with the numbers of the bodies on both sides, and the bodies that it has. */
  open(
    joints: readonly Joint[],
    ties: readonly (readonly [number, number])[],
    firstBody: number,
    endBody: number,
  ): void {
    this.#firstBody = firstBody;
    this.#endBody = endBody;
    this.#rows.open(joints, ties);
    if (joints.length === 0) return;
    const { length } = this.#rows.impulse;
    if (this.#ahead.length !== length) {
      this.#ahead = new Float64Array(length);
      this.#before = new Float64Array(length);
    }
    this.#pivots.open(firstBody);
  }

  /** Begins a part; with `alone`, nothing but joints pushes. */
  begin(h: number, alone: boolean): void {
    const { numbers: x } = this.#system;
    this.#h = h;
    this.#share = alone ? 0.5 : 1;
    this.#rows.impulse.fill(0);
    for (const { a, b, joint, carried } of this.#rows.entries) {
      carried.fill(0);
      if (joint.state.broken) continue;
      x[this.#system.bodyAt(a) + PUSHED] = x[this.#system.bodyAt(b) + PUSHED] = 1;
    }
  }

  /** Velocities of the bodies of the island, to come back to. */
  motions(): Float64Array {
    return this.#system.numbers.slice(
      this.#system.bodyAt(this.#firstBody),
      this.#system.bodyAt(this.#endBody),
    );
  }

  /** Comes back to them, without impulses. */
  setMotions(motions: Float64Array): void {
    this.#system.numbers.set(motions, this.#system.bodyAt(this.#firstBody));
    this.#rows.impulse.fill(0);
  }

  /** Pushes so that joints hold after the move. */
  move(): void {
    this.isExact = false;
    for (let round = 0; round < ROUNDS; round++) {
      this.isExact = this.aim() <= EXACT;
      if (this.isExact) return;
      this.solve();
    }
  }

  /** Measures where bodies will be, and what speeds rows want for that; returns the largest error. */
  aim(): number {
    const rows = this.#rows;
    if (rows.entries.length === 0) return 0;
    this.#foresee();
    const h = this.#h;
    const keep = Math.exp(-RECOVERY * h);
    let worst = 0;
    for (const entry of rows.entries) {
      const { joint, kinds, from, size } = entry;
      for (let row = from; row < from + kinds.length; row++) {
        const kind = rows.kinds[row];
        const scale = rows.isTurn(row) ? 1 : size;
        rows.least[row] = -Infinity;
        rows.most[row] = Infinity;
        rows.wantedAt[row] = rows.impulse[row];
        if (joint.state.broken) rows.setIn(row, false);
        else if (kind === HOLD || kind === STOP) {
          const bound = kind === HOLD ? 0 : this.#boundOf(entry, row);
          const off = rows.start[row] - bound;
          const isOff = Math.abs(off) > OFF * scale && (kind === HOLD || off * rows.side[row] > 0);
          const error = this.#ahead[row] - bound - (isOff ? keep * off : 0);
          if (kind === STOP && rows.side[row] === 0) continue;
          rows.wanted[row] = rows.speedOf(entry, row) - error / h;
          if (rows.in[row] !== 0) worst = Math.max(worst, Math.abs(error) / scale);
          else if (kind === HOLD || error * rows.side[row] > EXACT * scale) {
            rows.setIn(row, true);
            worst = Infinity;
          }
        } else if (kind === SPRING) worst = Math.max(worst, this.#aimSpring(entry, row) / scale);
        else this.#aimMotor(entry, row, 0);
        if (kind === DRIVE && rows.in[row] !== 0)
          worst = Math.max(worst, (h * Math.abs(rows.wanted[row] - rows.speedOf(entry, row))) / scale);
      }
    }
    return worst;
  }

  /** After the move: what rows want so that nothing goes on. */
  aimAtRest(): void {
    const rows = this.#rows;
    this.#before.set(rows.impulse);
    rows.impulse.fill(0);
    for (const entry of rows.entries) {
      const { joint, kinds, from, size } = entry;
      for (let row = from; row < from + kinds.length; row++) {
        const kind = rows.kinds[row];
        rows.wanted[row] = rows.wantedAt[row] = 0;
        rows.least[row] = -Infinity;
        rows.most[row] = Infinity;
        if (joint.state.broken) rows.setIn(row, false);
        else if (kind === HOLD) rows.setIn(row, true);
        else if (kind === STOP) {
          rows.side[row] = sideOf(joint, rows.start[row], 2 * EXACT * (rows.isTurn(row) ? 1 : size));
          this.#limit(entry, row);
          rows.setIn(row, rows.side[row] !== 0);
        } else if (kind === DRIVE) this.#aimMotor(entry, row, this.#share === 1 ? this.#before[row] : 0);
        else {
          rows.setIn(row, false);
          rows.least[row] = rows.most[row] = 0;
          if (this.#share < 1) rows.push(entry, row, this.#before[row]);
        }
      }
    }
  }

  /** Writes rows where bodies are, and measures them. */
  write(): void {
    this.#rows.write();
  }

  /** Gives joints the impulses that they lack for the speeds that they want. */
  solve(): void {
    if (this.#rows.entries.length > 0) this.#pivots.solve();
  }

  /** Records what the impulses before or after the move carry. */
  carry(): void {
    const rows = this.#rows;
    for (const { from, kinds, carried } of rows.entries) {
      for (let row = from; row < from + kinds.length; row++) {
        const isTurn = rows.isTurn(row);
        const at = ROW_SIZE * row + (isTurn ? LEVER_A : 0);
        for (let k = 0; k < 3; k++) carried[(isTurn ? 3 : 0) + k] += rows.impulse[row] * rows.frame[at + k];
      }
    }
  }

  /** Ends a part: follows hinges, and breaks what carried too much. */
  end(): void {
    const { numbers: x } = this.#system;
    for (const { joint, a, b, carried } of this.#rows.entries) {
      const { state, breakForce, breakTorque } = joint;
      const [p, q] = [this.#system.frameAt(a), this.#system.frameAt(b)];
      if (joint.kind === 'hinge') {
        const m = q + MATRIX;
        const [i, k] = [this.#system.bodyAt(a) + SPIN, this.#system.bodyAt(b) + SPIN];
        const [u, v, w] = joint.b.axis;
        for (let j = 0; j < 3; j++) {
          const along = x[m + 3 * j] * u + x[m + 3 * j + 1] * v + x[m + 3 * j + 2] * w;
          state.position += this.#h * along * (x[i + j] - x[k + j]);
        }
      }
      state.position = measureCoordinate(joint, x, p, x, q);
      if (state.broken) continue;
      for (let k = 0; k < 6; k++) state.carried[k] += carried[k];
      const force = Math.hypot(carried[0], carried[1], carried[2]) / this.#h;
      const torque = Math.hypot(carried[3], carried[4], carried[5]) / this.#h;
      state.broken = force > breakForce || torque > breakTorque;
    }
  }

  /** Has the kernel move bodies, measures joints there, and takes bodies back. */
  #foresee(): void {
    const { numbers: x, kernel } = this.#system;
    const [from, to] = [this.#system.frameAt(this.#firstBody), this.#system.frameAt(this.#endBody)];
    const frames = x.slice(from, to);
    kernel.drift(this.#h);
    for (const { joint, kinds, from: row, a, b } of this.#rows.entries)
      measureRows(joint, kinds, x, this.#system.frameAt(a), this.#system.frameAt(b), this.#ahead, row);
    x.set(frames, from);
  }

  /** The limit that a row is at or would pass: 0 where none. */
  #boundOf(entry: Entry, row: number): number {
    const rows = this.#rows;
    const { joint } = entry;
    const [least, most] = joint.limits as readonly [number, number];
    if (rows.side[row] === 0) {
      rows.side[row] = sideOf(joint, this.#ahead[row], 0);
      // an unlimited motor that leaves a limit needs none
      if (unlimitedSpeed(joint) * rows.side[row] < 0) rows.side[row] = 0;
    }
    this.#limit(entry, row);
    return rows.side[row] < 0 ? least : rows.side[row] > 0 ? most : 0;
  }

  /** Bounds of the push at a limit; none where an unlimited motor pushes against it, and pushes with it. */
  #limit({ joint }: Entry, row: number): void {
    const rows = this.#rows;
    const side = rows.side[row];
    const isDriven = unlimitedSpeed(joint) * side > 0;
    rows.least[row] = side > 0 || isDriven ? -Infinity : 0;
    rows.most[row] = side < 0 || isDriven ? Infinity : 0;
  }

  /** A spring lacks the impulse G; with a further one d it will be longer by h K d, and so d / S + K d = −G / S. */
  #aimSpring(entry: Entry, row: number): number {
    const rows = this.#rows;
    const { stiffness, damping, rest, most } = entry.joint.acting!;
    const h = this.#h;
    const theta = this.#share;
    const [now, then] = [rows.start[row], this.#ahead[row]];
    const pull = stiffness * (theta * then + (1 - theta) * now - rest) + (damping * (then - now)) / h;
    const answer = this.#share * h * (h * stiffness * theta + damping);
    this.#bound(row, this.#share * h * most, 0);
    if (answer === 0) {
      rows.setIn(row, false);
      return 0;
    }
    const lacks = -this.#share * h * pull - rows.impulse[row];
    if (rows.soft[row] !== 1 / answer) rows.isStale = true;
    rows.soft[row] = 1 / answer;
    rows.wanted[row] = rows.speedOf(entry, row) + lacks / answer;
    if (rows.in[row] !== 0) return Math.abs(h * lacks) / answer;
    const isFree = rows.impulse[row] === 0 || rows.impulse[row] * lacks < 0;
    if (isFree) rows.setIn(row, true);
    return isFree ? Infinity : 0;
  }

  #aimMotor({ joint }: Entry, row: number, before: number): void {
    const rows = this.#rows;
    const { motor } = joint;
    if (!motor || !('speed' in motor)) return;
    rows.wanted[row] = motor.speed;
    this.#bound(row, this.#share * this.#h * (motor.most ?? Infinity), before);
    if (rows.impulse[row] === 0) rows.setIn(row, rows.most[row] > rows.least[row]);
  }

  #bound(row: number, most: number, before: number): void {
    this.#rows.least[row] = -most - before;
    this.#rows.most[row] = most - before;
  }
}

/** Of a motor without a limit to its push; else 0. */
function unlimitedSpeed({ motor }: Joint): number {
  return motor && 'speed' in motor && motor.most === undefined ? motor.speed : 0;
}

/** Which limit a coordinate has reached, up to a distance: −1, 1, or 0 for none. */
function sideOf({ limits }: Joint, value: number, within: number): number {
  const [least, most] = limits as readonly [number, number];
  return value <= least + within ? -1 : value >= most - within ? 1 : 0;
}
