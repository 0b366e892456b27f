/**
 * Pairs of parts for finding the closest triangles, in batches.
 *
 * Idea: the nearest few pairs by their boxes nearly always tell how far apart the sides are but for little, and for
 * that they need not be searched to the end. So these are asked about roughly first, then once more, and then others
 * that may still be closer, the nearest first, more together each time and these in the order of their numbers: parts
 * that come in several pairs come together, and are held once.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { BoxPair, NearBoxes } from './near-boxes.js';
import { eachBatch, type PartBatch } from './part-batches.js';
import { squareAbove } from './posed-boxes.js';
import type { Side } from './side.js';

/** How many pairs are asked about first, how many after these, and how many times as many each time after that. */
const FIRST = 16;
const NEXT = 64;
const MORE = 4;

export interface NearestBatch {
  readonly batch: PartBatch;
  /** Whether all of its pairs will come once more. */
  readonly isRough: boolean;
}

export class NearestBatches {
  readonly #near: NearBoxes;
  readonly #a: Side;
  readonly #b: Side;

  constructor(near: NearBoxes, a: Side, b: Side) {
    this.#near = near;
    this.#a = a;
    this.#b = b;
  }

  /** Pairs of parts, until those left are farther apart than `bound()` says then. */
  *all(bToA: RigidPose, bound: () => number): Generator<NearestBatch> {
    const walk = this.#near.walk(bToA);
    try {
      const first = walk.nearest(FIRST, bound());
      if (first.length > 1) {
        // one by itself tells how long they take
        yield* this.#batches(this.#keys(first.slice(0, 1), bound()), true);
        yield* this.#batches(this.#keys(first.slice(1), bound()), true);
      }
      yield* this.#batches(this.#keys(first, bound()), false);
      for (let many = NEXT, count = FIRST; count > 0; many *= MORE) {
        const next = walk.nearest(many, bound());
        count = next.length;
        yield* this.#batches(this.#keys(next, bound()).sort(), false);
      }
    } finally {
      walk.release();
    }
  }

  /** Of those no farther apart than that. */
  #keys(pairs: readonly BoxPair[], bound: number): Float64Array {
    const limit = squareAbove(bound);
    const near = pairs.filter(({ gapSq }) => gapSq <= limit);
    return Float64Array.from(near, ({ a, b }) => a * this.#b.tree.parts + b);
  }

  *#batches(keys: Float64Array, isRough: boolean): Generator<NearestBatch> {
    for (const batch of eachBatch(keys, this.#a, this.#b)) yield { batch, isRough };
  }
}
