/**
 * Which parts of two sides are near each other.
 *
 * State between questions: the pairs found last time, a little farther apart than asked, which are good until b has
 * moved that much. So what is near is looked up once in a few steps, and what will be near after these is fetched by
 * then. Answers do not depend on it: of the pairs kept, those are asked about that are near enough now.
 */
import { composePoses, type RigidPose, relativePose } from 'impinge/internal/math/pose.js';
import type { Part, PartPairs } from './batch-query.js';
import { type BoxPair, NearBoxes, squareAbove } from './near-boxes.js';
import { NearestBatches } from './nearest-batches.js';
import { eachBatch, type HeldParts, type PartBatch } from './part-batches.js';
import type { Side } from './side.js';

/** How many steps like the last one the pairs found are good for, if that is less than this share of a part's size. */
const AHEAD = 8;
const MOST = 0.2;
/** Steps longer than this many of these shares are jumps. */
const JUMP = 4;

export interface Candidates {
  readonly keys: Float64Array;
  /** How far b has gone so far, step by step, and in its last step (0 after a jump): no point of it went farther. */
  readonly way: number;
  readonly step: number;
}

export class NearParts {
  readonly a: Side;
  readonly b: Side;
  readonly #near: NearBoxes;
  readonly #nearest: NearestBatches;
  readonly #most: number;
  #keys = new Float64Array(1024);
  #kept: { readonly way: number; readonly reach: number; readonly keys: Float64Array } | undefined;
  #fetched: { readonly way: number; readonly reach: number } | undefined;
  #last: RigidPose | undefined;
  #step = 0;
  #way = 0;

  constructor(a: Side, b: Side) {
    this.a = a;
    this.b = b;
    this.#near = new NearBoxes(a.boxes, b.boxes);
    this.#nearest = new NearestBatches(this.#near, a, b);
    this.#most = MOST * Math.min(a.boxes.meanDiagonal(), b.boxes.meanDiagonal());
  }

  /** All pairs of parts no farther apart than that, in the order of their numbers. */
  within(bToA: RigidPose, reach: number): Iterable<PartBatch> {
    const { keys } = this.candidates(bToA, reach);
    const gapSq = this.gapsSq(bToA);
    const limit = squareAbove(reach);
    return eachBatch(keys, this.a, this.b, (a, b) => gapSq(a, b) <= limit);
  }

  /** The same pairs and others that are a little farther apart: part of a · parts of b + part of b, rising. */
  candidates(bToA: RigidPose, reach: number): Candidates {
    const step = this.#follow(bToA);
    let kept = this.#kept;
    if (!kept || reach + this.#way - kept.way > kept.reach) {
      const farther = reach + this.#margin(step);
      const keys = this.#pairs(bToA, farther, step > 0 ? farther + step + this.#margin(step) : farther);
      this.#kept = kept = { way: this.#way, reach: farther, keys };
    }
    return { keys: kept.keys, way: this.#way, step };
  }

  /** The square of how far the boxes of two parts are apart at least. */
  gapsSq(bToA: RigidPose): (a: number, b: number) => number {
    return this.#near.gapsSq(bToA);
  }

  /** Begins to bring into memory what will be that near after a few steps like the last one. */
  fetchAhead(bToA: RigidPose, reach: number): void {
    const step = this.#follow(bToA);
    const fetched = this.#fetched;
    if (step === 0 || (fetched && reach + step + this.#way - fetched.way <= fetched.reach)) return;
    this.#pairs(bToA, -1, reach + step + this.#margin(step));
  }

  /** Returns how far b has moved in its last step; 0 after a jump. */
  #follow(bToA: RigidPose): number {
    const step = this.#last ? this.#moved(this.#last, bToA) : 0;
    if (step > 0 || !this.#last) {
      this.#last = bToA.slice() as RigidPose;
      this.#way += step;
      // what jumps farther than that is not about to do it again
      this.#step = step <= JUMP * this.#most ? step : 0;
    }
    return this.#step;
  }

  /** How much farther apart than asked pairs are kept; nothing where that would not do for another step. */
  #margin(step: number): number {
    return step <= this.#most ? Math.min(AHEAD * step, this.#most) : 0;
  }

  /** Pairs of parts, the nearest first, until they are farther apart than `bound()` says then. */
  nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    return this.#near.nearestFirst(bToA, bound);
  }

