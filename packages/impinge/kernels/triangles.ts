/**
 * Two triangles in float64.
 * Twins: src/geometry/intersect/triangle-triangle.ts (which decides the doubtful cases exactly) and
 * src/geometry/distance/triangle-triangle.ts.
 *
 * Layout: a triangle is nine float64.
 * Errs: `triangleTriangle` answers NO or YES only if every sign it used exceeds its rounding error.
 */
import { residualX, residualY, residualZ, sliverDistanceSq } from './sliver';

export const NO: i32 = 0;
export const YES: i32 = 1;
export const DOUBT: i32 = 2;

// A 3 × 3 determinant of differences: 6 products of 3 factors, each factor off by 2^-53, each product and sum rounded:
// the error is below 6 · 9 · 2^-53 ≈ 6e-15 times the product of the largest factors. Rounded up.
const ERROR: f64 = 1e-14;

/** At least the largest absolute value of the three; a sum, because float64 maxima are slow in WASM. */
// @ts-ignore: decorator
@inline function size(x: f64, y: f64, z: f64): f64 { return abs(x) + abs(y) + abs(z); }

/** Whether the closed triangles at p and q meet. */
export function triangleTriangle(p: usize, q: usize): i32 {
  const p0x = load<f64>(p), p0y = load<f64>(p, 8), p0z = load<f64>(p, 16);
  const p1x = load<f64>(p, 24), p1y = load<f64>(p, 32), p1z = load<f64>(p, 40);
  const p2x = load<f64>(p, 48), p2y = load<f64>(p, 56), p2z = load<f64>(p, 64);
  const q0x = load<f64>(q), q0y = load<f64>(q, 8), q0z = load<f64>(q, 16);
  const q1x = load<f64>(q, 24), q1y = load<f64>(q, 32), q1z = load<f64>(q, 40);
  const q2x = load<f64>(q, 48), q2y = load<f64>(q, 56), q2z = load<f64>(q, 64);

  // p's corners relative to q's plane
  let ux = q1x - q0x, uy = q1y - q0y, uz = q1z - q0z;
  let vx = q2x - q0x, vy = q2y - q0y, vz = q2z - q0z;
  let nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  let m = size(ux, uy, uz) + size(vx, vy, vz);
  let ax = p0x - q0x, ay = p0y - q0y, az = p0z - q0z;
  let bx = p1x - q0x, by = p1y - q0y, bz = p1z - q0z;
  let cx = p2x - q0x, cy = p2y - q0y, cz = p2z - q0z;
  const far = size(ax, ay, az) + size(bx, by, bz) + size(cx, cy, cz);
  let error = ERROR * m * m * far;
  const dp0 = nx * ax + ny * ay + nz * az;
  const dp1 = nx * bx + ny * by + nz * bz;
  const dp2 = nx * cx + ny * cy + nz * cz;
  if ((dp0 > error && dp1 > error && dp2 > error) || (dp0 < -error && dp1 < -error && dp2 < -error)) return NO;
  const sureP = abs(dp0) > error && abs(dp1) > error && abs(dp2) > error;

  // and q's corners relative to p's plane
  ux = p1x - p0x; uy = p1y - p0y; uz = p1z - p0z;
  vx = p2x - p0x; vy = p2y - p0y; vz = p2z - p0z;
  nx = uy * vz - uz * vy; ny = uz * vx - ux * vz; nz = ux * vy - uy * vx;
  m = size(ux, uy, uz) + size(vx, vy, vz);
  ax = q0x - p0x; ay = q0y - p0y; az = q0z - p0z;
  bx = q1x - p0x; by = q1y - p0y; bz = q1z - p0z;
  cx = q2x - p0x; cy = q2y - p0y; cz = q2z - p0z;
  const far2 = size(ax, ay, az) + size(bx, by, bz) + size(cx, cy, cz);
  error = ERROR * m * m * far2;
  const dq0 = nx * ax + ny * ay + nz * az;
  const dq1 = nx * bx + ny * by + nz * bz;
  const dq2 = nx * cx + ny * cy + nz * cz;
  if ((dq0 > error && dq1 > error && dq2 > error) || (dq0 < -error && dq1 < -error && dq2 < -error)) return NO;
  if (!sureP || !(abs(dq0) > error && abs(dq1) > error && abs(dq2) > error)) return DOUBT;

  // Both properly cross the other's plane. Call the corner that is alone on its side i, the others j, k in cyclic
  // order; orient both so that the lone corner is on the positive side.
  const i = (dp0 > 0) == (dp1 > 0) ? 2 : (dp0 > 0) == (dp2 > 0) ? 1 : 0;
  const k = (dq0 > 0) == (dq1 > 0) ? 2 : (dq0 > 0) == (dq2 > 0) ? 1 : 0;
  const pi = p + 24 * <usize>i;
  let pj = p + 24 * <usize>(i == 2 ? 0 : i + 1);
  let pk = p + 24 * <usize>(i == 0 ? 2 : i - 1);
  const qi = q + 24 * <usize>k;
  let qj = q + 24 * <usize>(k == 2 ? 0 : k + 1);
  let qk = q + 24 * <usize>(k == 0 ? 2 : k - 1);
  const loneP = i == 0 ? dp0 : i == 1 ? dp1 : dp2;
  const loneQ = k == 0 ? dq0 : k == 1 ? dq1 : dq2;
  // swapping q's corners flips q's plane, so p's lone corner becomes positive; likewise for p's corners
  if (loneP < 0) { const t = qj; qj = qk; qk = t; }
  if (loneQ < 0) { const t = pj; pj = pk; pk = t; }
  // the intervals on the common line overlap unless one ends before the other begins
  const limit = m + far2; // no difference of two corners is larger
  error = ERROR * limit * limit * limit;
  const s = orient(pi, pj, qi, qj);
  const t = orient(pi, pk, qk, qi);
  if (s < -error || t < -error) return NO;
  if (s > error && t > error) return YES;
  return DOUBT;
}

