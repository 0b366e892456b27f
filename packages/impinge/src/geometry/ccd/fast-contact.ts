/**
 * When do two elements that move linearly first touch? Decided in float64 where the rounding errors allow.
 *
 * The volume W · (A × B) of the difference patch and the origin is a cubic in time; without a root there is no contact.
 * Bernstein coefficients show that at once for most pairs. Where they show exactly one root, fast-root.ts looks at the
 * patch there; otherwise the interval is split. Undecided cases are tried by separating directions (fast-approach.ts),
 * then left to exact arithmetic.
 *
 * With a distance, the volume only rules out pairs that stay farther apart; fast-approach.ts decides the rest.
 *
 * Twin: kernels/deform/ccd.ts and ccd-contact.ts, the same steps in the same order.
 * Errs: never; every sign used is larger than the bound of its rounding error, or the answer is DOUBT.
 */
import {
  AT_T1,
  type DifferencePatch,
  EDGE_EDGE_PATCH,
  sizeOver,
  UNDERFLOW,
  VERTEX_FACE_PATCH,
  VOLUME_BOUND,
} from './difference-patch.js';
import { approach } from './fast-approach.js';
import { certainSign, contactAtRoot, type Volume } from './fast-root.js';
import { DOUBT, MISS, type Verdict } from './verdict.js';

const THIRD = 1 / 3;
const MOST_SPLITS = 10;
/** Number of splits allowed for a start in a plane: it is settled soon or never. */
const SPLITS_IN_PLANE = 4;
const SHORTEST_STEP = 2 ** -20;
/** Not a half: a contact in the middle of a symmetric motion should not lie on a border. */
const SPLIT_AT = 0.515625;

/**
 * Whether a vertex and a face that move linearly come within `distance` of each other.
 *
 * `p` holds v, f0, f1, f2 at T0, then at T1. On HIT, `out` receives [t, u, v, nx, ny, nz]: a time at most 1e-9 before
 * the first contact and never after it, the weights of f1 and f2, and the unit normal from the face to the side the
 * vertex comes from; otherwise its contents are undefined. MISS and HIT are certain at distance 0, DOUBT leaves the
 * decision to `exactVertexFace`. Above 0 there is no DOUBT, MISS is certain, and HIT may be returned for elements that
 * come within 1e-9 times their extent of `distance`.
 */
export function fastVertexFace(p: Float64Array, distance: number, out: Float64Array): Verdict {
  return fastContact(p, VERTEX_FACE_PATCH, distance, out);
}

/**
 * Whether two edges that move linearly come within `distance` of each other.
 *
 * `p` holds a0, a1, b0, b1 at T0, then at T1. On HIT, `out` receives [t, u, v, nx, ny, nz]: a time at most 1e-9 before
 * the first contact and never after it, the parameters along a and along b, and the unit normal from b to the side a
 * comes from; otherwise its contents are undefined. MISS and HIT are certain at distance 0, DOUBT leaves the decision
 * to `exactEdgeEdge`. Above 0 there is no DOUBT, MISS is certain, and HIT may be returned for elements that come within
 * 1e-9 times their extent of `distance`.
 */
export function fastEdgeEdge(p: Float64Array, distance: number, out: Float64Array): Verdict {
  return fastContact(p, EDGE_EDGE_PATCH, distance, out);
}

/**
 * Whether the elements of a query come within `distance` of each other. `out` receives [t, u, v, nx, ny, nz] of the
 * first contact on HIT, otherwise anything.
 */
