/**
 * Pairs of parts for finding the closest triangles, in batches.
 *
 * Idea: the nearest few pairs by their boxes nearly always tell how far apart the sides are but for little. So these
 * are asked about first, and then all the others that may still be closer, in the order of their numbers: parts that
 * come in several pairs come together, and are held once.
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { NearBoxes } from './near-boxes.js';
import { batchesOf, type PartBatch } from './part-batches.js';
import { squareAbove } from './posed-boxes.js';
import type { Side } from './side.js';

/** How many pairs are taken without knowing any distance: 1, 4 and 16 of them together. */
const FEW = 21;
/** How many are asked about before the others when a bound is known. */
const NEAREST = 32;

export class NearestBatches {
  readonly #near: NearBoxes;
  readonly #a: Side;
  readonly #b: Side;
  #keys = new Float64Array(1024);
  #gaps = new Float64Array(1024);

  constructor(near: NearBoxes, a: Side, b: Side) {
    this.#near = near;
    this.#a = a;
    this.#b = b;
  }

  /** The nearest few by their boxes, no farther apart than that. `isAll`: there are no others. */
  few(bToA: RigidPose, bound: number): { readonly batches: PartBatch[]; readonly isAll: boolean } {
    const { keys, isAll } = this.#nearestKeys(bToA, bound);
    return { batches: this.#growing(keys), isAll };
  }

  #nearestKeys(bToA: RigidPose, bound: number): { readonly keys: number[]; readonly isAll: boolean } {
    const partsB = this.#b.tree.parts;
    const keys: number[] = [];
    let isAll = true;
    for (const { a, b } of this.#near.nearestFirst(bToA, () => bound)) {
      if (keys.length === FEW) {
        isAll = false;
        break;
      }
      keys.push(a * partsB + b);
    }
    return { keys, isAll };
  }

  /** One pair, then four times as many each time. */
  #growing(keys: readonly number[]): PartBatch[] {
    const batches: PartBatch[] = [];
    for (let first = 0, many = 1; first < keys.length; first += many, many *= 4) {
      batches.push(...this.#batches(keys.slice(first, first + many)));
    }
    return batches;
  }

  /** Pairs of parts, until those left are farther apart than `bound()` says then. */
  *all(bToA: RigidPose, bound: () => number): Generator<PartBatch> {
    const asked = new Set<number>();
    if (bound() === Infinity) {
      const first = this.#nearestKeys(bToA, Infinity);
      yield* this.#growing(first.keys);
      if (first.isAll) return;
      for (const key of first.keys) asked.add(key);
    }
    const count = this.#collect(bToA, bound(), asked);
    const [keys, gaps] = [this.#keys.slice(0, count), this.#gaps.slice(0, count)];
    const nearest = smallest(gaps, NEAREST);
    yield* this.#batches(nearest.map((i) => keys[i]));
    for (const i of nearest) gaps[i] = Infinity;
    const limit = squareAbove(bound());
    yield* this.#batches(keys.filter((_, i) => gaps[i] <= limit).sort());
  }

  #batches(keys: Iterable<number>): PartBatch[] {
    return batchesOf(Float64Array.from(keys), this.#a, this.#b);
  }

  /** All other pairs no farther apart than that into `#keys` and `#gaps`; returns how many. */
  #collect(bToA: RigidPose, reach: number, asked: ReadonlySet<number>): number {
    const partsB = this.#b.tree.parts;
    let count = 0;
    this.#near.forEach(bToA, reach, (a, b, gapSq) => {
      const key = a * partsB + b;
      if (asked.has(key)) return;
      if (count === this.#keys.length) {
        this.#keys = larger(this.#keys);
        this.#gaps = larger(this.#gaps);
      }
      this.#keys[count] = key;
      this.#gaps[count++] = gapSq;
    });
    return count;
  }
}

function larger(numbers: Float64Array): Float64Array<ArrayBuffer> {
  const more = new Float64Array(2 * numbers.length);
  more.set(numbers);
  return more;
}

/** The indices of the n smallest numbers, in order. */
function smallest(numbers: Float64Array, count: number): number[] {
  const limit = count < numbers.length ? numbers.slice().sort()[count - 1] : Infinity;
  const places: number[] = [];
  for (let i = 0; i < numbers.length; i++) if (numbers[i] <= limit) places.push(i);
  return places.sort((i, j) => numbers[i] - numbers[j] || i - j).slice(0, count);
}
