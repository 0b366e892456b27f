/**
 * Which pairs of parts of two sides stand for originals near each other, decided pair by pair and kept while b moves.
 *
 * A pair of parts is in the answer if its level surfaces come within c = d + outA + outB (see levels-target.ts): then
 * originals at most d apart are never missed, and those of a pair in the answer are at most c + inA + inB apart. c is a
 * number of the pair, so the answer depends on the pose alone.
 *
 * What is kept of a pair: two triangles that were u apart, or that its surfaces were at least l apart. After b has
 * moved by m they are at most u + m or at least l − m apart, so nothing needs to be looked at until u + m > c or
 * l − m ≤ c. Then the two triangles are tried first. Where nothing is near, it is found out whether anything is a
 * margin farther away, so that l is worth keeping; the margin is doubled where nothing is, and halved where something
 * is.
 */
import { EMPTY } from 'impinge/internal/kernel/layout.generated.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { QueryStats } from 'impinge/internal/query/pair/context.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import type { Part, PartPairs } from './batch-query.js';
import type { NearParts } from './near-parts.js';
import { findNearPieces } from './near-pieces.js';
import { eachBatch } from './part-batches.js';

/** A margin is at first this many steps or this share of the error, and never more than this many of the first. */
const FIRST_STEPS = 4;
const FIRST_SHARE = 0.25;
const MOST = 16;
/** Margins below a step or this share of the error are not worth looking for, nor are any at steps above that share. */
const LEAST_SHARE = 2 ** -10;
const LONGEST_STEP = 0.25;
/** From this limit on, all pairs are decided at once. */
const MANY = 1024;

export interface DecideAsk {
  readonly bToA: RigidPose;
  readonly distance: number;
  /** What is permitted where that is least; and everywhere, if it is the same. */
  readonly error: number;
  /** Most pairs: the first ones. */
  readonly limit: number;
}

export interface Decided {
  /** Part of a · parts of b + part of b, rising. */
  readonly keys: readonly number[];
  /** How far the originals of each are apart at least, as far as boxes tell, and at most. */
  readonly bounds: Float64Array;
  /** The largest error of them, both parts' together. */
  readonly error: number;
  readonly stats: QueryStats;
}

const NO_BOUNDS = new Float64Array(0);

/** What is known of the pairs of a list. */
class Known {
  readonly keys: Float64Array;
  /** Errors of both parts added up. */
  readonly out: Float64Array;
  readonly in: Float64Array;
  /** When b has gone w, two triangles are at most this plus w apart; all are at least `far` less w apart. */
  readonly near: Float64Array;
  readonly far: Float64Array;
  readonly margin: Float64Array;
  /** How far b had gone when nothing was found within which reach: there, nothing is. */
  readonly farWay: Float64Array;
  readonly farReach: Float64Array;
  /** Two of each pair. */
  readonly triangles: Uint32Array;
  /** Questions that are being answered with it. */
  users = 0;
  /** Whether trees have grown since the cache was last asked to make room. */
  isGrown = false;

  constructor(keys: Float64Array, { a, b }: NearParts, before: Known | undefined) {
    const count = keys.length;
    this.keys = keys;
    this.out = new Float64Array(count);
    this.in = new Float64Array(count);
    this.near = new Float64Array(count).fill(Infinity);
    this.far = new Float64Array(count).fill(-Infinity);
    this.margin = new Float64Array(count);
    this.farWay = new Float64Array(count);
    this.farReach = new Float64Array(count).fill(-1);
    this.triangles = new Uint32Array(2 * count).fill(EMPTY);
    const partsB = b.tree.parts;
    for (let i = 0, j = 0; i < count; i++) {
      const partB = keys[i] % partsB;
      const [own, other] = [a.errorsOf((keys[i] - partB) / partsB), b.errorsOf(partB)];
      this.out[i] = own.out + other.out;
      this.in[i] = own.in + other.in;
      if (!before) continue;
      while (before.keys[j] < keys[i]) j++;
      if (before.keys[j] === keys[i]) this.#copy(i, before, j);
    }
  }

  #copy(i: number, before: Known, j: number): void {
    this.near[i] = before.near[j];
    this.far[i] = before.far[j];
    this.margin[i] = before.margin[j];
    this.farWay[i] = before.farWay[j];
    this.farReach[i] = before.farReach[j];
    this.triangles[2 * i] = before.triangles[2 * j];
    this.triangles[2 * i + 1] = before.triangles[2 * j + 1];
  }
}

export class DecidedPairs {
  readonly #near: NearParts;
  #known: Known | undefined;

