/**
 * Do two elements touch at a simple root of their volume?
 *
 * The root is enclosed between two times of certain, opposite sign. Along the axis that shows most of the patch, the
 * signs of x, y and their complements, times the patch's area, are those of the origin's sides: all equal over the
 * whole bracket says inside, two opposite ones outside.
 *
 * Twin: kernels/deform/ccd-root.ts, the same steps in the same order.
 * Errs: never; cases that rounding errors leave undecided are DOUBT, unless a direction separates the elements.
 */
import { CROSS_BOUND, type DifferencePatch, differenceAt } from './difference-patch.js';
import { approach } from './fast-approach.js';
import { DOUBT, HIT, MISS, type Verdict } from './verdict.js';

/** Halley's, each with three times the digits of the one before. */
const ROOT_STEPS = 3;
const ROOT_ROUNDS = 2;
const HALVINGS = 50;
/** Values are not split: 18 roundings of the 192 that the bound allows for. */
const VALUE_SHARE = 1 / 8;
const NARROWEST_MARGIN = 2 ** -50;
/** A contact whose time is less certain than this is left to exact arithmetic. */
const WIDEST_BRACKET = 1e-9;

/** The volume over time. */
export interface Volume {
  /** Bernstein coefficients on [0, 1], the inner ones times three. */
  readonly c0: number;
  readonly c1: number;
  readonly c2: number;
  readonly c3: number;
  /** Bounds the error of every coefficient, also after splits. */
  readonly error: number;
  /** Bounds the loss to underflow. */
  readonly lost: number;
  readonly sizeW: number;
  readonly sizeA: number;
  readonly sizeB: number;
}

/** Whether there is contact at the only root of the volume in [from, to], which has the given sign at `from`. */
export function contactAtRoot(
  p: Float64Array,
  patch: DifferencePatch,
  volume: Volume,
  from: number,
  to: number,
  sign: number,
  guess: number,
  out: Float64Array,
): Verdict {
  const { c0, c1, c2, c3 } = volume;
  const error = VALUE_SHARE * volume.error;
  let t = guess;
  let early = from;
  let late = to;
  let bracketed = false;
  for (let round = 0; round < ROOT_ROUNDS && !bracketed; round++) {
    let slope = 0;
    for (let step = 0; step < ROOT_STEPS; step++) {
      const value = valueAt(c0, c1, c2, c3, t);
      slope = slopeAt(c0, c1, c2, c3, t);
      const bend = 2 * ((1 - t) * (c2 - 2 * c1 + 3 * c0) + t * (3 * c3 - 2 * c2 + c1));
      const next = t - (2 * value * slope) / (2 * slope * slope - value * bend);
      t = next > from && next < to ? next : t;
    }
    // certain signs at both ends, about as close as the errors allow
    const margin = 2 * (error / Math.abs(slope)) + NARROWEST_MARGIN;
    early = t - margin;
    late = t + margin;
    bracketed =
      early > from &&
      late < to &&
      late - early <= WIDEST_BRACKET &&
      sign * valueAt(c0, c1, c2, c3, early) > error &&
      sign * valueAt(c0, c1, c2, c3, late) < -error;
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
  const verdict = insideAt(p, patch, volume, t, Math.max(t - early, late - t), sign, out);
  if (verdict === DOUBT) return approach(p, patch, early, late, 0, out);
  out[0] = early;
  return verdict === HIT && late - early > WIDEST_BRACKET ? DOUBT : verdict;
}

function valueAt(c0: number, c1: number, c2: number, c3: number, t: number): number {
  const s = 1 - t;
  return s * s * (s * c0 + t * c1) + t * t * (s * c2 + t * c3);
}

function slopeAt(c0: number, c1: number, c2: number, c3: number, t: number): number {
  const s = 1 - t;
  return s * s * (c1 - 3 * c0) + 2 * (s * t) * (c2 - c1) + t * t * (3 * c3 - c2);
}

/**
 * Whether the patch contains the origin at the root, at most `reach` from t; `sign` is that of the volume before it.
 * Writes all of `out` but the time.
 */
function insideAt(
  p: Float64Array,
  { square, wFrom, wTo, aFrom, aTo, bFrom, bTo }: DifferencePatch,
  { lost, sizeW, sizeA, sizeB }: Volume,
  t: number,
  reach: number,
  sign: number,
  out: Float64Array,
): Verdict {
  const ax = differenceAt(p, aFrom, aTo, t);
  const ay = differenceAt(p, aFrom + 1, aTo + 1, t);
  const az = differenceAt(p, aFrom + 2, aTo + 2, t);
  const bx = differenceAt(p, bFrom, bTo, t);
  const by = differenceAt(p, bFrom + 1, bTo + 1, t);
  const bz = differenceAt(p, bFrom + 2, bTo + 2, t);
  const wx = differenceAt(p, wFrom, wTo, t);
  const wy = differenceAt(p, wFrom + 1, wTo + 1, t);
  const wz = differenceAt(p, wFrom + 2, wTo + 2, t);
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  // the area, and the parts of it for x and y, along the axis that shows most
  let n = nx;
  let x = by * wz - bz * wy;
  let y = wy * az - wz * ay;
  if (Math.abs(ny) > Math.abs(nx) && Math.abs(ny) >= Math.abs(nz)) {
    n = ny;
    x = bz * wx - bx * wz;
    y = wz * ax - wx * az;
  } else if (Math.abs(nz) > Math.abs(nx)) {
    n = nz;
    x = bx * wy - by * wx;
    y = wx * ay - wy * ax;
  }
  const bound = CROSS_BOUND + 4 * reach;
  const errorX = bound * (sizeB * sizeW) + lost;
  const errorY = bound * (sizeW * sizeA) + lost;
  const errorN = bound * (sizeA * sizeB) + lost;
  let low = certainSign(x, errorX);
  let high = low;
  const sy = certainSign(y, errorY);
  low = Math.min(low, sy);
  high = Math.max(high, sy);
  if (square) {
    const sx1 = certainSign(n - x, errorN + errorX);
    const sy1 = certainSign(n - y, errorN + errorY);
    low = Math.min(low, Math.min(sx1, sy1));
    high = Math.max(high, Math.max(sx1, sy1));
  } else {
    const sz = certainSign(n - x - y, errorN + errorX + errorY);
    low = Math.min(low, sz);
    high = Math.max(high, sz);
  }
  if (low < 0 && high > 0) return MISS;
  if (low <= 0 && high >= 0) return DOUBT;
  const length = -sign * Math.sqrt(nx * nx + ny * ny + nz * nz);
  out[1] = x / n;
  out[2] = y / n;
  out[3] = nx / length;
  out[4] = ny / length;
  out[5] = nz / length;
  return HIT;
}

/** The sign of a value that is off by at most `error`; 0 where that leaves it open. */
export function certainSign(value: number, error: number): number {
  return value > error ? 1 : value < -error ? -1 : 0;
}