function fastContact(p: Float64Array, patch: DifferencePatch, distance: number, out: Float64Array): Verdict {
  const { wFrom, wTo, aFrom, aTo, bFrom, bTo } = patch;
  const w0x = p[wTo] - p[wFrom];
  const w0y = p[wTo + 1] - p[wFrom + 1];
  const w0z = p[wTo + 2] - p[wFrom + 2];
  const w1x = p[AT_T1 + wTo] - p[AT_T1 + wFrom];
  const w1y = p[AT_T1 + wTo + 1] - p[AT_T1 + wFrom + 1];
  const w1z = p[AT_T1 + wTo + 2] - p[AT_T1 + wFrom + 2];
  const a0x = p[aTo] - p[aFrom];
  const a0y = p[aTo + 1] - p[aFrom + 1];
  const a0z = p[aTo + 2] - p[aFrom + 2];
  const a1x = p[AT_T1 + aTo] - p[AT_T1 + aFrom];
  const a1y = p[AT_T1 + aTo + 1] - p[AT_T1 + aFrom + 1];
  const a1z = p[AT_T1 + aTo + 2] - p[AT_T1 + aFrom + 2];
  const b0x = p[bTo] - p[bFrom];
  const b0y = p[bTo + 1] - p[bFrom + 1];
  const b0z = p[bTo + 2] - p[bFrom + 2];
  const b1x = p[AT_T1 + bTo] - p[AT_T1 + bFrom];
  const b1y = p[AT_T1 + bTo + 1] - p[AT_T1 + bFrom + 1];
  const b1z = p[AT_T1 + bTo + 2] - p[AT_T1 + bFrom + 2];
  // Bernstein coefficients of A × B, the inner one times two
  const n0x = a0y * b0z - a0z * b0y;
  const n0y = a0z * b0x - a0x * b0z;
  const n0z = a0x * b0y - a0y * b0x;
  const n1x = a0y * b1z - a0z * b1y + (a1y * b0z - a1z * b0y);
  const n1y = a0z * b1x - a0x * b1z + (a1z * b0x - a1x * b0z);
  const n1z = a0x * b1y - a0y * b1x + (a1x * b0y - a1y * b0x);
  const n2x = a1y * b1z - a1z * b1y;
  const n2y = a1z * b1x - a1x * b1z;
  const n2z = a1x * b1y - a1y * b1x;
  const c0 = w0x * n0x + w0y * n0y + w0z * n0z;
  const c1 = w1x * n0x + w1y * n0y + w1z * n0z + (w0x * n1x + w0y * n1y + w0z * n1z);
  const c2 = w0x * n2x + w0y * n2y + w0z * n2z + (w1x * n1x + w1y * n1y + w1z * n1z);
  const c3 = w1x * n2x + w1y * n2y + w1z * n2z;
  const sizeW = sizeOver(p, wFrom, wTo);
  const sizeA = sizeOver(p, aFrom, aTo);
  const sizeB = sizeOver(p, bFrom, bTo);
  const lost = UNDERFLOW * (1 + sizeW + sizeA + sizeB);
  const error = VOLUME_BOUND * (sizeW * sizeA * sizeB) + lost;
  if (distance > 0) {
    // the volume is the distance from the patch's plane times |A × B|, which is at most its largest coefficient
    const area0 = n0x * n0x + n0y * n0y + n0z * n0z;
    const area1 = 0.25 * (n1x * n1x + n1y * n1y + n1z * n1z);
    const area2 = n2x * n2x + n2y * n2y + n2z * n2z;
    const reach = distance * Math.sqrt(Math.max(area0, Math.max(area1, area2))) + error;
    if (oneSided(c0, c1, c2, c3, reach, 3 * reach)) return MISS;
    return approach(p, patch, 0, 1, distance, out);
  }
  if (oneSided(c0, c1, c2, c3, error, error)) return MISS;
  const volume: Volume = { c0, c1, c2, c3, error, lost, sizeW, sizeA, sizeB };
  return isolate(p, patch, volume, 0, 1, c0, THIRD * c1, THIRD * c2, c3, MOST_SPLITS, out);
}

function oneSided(c0: number, c1: number, c2: number, c3: number, outer: number, inner: number): boolean {
  return (
    (c0 > outer && c3 > outer && c1 > inner && c2 > inner) ||
    (c0 < -outer && c3 < -outer && c1 < -inner && c2 < -inner)
  );
}

/** The first contact in [from, to], where the volume has the Bernstein coefficients e0 … e3. */
function isolate(
  p: Float64Array,
  patch: DifferencePatch,
  volume: Volume,
  from: number,
  to: number,
  e0: number,
  e1: number,
  e2: number,
  e3: number,
  splits: number,
  out: Float64Array,
): Verdict {
  const { error } = volume;
  if (oneSided(e0, e1, e2, e3, error, error)) return MISS;
  const s0 = certainSign(e0, error);
  const s1 = certainSign(e1, error);
  const s2 = certainSign(e2, error);
  const s3 = certainSign(e3, error);
  // one change of sign, whatever the uncertain ones are: one root (Descartes)
  if (s0 * s3 < 0 && (s1 === s0 || s2 === s3)) {
    return contactAtRoot(
      p,
      patch,
      volume,
      from,
      to,
      s0,
      from + (to - from) * polygonCrossing(e0, e1, e2, e3, s0, s1, s2),
      out,
    );
  }
  let at = SPLIT_AT;
  let known = false;
  if (s0 * s3 > 0) {
    const extremum = nearestExtremum(e0, e1, e2, e3, s0);
    if (extremum > 0 && extremum < 1) at = extremum;
  }
  if (s0 * s3 === 0 || splits <= 0) {
    if (approach(p, patch, from, to, 0, out) === MISS) return MISS;
    if (splits <= 0) return DOUBT;
    if (s0 === 0) {
      // in a plane at first: continue from a time known to be free, well before the possible contact
      at = (0.5 * (out[0] - from)) / (to - from);
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
  if (known) return isolate(p, patch, volume, time, to, middle, e123, e23, e3, splits - SPLITS_IN_PLANE, out);
  const before = isolate(p, patch, volume, from, time, e0, e01, e012, middle, splits - 1, out);
  if (before !== MISS) return before;
  return isolate(p, patch, volume, time, to, middle, e123, e23, e3, splits - 1, out);
}

/** Where a cubic with ends of the given sign comes closest to the other sign, about; NaN where it does not turn. */
function nearestExtremum(e0: number, e1: number, e2: number, e3: number, sign: number): number {
  // the derivative, g0 − 2 h t + k t², rises through zero there
  const g0 = sign * (e1 - e0);
  const g1 = sign * (e2 - e1);
  const g2 = sign * (e3 - e2);
  const root = Math.sqrt(g1 * g1 - g0 * g2);
  const h = g0 - g1;
  return h > 0 ? (h + root) / (h - g1 + g2) : g0 / (h - root);
}

/** Where the control polygon, of one change of sign, is zero. */
function polygonCrossing(
  e0: number,
  e1: number,
  e2: number,
  e3: number,
  s0: number,
  s1: number,
  s2: number,
): number {
  if (s1 !== s0) return (THIRD * e0) / (e0 - e1);
  if (s2 !== s0) return THIRD * (1 + e1 / (e1 - e2));
  return THIRD * (2 + e2 / (e2 - e3));
}
