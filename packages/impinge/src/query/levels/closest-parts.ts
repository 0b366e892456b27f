/** The closest triangles of pairs of parts (see kernels/patches/closest-of.ts). */
import { decideDoubts } from '../pair/collide.js';
import { type QueryStats, Status, tooFar } from '../pair/context.js';
import { BatchQuery, type Part, type PartPairs } from './batch-query.js';
import { patchesKernels } from './patches-kernel.js';

/** The pair found, and what distances of these parts lose to rounding at most. */
export interface ClosestParts {
  readonly found: ClosestPair | undefined;
  readonly rounding: number;
  readonly stats: QueryStats;
}

export interface ClosestPair {
  readonly a: Part;
  readonly b: Part;
  readonly triangleA: number;
  readonly triangleB: number;
}

/** Fields of the query that only this kernel knows. */
const FOUND_PAIR = 300;
const FOUND_A = 304;
const FOUND_B = 308;
const NONE = 0xffffffff;

/** Looks for triangles closer than `bound` by more than `slack`; none closer by more than that than those found are left. */
export function findClosestParts(parts: PartPairs, bound: number, slack: number): ClosestParts {
  const query = new BatchQuery(parts, { limit: 1, bound, slack });
  query.setWord(FOUND_A, NONE);
  try {
    let adaptiveTests = 0;
    let touching: bigint | undefined;
    let status: number;
    do {
      status = patchesKernels.kernels().closestOf(query.block);
      if (status === Status.tooFar) throw tooFar();
      const doubts = query.takeDoubts();
      adaptiveTests += doubts.length;
      touching = decideDoubts(query, doubts, 1)[0];
      if (status === Status.needTreelet) query.expand();
    } while (status !== Status.done && touching === undefined);
    const stats = query.stats(adaptiveTests);
    const pair = touching === undefined ? query.word(FOUND_PAIR) : query.cursor;
    const triangleA = touching === undefined ? query.word(FOUND_A) : Number(touching >> 32n);
    const triangleB = touching === undefined ? query.word(FOUND_B) : Number(touching & 0xffffffffn);
    const found =
      triangleA === NONE ? undefined : { a: query.partA(pair), b: query.partB(pair), triangleA, triangleB };
    return { found, rounding: query.rounding, stats };
  } finally {
    query.release();
  }
}
