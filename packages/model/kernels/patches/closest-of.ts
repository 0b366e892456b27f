/**
 * The closest triangles of many pairs of trees, one pair after the other: each only looks for what is closer than what
 * was found before, by more than Q_SLACK. A pair's own numbers: it is left out where the first is beyond that, too, or
 * the second, once something was found.
 */
import { EMPTY } from '../../../impinge/kernels/layout';
import {
  DONE, DOUBTS_FULL, Q_BEST_A, Q_BEST_B, Q_BOUND, Q_DOUBT_COUNT, Q_HEAP_COUNT, Q_HEAP_STEPS, Q_SLACK, Q_STACK_TOP,
  Q_STARTED, TOO_FAR,
} from '../../../impinge/kernels/context';
import { closest } from '../../../impinge/kernels/closest';
import { Q_CURSOR, Q_TREE_COUNT, TOO_WIDE, takeTrees, treesAt } from './tree-pairs';

// host: BatchField.* = Q_*
/** The pair of trees that the closest pair of triangles is of, and that pair; nothing found yet: EMPTY. */
const Q_FOUND_PAIR: usize = 300;
const Q_FOUND_A: usize = 304;
const Q_FOUND_B: usize = 308;
/** How many pairs of trees were not too far apart. */
const Q_LOOKED_AT: usize = 312;

/** Q_STARTED: only doubts are left of a pair. */
const SEARCHED: u32 = 3;

/** Shrinks Q_BOUND to the smallest distance and names the pair. The host decides doubts of a pair before the next. */
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
        apart = max(gap, least) > load<f64>(query, Q_BOUND) - load<f64>(query, Q_SLACK);
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
