/**
 * Which bodies may touch in a step: boxes of their motions, in a tree that changes little from step to step.
 *
 * A box in the tree is larger than necessary, and is changed only when the motion leaves it. So resting bodies cost
 * nothing here. Boxes reach ahead of a motion and hardly beside it, so that bodies that fall together are not near.
 * Layout: by slot, six numbers: minimum and maximum. `#still` are boxes at the start of the step, `#swept` contain the
 * motion and half the search distance on either side, `#listed` are those in the tree.
 */
import { MovingBoxes } from 'impinge/internal/scene/moving-boxes.js';
import { PairFilter } from '../bodies/pair-filter.js';
import type { StateReader, StateWriter } from '../bodies/state-bytes.js';
import type { BodyTable } from './body-table.js';
import type { ChooseEngine } from './contact-engine.js';
import type { Member } from './member.js';
import { NearPair } from './near-pair.js';

/** Relative to coordinates: more than rounding does to a box. */
const ROUNDING = 1e-12;
/** Minimum distance in thicknesses: bodies added nearer to each other are moved apart that far. */
const NEAREST = 1 / 8;

/** By index: whether bodies move, and a bound on the total path of their points. */
export interface Travelling {
  readonly members: readonly Member[];
  readonly awake: Uint8Array;
  readonly travelled: Float64Array;
}

export class NearBodies {
  readonly #thickness: number;
  readonly #engineOf: ChooseEngine;
  readonly #filter: PairFilter;
  readonly #tree = new MovingBoxes(() => this.#listed);
  /** By slot: the slots of bodies whose boxes meet its own, except for those in `#moved`. */
  readonly #partners: Set<number>[] = [];
  readonly #moved = new Set<number>();
  readonly #found: number[] = [];
  /** By slot: the pairs with bodies that come after it, in order; not of those whose partners have changed since. */
  readonly #rows: NearPair[][] = [];
  readonly #outdated = new Set<number>();
  /** By the slots of both. */
  readonly #known: Map<number, NearPair>[] = [];
  readonly #bySlot: (Member | undefined)[] = [];
  #still = new Float64Array(0);
  #swept = new Float64Array(0);
  #listed = new Float64Array(0);
  #pairs: NearPair[] = [];
  #ends = new Uint32Array(0);
  #clearUntil = new Float64Array(0);
  #apartUntil = new Float64Array(0);
  #idle = new Uint8Array(0);
  #changed = true;
  /** The largest absolute coordinate of any body so far. */
  farthestOfAll = 0;

  constructor(thickness: number, engineOf: ChooseEngine, filter = new PairFilter()) {
    this.#thickness = thickness;
    this.#engineOf = engineOf;
    this.#filter = filter;
  }

