/**
 * Do two elements touch at a simple root of their volume?
 * Twin: src/geometry/ccd/fast-root.ts, which describes the method; the same steps in the same order.
 */
import { approach } from './ccd-approach';
import { A, ANSWER, B, CROSS_BOUND, DOUBT, ERROR, HIT, LOST, MISS, SIZE_A, SIZE_B, SIZE_W, VOLUME, W, coordinate } from './ccd-patch';
import { INSIDE, scratch } from './scratch';

export const ROOT_STEPS: i32 = 3;
const ROOT_ROUNDS: i32 = 2;
const HALVINGS: i32 = 50;
export const VALUE_SHARE: f64 = 1 / 8.0;
export const NARROWEST_MARGIN: f64 = 8.881784197001252e-16; // 2^-50
export const WIDEST_BRACKET: f64 = 1e-9;

/** The sign of a value that is off by at most `error`; 0 if uncertain. */
// @ts-ignore: decorator
@inline export function certainSign(value: f64, error: f64): i32 { return <i32>(value > error) - <i32>(value < -error); }

/** Whether there is contact at the only root of the volume in [from, to], which has the given sign at `from`. */
export function contactAtRoot(patch: usize, square: bool, from: f64, to: f64, sign: f64, guess: f64): i32 {
  const error = VALUE_SHARE * load<f64>(patch, ERROR);
  const c0 = load<f64>(patch, VOLUME), c1 = load<f64>(patch, VOLUME + 8);
  const c2 = load<f64>(patch, VOLUME + 16), c3 = load<f64>(patch, VOLUME + 24);
  const d0 = c1 - 3 * c0, d1 = c2 - c1, d2 = 3 * c3 - c2;
  const h0 = c2 - 2 * c1 + 3 * c0, h1 = 3 * c3 - 2 * c2 + c1;
  let t = guess;
  let early = from;
  let late = to;
  let bracketed = false;
  for (let round = 0; round < ROOT_ROUNDS && !bracketed; round++) {
    let slope: f64 = 0;
    for (let step = 0; step < ROOT_STEPS; step++) {
      const s = 1 - t;
      const value = valueAt(c0, c1, c2, c3, t);
      slope = s * s * d0 + 2 * (s * t) * d1 + t * t * d2;
      const bend = 2 * (s * h0 + t * h1);
      const next = t - (2 * value * slope) / (2 * slope * slope - value * bend);
      t = next > from && next < to ? next : t;
    }
    // certain signs at both ends, about as close as the errors allow
    const margin = 2 * (error / abs(slope)) + NARROWEST_MARGIN;
    early = t - margin;
    late = t + margin;
    bracketed = early > from && late < to && late - early <= WIDEST_BRACKET
      && sign * valueAt(c0, c1, c2, c3, early) > error && sign * valueAt(c0, c1, c2, c3, late) < -error;
  }
  if (!bracketed) {
    early = from;
    late = to;
    let uncertain = to;
    for (let step = 0; step < HALVINGS; step++) {
      t = 0.5 * (early + uncertain);
      if (sign * valueAt(c0, c1, c2, c3, t) > error) early = t;
      else uncertain = t;
    }
    uncertain = early;
    for (let step = 0; step < HALVINGS; step++) {
      t = 0.5 * (uncertain + late);
      if (sign * valueAt(c0, c1, c2, c3, t) < -error) late = t;
      else uncertain = t;
    }
    t = 0.5 * (early + late);
  }
  return contactBetween(patch, square, early, late, t, sign);
}

/** The same, given times before and after the root, and the best guess between them. */
export function contactBetween(patch: usize, square: bool, early: f64, late: f64, t: f64, sign: f64): i32 {
  const reach = t - early > late - t ? t - early : late - t;
  const verdict = insideAt(patch, square, t, reach, sign);
  if (verdict == DOUBT) return approach(patch, square, early, late, 0);
  store<f64>(patch, early, ANSWER);
  return verdict == HIT && late - early > WIDEST_BRACKET ? DOUBT : verdict;
}

// @ts-ignore: decorator
@inline function valueAt(c0: f64, c1: f64, c2: f64, c3: f64, t: f64): f64 {
  const s = 1 - t;
  return s * s * (s * c0 + t * c1) + t * t * (s * c2 + t * c3);
}

/**
 * Whether the patch contains the origin at the root, at most `reach` from t; `sign` is that of the volume before it.
 * Writes the answer except for its time.
 */
function insideAt(patch: usize, square: bool, t: f64, reach: f64, sign: f64): i32 {
  const s = 1 - t;
  const ax = coordinate(patch + A, s, t), ay = coordinate(patch + A + 16, s, t), az = coordinate(patch + A + 32, s, t);
  const bx = coordinate(patch + B, s, t), by = coordinate(patch + B + 16, s, t), bz = coordinate(patch + B + 32, s, t);
  const wx = coordinate(patch + W, s, t), wy = coordinate(patch + W + 16, s, t), wz = coordinate(patch + W + 32, s, t);
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  // the area, and the shares of x and y in it, along the axis with the largest component
  const isY = <usize>(abs(ny) > abs(nx)) & <usize>(abs(ny) >= abs(nz)), isZ = <usize>(abs(nz) > abs(nx)) & (isY ^ 1);
  const place = scratch + INSIDE;
  store<f64>(place, nx), store<f64>(place, by * wz - bz * wy, 8), store<f64>(place, wy * az - wz * ay, 16);
  store<f64>(place, ny, 24), store<f64>(place, bz * wx - bx * wz, 32), store<f64>(place, wz * ax - wx * az, 40);
  store<f64>(place, nz, 48), store<f64>(place, bx * wy - by * wx, 56), store<f64>(place, wx * ay - wy * ax, 64);
  const chosen = place + 24 * (isY + 2 * isZ);
  const n = load<f64>(chosen), x = load<f64>(chosen, 8), y = load<f64>(chosen, 16);
  const sizeW = load<f64>(patch, SIZE_W), sizeA = load<f64>(patch, SIZE_A), sizeB = load<f64>(patch, SIZE_B);
  const lost = load<f64>(patch, LOST);
  const bound = CROSS_BOUND + 4 * reach;
  const errorX = bound * (sizeB * sizeW) + lost;
  const errorY = bound * (sizeW * sizeA) + lost;
  const errorN = bound * (sizeA * sizeB) + lost;
  const sx = certainSign(x, errorX), sy = certainSign(y, errorY);
  let low = sx < sy ? sx : sy;
  let high = sx < sy ? sy : sx;
  if (square) {
    const sx1 = certainSign(n - x, errorN + errorX), sy1 = certainSign(n - y, errorN + errorY);
    low = min(low, min(sx1, sy1));
    high = max(high, max(sx1, sy1));
  } else {
    const sz = certainSign(n - x - y, errorN + errorX + errorY);
    low = min(low, sz);
    high = max(high, sz);
  }
  if (low < 0 && high > 0) return MISS;
  if (low <= 0 && high >= 0) return DOUBT;
  const length = -sign * sqrt(nx * nx + ny * ny + nz * nz);
  store<f64>(patch, x / n, ANSWER + 8);
  store<f64>(patch, y / n, ANSWER + 16);
  store<f64>(patch, nx / length, ANSWER + 24);
  store<f64>(patch, ny / length, ANSWER + 32);
  store<f64>(patch, nz / length, ANSWER + 40);
  return HIT;
}