  constructor(near: NearParts) {
    this.#near = near;
  }

  async find(ask: DecideAsk): Promise<Decided> {
    const { bToA, distance, limit } = ask;
    const { a, b } = this.#near;
    const farthest = distance + a.out + b.out;
    const { keys, way, step } = this.#near.candidates(bToA, farthest);
    if (keys.length === 0) {
      this.#known = undefined;
      return { keys: [], bounds: NO_BOUNDS, error: 0, stats: noStats() };
    }
    // where few are wanted, few are looked at at a time
    const many = limit < MANY ? 2 * limit : Infinity;
    const known = this.#knownOf(keys);
    const decision = new Decision(this.#near, known, { ...ask, farthest, way, step });
    known.users++;
    try {
      while (decision.count < limit) {
        const open = decision.open(many);
        if (open.length === 0) break;
        if (!decision.decideHeld(open)) await decision.readAndDecide(open);
      }
    } finally {
      known.users--;
    }
    return decision.found();
  }

  #knownOf(keys: Float64Array): Known {
    // a question that waits for pages goes on with what was known in its own pose
    const isInUse = this.#known !== undefined && this.#known.users > 0;
    if (this.#known?.keys !== keys || isInUse) this.#known = new Known(keys, this.#near, this.#known);
    return this.#known;
  }
}

interface DecisionAsk extends DecideAsk {
  /** No pair has a larger reach. */
  readonly farthest: number;
  readonly way: number;
  readonly step: number;
}

/** All pairs of a list, in one pose. */
class Decision {
  readonly stats = noStats();
  readonly #parts: NearParts;
  readonly #known: Known;
  readonly #ask: DecisionAsk;
  readonly #gapSq: (a: number, b: number) => number;
  readonly #isNear: Uint8Array;
  /** Pairs before this one are decided, and so many of them are near. */
  #next = 0;
  count = 0;

  constructor(parts: NearParts, known: Known, ask: DecisionAsk) {
    this.#parts = parts;
    this.#known = known;
    this.#ask = ask;
    this.#gapSq = parts.gapsSq(ask.bToA);
    this.#isNear = new Uint8Array(known.keys.length);
  }

  /** The next pairs that what is known does not decide, so many at most. */
  open(most: number): number[] {
    const open: number[] = [];
    const { near, far, farWay, farReach, keys, out } = this.#known;
    const { farthest, way, distance } = this.#ask;
    for (; this.#next < keys.length && open.length < most; this.#next++) {
      const place = this.#next;
      const apart = far[place] - way;
      if (apart > farthest) continue;
      const reach = distance + out[place];
      if (apart > reach || (farWay[place] === way && farReach[place] >= reach)) continue;
      if (near[place] + way <= reach) this.#take(place);
      else if (!this.#boxesApart(place, reach)) open.push(place);
    }
    return open;
  }

  #boxesApart(place: number, reach: number): boolean {
    const gap = this.#gap(place);
    if (!(gap > reach)) return false;
    this.#known.far[place] = gap + this.#ask.way;
    return true;
  }

  #gap(place: number): number {
    const key = this.#known.keys[place];
    const partsB = this.#parts.b.tree.parts;
    const partB = key % partsB;
    return Math.sqrt(this.#gapSq((key - partB) / partsB, partB)) * (1 - 1e-12);
  }

  #take(place: number): void {
    this.#isNear[place] = 1;
    this.count++;
  }

