/**
 * Impulses of the joints of an island, all at once.
 *
 * Before bodies move, joints push so that they hold where the bodies will be, at the end of their exact motion without
 * moments: errors there are measured, and taken away by Newton's method with the matrix of the start. After the move
 * they push so that nothing goes on to part them. Where nothing else pushes, half of gravity, of springs and of motors
 * acts before the move and half after it (RATTLE, of Andersen 1983; for tops, McLachlan & Zanna 2005): such steps are
 * symmetric in time and symplectic, so that energy stays, and nothing drifts. Springs pull by the mean of their lengths
 * at both ends. Among contacts, all acts before the move, and springs pull by their length at the end.
 *
 * Rows with bounds (limits, motors) are in the matrix where they are within, and else push as much as they may:
 * pivoting finds which. Layout: by row, in the order of joints; `#rows` as joint-geometry.ts has it.
 */
import type { ImpulseSystem } from './impulse-system.js';
import type { Joint } from './joint.js';
import {
  ANSWER_A,
  ANSWER_B,
  DRIVE,
  HOLD,
  LEVER_A,
  LEVER_B,
  measureCoordinate,
  measureRows,
  ROW_SIZE,
  rowKinds,
  SPRING,
  STOP,
  writeRows,
} from './joint-geometry.js';
import { JointMatrix } from './joint-matrix.js';
import { ANGULAR, INVERSE_MASS, MATRIX, PUSHED, SPIN } from './layout.generated.js';

/** Rounds of Newton's method; errors that need no further one, in radians or in radii of the bodies. */
const ROUNDS = 12;
const EXACT = 1e-10;
/** Errors above this at the start, as of bodies that were cut short, decay at this rate, 1 / s, instead of at once. */
const OFF = 1e-6;
const RECOVERY = 50;
/** Changes of the set of rows that push within their bounds, in one solution. */
const PIVOTS = 12;

/** A joint in the island: its rows, and the numbers of its bodies in the system. */
interface Entry {
  readonly joint: Joint;
  readonly kinds: readonly number[];
  readonly from: number;
  readonly a: number;
  readonly b: number;
  /** Of lengths that its errors are compared with. */
  readonly size: number;
  /** Impulse and moment in this part. */
  readonly carried: Float64Array;
}

/** Two joints that share bodies, where they are in the matrix, and on which sides of either the shared bodies are. */
interface Link {
  readonly i: number;
  readonly k: number;
  readonly block: readonly [number, number, number];
  readonly sides: readonly (readonly [0 | 1, 0 | 1])[];
}

interface Structure {
  readonly key: string;
  readonly matrix: JointMatrix;
  readonly links: readonly Link[];
}

export class JointSolver {
  readonly #system: ImpulseSystem;
  /** By the first joint of an island. */
  readonly #structures = new WeakMap<Joint, Structure>();
  #structure: Structure | undefined;
  #entries: Entry[] = [];
  #firstBody = 0;
  #endBody = 0;
  #h = 1;
  /** Whether joints hold to the last digits after the move. */
  isExact = false;
  /** How much of what acts in a part acts before the move, and of the length at its end in the pull of a spring. */
  #share = 1;
  #kinds = new Uint8Array(0);
  /** Whether a row is in the matrix; at which of its limits it is; whether the matrix is not up to date. */
  #in = new Uint8Array(0);
  #side = new Int8Array(0);
  #isStale = true;
  #rows = new Float64Array(0);
  /** Measured at the start, and where bodies will be. */
  #start = new Float64Array(0);
  #ahead = new Float64Array(0);
  /** The speed that a row wants, at the impulse `#wantedAt`; how far it gives way to further ones; bounds. */
  #wanted = new Float64Array(0);
  #wantedAt = new Float64Array(0);
  #soft = new Float64Array(0);
  #least = new Float64Array(0);
  #most = new Float64Array(0);
  #impulse = new Float64Array(0);
  #before = new Float64Array(0);
  #x = new Float64Array(0);

