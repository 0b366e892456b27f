/** How kernels that report pairs are run: until they are done or have enough, with their doubts decided on the way. */
import { Status } from '../../kernel/layout.generated.js';
import { PairReader, type TrianglePairs } from '../../mesh/pair-reader.js';
import type { OpenQuery, QueryContext } from './context.js';
import { expandPending } from './hierarchy-of.js';
import { joinKeys, keysToPairs, NO_KEYS } from './pair-list.js';
import type { PortableFinding } from './portable.js';
import type { CollideResult } from './results.js';

/**
 * Runs a kernel that reports pairs until it is done or has enough, deciding its doubts on the way; or everything that
 * it reports, where a reader is given that says what meets.
 */
export function runToLimit(
  query: QueryContext,
  limit: number,
  step: () => number,
  readPairs?: () => TrianglePairs,
): CollideResult {
  const batches: BigUint64Array[] = [];
  let found = 0;
  let adaptiveTests = 0;
  let status: number;
  do {
    status = step();
    if (status === Status.needTreelet) expandPending(query);
    const reported = [query.takePairs(), query.takeDoubts()];
    const [pairs, doubts] = readPairs ? [NO_KEYS, joinKeys(reported)] : reported;
    adaptiveTests += doubts.length;
    // one more than asked for: then it is known that there are more
    const enough = limit + 1 - found - pairs.length;
    const decided = readPairs ? readPairs().keepMeeting(doubts, enough) : decideDoubts(query, doubts, enough);
    if (pairs.length > 0) batches.push(pairs);
    if (decided.length > 0) batches.push(decided);
    found += pairs.length + decided.length;
  } while (!(status === Status.done && query.finished) && found < limit);
  const complete = status === Status.done && found <= limit && query.finished;
  return resultOf({ keys: joinKeys(batches), complete, stats: query.stats(adaptiveTests) }, limit);
}

/** Sorts and cuts off what a walk has found. */
export function resultOf({ keys, complete, stats }: PortableFinding, limit: number): CollideResult {
  const sorted = keys.length > 1 ? keys.sort() : keys;
  const kept = sorted.length > limit ? sorted.slice(0, limit) : sorted;
  const count = kept.length;
  return { colliding: count > 0, count, pairs: keysToPairs(kept), complete, error: 0, stats };
}

/** Keeps the pairs that do meet, the first `enough` of them at least where there are so many. */
export function decideDoubts(query: OpenQuery, doubts: BigUint64Array, enough = Infinity): BigUint64Array {
  if (doubts.length === 0) return doubts;
  return new PairReader(query.treeA.mesh, query.treeB.mesh, query.pose).keepMeeting(doubts, enough);
}