  /** Pairs of parts to find the closest triangles in, until those left are farther apart than `bound()` says then. */
  nearestBatches(bToA: RigidPose, bound: () => number): Generator<PartBatch> {
    return this.#nearest.all(bToA, bound);
  }

  /** The nearest few by their boxes, no farther apart than that. `isAll`: there are no others. */
  nearestFew(bToA: RigidPose, bound: number): { readonly batches: PartBatch[]; readonly isAll: boolean } {
    return this.#nearest.few(bToA, bound);
  }

  /** What a batch is made of, once it is held. */
  parts({ partsA, partsB, pairs, poseA, poseB }: PartBatch, bToA: RigidPose): PartPairs {
    const [ofA, ofB] = [partsA.map((part) => this.a.part(part)), partsB.map((part) => this.b.part(part))];
    const [a, b]: [Part[], Part[]] = [[], []];
    for (let i = 0; i < pairs.length; i += 2) {
      a.push(ofA[pairs[i]]);
      b.push(ofB[pairs[i + 1]]);
    }
    return { a, b, bToA: this.between(poseA, poseB, bToA) };
  }

  /** From the frame of parts of b to that of parts of a, which have these poses. */
  between(poseA: RigidPose, poseB: RigidPose, bToA: RigidPose): RigidPose {
    return relativePose(poseA, composePoses(bToA, poseB));
  }

  /** Holds parts of both sides in memory; undefined when they are there at once. When it fails, nothing is held. */
  hold({ partsA, partsB }: HeldParts): Promise<void> | undefined {
    const wait = this.a.hold(partsA);
    if (wait) return wait.then(() => this.#holdB(partsA, partsB));
    return this.#holdB(partsA, partsB);
  }
  release({ partsA, partsB }: HeldParts): void {
    this.a.release(partsA);
    this.b.release(partsB);
  }

  #holdB(partsA: readonly number[], partsB: readonly number[]): Promise<void> | undefined {
    const letGo = (error: unknown): never => {
      this.a.release(partsA);
      throw error;
    };
    try {
      return this.b.hold(partsB)?.catch(letGo);
    } catch (error) {
      return letGo(error);
    }
  }

  /**
   * Pairs of parts no farther apart than `reach`, in the order of their numbers: part of a · parts of b + part of b.
   * Begins to bring into memory those no farther apart than `soon`, where that is more.
   */
  #pairs(bToA: RigidPose, reach: number, soon = reach): Float64Array {
    const partsB = this.b.boxes.order.length;
    const reachSq = reach < 0 ? -1 : squareAbove(reach);
    const ahead = soon > reach ? [new Set<number>(), new Set<number>()] : undefined;
    let count = 0;
    this.#near.forEach(bToA, soon, (a, b, gapSq) => {
      if (ahead) {
        ahead[0].add(a);
        ahead[1].add(b);
      }
      if (gapSq > reachSq) return;
      if (count === this.#keys.length) {
        const larger = new Float64Array(2 * count);
        larger.set(this.#keys);
        this.#keys = larger;
      }
      this.#keys[count++] = a * partsB + b;
    });
    if (ahead) {
      this.#fetched = { way: this.#way, reach: soon };
      this.a.prefetch([...ahead[0]]);
      this.b.prefetch([...ahead[1]]);
    }
    return this.#keys.slice(0, count).sort();
  }

  /** How far a point of b moves at most: distances are convex, so it is one of the corners of its box. */
  #moved(from: RigidPose, to: RigidPose): number {
    const box = this.b.boxes.nodeBoxes;
    let most = 0;
    for (let corner = 0; corner < 8; corner++) {
      const x = box[corner & 1 ? 3 : 0];
      const y = box[corner & 2 ? 4 : 1];
      const z = box[corner & 4 ? 5 : 2];
      let sum = 0;
      for (let k = 0; k < 3; k++) {
        const r = 3 * k;
        const by =
          (to[r] - from[r]) * x +
          (to[r + 1] - from[r + 1]) * y +
          (to[r + 2] - from[r + 2]) * z +
          to[9 + k] -
          from[9 + k];
        sum += by * by;
      }
      if (sum > most) most = sum;
    }
    return Math.sqrt(most) * (1 + 1e-12);
  }
}