  /** Those that are near, the first ones. */
  found(): Decided {
    const { limit, distance, error } = this.#ask;
    const { out, in: inner } = this.#known;
    const { a, b } = this.#parts;
    const most = a.isByPlace || b.isByPlace ? Infinity : distance + error;
    const rounding = this.#parts.roundingAt(this.#ask.bToA);
    const keys: number[] = [];
    const bounds = new Float64Array(2 * Math.min(limit, this.count));
    let largest = 0;
    for (let i = 0; i < this.#next && keys.length < limit; i++) {
      if (this.#isNear[i] === 0) continue;
      const at = 2 * keys.length;
      // what meets is at least 0 apart, which is known without boxes
      if (distance > 0) bounds[at] = Math.min(distance, Math.max(0, this.#gap(i) - out[i]));
      largest = Math.max(largest, out[i] + inner[i]);
      bounds[at + 1] = Math.min(most, distance + out[i] + inner[i] + rounding);
      keys.push(this.#known.keys[i]);
    }
    return { keys, bounds, error: largest, stats: this.stats };
  }

  /** Decides about pairs if their parts are in memory; says whether they were. */
  decideHeld(open: readonly number[]): boolean {
    const known = this.#known;
    const { a, b } = this.#parts;
    if (known.isGrown) return false;
    const count = b.tree.parts;
    const [ofA, ofB]: [Part[], Part[]] = [[], []];
    for (const place of open) {
      const partB = known.keys[place] % count;
      const [ownA, ownB] = [a.partNow((known.keys[place] - partB) / count), b.partNow(partB)];
      if (!ownA || !ownB) return false;
      ofA.push(ownA);
      ofB.push(ownB);
    }
    for (let from = 0, to = 0; from < open.length; from = to) {
      const [poseA, poseB] = [a.poseOf(ofA[from].part), b.poseOf(ofB[from].part)];
      do to++;
      while (to < open.length && a.poseOf(ofA[to].part) === poseA && b.poseOf(ofB[to].part) === poseB);
      const bToA = this.#parts.between(poseA, poseB, this.#ask.bToA);
      this.#decide({ a: ofA.slice(from, to), b: ofB.slice(from, to), bToA }, open.slice(from, to));
    }
    return true;
  }

  /** The same for parts that have to be brought into memory. */
  async readAndDecide(open: readonly number[]): Promise<void> {
    const parts = this.#parts;
    this.#known.isGrown = false; // holding them, the cache makes room
    const keys = Float64Array.from(open, (place) => this.#known.keys[place]);
    for (const batch of eachBatch(keys, parts.a, parts.b)) {
      const wait = parts.hold(batch);
      if (wait) await wait;
      try {
        const places = batch.places.map((i) => open[i]);
        this.#decide(parts.parts(batch, this.#ask.bToA), places);
      } finally {
        parts.release(batch);
      }
    }
  }

  /** Decides about pairs, a margin farther than asked where that is worth it. */
  #decide(parts: PartPairs, places: readonly number[]): void {
    const { near, margin } = this.#known;
    const { step, error } = this.#ask;
    const first = Math.max(FIRST_STEPS * step, FIRST_SHARE * error);
    const least = Math.max(step, LEAST_SHARE * error);
    const isSteady = step > 0 && step <= LONGEST_STEP * error;
    const margins = new Float64Array(places.length);
    for (let i = 0; isSteady && i < places.length; i++) {
      const place = places[i];
      if (near[place] < Infinity) continue; // it will hardly be far now
      margin[place] = Math.min(margin[place] || first, MOST * first);
      if (margin[place] >= least) margins[i] = margin[place];
    }
    const open = this.#askAbout(parts, places, margins);
    if (open.length === 0) return;
    const [a, b] = [open.map((i) => parts.a[i]), open.map((i) => parts.b[i])];
    const left = open.map((i) => places[i]);
    this.#askAbout({ ...parts, a, b }, left, new Float64Array(left.length));
    for (const place of left) margin[place] /= 4; // doubled where nothing was found
  }

  /** Returns which of the pairs are undecided, as something was found that is farther away than asked. */
  #askAbout(parts: PartPairs, places: readonly number[], margins: Float64Array): number[] {
    const { near, far, farWay, farReach, margin, triangles, out } = this.#known;
    const { way, distance } = this.#ask;
    const count = places.length;
    const reaches = new Float64Array(count);
    const tried = new Uint32Array(2 * count);
    for (let i = 0; i < count; i++) {
      reaches[i] = distance + out[places[i]] + margins[i];
      tried[2 * i] = triangles[2 * places[i]];
      tried[2 * i + 1] = triangles[2 * places[i] + 1];
    }
    const { apart, rounding, isGrown, stats } = findNearPieces(parts, { reaches, tried });
    addStats(this.stats, stats);
    this.#known.isGrown ||= isGrown;
    const slack = 4 * rounding + this.#parts.roundingAt(this.#ask.bToA);
    const open: number[] = [];
    for (let i = 0; i < count; i++) {
      const place = places[i];
      if (apart[i] === Infinity) {
        near[place] = Infinity;
        far[place] = reaches[i] - slack + way;
        farWay[place] = way;
        farReach[place] = reaches[i];
        margin[place] *= 2;
        continue;
      }
      triangles[2 * place] = tried[2 * i];
      triangles[2 * place + 1] = tried[2 * i + 1];
      if (margins[i] > 0 && apart[i] > distance + out[place] - slack) open.push(i);
      else {
        near[place] = apart[i] + slack - way;
        far[place] = -Infinity;
        this.#take(place);
      }
    }
    return open;
  }
}