/** Determinant of (a − d, b − d, c − d). */
// @ts-ignore: decorator
@inline function orient(a: usize, b: usize, c: usize, d: usize): f64 {
  const dx = load<f64>(d), dy = load<f64>(d, 8), dz = load<f64>(d, 16);
  const ax = load<f64>(a) - dx, ay = load<f64>(a, 8) - dy, az = load<f64>(a, 16) - dz;
  const bx = load<f64>(b) - dx, by = load<f64>(b, 8) - dy, bz = load<f64>(b, 16) - dz;
  const cx = load<f64>(c) - dx, cy = load<f64>(c, 8) - dy, cz = load<f64>(c, 16) - dz;
  return ax * (by * cz - bz * cy) + bx * (cy * az - cz * ay) + cx * (ay * bz - az * by);
}

/** Vector from p to q between the closest points of the last `triangleDistanceSq` (of any positive length). */
export let gapX: f64 = 0;
export let gapY: f64 = 0;
export let gapZ: f64 = 0;

// Squared sines below which edges count as nearly parallel and triangles as slivers, where the short formulas lose
// digits.
const NEARLY_PARALLEL: f64 = 1e-2;
const SLIVER: f64 = 1e-4;
/** Each pass reduces the error to 2^-53 / sine of it. */
const SLIVER_PASSES: i32 = 8;
/** How far off the slab a third corner must be, squared and relative: more than rounding can reverse. */
const SLAB_SQ: f64 = 1e-27;

/**
 * Squared distance of two triangles that do not cross (for crossing ones, the result may be anything up to their size).
 * The distance is off by less than 1e-13 of the pair's extent, as in the twin.
 */
