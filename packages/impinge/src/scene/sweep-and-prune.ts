/**
 * Which of many boxes come within a distance of each other, kept up to date while they move.
 *
 * Idea: along each axis the ends of all boxes lie in a sorted list. A box that moves a little swaps its ends with few
 * others; a minimum passing a maximum begins or ends an overlap along that axis, and only then are the two boxes
 * compared. Boxes that come or go are collected and merged in one pass before the next question.
 *
 * Layout: end 2 s is the minimum of slot s, 2 s + 1 its maximum; order[axis] lists ends, place[axis] says where each
 * one stands. Closed boxes: at equal coordinates minima stand before maxima.
 * Maxima are kept with the distance added, so that near boxes are overlapping ones.
 * Invariant: lists are sorted and the pairs are exactly the overlapping boxes, except for what waits to be merged.
 */
import { ImpingeError } from '../base/errors.js';
import { assertBoxes, type BroadPhase } from '../volumes/broad-phase.js';

/** Near pairs of a list, by sorting its ends and walking over them once. */
export const sweepAndPrune: BroadPhase = {
  pairs(boxes, distance) {
    assertBoxes(boxes, distance);
    const sweep = new SweepAndPrune(distance);
    const count = boxes.length / 6;
    for (let i = 0; i < count; i++) sweep.insert(i, boxes.subarray(6 * i, 6 * i + 6));
    const found: number[] = [];
    for (let i = 0; i < count; i++) {
      const later = [...sweep.partnersOf(i)].filter((j) => j > i).sort((j, k) => j - k);
      for (const j of later) found.push(i, j);
    }
    return Uint32Array.from(found);
  },
};

export interface SweepStats {
  /** Exchanges of neighbouring ends since the start. */
  swaps: number;
  /** Pairs of boxes compared. */
  boxTests: number;
  /** Times the lists were merged with new boxes, or rid of old ones. */
  merges: number;
}

export class SweepAndPrune {
  readonly stats: SweepStats = { swaps: 0, boxTests: 0, merges: 0 };
  /** Boxes at most so far apart along every axis are near. */
  readonly distance: number;
  #boxes = new Float64Array(0);
  #order: Uint32Array[] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];
  #place: Uint32Array[] = [new Uint32Array(0), new Uint32Array(0), new Uint32Array(0)];
  #endCount = 0;
  /** By slot; those of slots that are not in use are empty. */
  readonly #partners: Set<number>[] = [];
  readonly #inUse: boolean[] = [];
  readonly #coming = new Set<number>();
  readonly #going = new Set<number>();

  constructor(distance = 0) {
    this.distance = distance;
  }

