/**
 * The distance of two convex hulls by the algorithm of Gilbert, Johnson and Keerthi on their difference: it starts with
 * the simplex that was nearest last time and moves step by step towards the origin.
 *
 * Bounds: with a unit vector n from the nearest point so far, all of the difference lies beyond n · w, w being the
 * corner farthest back along n, so no two points are nearer than n · w; the nearest point so far is a pair of points of
 * the hulls. Products of float64 lose less than the rounding that the query allows for (see hull-pair.ts). If the
 * origin is inside, hull-depth.ts computes the depth.
 */
import { hullDepth } from './hull-depth';
import {
  C_A, C_B, C_IDS, P_CORNERS, P_FAR, P_LOWER, P_NORMAL, P_PAIRS, P_POINT_A, P_POINT_B, P_ROUNDING, P_UPPER, sameCorner,
  writeCorner, writeFarthest,
} from './hull';
import { cornerAt, dropCorners, nearestOf, nearSq, nearX, nearY, nearZ, shareOf } from './simplex';

const STEPS: i32 = 64;
/** Bounds closer to each other than this share of the distance are good enough. */
const CLOSE: f64 = 1e-10;

/** Answers a query. */
export function hullDistance(pair: usize): void {
  const count = hullsApart(pair);
  if (count > 0) hullDepth(pair, count);
}

/**
 * The same for hulls that are apart; otherwise returns the number of corners in the work space that enclose the origin,
 * and reports only that the distance is at most 0.
 */
export function hullsApart(pair: usize): i32 {
  const far = load<f64>(pair, P_FAR), rounding = load<f64>(pair, P_ROUNDING);
  let count = begin(pair);
  let lower: f64 = -Infinity;
  let last: f64 = Infinity;
  for (let step = 0; step < STEPS; step++) {
    if (nearestOf(count) || nearSq <= rounding * rounding) {
      keep(pair, count);
      store<f64>(pair, -Infinity, P_LOWER);
      store<f64>(pair, rounding, P_UPPER);
      return count;
    }
    const distance = Math.sqrt(nearSq);
    if (distance >= last && step > 0) break; // rounding: it was as near before
    last = distance;
    count = dropCorners();
    answer(pair, count, distance);
    const next = cornerAt(count);
    writeFarthest(pair, next, -nearX, -nearY, -nearZ);
    const beyond = (nearX * load<f64>(next) + nearY * load<f64>(next, 8) + nearZ * load<f64>(next, 16)) / distance;
    if (beyond > lower) lower = beyond;
    if (lower - rounding > far || distance - lower <= CLOSE * distance) break;
    let known = false;
    for (let i = 0; i < count; i++) known = known || sameCorner(cornerAt(i), next);
    if (known) break;
    count++;
  }
  store<f64>(pair, max(lower - rounding, 0), P_LOWER);
  return 0;
}

/** Computes the corners that the query begins with; returns their number. */
function begin(pair: usize): i32 {
  const count: i32 = load<i32>(pair, P_CORNERS);
  if (count == 0) {
    writeCorner(pair, cornerAt(0), 0, 0);
    return 1;
  }
  for (let i = 0; i < count; i++) {
    const ids = load<u32>(pair + P_PAIRS + <usize>i * 4);
    writeCorner(pair, cornerAt(i), ids & 0xffff, ids >>> 16);
  }
  return count;
}

/** Stores the corners for the next query. */
function keep(pair: usize, count: i32): void {
  store<i32>(pair, count, P_CORNERS);
  for (let i = 0; i < count; i++) {
    const ids = cornerAt(i) + C_IDS;
    store<u32>(pair + P_PAIRS + <usize>i * 4, load<u32>(ids) | (load<u32>(ids, 4) << 16));
  }
}

function answer(pair: usize, count: i32, distance: f64): void {
  keep(pair, count);
  store<f64>(pair, distance + load<f64>(pair, P_ROUNDING), P_UPPER);
  store<f64>(pair, -nearX / distance, P_NORMAL);
  store<f64>(pair, -nearY / distance, P_NORMAL + 8);
  store<f64>(pair, -nearZ / distance, P_NORMAL + 16);
  for (let k: usize = 0; k < 24; k += 8) {
    let a: f64 = 0, b: f64 = 0;
    for (let i = 0; i < count; i++) {
      a += shareOf(i) * load<f64>(cornerAt(i) + C_A + k);
      b += shareOf(i) * load<f64>(cornerAt(i) + C_B + k);
    }
    store<f64>(pair + P_POINT_A + k, a);
    store<f64>(pair + P_POINT_B + k, b);
  }
}
