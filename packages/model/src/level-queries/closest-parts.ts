/** The closest triangles of pairs of parts (see kernels/patches/closest-of.ts). */
import { arena } from 'impinge/internal/base/arena.js';
import { EMPTY, Q, Status } from 'impinge/internal/kernel/layout.generated.js';
import { decideDoubts } from 'impinge/internal/query/pair/collide.js';
import { type QueryStats, tooFar } from 'impinge/internal/query/pair/context.js';
import { BatchQuery, type Part, type PartPairs } from './batch-query.js';
import { patchesKernels } from './kernels.generated.js';
import { BatchField } from './layout.generated.js';
import { ShellGaps } from './shells.js';

export interface ClosestAsk {
  /** Triangles are looked for that are closer than that, by more than the slack where they are not the first. */
  readonly bound: number;
  readonly slack: number;
  /** The same as the slack, as a share of the distance: both together count. */
  readonly share: number;
  readonly isFirst: boolean;
  /** Whether pairs of parts take so long that shells around them are worth it. */
  readonly isHard: boolean;
}

/** The pair found, and what distances of these parts lose to rounding at most. */
export interface ClosestParts {
  readonly found: ClosestPair | undefined;
  readonly rounding: number;
  /** Pairs of parts that were looked at. */
  readonly pairs: number;
  readonly stats: QueryStats;
}

export interface ClosestPair {
  readonly a: Part;
  readonly b: Part;
  readonly triangleA: number;
  readonly triangleB: number;
}

const NOT_KNOWN = [0, 0] as const;

/**
 * None closer by more than the slack and the share than those found are left, and, without a share, none within the
 * bound if none are found. Where shells are used, half of the slack is for them: triangles are looked for that are
 * closer by more than the other half, and parts are left out whose shells are not closer by more than all of it.
 */
export function findClosestParts(parts: PartPairs, ask: ClosestAsk): ClosestParts {
  const { isFirst, isHard } = ask;
  const slack = isHard ? 0.5 * ask.slack : ask.slack;
  // a bound of no more than the slack would be taken for an answer
  const bound = isFirst ? (ask.bound + slack) * (1 + 1e-14) : ask.bound;
  const query = new BatchQuery(parts, { limit: 1, bound, slack });
  query.setWord(BatchField.foundA, EMPTY);
  arena().f32()[(query.block + Q.share) >>> 2] = ask.share;
  if (isHard) {
    const gaps = new ShellGaps(query.pose);
    query.writeNumbers((a, b) => {
      const gap = gaps.between(a.tree.mesh, b.tree.mesh);
      return [isFirst ? gap : gap + slack, gap + slack];
    });
  } else query.writeNumbers(() => NOT_KNOWN);
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
    const pair = touching === undefined ? query.word(BatchField.foundPair) : query.cursor;
    const triangleA = touching === undefined ? query.word(BatchField.foundA) : Number(touching >> 32n);
    const triangleB = touching === undefined ? query.word(BatchField.foundB) : Number(touching & 0xffffffffn);
    const found =
      triangleA === EMPTY ? undefined : { a: query.partA(pair), b: query.partB(pair), triangleA, triangleB };
    return { found, rounding: query.rounding, pairs: query.word(BatchField.lookedAt), stats };
  } finally {
    query.release();
  }
}
