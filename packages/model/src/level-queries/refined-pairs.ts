/**
 * Pairs of parts near each other, from coarse to fine, as far as a budget goes.
 *
 * At first coarse parts of both sides: a pair stays if its level surfaces come within d + outA + outB. Then, the pair
 * with the largest error first, the part with the larger error of the two is replaced by finer ones that it is made of,
 * and those of the new pairs stay that come near. Whenever that ends, nothing is missed: what a part stands for, those
 * stand for that its maker takes from, and so on, so every two originals at most d apart are below a pair that stays.
 * And a pair that stays stands for originals at most d + (errors of both parts) apart.
 *
 * A maker may have made others beside the part, so pairs may come up again; each is decided once.
 */
import { EMPTY } from 'impinge/internal/kernel/layout.generated.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Spending } from 'impinge/internal/query/pair/budget.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import { STRETCH } from '../solid/patch-index.js';
import type { Decided } from './decided-pairs.js';
import type { NearParts } from './near-parts.js';
import { findNearPieces } from './near-pieces.js';
import { eachBatch } from './part-batches.js';

/** New pairs that are decided together: by so much a budget may be exceeded. */
const TOGETHER = 16;
/** The error of a part is so many times that of those it is replaced by, unless less will do. */
const FINER = 4;

export interface RefineAsk {
  readonly bToA: RigidPose;
  readonly distance: number;
  /** Pairs with no larger error, both parts' together, are fine enough. */
  readonly error: number;
}

/** `near`: the two sides at a coarse error. The errors of what is found may be larger than asked. */
export async function refinedPairs(near: NearParts, ask: RefineAsk, left: Spending): Promise<Decided> {
  const refining = new Refining(near, ask, left);
  await refining.begin();
  while (!refining.isSpent && (await refining.refine()));
  return refining.found();
}

interface NearPair {
  readonly key: number;
  readonly error: number;
}

class Refining {
  isSpent = false;
  readonly #near: NearParts;
  readonly #ask: RefineAsk;
  readonly #left: Spending;
  readonly #stats = noStats();
  readonly #seen = new Set<number>();
  /** Pairs that are near: those that are fine enough, and a heap of the others, the largest error first. */
  readonly #fine: NearPair[] = [];
  readonly #coarse: NearPair[] = [];

  constructor(near: NearParts, ask: RefineAsk, left: Spending) {
    this.#near = near;
    this.#ask = ask;
    this.#left = left;
  }

  /** The first pairs. */
  async begin(): Promise<void> {
    const { a, b } = this.#near;
    const { bToA, distance } = this.#ask;
    const keys: number[] = [];
    const reach = distance + a.out + b.out;
    for (const pair of this.#near.nearestFirst(bToA, () => reach)) keys.push(pair.a * b.tree.parts + pair.b);
    await this.#decide(keys);
  }

  /** Refines the pairs with the largest errors, a few together; false where all are fine enough. */
  async refine(): Promise<boolean> {
    const keys: number[] = [];
    while (keys.length < TOGETHER) {
      const pair = this.#pop();
      if (!pair) break;
      this.#below(pair.key, keys);
    }
    await this.#decide(keys);
    return this.#coarse.length > 0;
  }

  found(): Decided {
    const { bToA, distance } = this.#ask;
    const { a, b } = this.#near;
    const pairs = [...this.#fine, ...this.#coarse].sort((p, q) => p.key - q.key);
    const rounding = this.#near.roundingAt(bToA);
    const gapSq = this.#near.gapsSq(bToA);
    const bounds = new Float64Array(2 * pairs.length);
    let largest = 0;
    pairs.forEach(({ key, error }, i) => {
      const [partA, partB] = this.#partsOf(key);
      const gap = Math.sqrt(gapSq(partA, partB)) * (1 - 1e-12);
      bounds[2 * i] = Math.min(distance, Math.max(0, gap - a.errorsOf(partA).out - b.errorsOf(partB).out));
      bounds[2 * i + 1] = distance + error + rounding;
      largest = Math.max(largest, error);
    });
    return { keys: pairs.map(({ key }) => key), bounds, error: largest, stats: this.#stats };
  }

  #partsOf(key: number): [number, number] {
    const { parts } = this.#near.b.tree;
    const partB = key % parts;
    return [(key - partB) / parts, partB];
  }

  /** Adds the pairs that a pair is refined into. */
  #below(key: number, keys: number[]): void {
    const { a, b } = this.#near;
    const [partA, partB] = this.#partsOf(key);
    const [errorA, errorB] = [sum(a.errorsOf(partA)), sum(b.errorsOf(partB))];
    const ofA = errorA >= errorB;
    const add = (part: number) => {
      const refined = ofA ? part * b.tree.parts + partB : partA * b.tree.parts + part;
      if (this.#seen.has(refined)) return;
      this.#seen.add(refined);
      keys.push(refined);
    };
    // no finer than asked, by what the other part leaves
    const own = Math.max(errorA, errorB) / STRETCH;
    const finer = Math.max(own / FINER, Math.min(own / 2, this.#ask.error - Math.min(errorA, errorB)));
    for (const part of ofA ? a.tree.madeOf(partA, finer) : b.tree.madeOf(partB, finer)) add(part);
  }

  /** Keeps those of the pairs that are near. */
  async #decide(keys: readonly number[]): Promise<void> {
    const { a, b } = this.#near;
    const { bToA, distance } = this.#ask;
    const gapSq = this.#near.gapsSq(bToA);
    const outOf = (partA: number, partB: number) => a.errorsOf(partA).out + b.errorsOf(partB).out;
    const isNear = (partA: number, partB: number) =>
      Math.sqrt(gapSq(partA, partB)) <= distance + outOf(partA, partB);
    this.isSpent = this.#left.spend(keys.length);
    for (const batch of eachBatch(Float64Array.from(keys).sort(), a, b, isNear)) {
      const wait = this.#near.hold(batch);
      if (wait) await wait;
      try {
        const parts = this.#near.parts(batch, bToA);
        const reaches = Float64Array.from(parts.a, ({ out }, i) => distance + out + parts.b[i].out);
        const tried = new Uint32Array(2 * reaches.length).fill(EMPTY);
        const { apart, stats } = findNearPieces(parts, { reaches, tried });
        addStats(this.#stats, stats);
        this.isSpent = this.#left.spend(stats.volumeTests + stats.exactTests);
        for (let i = 0; i < reaches.length; i++) {
          if (apart[i] === Infinity) continue;
          const [partA, partB] = [parts.a[i], parts.b[i]];
          this.#push({ key: partA.part * b.tree.parts + partB.part, error: sum(partA) + sum(partB) });
        }
      } finally {
        this.#near.release(batch);
      }
    }
  }

  #push(pair: NearPair): void {
    if (pair.error <= this.#ask.error) {
      this.#fine.push(pair);
      return;
    }
    const heap = this.#coarse;
    let at = heap.push(pair) - 1;
    for (let up = (at - 1) >> 1; at > 0 && heap[up].error < pair.error; at = up, up = (at - 1) >> 1) {
      heap[at] = heap[up];
    }
    heap[at] = pair;
  }

  #pop(): NearPair | undefined {
    const heap = this.#coarse;
    const [first] = heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return last;
    let at = 0;
    for (let child = 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && heap[child + 1].error > heap[child].error) child++;
      if (heap[child].error <= last.error) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function sum({ out, in: inner }: { readonly out: number; readonly in: number }): number {
  return out + inner;
}
