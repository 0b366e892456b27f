/**
 * The rows of an island's joints, one for each way in which a joint holds or pushes, in the order of joints: what a row
 * wants, what it may push, and what it has pushed so far.
 */
import type { ImpulseSystem } from './impulse-system.js';
import type { Joint } from './joint.js';
import {
  ANSWER_A,
  ANSWER_B,
  LEVER_A,
  LEVER_B,
  measureRows,
  ROW_SIZE,
  rowKinds,
  writeRows,
} from './joint-geometry.js';
import { ANGULAR, INVERSE_MASS, SPIN } from './layout.generated.js';

/** A joint in the island: its rows, and the numbers of its bodies in the system. */
export interface Entry {
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

export class JointRows {
  readonly #system: ImpulseSystem;
  entries: readonly Entry[] = [];
  kinds = new Uint8Array(0);
  /** Whether a row is in the matrix; at which of its limits it is; whether the matrix is not up to date. */
  in = new Uint8Array(0);
  side = new Int8Array(0);
  isStale = true;
  /** As joint-geometry.ts has them, where bodies are. */
  frame = new Float64Array(0);
  /** Measured at the start. */
  start = new Float64Array(0);
  /** The speed that a row wants, at the impulse `wantedAt`; how far it gives way to further ones; bounds. */
  wanted = new Float64Array(0);
  wantedAt = new Float64Array(0);
  soft = new Float64Array(0);
  least = new Float64Array(0);
  most = new Float64Array(0);
  impulse = new Float64Array(0);

  constructor(system: ImpulseSystem) {
    this.#system = system;
  }

  /** Takes over joints, with the numbers of the bodies on both sides. */
  open(joints: readonly Joint[], ties: readonly (readonly [number, number])[]): void {
    let rows = 0;
    this.entries = joints.map((joint, i) => {
      const kinds = rowKinds(joint, isSpeed(joint), joint.acting !== undefined);
      const from = rows;
      rows += kinds.length;
      const size = Math.max(joint.a.member?.shape.radius ?? 0, joint.b.member?.shape.radius ?? 0);
      const [a, b] = ties[i];
      return { joint, kinds, from, a, b, size, carried: new Float64Array(6) };
    });
    if (joints.length === 0) return;
    this.#reserve(rows);
    this.side.fill(0);
    this.in.fill(0);
    this.soft.fill(0);
    this.entries.forEach(({ kinds, from }) => {
      this.kinds.set(kinds, from);
    });
    this.write();
  }

  /** Writes rows where bodies are, and measures them. */
  write(): void {
    const { numbers: x } = this.#system;
    for (const { joint, kinds, from, a, b } of this.entries) {
      const [p, q] = [this.#system.frameAt(a), this.#system.frameAt(b)];
      const [bodyA, bodyB] = [this.#system.bodyAt(a), this.#system.bodyAt(b)];
      writeRows(joint, kinds, x, p, q, bodyA, bodyB, this.frame, from);
      measureRows(joint, kinds, x, p, q, this.start, from);
    }
    this.isStale = true;
  }

  /** Takes a row into the matrix, or out of it. */
  setIn(row: number, isIn: boolean): void {
    if ((this.in[row] !== 0) === isIn) return;
    this.in[row] = isIn ? 1 : 0;
    this.isStale = true;
  }

  /** The speed that a row lacks. */
  lackOf(entry: Entry, row: number): number {
    const given = this.soft[row] * (this.impulse[row] - this.wantedAt[row]);
    return this.wanted[row] - this.speedOf(entry, row) - given;
  }

  /** Whether a row holds or turns directions, not places. */
  isTurn(row: number): boolean {
    const at = ROW_SIZE * row;
    return this.frame[at] === 0 && this.frame[at + 1] === 0 && this.frame[at + 2] === 0;
  }

  /** The speed of a's side against b's. */
  speedOf({ a, b }: Entry, row: number): number {
    const { numbers: x } = this.#system;
    const r = this.frame;
    const [i, k, at] = [this.#system.bodyAt(a), this.#system.bodyAt(b), ROW_SIZE * row];
    let speed = 0;
    for (let j = 0; j < 3; j++) {
      speed += r[at + j] * (x[i + j] - x[k + j]);
      speed += r[at + LEVER_A + j] * x[i + SPIN + j] - r[at + LEVER_B + j] * x[k + SPIN + j];
    }
    return speed;
  }

  /** Pushes both bodies apart along a row. */
  push({ a, b }: Entry, row: number, impulse: number): void {
    if (impulse === 0) return;
    const { numbers: x } = this.#system;
    const r = this.frame;
    const [i, k, at] = [this.#system.bodyAt(a), this.#system.bodyAt(b), ROW_SIZE * row];
    this.impulse[row] += impulse;
    for (let j = 0; j < 3; j++) {
      x[i + j] += x[i + INVERSE_MASS] * impulse * r[at + j];
      x[k + j] -= x[k + INVERSE_MASS] * impulse * r[at + j];
      x[i + SPIN + j] += impulse * r[at + ANSWER_A + j];
      x[k + SPIN + j] -= impulse * r[at + ANSWER_B + j];
      x[i + ANGULAR + j] += impulse * r[at + LEVER_A + j];
      x[k + ANGULAR + j] -= impulse * r[at + LEVER_B + j];
    }
  }

  #reserve(rows: number): void {
    if (this.kinds.length === rows) return;
    this.kinds = new Uint8Array(rows);
    this.in = new Uint8Array(rows);
    this.side = new Int8Array(rows);
    this.frame = new Float64Array(ROW_SIZE * rows);
    this.start = new Float64Array(rows);
    this.wanted = new Float64Array(rows);
    this.wantedAt = new Float64Array(rows);
    this.soft = new Float64Array(rows);
    this.least = new Float64Array(rows);
    this.most = new Float64Array(rows);
    this.impulse = new Float64Array(rows);
  }
}

function isSpeed({ motor }: Joint): boolean {
  return motor !== undefined && 'speed' in motor;
}
