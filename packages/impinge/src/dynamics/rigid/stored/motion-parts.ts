/** Parts of the motion of two bodies, and how far it takes them against each other. */

import { turnBetween } from '../../rotation.js';
import { turnAt, writeMatrix } from '../body-table.js';
import type { PairMotion, Shape } from '../contact-engine.js';
import { writeQuaternion } from '../placing.js';

/** Relative: more than rounding does to angles and lengths. */
const ROUNDING = 1e-9;

export class MotionParts {
  /** No two points of the bodies come nearer to each other by more than this. */
  readonly length: number;
  readonly #a: Way;
  readonly #b: Way;
  readonly #radiusA: number;
  readonly #shapeB: Shape;

  constructor(a: Shape, b: Shape, motion: PairMotion) {
    const { fromA, toA, fromB, toB } = motion;
    this.#radiusA = a.radius;
    this.#shapeB = b;
    this.#a = new Way(fromA, toA);
    this.#b = new Way(fromB, toB);
    let waySq = 0;
    for (let k = 9; k < 12; k++) waySq += (toB[k] - fromB[k] - toA[k] + fromA[k]) ** 2;
    this.length =
      (Math.sqrt(waySq) + this.#a.angle * a.radius + this.#b.angle * b.radius) * (1 + ROUNDING) +
      Number.MIN_VALUE;
  }

  /** How far two points may be nearer to each other here than in another motion of the same bodies, at the same share of both. */
  strayFrom(other: MotionParts): number {
    const [shiftA, turnA] = this.#a.strayFrom(other.#a);
    const [shiftB, turnB] = this.#b.strayFrom(other.#b);
    return (shiftA + shiftB + turnA * this.#radiusA + turnB * this.#shapeB.radius) * (1 + ROUNDING);
  }

  /** How far what is no farther than `out` from a box of b, in the coordinates it was made in, moves against a, at its fastest. */
  lengthOf(box: Float64Array, at: number, out: number): number {
    const { fromA, toA, fromB, toB } = this.between(0, 1);
    const { centre, radius } = this.#shapeB;
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = box[at + (corner & 1 ? 3 : 0)] - centre[0];
      const y = box[at + (corner & 2 ? 4 : 1)] - centre[1];
      const z = box[at + (corner & 4 ? 5 : 2)] - centre[2];
      let sq = 0;
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        const by =
          (toB[r] - fromB[r]) * x +
          (toB[r + 1] - fromB[r + 1]) * y +
          (toB[r + 2] - fromB[r + 2]) * z +
          (toB[9 + k] - fromB[9 + k] - toA[9 + k] + fromA[9 + k]);
        sq += by * by;
      }
      most = Math.max(most, sq);
    }
    // a point at r that turns by φ at a constant rate is pulled inwards by φ² r, so it is faster than its chord by half of that
    const bend = 0.5 * this.#b.angle ** 2 * radius;
    const beside = this.#b.angle * out;
    return (Math.sqrt(most) + bend + beside + this.#a.angle * this.#radiusA) * (1 + ROUNDING);
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

  /** How far the centre is from where another way has it, at most, and how far from it a point one away from the centre. */
  strayFrom(other: Way): [shift: number, turn: number] {
    const shift = Math.max(apart(this.#from, other.#from, 9, 12), apart(this.#to, other.#to, 9, 12));
    const [[x, y, z], [u, v, w]] = [this.#turn, other.#turn];
    // |exp(t φ) − exp(t ψ)| ≤ t |φ − ψ|
    return [shift, apart(this.#from, other.#from, 0, 9) + Math.hypot(x - u, y - v, z - w)];
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

function apart(p: Float64Array, q: Float64Array, from: number, to: number): number {
  let sq = 0;
  for (let k = from; k < to; k++) sq += (p[k] - q[k]) ** 2;
  return Math.sqrt(sq);
}

/** How far any point of b is, in the frame of a, from where it was at another pose. */
export function movedBetween({ radius }: Shape, from: Float64Array, to: Float64Array): number {
  // a matrix moves a point by no more than the root of the sum of its squares, times how far it is from the centre
  return (apart(from, to, 9, 12) + apart(from, to, 0, 9) * radius) * (1 + ROUNDING);
}
