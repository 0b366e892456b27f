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

/** States of pairs: they have contacts; nothing is known of them, and nothing to be forgotten. */
const TOUCHES = 1;
const IDLE = 2;
/** Room for pairs at first. */
const ROOM = 64;

/** How far two balls are apart, by index and the sum of their radii; -1 where that may not be far enough. */
export type BallsApart = (a: number, b: number, radii: number) => number;

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
  readonly #partners: number[][] = [];
  readonly #moved = new Set<number>();
  readonly #found: number[] = [];
  /** By slot: a number of the search that last found it, and of the one whose partner it was before. */
  #foundIn = new Float64Array(0);
  #partnerIn = new Float64Array(0);
  #searches = 0;
  /** By slot: the places of pairs with bodies after it, in order; not of those whose partners have changed since. */
  readonly #rows: number[][] = [];
  readonly #outdated = new Set<number>();
  /** Whether any two bodies may meet now that did not before, or the other way round. */
  #sifts = false;
  readonly #bySlot: (Member | undefined)[] = [];
  /** By place: pairs keep theirs. */
  readonly #byPlace: (NearPair | undefined)[] = [];
  readonly #freePlaces: number[] = [];
  /** By place: indices of both bodies, and their slots. */
  #ends = new Uint32Array(4 * ROOM);
  /** The last known distance plus both paths by then; `#clearUntil` is -Infinity where there are contacts. */
  #apartUntil = new Float64Array(ROOM);
  #clearUntil = new Float64Array(ROOM);
  /** Of balls, the sum of their radii; else 0. */
  #radii = new Float64Array(ROOM);
  #states = new Uint8Array(ROOM);
  /** By slot: while a row is renewed, the place of the pair with it, plus one. */
  #placeOf = new Int32Array(0);
  /** The places of pairs that are listed, in the order of the bodies; and these pairs, where they were asked for. */
  #order: number[] = [];
  #pairs: readonly NearPair[] | undefined;
  #still = new Float64Array(0);
  #swept = new Float64Array(0);
  #listed = new Float64Array(0);
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
    this.#list(members);
    return (this.#pairs ??= this.#order.map((place) => this.#byPlace[place] as NearPair));
  }

  #list(members: readonly Member[]): void {
    if (!this.#changed) return;
    this.#changed = false;
    this.#meetAnew();
    if (this.#outdated.size === 0) return;
    for (const slot of this.#outdated) this.#renewRow(this.#bySlot[slot] as Member);
    this.#outdated.clear();
    this.#sifts = false;
    this.#pairs = undefined;
    const order = this.#order;
    let count = 0;
    for (const { slot } of members) {
      const row = this.#rows[slot];
      if (row) for (const place of row) order[count++] = place;
    }
    order.length = count;
  }

  /** Finds the partners of bodies whose boxes have changed. */
  #meetAnew(): void {
    for (const slot of this.#moved) this.#partners[slot] ??= [];
    const found = this.#found;
    const [foundIn, partnerIn] = [this.#foundIn, this.#partnerIn];
    for (const slot of this.#moved) {
      const own = this.#partners[slot];
      const search = ++this.#searches;
      found.length = 0;
      this.#tree.forEachNear(this.#listed, 6 * slot, 0, (other) => {
        if (other === slot) return;
        foundIn[other] = search;
        found.push(other);
      });
      for (const other of own) partnerIn[other] = search;
      for (let i = own.length - 1; i >= 0; i--) if (foundIn[own[i]] !== search) this.#part(slot, own[i]);
      for (const other of found) {
        if (partnerIn[other] === search) continue;
        own.push(other);
        this.#partners[other].push(slot);
        this.#outdate(slot, other);
      }
    }
    this.#moved.clear();
  }

  /** Two are no longer partners. */
  #part(slot: number, other: number): void {
    takeOut(this.#partners[slot], other);
    takeOut(this.#partners[other], slot);
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
    const placeOf = this.#placeOf;
    const old = this.#rows[slot] ?? [];
    const row: number[] = (this.#rows[slot] = []);
    for (const place of old) placeOf[this.#ends[4 * place + 3]] = place + 1;
    for (const at of this.#partners[slot]) {
      const other = this.#bySlot[at] as Member;
      if (other.index <= index || !(member.rigid || other.rigid)) continue;
      const known = placeOf[at] - 1;
      if ((known < 0 || this.#sifts) && !this.#filter.meet(member.body, other.body)) continue;
      placeOf[at] = 0;
      const place = known < 0 ? this.#begin(member, other) : known;
      this.#ends[4 * place] = index;
      this.#ends[4 * place + 1] = other.index;
      row.push(place);
    }
    const ends = this.#ends;
    row.sort((p, q) => ends[4 * p + 1] - ends[4 * q + 1]);
    for (const place of old) {
      const at = ends[4 * place + 3];
      if (placeOf[at] === 0) continue;
      placeOf[at] = 0;
      this.#drop(place);
    }
  }

  #begin(a: Member, b: Member): number {
    return this.#enter(new NearPair(a, b, this.#engineOf(a.shape, b.shape), NEAREST * this.#thickness));
  }

  /** Gives a pair its place. */
  #enter(pair: NearPair): number {
    const { a, b } = pair;
    const place = this.#freePlaces.pop() ?? this.#byPlace.length;
    if (place === this.#states.length) this.#makeRoom(2 * place);
    pair.place = place;
    this.#byPlace[place] = pair;
    this.#ends.set([a.index, b.index, a.slot, b.slot], 4 * place);
    this.#radii[place] = pair.areBalls ? a.shape.radius + b.shape.radius : 0;
    this.#apartUntil[place] = this.#clearUntil[place] = -Infinity;
    this.#note(pair);
    return place;
  }

  #makeRoom(room: number): void {
    const larger = <Kind extends Float64Array | Uint32Array | Uint8Array>(fresh: Kind, old: Kind): Kind => {
      fresh.set(old);
      return fresh;
    };
    this.#ends = larger(new Uint32Array(4 * room), this.#ends);
    this.#apartUntil = larger(new Float64Array(room), this.#apartUntil);
    this.#clearUntil = larger(new Float64Array(room), this.#clearUntil);
    this.#radii = larger(new Float64Array(room), this.#radii);
    this.#states = larger(new Uint8Array(room), this.#states);
  }

  /**
   * The pairs with a body awake that touch, or are not certainly farther apart than a distance, given the paths of
   * their points; also those that have parted and do not know yet. Of balls of which nothing is known, those that
   * `ballsApart` does not tell to be so far apart that nothing can be found.
   */
  within(distance: number, bodies: Travelling, motion: Float64Array, ballsApart: BallsApart): NearPair[] {
    const { members, awake, travelled } = bodies;
    this.#list(members);
    const near: NearPair[] = [];
    const [ends, until, states, radii] = [this.#ends, this.#clearUntil, this.#states, this.#radii];
    for (const place of this.#order) {
      const a = ends[4 * place];
      const b = ends[4 * place + 1];
      if (awake[a] === 0 && awake[b] === 0) continue;
      const paths = travelled[a] + travelled[b];
      if (until[place] - paths > motion[a] + motion[b] + distance) continue;
      if ((states[place] & IDLE) !== 0) {
        if (!this.#meet(ends[4 * place + 2], ends[4 * place + 3])) continue;
        const apart = radii[place] > 0 ? ballsApart(a, b, radii[place]) : -1;
        if (apart > 0) {
          this.#apartUntil[place] = until[place] = apart + paths;
          continue;
        }
      }
      near.push(this.#byPlace[place] as NearPair);
    }
    return near;
  }

  /**
   * The pairs that may touch, without those that have contacts and yet are farther apart, and without balls that
   * `ballsApart` tells to be.
   */
  notApart(distance: number, bodies: Travelling, motion: Float64Array, ballsApart: BallsApart): NearPair[] {
    const { members, awake, travelled } = bodies;
    this.#list(members);
    const near: NearPair[] = [];
    const [ends, until, radii] = [this.#ends, this.#apartUntil, this.#radii];
    for (const place of this.#order) {
      const a = ends[4 * place];
      const b = ends[4 * place + 1];
      if (awake[a] === 0 && awake[b] === 0) continue;
      if (until[place] - travelled[a] - travelled[b] > motion[a] + motion[b] + distance) continue;
      if (!this.#meet(ends[4 * place + 2], ends[4 * place + 3])) continue;
      if (radii[place] > 0 && ballsApart(a, b, radii[place]) > 0) continue;
      near.push(this.#byPlace[place] as NearPair);
    }
    return near;
  }

  /** Pairs that have contacts, of which one at least is awake, as far as pairs are listed. */
  touching({ awake }: Travelling): NearPair[] {
    const touching: NearPair[] = [];
    const ends = this.#ends;
    for (const place of this.#order) {
      if ((this.#states[place] & TOUCHES) === 0) continue;
      if (awake[ends[4 * place]] === 0 && awake[ends[4 * place + 1]] === 0) continue;
      touching.push(this.#byPlace[place] as NearPair);
    }
    return touching;
  }

  /** A lower bound on the distance of two bodies, given the paths of their points. */
  leastApart({ a, b, place }: NearPair): number {
    return Math.max(0, this.#apartUntil[place] - a.travelled - b.travelled);
  }

  /** Records the distance of two bodies. */
  keepApart(pair: NearPair): void {
    const { a, b, apart, areBalls, block, place, set } = pair;
    const until = apart > 0 ? apart + a.travelled + b.travelled : -Infinity;
    this.#apartUntil[place] = until;
    this.#clearUntil[place] = (block || areBalls) && set.count === 0 ? until : -Infinity;
    this.#note(pair);
  }

  #note({ place, reach, set, target }: NearPair): void {
    const isIdle = reach === 0 && set.count === 0 && target === this.#thickness;
    this.#states[place] = set.count > 0 ? TOUCHES : isIdle ? IDLE : 0;
  }

  /** No distance is certain any more. */
  forgetDistances(): void {
    for (const place of this.#order) {
      const pair = this.#byPlace[place] as NearPair;
      pair.apart = 0;
      this.keepApart(pair);
    }
  }

  /** Discards everything found about a body. */
  forget(member: Member): void {
    for (const pair of this.#with(member)) {
      pair.forget();
      pair.target = NEAREST * this.#thickness;
      this.keepApart(pair);
    }
  }

  /** The bodies near a body. */
  around(member: Member): Member[] {
    return this.#with(member).map(({ a, b }) => (a === member ? b : a));
  }

  /** The listed pairs of a body. */
  #with({ slot }: Member): NearPair[] {
    const ends = this.#ends;
    return this.#order
      .filter((place) => ends[4 * place + 2] === slot || ends[4 * place + 3] === slot)
      .map((place) => this.#byPlace[place] as NearPair);
  }

  /** Asks anew which bodies meet, and in which order they are. */
  sift(): void {
    for (const { slot } of this.#bySlot.filter((member) => member !== undefined)) this.#outdated.add(slot);
    this.#changed = this.#sifts = true;
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
    this.#listed.fill(Number.NaN, 6 * member.slot, 6 * member.slot + 6);
    for (const [slot, row] of this.#rows.entries()) {
      if (!row) continue;
      const goes = (place: number) => slot === member.slot || this.#ends[4 * place + 3] === member.slot;
      for (const place of row) if (goes(place)) this.#drop(place);
      this.#rows[slot] = row.filter((place) => !goes(place));
    }
    this.#clearList();
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
    out.number(this.#order.length);
    for (const pair of known) {
      out.number(numberOf.get(pair.a) as number);
      out.number(numberOf.get(pair.b) as number);
      out.number(this.#apartUntil[pair.place]);
      out.number(this.#clearUntil[pair.place]);
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
      if (!isThere) continue;
      this.#tree.touch(slot);
      this.#moved.add(slot);
    }
    const count = from.number();
    const listed = from.number();
    const places = Array.from({ length: count }, () => {
      const [a, b] = [members[from.number()], members[from.number()]];
      const [apartUntil, clearUntil] = [from.number(), from.number()];
      const pair = new NearPair(a, b, this.#engineOf(a.shape, b.shape), 0);
      pair.restore(from);
      const place = this.#enter(pair);
      this.#apartUntil[place] = apartUntil;
      this.#clearUntil[place] = clearUntil;
      (this.#rows[a.slot] ??= []).push(place);
      return place;
    });
    this.#order = places.slice(0, listed);
    this.sift();
  }

  /** Pairs of which something is known: those in the list first. */
  get known(): NearPair[] {
    const places = new Set(this.#order);
    for (const row of this.#rows) if (row) for (const place of row) places.add(place);
    return Array.from(places, (place) => this.#byPlace[place] as NearPair);
  }

  get #boxes(): Float64Array[] {
    return [this.#still, this.#swept, this.#listed];
  }

  dispose(): void {
    for (const row of this.#rows) if (row) for (const place of row) this.#drop(place);
    this.#rows.length = 0;
    this.#clearList();
  }

  #drop(place: number): void {
    this.#byPlace[place]?.engine.dispose?.();
    this.#byPlace[place] = undefined;
    this.#freePlaces.push(place);
  }

  #clearList(): void {
    this.#order = [];
    this.#pairs = undefined;
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
    this.#foundIn = new Float64Array(room / 6);
    this.#partnerIn = new Float64Array(room / 6);
    this.#placeOf = new Int32Array(room / 6);
  }
}

/** Takes one of different numbers out of a list, whose order does not matter. */
function takeOut(list: number[], number: number): void {
  const at = list.indexOf(number);
  const last = list.pop() as number;
  if (at < list.length) list[at] = last;
}
