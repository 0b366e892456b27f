/**
 * Which triangles of two meshes meet. Closed sets: touching counts. The kernels decide what float64 can decide;
 * the rest is decided here with exact signs.
 */
import { readBag, readChoice, readInteger, readKnown, readLength } from '../../base/options.js';
import { Status } from '../../kernel/layout.generated.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Target } from '../target.js';
import { boxesApart, nothingMeets } from './boxes-apart.js';
import type { Budget } from './budget.js';
import { POSE_NAMES, type PoseOptions, QueryContext } from './context.js';
import { expandPending, hierarchyOf, portableTreesFor } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { areParted, askPair, pairsOfParts } from './near-pairs.js';
import {
  ERROR_NAMES,
  type ErrorOptions,
  type PairAnswer,
  type PairsRequest,
  readErrorLimit,
} from './pair-request.js';
import { isStretched, readAnyPlacement, readRigidPlacement } from './placement.js';
import { findPairsPortable, MEETING } from './portable.js';
import type { CollideResult } from './results.js';
import { decideDoubts, resultOf, runToLimit } from './run-query.js';
import { findSmallPairs } from './small-pair.js';
import { withinStretched } from './stretched.js';

export { decideDoubts, resultOf, runToLimit } from './run-query.js';

/** How many pairs are wanted. */
export interface AmountOptions {
  /** `all` triangle pairs (default), or `any`: stop at the first. */
  readonly mode?: 'any' | 'all';
  /** Stop after this many pairs (default Infinity). */
  readonly limit?: number;
}

export interface CollideOptions extends PoseOptions, AmountOptions, ErrorOptions {
  /**
   * With an error: the largest extent of the patches that the answer is made of, 0 for the smallest, which are eight
   * errors across (default: whole pieces, which is fastest).
   */
  readonly patch?: number;
  /**
   * What it may cost, with an error, when the answer is made of whole pieces: where that is used up, some of them are
   * coarser, and `error` and the bounds of the answer say by how much.
   */
  readonly budget?: Budget;
}

export const AMOUNT_NAMES = { mode: true, limit: true } as const;
export const COLLIDE_NAMES = {
  ...POSE_NAMES,
  ...AMOUNT_NAMES,
  ...ERROR_NAMES,
  patch: true,
  budget: true,
} as const;

export const MODES = ['all', 'any'] as const;

/** Most pairs a result can hold. */
export const UNLIMITED = 0xffffffff;

export function readLimit(options: AmountOptions): number {
  const { mode, limit = Infinity } = readBag(options);
  if (mode !== undefined) readChoice('mode', mode, MODES);
  if (mode === 'any') return 1;
  return limit === Infinity ? UNLIMITED : Math.min(readInteger('limit', limit, 1), UNLIMITED);
}

/** How fine an answer with an error is to be; a budget is read by targets that know of errors. */
export function readFineness({
  patch,
  budget,
  exact,
}: CollideOptions): Pick<PairsRequest, 'patch' | 'budget'> {
  return {
    patch: patch === undefined ? undefined : readLength('patch', patch),
    budget: exact ? undefined : budget,
  };
}

/** Finds the triangles of a and b that meet. Where one of them is read, the answer takes time. */
export function collide<A extends Target, B extends Target>(
  a: A,
  b: B,
  options?: CollideOptions,
): PairAnswer<A, B, CollideResult<A, B>>;
export function collide(a: Target, b: Target, options: CollideOptions = {}): unknown {
  readKnown('collide', options, COLLIDE_NAMES);
  const limit = readLimit(options);
  const error = readErrorLimit(options);
  if (areParted(a, b)) {
    const request = {
      a,
      b,
      ...readRigidPlacement(options),
      limit,
      distance: 0,
      error,
      ...readFineness(options),
    };
    return askPair('pairs', request, (asked) => pairsOfParts(asked, collidePlaced));
  }
  const placed = readAnyPlacement(options);
  return isStretched(placed)
    ? withinStretched(a as Mesh, b as Mesh, placed, limit, 0)
    : collidePlaced(a as Mesh, b as Mesh, placed.bToA, limit);
}

/** The same for sides that are placed already. */
export function collidePlaced(a: Mesh, b: Mesh, bToA: RigidPose, limit: number): CollideResult {
  const trees = portableTreesFor(a, b);
  if (boxesApart(a, b, bToA)) return nothingMeets();
  if (trees) return resultOf(findPairsPortable(a, b, bToA, limit, MEETING, trees), limit);
  const small = findSmallPairs(a, b, bToA, { limit });
  return small ? resultOf(small, limit) : collideTrees(a, b, bToA, limit);
}

/** The same by kernels and trees, which are built where there are none. */
export function collideTrees(a: Mesh, b: Mesh, bToA: RigidPose, limit: number): CollideResult {
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit });
  try {
    return runToLimit(query, limit, () => pairKernels.kernels().collide(query.block));
  } finally {
    query.release();
  }
}

/** Hands over all meeting pairs as keys, a few thousand at a time, in no particular order. */
export function eachMeeting(a: Mesh, b: Mesh, bToA: RigidPose, visit: (keys: BigUint64Array) => void): void {
  const trees = portableTreesFor(a, b);
  const whole = trees
    ? findPairsPortable(a, b, bToA, UNLIMITED, MEETING, trees)
    : findSmallPairs(a, b, bToA, { limit: UNLIMITED });
  if (whole) {
    visit(whole.keys);
    return;
  }
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit: UNLIMITED });
  try {
    let status: number;
    do {
      status = pairKernels.kernels().collide(query.block);
      if (status === Status.needTreelet) expandPending(query);
      const pairs = query.takePairs();
      const decided = decideDoubts(query, query.takeDoubts());
      if (pairs.length > 0) visit(pairs);
      if (decided.length > 0) visit(decided);
    } while (status !== Status.done);
  } finally {
    query.release();
  }
}