  /** Slots are small integers chosen by the caller; a removed one may be used again. */
  insert(slot: number, box: ArrayLike<number>): void {
    if (this.#going.has(slot)) this.flush();
    this.#reserve(slot + 1);
    this.#write(slot, box);
    this.#partners[slot] = new Set();
    this.#inUse[slot] = true;
    this.#coming.add(slot);
  }

  update(slot: number, box: ArrayLike<number>): void {
    if (!this.#coming.has(slot)) this.flush();
    this.#write(slot, box);
    if (this.#coming.has(slot)) return;
    // ends move in an order in which those of one box never pass each other
    for (let axis = 0; axis < 3; axis++) {
      this.#raise(2 * slot + 1, axis);
      this.#lower(2 * slot, axis);
      this.#raise(2 * slot, axis);
      this.#lower(2 * slot + 1, axis);
    }
  }

  remove(slot: number): void {
    for (const other of this.#partners[slot]) this.#partners[other].delete(slot);
    this.#partners[slot].clear();
    this.#inUse[slot] = false;
    if (!this.#coming.delete(slot)) this.#going.add(slot);
  }

  /** The slots whose boxes are near this one's. */
  partnersOf(slot: number): ReadonlySet<number> {
    this.flush();
    return this.#partners[slot];
  }

  /** Merges what has come and gone. */
  flush(): void {
    if (this.#coming.size === 0 && this.#going.size === 0) return;
    this.stats.merges++;
    const coming = Uint32Array.from([...this.#coming].flatMap((slot) => [2 * slot, 2 * slot + 1]));
    let endCount = 0;
    for (let axis = 0; axis < 3; axis++) {
      const kept = this.#order[axis].subarray(0, this.#endCount).filter((end) => !this.#going.has(end >>> 1));
      coming.sort((p, q) => (this.#before(p, q, axis) ? -1 : this.#before(q, p, axis) ? 1 : p - q));
      endCount = kept.length + coming.length;
      const order = this.#order[axis];
      for (let at = 0, i = 0, j = 0; at < endCount; at++) {
        const takeKept = j === coming.length || (i < kept.length && this.#before(kept[i], coming[j], axis));
        order[at] = takeKept ? kept[i++] : coming[j++];
        this.#place[axis][order[at]] = at;
      }
    }
    this.#endCount = endCount;
    if (this.#coming.size > 0) this.#sweep();
    this.#coming.clear();
    this.#going.clear();
  }

  /** Finds the pairs of those that have come, along the axis where boxes overlap least. */
  #sweep(): void {
    const order = this.#order[this.#sparsestAxis()];
    const active = { coming: [] as number[], rest: [] as number[] };
    const at: number[] = []; // of a slot in its list
    for (let i = 0; i < this.#endCount; i++) {
      const slot = order[i] >>> 1;
      const isNew = this.#coming.has(slot);
      const own = isNew ? active.coming : active.rest;
      if (order[i] & 1) {
        const last = own[own.length - 1];
        own.length--;
        if (last !== slot) {
          own[at[slot]] = last;
          at[last] = at[slot];
        }
        continue;
      }
      for (const other of active.coming) this.#meet(slot, other);
      if (isNew) for (const other of active.rest) this.#meet(slot, other);
      at[slot] = own.length;
      own.push(slot);
    }
  }

  /** Where the sum of the boxes' lengths is least in proportion to the whole. */
  #sparsestAxis(): number {
    let sparsest = 0;
    let least = Infinity;
    for (let axis = 0; axis < 3; axis++) {
      const order = this.#order[axis];
      let sum = 0;
      for (let i = 0; i < this.#endCount; i++)
        sum += order[i] & 1 ? this.#value(order[i], axis) : -this.#value(order[i], axis);
      const whole = this.#value(order[this.#endCount - 1], axis) - this.#value(order[0], axis);
      const density = sum / (whole || Number.MIN_VALUE);
      if (density < least) {
        least = density;
        sparsest = axis;
      }
    }
    return sparsest;
  }

  #raise(end: number, axis: number): void {
    const order = this.#order[axis];
    let at = this.#place[axis][end];
    while (at + 1 < this.#endCount && this.#before(order[at + 1], end, axis)) {
      this.#swap(axis, at);
      this.#passed(end, order[at], (end & 1) === 1);
      at++;
    }
  }

  #lower(end: number, axis: number): void {
    const order = this.#order[axis];
    let at = this.#place[axis][end];
    while (at > 0 && this.#before(end, order[at - 1], axis)) {
      this.#swap(axis, at - 1);
      this.#passed(end, order[at], (end & 1) === 0);
      at--;
    }
  }

  #swap(axis: number, at: number): void {
    const order = this.#order[axis];
    const place = this.#place[axis];
    const left = order[at];
    order[at] = order[at + 1];
    order[at + 1] = left;
    place[order[at]] = at;
    place[left] = at + 1;
    this.stats.swaps++;
  }

  /** `outward`: the end moves away from its own box. A minimum and a maximum that pass begin or end an overlap. */
  #passed(end: number, other: number, outward: boolean): void {
    if ((end & 1) === (other & 1)) return;
    if (outward) this.#meet(end >>> 1, other >>> 1);
    else {
      this.#partners[end >>> 1].delete(other >>> 1);
      this.#partners[other >>> 1].delete(end >>> 1);
    }
  }

  #meet(s: number, t: number): void {
    this.stats.boxTests++;
    const b = this.#boxes;
    for (let k = 0; k < 3; k++) {
      if (b[6 * s + k] > b[6 * t + 3 + k] || b[6 * t + k] > b[6 * s + 3 + k]) return;
    }
    this.#partners[s].add(t);
    this.#partners[t].add(s);
  }

  #before(p: number, q: number, axis: number): boolean {
    const x = this.#value(p, axis);
    const y = this.#value(q, axis);
    return x < y || (x === y && (p & 1) < (q & 1));
  }

  #value(end: number, axis: number): number {
    return this.#boxes[6 * (end >>> 1) + 3 * (end & 1) + axis];
  }

  #write(slot: number, box: ArrayLike<number>): void {
    for (let k = 0; k < 3; k++) {
      this.#boxes[6 * slot + k] = box[k];
      this.#boxes[6 * slot + 3 + k] = box[3 + k] + this.distance;
    }
  }

  #reserve(slots: number): void {
    if (6 * slots <= this.#boxes.length) return;
    const capacity = Math.max(64, 2 * slots);
    const grown = (old: Uint32Array) => {
      const out = new Uint32Array(2 * capacity);
      out.set(old);
      return out;
    };
    const boxes = new Float64Array(6 * capacity);
    boxes.set(this.#boxes);
    this.#boxes = boxes;
    this.#order = this.#order.map(grown);
    this.#place = this.#place.map(grown);
  }

  /** Throws with what is wrong; for tests, after each change. */
  validate(): void {
    this.flush();
    const fail = (why: string) => {
      throw new ImpingeError('bad-input', `sweep and prune: ${why}`);
    };
    for (let axis = 0; axis < 3; axis++) {
      const order = this.#order[axis];
      for (let at = 0; at < this.#endCount; at++) {
        if (this.#place[axis][order[at]] !== at)
          fail(`end ${order[at]} does not stand where it says, axis ${axis}`);
        if (at > 0 && this.#before(order[at], order[at - 1], axis))
          fail(`ends ${at - 1} and ${at} are out of order, axis ${axis}`);
        if (!this.#inUse[order[at] >>> 1]) fail(`end ${order[at]} belongs to no box`);
      }
    }
    const b = this.#boxes;
    this.#partners.forEach((partners, s) => {
      if (!this.#inUse[s]) return;
      for (let t = 0; t < this.#partners.length; t++) {
        if (t === s || !this.#inUse[t]) continue;
        const overlap = [0, 1, 2].every(
          (k) => b[6 * s + k] <= b[6 * t + 3 + k] && b[6 * t + k] <= b[6 * s + 3 + k],
        );
        if (overlap !== partners.has(t)) fail(`boxes ${s} and ${t}: ${overlap ? 'missing' : 'stale'} pair`);
      }
    });
  }
}
