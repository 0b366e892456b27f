/**
 * Whether a straight motion of all joints is free, and if not, when things first meet.
 *
 * Idea: each pair of bodies has pieces of the motion of its own, at first the whole of it. A piece is proved by spheres
 * and the farthest that anything moves, else by a direction along which both keep apart (swept-gap.ts), at first the
 * one that served the piece it is a half of. What is not proved is halved, all pieces of one length before the next
 * shorter ones, so that what meets is found early; from then on only earlier times matter.
 * Layout: pieces of the i-th 2⁻ⁿ of the motion follow those of the one before, which needs the links in one place only.
 * Errs: `free` is a proof. Nothing meets before `time`.
 */
import { readChoice, readKnown, readLength } from 'impinge/internal/base/options.js';
import type { MotionVerdict } from '../edge-search.js';
import { type BodyPair, describe, type MeetingPair, ROUNDING } from './body-pair.js';
import type { BodySet } from './body-set.js';
import { ConvexGap } from './convex-gap.js';
import type { AllowedBetweenBodies } from './hold-pair.js';
import { JointMotion } from './joint-motion.js';
import { LinkMotion } from './link-motion.js';
import type { Mechanism } from './mechanism.js';
import { boundGap } from './pair-gap.js';
import { SlideProof } from './slide-proof.js';
import { sweptGap } from './swept-gap.js';

export interface EdgeOptions {
  /** How far everything must keep apart, at least (default 0: it must not touch). */
  readonly clearance?: number;
  /**
   * What comes this near to the clearance without going below it may be `undecided` (default: 10⁻⁶ of the reach of the
   * mechanism, or of its coordinates where joints slide).
   */
  readonly accuracy?: number;
  /** `first` (default) looks for the first time at which something meets; `any` stops as soon as anything does. */
  readonly mode?: 'first' | 'any';
  /**
   * How deep two things may be in each other that meet, or are nearer than the clearance, at `from` (default: as the
   * space has it). They are not held to the clearance, and get no deeper than `depth`.
   */
  readonly allowed?: AllowedBetweenBodies;
}

export interface EdgeResult {
  /**
   * `free`: proved. `undecided`: something comes within the accuracy of the clearance, nothing is known to go below.
   */
  readonly verdict: MotionVerdict;
  /**
   * From 0 to 1, and never later than the first contact: everything before is proved free. With `any`, 0 but for free
   * motions. Infinity for these.
   */
  readonly time: number;
  /** What meets, or may meet. */
  readonly pair: MeetingPair | undefined;
  /** A time at which it certainly does; undefined where there is none. */
  readonly contact: number | undefined;
  /** The most that two things are in each other, at any time that is proved: 0 where nothing is in contact at first. */
  readonly depth: number;
  /** How many pieces were looked at. */
  readonly pieces: number;
}

const NAMES = { clearance: true, accuracy: true, mode: true, allowed: true } as const;
const MODES = ['first', 'any'] as const;
const ACCURACY = 1e-6;
/** Halvings until times cannot be told apart. */
const MOST_HALVINGS = 50;
/** Of the distance to be proved, how well it is known before its direction is tried. */
const SLACK = 0.05;
/** Of the accuracy: the error of a distance that decides. */
const FINE = 0.25;

/** Pieces: the pair, and the direction that kept it apart, each under one index. */
class Pieces {
  count = 0;
  readonly #pairs: BodyPair[] = [];
  #directions = new Float64Array(3 * 256);

  push(pair: BodyPair, x: number, y: number, z: number): void {
    const at = 3 * this.count;
    if (at === this.#directions.length) {
      const longer = new Float64Array(2 * at);
      longer.set(this.#directions);
      this.#directions = longer;
    }
    this.#pairs[this.count++] = pair;
    this.#directions[at] = x;
    this.#directions[at + 1] = y;
    this.#directions[at + 2] = z;
  }

  pair(i: number): BodyPair {
    return this.#pairs[i];
  }

  direction(i: number, k: number): number {
    return this.#directions[3 * i + k];
  }
}

/** What a motion is among. */
export interface PairSource {
  readonly mechanism: Mechanism;
  readonly bodies: BodySet;
  /** The most that two things may be in each other. */
  readonly depth: number;
  /** Pairs of bodies that joints move relative to each other. */
  readonly own: readonly BodyPair[];
  /** More than rounding changes in any length. */
  marginOf(poses: Float64Array): number;
  /** Visits the pairs of a body and obstacles that come within a distance of it, as long as true is returned. */
  eachNear(body: number, poses: Float64Array, distance: number, visit: (pair: BodyPair) => boolean): void;
  /** Whether something lies in something else at a configuration, which only triangles tell. */
  insideAt(configuration: ArrayLike<number>): BodyPair | undefined;
}

export interface ProofOptions {
  /** Pairs that may be in contact are not looked at. */
  readonly onlyApart?: boolean;
  /** What slides is proved by `timeOfImpact` alone. */
  readonly byImpact?: boolean;
}

export class EdgeProof {
  readonly #space: PairSource;
  readonly #motion: JointMotion;
  readonly #piece: LinkMotion;
  readonly #gap = new ConvexGap();
  readonly #slide: SlideProof;
  /** Pieces of this length, by runs of the same time, and of the next: earlier and later halves. */
  #now = new Pieces();
  #next = new Pieces();
  #later = new Pieces();
  /** The ends of runs in `#now` and in `#next`, and which piece of the motion each is of. */
  #runs: number[] = [];
  #nextRuns: number[] = [];
  #clearance = 0;
  #accuracy = 0;
  #margin = 0;
  #hit = Infinity;
  #hitPair: BodyPair | undefined;
  #doubt = Infinity;
  #doubtPair: BodyPair | undefined;
  #pieces = 0;
  #x = 0;
  #y = 0;
  #z = 0;