  /** Records a body's pose at the start of a step, and how its points may move (see `widen`). */
  place(member: Member, { place, matrix }: BodyTable, motion: Float64Array): void {
    const { slot, index, shape } = member;
    this.#reserve(slot);
    const { min, max } = shape.box;
    const still = this.#still;
    for (let k = 0; k < 3; k++) {
      const m = 9 * index + 3 * k;
      let middle = place[3 * index + k];
      let half = 0;
      let size = Math.abs(middle);
      for (let j = 0; j < 3; j++) {
        middle += matrix[m + j] * (0.5 * (min[j] + max[j]) - shape.centre[j]);
        half += Math.abs(matrix[m + j]) * 0.5 * (max[j] - min[j]);
        size += Math.abs(min[j]) + Math.abs(max[j]);
      }
      half += ROUNDING * size;
      still[6 * slot + k] = middle - half;
      still[6 * slot + 3 + k] = middle + half;
    }
    if (this.#bySlot[slot] !== member) this.#outdated.add(slot);
    this.#bySlot[slot] = member;
    this.#known[slot] ??= new Map();
    this.widen(member, motion);
  }

  /**
   * Has a box hold a motion from where its body began the step: the least displacements of its points along the axes,
   * and the greatest.
   */
  widen({ slot }: Member, motion: Float64Array): void {
    const at = 6 * slot;
    const margin = this.#thickness;
    let inside = true;
    for (let k = 0; k < 3; k++) {
      this.#swept[at + k] = this.#still[at + k] + motion[k] - margin;
      this.#swept[at + 3 + k] = this.#still[at + 3 + k] + motion[3 + k] + margin;
      this.farthestOfAll = Math.max(this.farthestOfAll, -this.#swept[at + k], this.#swept[at + 3 + k]);
      inside &&=
        this.#listed[at + k] <= this.#swept[at + k] && this.#listed[at + 3 + k] >= this.#swept[at + 3 + k];
    }
    if (inside) return;
    for (let k = 0; k < 3; k++) {
      this.#listed[at + k] = this.#swept[at + k] + motion[k] - margin;
      this.#listed[at + 3 + k] = this.#swept[at + 3 + k] + motion[3 + k] + margin;
    }
    this.#tree.touch(slot);
    this.#moved.add(slot);
    this.#changed = true;
  }

  /** Whether the motions of two bodies may bring them within the thickness. */
  mayTouch(a: Member, b: Member): boolean {
    return this.#meet(a.slot, b.slot);
  }

  #meet(s: number, t: number): boolean {
    const x = this.#swept;
    for (let k = 0; k < 3; k++) {
      if (x[6 * s + k] > x[6 * t + 3 + k] || x[6 * t + k] > x[6 * s + 3 + k]) return false;
    }
    return true;
  }

  /** The largest coordinate of a body, without sign. */
  farthest({ slot }: Member): number {
    let most = 0;
    for (let k = 6 * slot; k < 6 * slot + 6; k++) most = Math.max(most, Math.abs(this.#swept[k]));
    return most;
  }

  /** Pairs of bodies that meet and may touch, of which one at least is free to move, in the order of the bodies. */
  pairs(members: readonly Member[]): readonly NearPair[] {
    if (!this.#changed) return this.#pairs;
    this.#changed = false;
    this.#meetAnew();
    if (this.#outdated.size === 0) return this.#pairs;
    for (const slot of this.#outdated) this.#renewRow(this.#bySlot[slot] as Member);
    this.#outdated.clear();
    const pairs: NearPair[] = (this.#pairs = []);
    for (const { slot } of members) {
      for (const pair of this.#rows[slot] ?? []) {
        pair.place = pairs.length;
        pairs.push(pair);
      }
    }
    if (this.#clearUntil.length < pairs.length) {
      const room = Math.ceil(1.5 * pairs.length);
      this.#ends = new Uint32Array(4 * room);
      this.#idle = new Uint8Array(room);
      this.#clearUntil = new Float64Array(room);
      this.#apartUntil = new Float64Array(room);
    }
    for (let i = 0; i < pairs.length; i++) {
      const { a, b } = pairs[i];
      this.#ends[4 * i] = a.index;
      this.#ends[4 * i + 1] = b.index;
      this.#ends[4 * i + 2] = a.slot;
      this.#ends[4 * i + 3] = b.slot;
      this.#note(pairs[i]);
    }
    return pairs;
  }

  /** Finds the partners of bodies whose boxes have changed. */
  #meetAnew(): void {
    for (const slot of this.#moved) this.#partners[slot] ??= new Set();
    const found = this.#found;
    for (const slot of this.#moved) {
      const own = this.#partners[slot];
      found.length = 0;
      this.#tree.forEachNear(this.#listed, 6 * slot, 0, (other) => {
        if (other !== slot) found.push(other);
      });
      let kept = 0;
      for (const other of found) if (own.has(other)) kept++;
      if (kept < own.size) {
        const here = new Set(found);
        for (const other of own) if (!here.has(other)) this.#part(slot, other);
      }
      if (kept === found.length) continue;
      for (const other of found) {
        if (own.has(other)) continue;
        own.add(other);
        this.#partners[other].add(slot);
        this.#outdate(slot, other);
      }
    }
    this.#moved.clear();
  }

  /** Two are no longer partners. */
  #part(slot: number, other: number): void {
    this.#partners[slot].delete(other);
    this.#partners[other].delete(slot);
    this.#outdate(slot, other);
  }

  /** The row of the earlier one of two bodies lists both. */
  #outdate(slot: number, other: number): void {
    const [a, b] = [this.#bySlot[slot] as Member, this.#bySlot[other] as Member];
    this.#outdated.add(a.index < b.index ? slot : other);
  }

  #forgetPartners(slot: number): void {
    for (const other of [...(this.#partners[slot] ?? [])]) this.#part(slot, other);
  }

  /** Lists the pairs of a body with those after it, new and existing ones. */
  #renewRow(member: Member): void {
    const { slot, index } = member;
    const known = this.#known[slot];
    const row: NearPair[] = (this.#rows[slot] = []);
    for (const pair of known.values()) pair.place = -1;
    for (const at of this.#partners[slot]) {
      const other = this.#bySlot[at] as Member;
      if (other.index <= index || !(member.rigid || other.rigid)) continue;
      if (!this.#filter.meet(member.body, other.body)) continue;
      const pair = known.get(at) ?? this.#begin(member, other);
      pair.place = 0;
      row.push(pair);
    }
    row.sort((p, q) => p.b.index - q.b.index);
    for (const pair of known.values()) if (pair.place < 0) this.#drop(pair);
  }

  #begin(a: Member, b: Member): NearPair {
    const pair = new NearPair(a, b, this.#engineOf(a.shape, b.shape), NEAREST * this.#thickness);
    this.#known[a.slot].set(b.slot, pair);
    return pair;
  }

  /**
   * The pairs with a body awake that touch, or are not certainly farther apart than a distance, given the paths of
   * their points; also those that have parted and do not know yet.
   */
  within(distance: number, bodies: Travelling, motion: Float64Array): NearPair[] {
    return this.#not(this.#clearUntil, distance, bodies, motion, false);
  }

  /** The pairs that may touch, without those that have contacts and yet are farther apart. */
  notApart(distance: number, bodies: Travelling, motion: Float64Array): NearPair[] {
    return this.#not(this.#apartUntil, distance, bodies, motion, true);
  }

  #not(
    until: Float64Array,
    distance: number,
    { members, awake, travelled }: Travelling,
    motion: Float64Array,
    meeting: boolean,
  ): NearPair[] {
    const pairs = this.pairs(members);
    const near: NearPair[] = [];
    const ends = this.#ends;
    for (let i = 0; i < pairs.length; i++) {
      const a = ends[4 * i];
      const b = ends[4 * i + 1];
      if (awake[a] === 0 && awake[b] === 0) continue;
      if (until[i] - travelled[a] - travelled[b] > motion[a] + motion[b] + distance) continue;
      if ((meeting || this.#idle[i] !== 0) && !this.#meet(ends[4 * i + 2], ends[4 * i + 3])) continue;
      near.push(pairs[i]);
    }
    return near;
  }

  /** Pairs that have contacts, of which one at least is awake, as far as pairs are listed. */
  touching({ awake }: Travelling): NearPair[] {
    const touching: NearPair[] = [];
    const ends = this.#ends;
    for (let i = 0; i < this.#pairs.length; i++) {
      if (awake[ends[4 * i]] === 0 && awake[ends[4 * i + 1]] === 0) continue;
      if (this.#pairs[i].set.count > 0) touching.push(this.#pairs[i]);
    }
    return touching;
  }

  /** Records the distance of two bodies. */
  keepApart(pair: NearPair): void {
    const { a, b, apart, areBalls, block, set } = pair;
    pair.apartUntil = apart > 0 ? apart + a.travelled + b.travelled : -Infinity;
    pair.clearUntil = (block || areBalls) && set.count === 0 ? pair.apartUntil : -Infinity;
    this.#note(pair);
  }

  #note({ place, apartUntil, clearUntil, reach, set, target }: NearPair): void {
    this.#apartUntil[place] = apartUntil;
    this.#clearUntil[place] = clearUntil;
    this.#idle[place] = reach === 0 && set.count === 0 && target === this.#thickness ? 1 : 0;
  }

  /** No distance is certain any more. */
  forgetDistances(): void {
    for (const pair of this.#pairs) {
      pair.apart = 0;
      this.keepApart(pair);
    }
  }

  /** Discards everything found about a body. */
  forget(member: Member): void {
    for (const pair of this.#pairs) {
      if (pair.a !== member && pair.b !== member) continue;
      pair.forget();
      pair.target = NEAREST * this.#thickness;
      this.#changed = true;
    }
  }

  /** The bodies near a body. */
  around(member: Member): Member[] {
    return this.#pairs
      .filter(({ a, b }) => a === member || b === member)
      .map(({ a, b }) => (a === member ? b : a));
  }

  /** Asks anew which bodies meet, and in which order they are. */
  sift(): void {
    for (const { slot } of this.#bySlot.filter((member) => member !== undefined)) this.#outdated.add(slot);
    this.#changed = true;
  }

  /** Removes a body; returns the bodies near it. */
  remove(member: Member): Member[] {
    const others = this.around(member);
    if (this.#bySlot[member.slot]) {
      this.#tree.remove(member.slot);
      this.#moved.delete(member.slot);
      this.#forgetPartners(member.slot);
      this.#outdated.delete(member.slot);
    }
    this.#bySlot[member.slot] = undefined;
    this.#rows[member.slot] = [];
    this.#listed.fill(Number.NaN, 6 * member.slot, 6 * member.slot + 6);
    for (const known of this.#known) {
      for (const pair of known.values()) if (pair.a === member || pair.b === member) this.#drop(pair);
    }
    this.#pairs = [];
    this.sift();
    return others;
  }

  /** Writes boxes and pairs. */
  save(out: StateWriter, members: readonly Member[]): void {
    out.number(this.farthestOfAll);
    for (const { slot } of members) {
      const isThere = this.#bySlot[slot] !== undefined;
      out.flag(isThere);
      if (isThere) for (const boxes of this.#boxes) out.array(boxes.subarray(6 * slot, 6 * slot + 6));
    }
    const numberOf = new Map(members.map((member, i) => [member, i]));
    const known = this.known;
    out.number(known.length);
    out.number(this.#pairs.length);
    for (const pair of known) {
      out.number(numberOf.get(pair.a) as number);
      out.number(numberOf.get(pair.b) as number);
      pair.save(out);
    }
  }

  restore(from: StateReader, members: readonly Member[]): void {
    this.dispose();
    for (const { slot } of members) if (this.#bySlot[slot]) this.#forgetPartners(slot);
    this.#moved.clear();
    this.#outdated.clear();
    this.farthestOfAll = from.number();
    for (const member of members) {
      const { slot } = member;
      const isThere = from.flag();
      this.#reserve(slot);
      if (this.#bySlot[slot]) this.#tree.remove(slot);
      this.#bySlot[slot] = isThere ? member : undefined;
      for (const boxes of this.#boxes) {
        if (isThere) from.into(boxes.subarray(6 * slot, 6 * slot + 6));
        else boxes.fill(Number.NaN, 6 * slot, 6 * slot + 6);
      }
      this.#known[slot] ??= new Map();
      if (!isThere) continue;
      this.#tree.touch(slot);
      this.#moved.add(slot);
    }
    const count = from.number();
    const listed = from.number();
    const known = Array.from({ length: count }, () => {
      const [a, b] = [members[from.number()], members[from.number()]];
      const pair = new NearPair(a, b, this.#engineOf(a.shape, b.shape), 0);
      this.#known[a.slot].set(b.slot, pair);
      pair.restore(from);
      return pair;
    });
    this.#pairs = known.slice(0, listed);
    this.sift();
  }

  /** Pairs of which something is known: those in the list first. */
  get known(): NearPair[] {
    const all = new Set(this.#pairs);
    for (const pairs of this.#known) if (pairs) for (const pair of pairs.values()) all.add(pair);
    return [...all];
  }

  get #boxes(): Float64Array[] {
    return [this.#still, this.#swept, this.#listed];
  }

  dispose(): void {
    for (const known of this.#known) for (const pair of known.values()) this.#drop(pair);
  }

  #drop({ a, b, engine }: NearPair): void {
    this.#known[a.slot].delete(b.slot);
    engine.dispose?.();
  }

  #reserve(slot: number): void {
    if (6 * slot < this.#still.length) return;
    const room = 6 * Math.max(16, 2 * slot);
    const larger = (old: Float64Array) => {
      const fresh = new Float64Array(room).fill(Number.NaN);
      fresh.set(old);
      return fresh;
    };
    this.#still = larger(this.#still);
    this.#swept = larger(this.#swept);
    this.#listed = larger(this.#listed);
  }
}
