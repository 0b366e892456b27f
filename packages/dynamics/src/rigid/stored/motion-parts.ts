/** Parts of the motion of two bodies, and their relative motion in it. */
import { turnAt, turnBetween, writeMatrix } from '../../bodies/rotation.js';
import type { BodyShape, PairMotion } from '../contact-engine.js';
import { writeQuaternion } from '../placing.js';

/** Relative: more than rounding does to angles and lengths. */
const ROUNDING = 1e-9;

export class MotionParts {
  /** No two points of the bodies come nearer to each other by more than this. */
  readonly length: number;
  /**
   * The ratio of the fastest relative motion of b's points to the distance between both ends of the motion, minus one.
   */
  readonly bend: number;
  readonly #a: Way;
  readonly #b: Way;

  constructor(a: BodyShape, b: BodyShape, motion: PairMotion) {
    const { fromA, toA, fromB, toB } = motion;
    this.#a = new Way(fromA, toA);
    this.#b = new Way(fromB, toB);
    let waySq = 0;
    for (let k = 9; k < 12; k++) waySq += (toB[k] - fromB[k] - toA[k] + fromA[k]) ** 2;
    this.length =
      (Math.sqrt(waySq) + this.#a.angle * a.radius + this.#b.angle * b.radius) * (1 + ROUNDING) +
      Number.MIN_VALUE;
    // a point at r that turns by φ at a constant rate is pulled inwards by φ² r, so it is faster than its chord by half
    // of that
    this.bend = (0.5 * this.#b.angle ** 2 * b.radius + this.#a.angle * a.radius) * (1 + ROUNDING);
  }

  /** Where the bodies are after a share of the motion. */
  a(share: number): Float64Array {
    return this.#a.at(share);
  }
  b(share: number): Float64Array {
    return this.#b.at(share);
  }

  /** The motion between two shares. */
  between(from: number, to: number): PairMotion {
    return { fromA: this.a(from), toA: this.a(to), fromB: this.b(from), toB: this.b(to) };
  }
}

/** A motion that turns at a constant rate about a centre that moves straight. */
class Way {
  readonly angle: number;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #start = new Float64Array(4);
  readonly #turn: readonly [number, number, number];

  constructor(from: Float64Array, to: Float64Array) {
    this.#from = from.slice();
    this.#to = to.slice();
    const end = new Float64Array(4);
    writeQuaternion(from, this.#start, 0);
    writeQuaternion(to, end, 0);
    this.#turn = turnBetween(this.#start, end);
    this.angle = Math.hypot(...this.#turn);
  }

  at(share: number): Float64Array {
    if (share === 0) return this.#from;
    if (share === 1) return this.#to;
    const [x, y, z] = this.#turn;
    const q = this.#start.slice();
    turnAt(q, 0, share * x, share * y, share * z);
    const pose = new Float64Array(12);
    writeMatrix(q, 0, pose, 0);
    for (let k = 9; k < 12; k++) pose[k] = this.#from[k] + share * (this.#to[k] - this.#from[k]);
    return pose;
  }
}

/** The distance of two poses in some of their numbers. */
export function apart(p: Float64Array, q: Float64Array, from: number, to: number): number {
  let sq = 0;
  for (let k = from; k < to; k++) sq += (p[k] - q[k]) ** 2;
  return Math.sqrt(sq);
}

/** A bound on the displacement of any point of b, in the frame of a, between two poses. */
export function movedBetween({ radius }: BodyShape, from: Float64Array, to: Float64Array): number {
  // a matrix moves a point by at most its Frobenius norm, times the point's distance from the centre
  return (apart(from, to, 9, 12) + apart(from, to, 0, 9) * radius) * (1 + ROUNDING);
}