  constructor(space: PairSource) {
    this.#space = space;
    this.#motion = new JointMotion(space.mechanism);
    this.#piece = new LinkMotion(space.mechanism, space.bodies);
    this.#slide = new SlideProof(space.mechanism, space.bodies);
  }

  run(
    from: ArrayLike<number>,
    to: ArrayLike<number>,
    options: EdgeOptions,
    { onlyApart = false, byImpact = false }: ProofOptions = {},
  ): EdgeResult {
    const { clearance = 0, accuracy, mode = 'first' } = readKnown('edge', options, NAMES);
    this.#clearance = readLength('clearance', clearance);
    readChoice('mode', mode, MODES);
    const isAny = mode === 'any';
    this.#motion.set(from, to);
    const piece = this.#piece;
    piece.set(this.#motion, 0.5, 0.5);
    this.#margin = this.#space.marginOf(piece.poses);
    const { reach } = this.#space.bodies;
    const fine = accuracy ?? ACCURACY * (Number.isFinite(reach) ? reach : this.#margin / ROUNDING);
    this.#accuracy = Math.max(readLength('accuracy', fine), 10 * this.#margin);
    this.#hit = this.#doubt = Infinity;
    this.#pieces = 0;
    this.#slide.byImpact = byImpact;
    this.#begin(onlyApart);
    for (let halvings = 0; this.#now.count > 0; halvings++) {
      this.#round(halvings, isAny);
      if (isAny && Math.min(this.#hit, this.#doubt) < Infinity) break;
      [this.#now, this.#next] = [this.#next, this.#now];
      [this.#runs, this.#nextRuns] = [this.#nextRuns, this.#runs];
    }
    // what is inside of something at the start stays there until something meets
    const inside = Math.min(this.#hit, this.#doubt) > 0 ? this.#space.insideAt(from) : undefined;
    if (inside) {
      this.#hit = 0;
      this.#hitPair = inside;
    }
    return this.#result(isAny);
  }

  #result(isAny: boolean): EdgeResult {
    const { verdict, pair } =
      this.#hit < Infinity
        ? { verdict: 'hit' as const, pair: this.#hitPair }
        : this.#doubt < Infinity
          ? { verdict: 'undecided' as const, pair: this.#doubtPair }
          : { verdict: 'free' as const, pair: undefined };
    const isFree = verdict === 'free';
    return {
      verdict,
      time: isFree ? Infinity : isAny ? 0 : Math.min(this.#hit, this.#doubt),
      pair: pair && describe(pair),
      contact: this.#hit < Infinity ? this.#hit : undefined,
      depth: this.#space.depth,
      pieces: this.#pieces,
    };
  }

  /** Everything that is not proved for the whole motion at a glance. */
  #begin(onlyApart: boolean): void {
    const now = this.#now;
    now.count = 0;
    const piece = this.#piece;
    const { bodies } = this.#space;
    for (const pair of this.#space.own) if (!(onlyApart && pair.depth > 0)) now.push(pair, 0, 0, 0);
    for (let body = 0; body < bodies.count; body++) {
      piece.bound(body, this.#motion);
      const reached = piece.half * piece.speeds[bodies.stride * body] + this.#clearance + this.#margin;
      this.#space.eachNear(body, piece.poses, reached + this.#accuracy, (pair) => {
        if (!(onlyApart && pair.depth > 0)) now.push(pair, 0, 0, 0);
        return true;
      });
    }
    this.#runs = [0, now.count];
  }

  /** Looks at all pieces of one length. */
  #round(halvings: number, isAny: boolean): void {
    const piece = this.#piece;
    const half = 0.5 ** (halvings + 1);
    const [now, next, later] = [this.#now, this.#next, this.#later];
    next.count = 0;
    this.#nextRuns.length = 0;
    for (let r = 0, at = 0; r < this.#runs.length; r += 2) {
      const index = this.#runs[r];
      const end = this.#runs[r + 1];
      const start = 2 * half * index;
      if (!(start < this.#hit)) break;
      if (halvings > 0) piece.set(this.#motion, start + half, half);
      const first = next.count;
      later.count = 0;
      for (; at < end; at++) {
        const pair = now.pair(at);
        if (this.#isProved(pair, now, at)) continue;
        if (isAny && this.#hit < Infinity) return;
        if (this.#settled) continue;
        if (halvings === MOST_HALVINGS) {
          this.#note(pair, start);
          continue;
        }
        next.push(pair, this.#x, this.#y, this.#z);
        if (piece.middle < this.#hit) later.push(pair, this.#x, this.#y, this.#z);
      }
      if (next.count > first) this.#nextRuns.push(2 * index, next.count);
      if (later.count === 0) continue;
      for (let i = 0; i < later.count; i++)
        next.push(later.pair(i), later.direction(i, 0), later.direction(i, 1), later.direction(i, 2));
      this.#nextRuns.push(2 * index + 1, next.count);
    }
  }

  /** Whether the piece just looked at needs no halving although it is not proved. */
  #settled = false;

  #note(pair: BodyPair, time: number): void {
    this.#settled = true;
    if (time >= this.#doubt) return;
    this.#doubt = time;
    this.#doubtPair = pair;
  }

  /** Whether nothing of a pair comes too near in the whole piece. */
  #isProved(pair: BodyPair, now: Pieces, at: number): boolean {
    this.#pieces++;
    this.#settled = false;
    const piece = this.#piece;
    const { stride } = this.#space.bodies;
    const { a, b, shared } = pair;
    const { half, poses, speeds, bends } = piece;
    piece.bound(a, this.#motion);
    let speed = speeds[stride * a + shared];
    let bend = bends[stride * a + shared];
    if (b >= 0) {
      piece.bound(b, this.#motion);
      speed += speeds[stride * b + shared];
      bend += bends[stride * b + shared];
    }
    const margin = this.#margin + pair.rounding;
    const clearance = pair.heldTo(this.#clearance);
    const accuracy =
      pair.depth > 0 ? Math.max(10 * margin, Math.min(this.#accuracy, pair.accuracy)) : this.#accuracy;
    const need = clearance + margin;
    const moved = half * speed;
    let x = now.direction(at, 0);
    let y = now.direction(at, 1);
    let z = now.direction(at, 2);
    const known = x !== 0 || y !== 0 || z !== 0;
    if (known && sweptGap(pair, piece, x, y, z, bend) > need) return true;
    const gap = this.#gap;
    const slack = Math.max(FINE * accuracy, SLACK * moved);
    boundGap(gap, pair, poses, need + moved, clearance, slack);
    if (gap.least - moved > need) return true;
    x = gap.nx;
    y = gap.ny;
    z = gap.nz;
    if (gap.least > 0 && sweptGap(pair, piece, x, y, z, bend) > need) return true;
    this.#x = x;
    this.#y = y;
    this.#z = z;
    if (pair.sliding && this.#slide.isApart(pair, pair.sliding, this.#motion, piece, need)) return true;
    if (gap.most > clearance + accuracy) return false;
    return this.#decides(pair, moved, need, gap.most, clearance, accuracy);
  }

  /** Near the clearance: whether it goes below, or might. */
  #decides(
    pair: BodyPair,
    moved: number,
    need: number,
    most: number,
    clearance: number,
    accuracy: number,
  ): boolean {
    const piece = this.#piece;
    let least = most;
    if (!pair.isSolid) {
      const limit = clearance + accuracy;
      least = pair.innerMost(this.#gap, piece.poses, clearance, FINE * accuracy);
      if (least > limit) {
        const atMost = need + moved + accuracy;
        least = pair.distance(piece.poses, atMost);
        if (Math.min(least, atMost) - moved > need) return true;
      }
    }
    if (least <= clearance) {
      if (piece.middle < this.#hit) {
        this.#hit = piece.middle;
        this.#hitPair = pair;
      }
      // nothing of it gets farther than the accuracy before that
      if (moved <= accuracy) this.#note(pair, piece.middle - piece.half);
    } else if (least <= clearance + accuracy) this.#note(pair, piece.middle - piece.half);
    return false;
  }
}