export function triangleDistanceSq(p: usize, q: usize): f64 {
  let best: f64 = Infinity;
  // edge against edge; if the planes through the closest points separate the triangles, nothing can be closer
  for (let i: usize = 0; i < 3; i++) {
    const pa = p + 24 * i;
    const pb = p + 24 * (i == 2 ? 0 : i + 1);
    const pc = p + 24 * (i == 0 ? 2 : i - 1);
    const ax = load<f64>(pa), ay = load<f64>(pa, 8), az = load<f64>(pa, 16);
    const ux = load<f64>(pb) - ax, uy = load<f64>(pb, 8) - ay, uz = load<f64>(pb, 16) - az;
    const uu = ux * ux + uy * uy + uz * uz;
    for (let j: usize = 0; j < 3; j++) {
      const qa = q + 24 * j;
      const qb = q + 24 * (j == 2 ? 0 : j + 1);
      const bx = load<f64>(qa), by = load<f64>(qa, 8), bz = load<f64>(qa, 16);
      const vx = load<f64>(qb) - bx, vy = load<f64>(qb, 8) - by, vz = load<f64>(qb, 16) - bz;
      const wx = bx - ax, wy = by - ay, wz = bz - az;
      const vv = vx * vx + vy * vy + vz * vz;
      const uv = ux * vx + uy * vy + uz * vz;
      const uw = ux * wx + uy * wy + uz * wz;
      const vw = vx * wx + vy * wy + vz * wz;
      // closest points a + s u, b + t v with s, t clamped to [0, 1]
      const det = uu * vv - uv * uv;
      let s: f64 = det > NEARLY_PARALLEL * uu * vv ? (uw * vv - vw * uv) / det : nearlyParallel(ux, uy, uz, vx, vy, vz, wx, wy, wz);
      s = min<f64>(1, max<f64>(0, s));
      let t: f64 = vv > 0 ? (s * uv - vw) / vv : -1; // an edge without length: s is not known yet
      if (!(t >= 0 && t <= 1)) {
        t = t > 1 ? 1 : 0;
        s = uu > 0 ? min<f64>(1, max<f64>(0, (uw + t * uv) / uu)) : 0;
      }
      const dx = wx + t * vx - s * ux, dy = wy + t * vy - s * uy, dz = wz + t * vz - s * uz;
      const d = dx * dx + dy * dy + dz * dz;
      if (d < best) {
        best = d;
        gapX = dx; gapY = dy; gapZ = dz;
        // the third corners, relative to the closest points, along the connecting vector
        const qc = q + 24 * (j == 0 ? 2 : j - 1);
        const cx = load<f64>(pc) - ax - s * ux, cy = load<f64>(pc, 8) - ay - s * uy, cz = load<f64>(pc, 16) - az - s * uz;
        const ex = load<f64>(qc) - bx - t * vx, ey = load<f64>(qc, 8) - by - t * vy, ez = load<f64>(qc, 16) - bz - t * vz;
        const a = cx * dx + cy * dy + cz * dz;
        const b = ex * dx + ey * dy + ez * dz;
        if (a < 0 && b > 0) {
          const slabSq = SLAB_SQ * (uu + vv + wx * wx + wy * wy + wz * wz);
          if (a * a > slabSq * (cx * cx + cy * cy + cz * cz) && b * b > slabSq * (ex * ex + ey * ey + ez * ez)) return best;
        }
      }
    }
  }
  best = cornersToFace(p, q, best, -1);
  return cornersToFace(q, p, best, 1);
}

/**
 * The parameter s at which the line a + s u is closest to b + t v; w = b − a. Uses cross products, which do not cancel.
 */
function nearlyParallel(ux: f64, uy: f64, uz: f64, vx: f64, vy: f64, vz: f64, wx: f64, wy: f64, wz: f64): f64 {
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  return nn > 0 ? ((wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz) / nn : 0;
}

/**
 * The smaller of `best` and the squared distance from the corners of p that lie over q's face. `sign` converts the
 * vector from the face to the corner into the gap.
 */
function cornersToFace(p: usize, q: usize, best: f64, sign: f64): f64 {
  const q0x = load<f64>(q), q0y = load<f64>(q, 8), q0z = load<f64>(q, 16);
  const ux = load<f64>(q, 24) - q0x, uy = load<f64>(q, 32) - q0y, uz = load<f64>(q, 40) - q0z;
  const vx = load<f64>(q, 48) - q0x, vy = load<f64>(q, 56) - q0y, vz = load<f64>(q, 64) - q0z;
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > 0)) return best;
  const sliver = nn < SLIVER * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
  for (let i: usize = 0; i < 3; i++) {
    const c = p + 24 * i;
    const wx = load<f64>(c) - q0x, wy = load<f64>(c, 8) - q0y, wz = load<f64>(c, 16) - q0z;
    if (sliver) {
      const d = sliverDistanceSq(wx, wy, wz, ux, uy, uz, vx, vy, vz, nx, ny, nz, nn, SLIVER_PASSES);
      if (d < best) {
        best = d;
        gapX = sign * residualX; gapY = sign * residualY; gapZ = sign * residualZ;
      }
      continue;
    }
    const h = wx * nx + wy * ny + wz * nz;
    const d = h * h / nn;
    if (d >= best) continue;
    // barycentric coordinates, times nn
    const mx = ny * wz - nz * wy, my = nz * wx - nx * wz, mz = nx * wy - ny * wx;
    const t = -(ux * mx + uy * my + uz * mz);
    const s = vx * mx + vy * my + vz * mz;
    if (s >= 0 && t >= 0 && s + t <= nn) {
      best = d;
      const k = sign * h;
      gapX = k * nx; gapY = k * ny; gapZ = k * nz;
    }
  }
  return best;
}