  constructor(system: ImpulseSystem) {
    this.#system = system;
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
    let rows = 0;
    this.#entries = joints.map((joint, i) => {
      const kinds = rowKinds(joint, isSpeed(joint), joint.acting !== undefined);
      const from = rows;
      rows += kinds.length;
      const size = Math.max(joint.a.member?.shape.radius ?? 0, joint.b.member?.shape.radius ?? 0);
      const [a, b] = ties[i];
      return { joint, kinds, from, a, b, size, carried: new Float64Array(6) };
    });
    if (joints.length === 0) return;
    this.#reserve(rows);
    this.#side.fill(0);
    this.#in.fill(0);
    this.#soft.fill(0);
    this.#entries.forEach(({ kinds, from }) => {
      this.#kinds.set(kinds, from);
    });
    this.#structure = this.#structureOf(joints[0]);
    this.write();
  }

  /** Begins a part; with `alone`, nothing but joints pushes. */
  begin(h: number, alone: boolean): void {
    const { numbers: x } = this.#system;
    this.#h = h;
    this.#share = alone ? 0.5 : 1;
    this.#impulse.fill(0);
    for (const { a, b, joint, carried } of this.#entries) {
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
    this.#impulse.fill(0);
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
    if (this.#entries.length === 0) return 0;
    this.#foresee();
    const h = this.#h;
    const keep = Math.exp(-RECOVERY * h);
    let worst = 0;
    for (const entry of this.#entries) {
      const { joint, kinds, from, size } = entry;
      for (let row = from; row < from + kinds.length; row++) {
        const kind = this.#kinds[row];
        const scale = this.#isTurn(row) ? 1 : size;
        this.#least[row] = -Infinity;
        this.#most[row] = Infinity;
        this.#wantedAt[row] = this.#impulse[row];
        if (joint.state.broken) this.#setIn(row, false);
        else if (kind === HOLD || kind === STOP) {
          const bound = kind === HOLD ? 0 : this.#boundOf(entry, row);
          const off = this.#start[row] - bound;
          const isOff = Math.abs(off) > OFF * scale && (kind === HOLD || off * this.#side[row] > 0);
          const error = this.#ahead[row] - bound - (isOff ? keep * off : 0);
          if (kind === STOP && this.#side[row] === 0) continue;
          this.#wanted[row] = this.#speedOf(entry, row) - error / h;
          if (this.#in[row] !== 0) worst = Math.max(worst, Math.abs(error) / scale);
          else if (kind === HOLD || error * this.#side[row] > EXACT * scale) {
            this.#setIn(row, true);
            worst = Infinity;
          }
        } else if (kind === SPRING) worst = Math.max(worst, this.#aimSpring(entry, row) / scale);
        else this.#aimMotor(entry, row, 0);
        if (kind === DRIVE && this.#in[row] !== 0)
          worst = Math.max(worst, (h * Math.abs(this.#wanted[row] - this.#speedOf(entry, row))) / scale);
      }
    }
    return worst;
  }

  /** After the move: what rows want so that nothing goes on. */
  aimAtRest(): void {
    this.#before.set(this.#impulse);
    this.#impulse.fill(0);
    for (const entry of this.#entries) {
      const { joint, kinds, from, size } = entry;
      for (let row = from; row < from + kinds.length; row++) {
        const kind = this.#kinds[row];
        this.#wanted[row] = this.#wantedAt[row] = 0;
        this.#least[row] = -Infinity;
        this.#most[row] = Infinity;
        if (joint.state.broken) this.#setIn(row, false);
        else if (kind === HOLD) this.#setIn(row, true);
        else if (kind === STOP) {
          this.#side[row] = sideOf(joint, this.#start[row], 2 * EXACT * (this.#isTurn(row) ? 1 : size));
          this.#limit(entry, row);
          this.#setIn(row, this.#side[row] !== 0);
        } else if (kind === DRIVE) this.#aimMotor(entry, row, this.#share === 1 ? this.#before[row] : 0);
        else {
          this.#setIn(row, false);
          this.#least[row] = this.#most[row] = 0;
          if (this.#share < 1) this.#push(entry, row, this.#before[row]);
        }
      }
    }
  }

  /** Gives joints the impulses that they lack for the speeds that they want. */
  solve(): void {
    if (this.#entries.length === 0) return;
    const x = this.#x;
    const { matrix } = this.#structure as Structure;
    for (let pivot = 0; ; pivot++) {
      this.#holdDrives();
      if (pivot === 0) this.#letIn();
      if (this.#isStale) this.#factor();
      for (const entry of this.#entries) {
        for (let row = entry.from; row < entry.from + entry.kinds.length; row++)
          x[row] = this.#in[row] === 0 ? 0 : this.#lackOf(entry, row);
      }
      matrix.solve(x);
      if (pivot >= PIVOTS || !this.#bar(x)) break;
    }
    for (const entry of this.#entries) {
      for (let row = entry.from; row < entry.from + entry.kinds.length; row++) {
        if (this.#in[row] === 0) continue;
        const next = this.#impulse[row] + x[row];
        this.#push(
          entry,
          row,
          Math.min(this.#most[row], Math.max(this.#least[row], next)) - this.#impulse[row],
        );
      }
    }
  }

  /** Writes rows where bodies are, and measures them. */
  write(): void {
    const { numbers: x } = this.#system;
    for (const { joint, kinds, from, a, b } of this.#entries) {
      const [p, q] = [this.#system.frameAt(a), this.#system.frameAt(b)];
      const [bodyA, bodyB] = [this.#system.bodyAt(a), this.#system.bodyAt(b)];
      writeRows(joint, kinds, x, p, q, bodyA, bodyB, this.#rows, from);
      measureRows(joint, kinds, x, p, q, this.#start, from);
    }
    this.#isStale = true;
  }

  /** Records what the impulses before or after the move carry. */
  carry(): void {
    for (const { from, kinds, carried } of this.#entries) {
      for (let row = from; row < from + kinds.length; row++) {
        const isTurn = this.#isTurn(row);
        const at = ROW_SIZE * row + (isTurn ? LEVER_A : 0);
        for (let k = 0; k < 3; k++) carried[(isTurn ? 3 : 0) + k] += this.#impulse[row] * this.#rows[at + k];
      }
    }
  }

  /** Ends a part: follows hinges, and breaks what carried too much. */
  end(): void {
    const { numbers: x } = this.#system;
    for (const { joint, a, b, carried } of this.#entries) {
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
    for (const { joint, kinds, from: row, a, b } of this.#entries)
      measureRows(joint, kinds, x, this.#system.frameAt(a), this.#system.frameAt(b), this.#ahead, row);
    x.set(frames, from);
  }

  /** The limit that a row is at or would pass: 0 where none. */
  #boundOf(entry: Entry, row: number): number {
    const { joint } = entry;
    const [least, most] = joint.limits as readonly [number, number];
    if (this.#side[row] === 0) {
      this.#side[row] = sideOf(joint, this.#ahead[row], 0);
      // an unlimited motor that leaves a limit needs none
      if (unlimitedSpeed(joint) * this.#side[row] < 0) this.#side[row] = 0;
    }
    this.#limit(entry, row);
    return this.#side[row] < 0 ? least : this.#side[row] > 0 ? most : 0;
  }

  /** Bounds of the push at a limit; none where an unlimited motor pushes against it, and pushes with it. */
  #limit({ joint }: Entry, row: number): void {
    const side = this.#side[row];
    const isDriven = unlimitedSpeed(joint) * side > 0;
    this.#least[row] = side > 0 || isDriven ? -Infinity : 0;
    this.#most[row] = side < 0 || isDriven ? Infinity : 0;
  }

  /** A spring lacks the impulse G; with a further one d it will be longer by h K d, and so d / S + K d = −G / S. */
  #aimSpring(entry: Entry, row: number): number {
    const { stiffness, damping, rest, most } = entry.joint.acting!;
    const h = this.#h;
    const theta = this.#share;
    const [now, then] = [this.#start[row], this.#ahead[row]];
    const pull = stiffness * (theta * then + (1 - theta) * now - rest) + (damping * (then - now)) / h;
    const answer = this.#share * h * (h * stiffness * theta + damping);
    this.#bound(row, this.#share * h * most, 0);
    if (answer === 0) {
      this.#setIn(row, false);
      return 0;
    }
    const lacks = -this.#share * h * pull - this.#impulse[row];
    if (this.#soft[row] !== 1 / answer) this.#isStale = true;
    this.#soft[row] = 1 / answer;
    this.#wanted[row] = this.#speedOf(entry, row) + lacks / answer;
    if (this.#in[row] !== 0) return Math.abs(h * lacks) / answer;
    const isFree = this.#impulse[row] === 0 || this.#impulse[row] * lacks < 0;
    if (isFree) this.#setIn(row, true);
    return isFree ? Infinity : 0;
  }

  #aimMotor({ joint }: Entry, row: number, before: number): void {
    const { motor } = joint;
    if (!motor || !('speed' in motor)) return;
    this.#wanted[row] = motor.speed;
    this.#bound(row, this.#share * this.#h * (motor.most ?? Infinity), before);
    if (this.#impulse[row] === 0) this.#setIn(row, this.#most[row] > this.#least[row]);
  }

  #bound(row: number, most: number, before: number): void {
    this.#least[row] = -most - before;
    this.#most[row] = most - before;
  }

  /** A motor against a limit pushes as much as it may, and one without bounds not at all. */
  #holdDrives(): void {
    for (const entry of this.#entries) {
      const { joint, from, kinds } = entry;
      const end = from + kinds.length;
      if (this.#kinds[end - 1] !== DRIVE || this.#kinds[end - 2] !== STOP) continue;
      const drive = end - 1;
      if (this.#in[end - 2] === 0) {
        if (
          this.#in[drive] === 0 &&
          this.#least[drive] < this.#impulse[drive] &&
          this.#impulse[drive] < this.#most[drive]
        )
          this.#setIn(drive, true);
        continue;
      }
      const { motor } = joint;
      const speed = motor && 'speed' in motor ? motor.speed : 0;
      const bound = speed > 0 ? this.#most[drive] : speed < 0 ? this.#least[drive] : 0;
      this.#push(entry, drive, (Number.isFinite(bound) ? bound : 0) - this.#impulse[drive]);
      this.#setIn(drive, false);
    }
  }

  /** Rows at a bound that lack an impulse away from it come into the matrix. */
  #letIn(): void {
    for (const entry of this.#entries) {
      if (entry.joint.state.broken) continue;
      const end = entry.from + entry.kinds.length;
      for (let row = entry.from; row < end; row++) {
        if (this.#in[row] !== 0 || this.#kinds[row] === HOLD || this.#least[row] >= this.#most[row]) continue;
        if (this.#kinds[row] === DRIVE && this.#kinds[row - 1] === STOP && this.#in[row - 1] !== 0) continue;
        if (this.#kinds[row] === SPRING && this.#soft[row] === 0) continue;
        if (this.#kinds[row] === STOP && this.#side[row] === 0) continue;
        const lack = this.#lackOf(entry, row);
        if (
          lack > 0 ? this.#impulse[row] < this.#most[row] : lack < 0 && this.#impulse[row] > this.#least[row]
        )
          this.#setIn(row, true);
      }
    }
  }

  /** Rows that would push beyond their bounds push as much as they may, and leave the matrix; true where any does. */
  #bar(x: Float64Array): boolean {
    let any = false;
    for (const entry of this.#entries) {
      for (let row = entry.from; row < entry.from + entry.kinds.length; row++) {
        if (this.#in[row] === 0) continue;
        const next = this.#impulse[row] + x[row];
        if (next >= this.#least[row] && next <= this.#most[row]) continue;
        const bound = next < this.#least[row] ? this.#least[row] : this.#most[row];
        this.#push(entry, row, bound - this.#impulse[row]);
        this.#setIn(row, false);
        any = true;
      }
    }
    return any;
  }

  #setIn(row: number, isIn: boolean): void {
    if ((this.#in[row] !== 0) === isIn) return;
    this.#in[row] = isIn ? 1 : 0;
    this.#isStale = true;
  }

  #lackOf(entry: Entry, row: number): number {
    const given = this.#soft[row] * (this.#impulse[row] - this.#wantedAt[row]);
    return this.#wanted[row] - this.#speedOf(entry, row) - given;
  }

  #isTurn(row: number): boolean {
    const at = ROW_SIZE * row;
    return this.#rows[at] === 0 && this.#rows[at + 1] === 0 && this.#rows[at + 2] === 0;
  }

  #speedOf({ a, b }: Entry, row: number): number {
    const { numbers: x } = this.#system;
    const r = this.#rows;
    const [i, k, at] = [this.#system.bodyAt(a), this.#system.bodyAt(b), ROW_SIZE * row];
    let speed = 0;
    for (let j = 0; j < 3; j++) {
      speed += r[at + j] * (x[i + j] - x[k + j]);
      speed += r[at + LEVER_A + j] * x[i + SPIN + j] - r[at + LEVER_B + j] * x[k + SPIN + j];
    }
    return speed;
  }

  #push({ a, b }: Entry, row: number, impulse: number): void {
    if (impulse === 0) return;
    const { numbers: x } = this.#system;
    const r = this.#rows;
    const [i, k, at] = [this.#system.bodyAt(a), this.#system.bodyAt(b), ROW_SIZE * row];
    this.#impulse[row] += impulse;
    for (let j = 0; j < 3; j++) {
      x[i + j] += x[i + INVERSE_MASS] * impulse * r[at + j];
      x[k + j] -= x[k + INVERSE_MASS] * impulse * r[at + j];
      x[i + SPIN + j] += impulse * r[at + ANSWER_A + j];
      x[k + SPIN + j] -= impulse * r[at + ANSWER_B + j];
      x[i + ANGULAR + j] += impulse * r[at + LEVER_A + j];
      x[k + ANGULAR + j] -= impulse * r[at + LEVER_B + j];
    }
  }

  #factor(): void {
    const { matrix, links } = this.#structure as Structure;
    const a = matrix.values;
    matrix.clear();
    for (const { i, k, block, sides } of links) {
      const [first, second] = [this.#entries[i], this.#entries[k]];
      const [at, perRow, perColumn] = block;
      for (let p = 0; p < first.kinds.length; p++) {
        const columns = i === k ? p + 1 : second.kinds.length;
        for (let q = 0; q < columns; q++) {
          const [row, column] = [first.from + p, second.from + q];
          const isIn = this.#in[row] !== 0 && this.#in[column] !== 0;
          let value = 0;
          if (isIn) for (const [s, t] of sides) value += this.#effect(first, row, s, column, t);
          if (row === column) value = isIn ? value + this.#soft[row] : 1;
          a[at + p * perRow + q * perColumn] = value;
        }
      }
    }
    matrix.factor();
    this.#isStale = false;
  }

  /** The change of the speed of a row by an impulse of another, through the body on these sides of both. */
  #effect(entry: Entry, row: number, side: 0 | 1, column: number, other: 0 | 1): number {
    const { numbers: x } = this.#system;
    const r = this.#rows;
    const body = this.#system.bodyAt(side === 0 ? entry.a : entry.b);
    const [p, q] = [ROW_SIZE * row, ROW_SIZE * column];
    const [lever, answer] = [p + (side === 0 ? LEVER_A : LEVER_B), q + (other === 0 ? ANSWER_A : ANSWER_B)];
    const shift = r[p] * r[q] + r[p + 1] * r[q + 1] + r[p + 2] * r[q + 2];
    const turn = r[lever] * r[answer] + r[lever + 1] * r[answer + 1] + r[lever + 2] * r[answer + 2];
    const sum = x[body + INVERSE_MASS] * shift + turn;
    return side === other ? sum : -sum;
  }

  /** What shares bodies with what: the same as before, where joints are. */
  #structureOf(first: Joint): Structure {
    const entries = this.#entries;
    const { numbers: x } = this.#system;
    const isFree = (body: number) => x[this.#system.bodyAt(body) + INVERSE_MASS] > 0;
    const name = (body: number) => (isFree(body) ? body - this.#firstBody : -1);
    const key = entries.map(({ kinds, a, b }) => `${kinds.length} ${name(a)} ${name(b)}`).join();
    const known = this.#structures.get(first);
    if (known?.key === key) return known;
    const at = new Map<number, [number, 0 | 1][]>();
    entries.forEach(({ a, b }, i) => {
      for (const [side, body] of [a, b].entries()) {
        if (!isFree(body)) continue;
        const list = at.get(body) ?? [];
        list.push([i, side as 0 | 1]);
        at.set(body, list);
      }
    });
    const shared = new Map<number, [0 | 1, 0 | 1][]>();
    for (const list of at.values()) {
      for (const [p, s] of list) {
        for (const [q, t] of list) {
          if (q > p) continue;
          const both = p * entries.length + q;
          const sides = shared.get(both) ?? [];
          sides.push([s, t]);
          shared.set(both, sides);
        }
      }
    }
    const pairs = [...shared.keys()].map((both): [number, number] => [
      Math.floor(both / entries.length),
      both % entries.length,
    ]);
    const matrix = new JointMatrix(
      entries.map(({ kinds }) => kinds.length),
      pairs,
    );
    const links = pairs.map(([i, k]) => ({
      i,
      k,
      block: matrix.block(i, k),
      sides: shared.get(i * entries.length + k)!,
    }));
    const structure = { key, matrix, links };
    this.#structures.set(first, structure);
    return structure;
  }

  #reserve(rows: number): void {
    if (this.#kinds.length === rows) return;
    this.#kinds = new Uint8Array(rows);
    this.#in = new Uint8Array(rows);
    this.#side = new Int8Array(rows);
    this.#rows = new Float64Array(ROW_SIZE * rows);
    this.#start = new Float64Array(rows);
    this.#ahead = new Float64Array(rows);
    this.#wanted = new Float64Array(rows);
    this.#wantedAt = new Float64Array(rows);
    this.#soft = new Float64Array(rows);
    this.#least = new Float64Array(rows);
    this.#most = new Float64Array(rows);
    this.#impulse = new Float64Array(rows);
    this.#before = new Float64Array(rows);
    this.#x = new Float64Array(rows);
  }
}

/** Of a motor without a limit to its push; else 0. */
function unlimitedSpeed({ motor }: Joint): number {
  return motor && 'speed' in motor && motor.most === undefined ? motor.speed : 0;
}

function isSpeed({ motor }: Joint): boolean {
  return motor !== undefined && 'speed' in motor;
}

/** Which limit a coordinate has reached, up to a distance: −1, 1, or 0 for none. */
function sideOf({ limits }: Joint, value: number, within: number): number {
  const [least, most] = limits as readonly [number, number];
  return value <= least + within ? -1 : value >= most - within ? 1 : 0;
}
