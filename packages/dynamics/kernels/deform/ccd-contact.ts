/**
 * When do two linearly moving elements first touch, if the signs of the volume's coefficients do not decide it?
 * Twin: src/geometry/ccd/fast-contact.ts, which describes the method; the same steps in the same order.
 */
import { approach } from './ccd-approach';
import { ANSWER, DOUBT, ERROR, MISS } from './ccd-patch';
import { certainSign, contactAtRoot } from './ccd-root';

export const THIRD: f64 = 1 / 3.0;
export const MOST_SPLITS: i32 = 10;
const SPLITS_IN_PLANE: i32 = 4;
const SHORTEST_STEP: f64 = 1 / <f64>(1 << 20);
export const SPLIT_AT: f64 = 0.515625;

/** The first contact in [from, to], where the volume has the Bernstein coefficients e0 … e3. */
export function isolate(patch: usize, square: bool, from: f64, to: f64, e0: f64, e1: f64, e2: f64, e3: f64, splits: i32): i32 {
  const error = load<f64>(patch, ERROR);
  const s0 = certainSign(e0, error), s1 = certainSign(e1, error), s2 = certainSign(e2, error), s3 = certainSign(e3, error);
  if (s0 != 0 && s1 == s0 && s2 == s0 && s3 == s0) return MISS;
  // one change of sign, whatever the uncertain ones are: one root (Descartes)
  if (s0 * s3 < 0 && (s1 == s0 || s2 == s3)) {
    return contactAtRoot(patch, square, from, to, <f64>s0, from + (to - from) * polygonCrossing(e0, e1, e2, e3, s0, s1, s2));
  }
  let at = SPLIT_AT;
  let known = false;
  if (s0 * s3 > 0) {
    const extremum = nearestExtremum(e0, e1, e2, e3, <f64>s0);
    if (extremum > 0 && extremum < 1) at = extremum;
  }
  if (s0 * s3 == 0 || splits <= 0) {
    if (approach(patch, square, from, to, 0) == MISS) return MISS;
    if (splits <= 0) return DOUBT;
    if (s0 == 0) {
      // in one plane at first: continue from a time that is known to be free, well before a possible contact
      at = (0.5 * (load<f64>(patch, ANSWER) - from)) / (to - from);
      if (!(at > SHORTEST_STEP)) return DOUBT;
      known = true;
    }
  }
  const back = 1 - at;
  const e01 = back * e0 + at * e1;
  const e12 = back * e1 + at * e2;
  const e23 = back * e2 + at * e3;
  const e012 = back * e01 + at * e12;
  const e123 = back * e12 + at * e23;
  const middle = back * e012 + at * e123;
  const time = from + (to - from) * at;
  if (known) return isolate(patch, square, time, to, middle, e123, e23, e3, splits - SPLITS_IN_PLANE);
  const before = isolate(patch, square, from, time, e0, e01, e012, middle, splits - 1);
  if (before != MISS) return before;
  return isolate(patch, square, time, to, middle, e123, e23, e3, splits - 1);
}

/**
 * The approximate place where a cubic with ends of the given sign comes closest to the other sign; NaN if it has no
 * extremum.
 */
export function nearestExtremum(e0: f64, e1: f64, e2: f64, e3: f64, sign: f64): f64 {
  const g0 = sign * (e1 - e0);
  const g1 = sign * (e2 - e1);
  const g2 = sign * (e3 - e2);
  const root = sqrt(g1 * g1 - g0 * g2);
  const h = g0 - g1;
  return h > 0 ? (h + root) / (h - g1 + g2) : g0 / (h - root);
}

/** The zero of the control polygon, which has one change of sign. */
// @ts-ignore: decorator
@inline function polygonCrossing(e0: f64, e1: f64, e2: f64, e3: f64, s0: i32, s1: i32, s2: i32): f64 {
  if (s1 != s0) return (THIRD * e0) / (e0 - e1);
  if (s2 != s0) return THIRD * (1 + e1 / (e1 - e2));
  return THIRD * (2 + e2 / (e2 - e3));
}
