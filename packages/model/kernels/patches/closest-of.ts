/**
 * The closest triangles of many pairs of trees, one pair after the other: each search looks only for triangles that are
 * closer than the best so far by more than Q_SLACK and Q_SHARE. The two numbers of a pair: the pair is skipped if the
 * first exceeds that bound, too, or, once triangles were found, if the second does.
 */
import { EMPTY } from '../../../impinge/kernels/layout';
import {
  DONE, DOUBTS_FULL, Q_BEST_A, Q_BEST_B, Q_BOUND, Q_DOUBT_COUNT, Q_HEAP_COUNT, Q_HEAP_STEPS, Q_SLACK, Q_STACK_TOP,
  Q_STARTED, TOO_FAR,
} from '../../../impinge/kernels/context';
import { below, closest } from '../../../impinge/kernels/closest';
import { Q_CURSOR, Q_TREE_COUNT, TOO_WIDE, takeTrees, treesAt } from './tree-pairs';

// host: BatchField.* = Q_*
/** The pair of trees with the closest pair of triangles, and that pair; EMPTY if nothing was found yet. */
const Q_FOUND_PAIR: usize = 300;
const Q_FOUND_A: usize = 304;
const Q_FOUND_B: usize = 308;
/** Number of pairs of trees that were not too far apart. */
const Q_LOOKED_AT: usize = 312;

/** Q_STARTED: only the doubts of a pair are left. */
const SEARCHED: u32 = 3;

/** Reduces Q_BOUND to the smallest distance and names the pair. The host decides doubts of a pair before the next. */
export function closestOf(query: usize): i32 {
  const count = load<u32>(query, Q_TREE_COUNT);
  let cursor = load<u32>(query, Q_CURSOR);
  while (cursor < count) {
    if (load<u32>(query, Q_STARTED) != SEARCHED) {
      let apart = false;
      if (!load<u32>(query, Q_STARTED)) {
        const trees = treesAt(query, cursor);
        const gap = takeTrees(query, trees);
        if (gap == TOO_WIDE) return TOO_FAR;
        const least = load<f64>(trees + (load<u32>(query, Q_FOUND_A) == EMPTY ? 16 : 24));
        apart = max(gap, least) > below(query, load<f64>(query, Q_BOUND));
        if (!apart) store<u32>(query, load<u32>(query, Q_LOOKED_AT) + 1, Q_LOOKED_AT);
        store<u32>(query, EMPTY, Q_BEST_A);
      }
      if (!apart) {
        const status = closest(query);
        if (status != DONE) return status;
        if (load<u32>(query, Q_BEST_A) != EMPTY) {
          store<u32>(query, cursor, Q_FOUND_PAIR);
          store<u32>(query, load<u32>(query, Q_BEST_A), Q_FOUND_A);
          store<u32>(query, load<u32>(query, Q_BEST_B), Q_FOUND_B);
        }
      }
      store<u32>(query, SEARCHED, Q_STARTED);
      if (load<u32>(query, Q_DOUBT_COUNT)) return DOUBTS_FULL;
    }
    store<u32>(query, 0, Q_STARTED);
    store<u32>(query, 0, Q_HEAP_COUNT);
    store<u32>(query, 0, Q_HEAP_STEPS);
    store<u32>(query, 0, Q_STACK_TOP);
    store<u32>(query, ++cursor, Q_CURSOR);
    if (load<f64>(query, Q_BOUND) <= load<f64>(query, Q_SLACK)) break;
  }
  return DONE;
}
