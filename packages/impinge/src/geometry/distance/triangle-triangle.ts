/**
 * The distance of two triangles, with the points and features that realise it.
 *
 * Closest points x of a and y of b span a slab that keeps the triangles apart. So (1) the first pair of edges
 * whose closest points span a slab that also keeps off both third vertices realises the distance, and ends the
 * search. The edges that face the other triangle come first. (2) Otherwise a vertex is closest to the inside of
 * a face: then its triangle is on one side of that face, and it is the nearest of the three. (3) Or they
 * intersect, which the exact predicate decides. Slivers, degenerate and nearly touching pairs, whose float64
 * signs are not certain, take every candidate on a slower path.
 * Layout: `out` receives the point on a, the point on b and their features, eight numbers. Features: 0 … 2
 * vertex i, 3 … 5 edge i − 3 (edge i joins vertices i and i + 1 mod 3), 6 the face.
 * Errs: the distance by less than 1e-13 times the pair's extent; witness points in addition by the rounding of
 * their coordinates.
 * Paper: Larsen, Gottschalk, Lin & Manocha 1999, "Fast proximity queries with swept sphere volumes".
 */
import type { Coords } from '../../math/coords.js';
import { ORIENT_3D_BOUND } from '../../math/predicates.js';
import { intersectsTriangleTriangle } from '../intersect/triangle-triangle.js';
import { intersectionTriangleTriangle } from '../intersect/triangle-triangle-segment.js';
import { distanceSqPointTriangle, edgeFeature, FACE, SLIVER } from './point-triangle.js';
import { closestParameter, distanceSqSegmentSegment, NEARLY_PARALLEL } from './segment-segment.js';

/** Results of `nearestOverFace` besides 0 … 2, the vertex that is closest over the face. */
const BESIDE = 3; // on one side of the plane, but not over the face
const STRADDLES = 4;
const UNCERTAIN = 5;

/** Squared distances below this times the squared extent are left to the exact predicate. */
const NOISE_SQ = 1e-20;

/** Minimum squared relative distance of a third vertex from the slab: beyond any effect of rounding. */
const SLAB_SQ = 1e-27;

/**
 * The squared distance of two closed triangles (nine numbers at an offset each), either of which may be a segment
 * or a point; 0 if and only if they intersect by the exact predicate. `out`, eight numbers when given, receives
 * witness points and features; for intersecting triangles one common point and 6, 6.
 */
export function distanceSqTriangleTriangle(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out?: Float64Array,
): number {
  const first = facingEdges(a, ao, b, bo);
  const firstB = first & 3;
  let best = Infinity;
  let bestI = 0;
  let bestJ = 0;
  for (let k = 0, i = first >> 2; k < 3; k++, i = i === 2 ? 0 : i + 1) {
    const p0 = ao + 3 * i;
    const p1 = i === 2 ? ao : p0 + 3;
    const px = a[p0];
    const py = a[p0 + 1];
    const pz = a[p0 + 2];
    const ux = a[p1] - px;
    const uy = a[p1 + 1] - py;
    const uz = a[p1 + 2] - pz;
    const uu = ux * ux + uy * uy + uz * uz;
    const perU = 1 / uu;
    for (let l = 0, j = firstB; l < 3; l++, j = j === 2 ? 0 : j + 1) {
      const q0 = bo + 3 * j;
      const q1 = j === 2 ? bo : q0 + 3;
      const qx = b[q0];
      const qy = b[q0 + 1];
      const qz = b[q0 + 2];
      const vx = b[q1] - qx;
      const vy = b[q1 + 1] - qy;
      const vz = b[q1 + 2] - qz;
      const rx = px - qx;
      const ry = py - qy;
      const rz = pz - qz;
      const vv = vx * vx + vy * vy + vz * vz;
      const perV = 1 / vv;
      const uv = ux * vx + uy * vy + uz * vz;
      const ur = ux * rx + uy * ry + uz * rz;
      const vr = vx * rx + vy * ry + vz * rz;
      // as in segment-segment.ts, without a branch to mispredict
      const denominator = uu * vv - uv * uv;
      const start =
        denominator > NEARLY_PARALLEL * uu * vv
          ? clampRoughly((uv * vr - ur * vv) / denominator)
          : closestParameter(a, p0, p1, b, q0, q1);
      const t = clampRoughly((uv * start + vr) * perV);
      const s = clampRoughly((uv * t - ur) * perU);
      const dx = rx + s * ux - t * vx;
      const dy = ry + s * uy - t * vy;
      const dz = rz + s * uz - t * vz;
      const d = dx * dx + dy * dy + dz * dz;
      // NaN, from an edge without length, is skipped: its ends are on other edges too
      if (!(d < best)) continue;
      best = d;
      bestI = i;
      bestJ = j;
      // the third vertices, from the closest points
      const slabSq = SLAB_SQ * (uu + vv + rx * rx + ry * ry + rz * rz);
      const a2 = i === 0 ? ao + 6 : p0 - 3;
      const cx = a[a2] - px - s * ux;
      const cy = a[a2 + 1] - py - s * uy;
      const cz = a[a2 + 2] - pz - s * uz;
      const offA = cx * dx + cy * dy + cz * dz;
      const cc = cx * cx + cy * cy + cz * cz;
      if (offA <= 0 || offA * offA < slabSq * cc) continue;
      const b2 = j === 0 ? bo + 6 : q0 - 3;
      const ex = b[b2] - qx - t * vx;
      const ey = b[b2 + 1] - qy - t * vy;
      const ez = b[b2 + 2] - qz - t * vz;
      const offB = ex * dx + ey * dy + ez * dz;
      const ee = ex * ex + ey * ey + ez * ez;
      if (offB >= 0 || offB * offB < slabSq * ee) continue;
      if (d <= NOISE_SQ * (uu + vv + cc + ee)) return distanceSqCareful(a, ao, b, bo, out);
      return finishEdges(a, ao, i, b, bo, j, d, out);
    }
  }
  const overB = nearestOverFace(b, bo, a, ao);
  if (overB < BESIDE) return finishFace(a, ao, overB, b, bo, false, out);
  const overA = nearestOverFace(a, ao, b, bo);
  if (overA < BESIDE) return finishFace(b, bo, overA, a, ao, true, out);
  if (overA === UNCERTAIN || overB === UNCERTAIN) return distanceSqCareful(a, ao, b, bo, out);
  if (overA === STRADDLES && overB === STRADDLES && intersectsTriangleTriangle(a, ao, b, bo)) {
    return writeCommonPoint(a, ao, b, bo, out);
  }
  return finishEdges(a, ao, bestI, b, bo, bestJ, best, out);
}

/** The edges to begin with, opposite to the vertices farthest along the line of the centroids: 4 i + j. */
function facingEdges(a: Coords, ao: number, b: Coords, bo: number): number {
  const x = b[bo] + b[bo + 3] + b[bo + 6] - a[ao] - a[ao + 3] - a[ao + 6];
  const y = b[bo + 1] + b[bo + 4] + b[bo + 7] - a[ao + 1] - a[ao + 4] - a[ao + 7];
  const z = b[bo + 2] + b[bo + 5] + b[bo + 8] - a[ao + 2] - a[ao + 5] - a[ao + 8];
  const p0 = a[ao] * x + a[ao + 1] * y + a[ao + 2] * z;
  const p1 = a[ao + 3] * x + a[ao + 4] * y + a[ao + 5] * z;
  const p2 = a[ao + 6] * x + a[ao + 7] * y + a[ao + 8] * z;
  const q0 = b[bo] * x + b[bo + 1] * y + b[bo + 2] * z;
  const q1 = b[bo + 3] * x + b[bo + 4] * y + b[bo + 5] * z;
  const q2 = b[bo + 6] * x + b[bo + 7] * y + b[bo + 8] * z;
  // edge i is opposite to vertex i − 1
  const i = (+(p0 <= p1) & +(p0 <= p2)) | ((+(p1 < p0) & +(p1 <= p2)) << 1);
  const j = (+(q0 >= q1) & +(q0 >= q2)) | ((+(q1 > q0) & +(q1 >= q2)) << 1);
  return (i << 2) | j;
}

/** Within rounding of [0, 1], for |x| far below 2⁵³. */
function clampRoughly(x: number): number {
  return 0.5 * (1 + Math.abs(x) - Math.abs(x - 1));
}

/** Whether a vertex of p is closest to t's inside, by float64 signs that are certain; see the codes above. */
function nearestOverFace(t: Coords, to: number, p: Coords, po: number): number {
  const x = t[to];
  const y = t[to + 1];
  const z = t[to + 2];
  const ux = t[to + 3] - x;
  const uy = t[to + 4] - y;
  const uz = t[to + 5] - z;
  const vx = t[to + 6] - x;
  const vy = t[to + 7] - y;
  const vz = t[to + 8] - z;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  const nx = yz - zy;
  const ny = zx - xz;
  const nz = xy - yx;
  const nn = nx * nx + ny * ny + nz * nz;
  if (!(nn > SLIVER * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz))) return UNCERTAIN;
  const mx = ORIENT_3D_BOUND * (Math.abs(yz) + Math.abs(zy));
  const my = ORIENT_3D_BOUND * (Math.abs(zx) + Math.abs(xz));
  const mz = ORIENT_3D_BOUND * (Math.abs(xy) + Math.abs(yx));
  const px = p[po] - x;
  const py = p[po + 1] - y;
  const pz = p[po + 2] - z;
  const qx = p[po + 3] - x;
  const qy = p[po + 4] - y;
  const qz = p[po + 5] - z;
  const rx = p[po + 6] - x;
  const ry = p[po + 7] - y;
  const rz = p[po + 8] - z;
  const d0 = px * nx + py * ny + pz * nz;
  const d1 = qx * nx + qy * ny + qz * nz;
  const d2 = rx * nx + ry * ny + rz * nz;
  const size0 = Math.abs(d0);
  const size1 = Math.abs(d1);
  const size2 = Math.abs(d2);
  const certain =
    +(size0 > Math.abs(px) * mx + Math.abs(py) * my + Math.abs(pz) * mz) +
    +(size1 > Math.abs(qx) * mx + Math.abs(qy) * my + Math.abs(qz) * mz) +
    +(size2 > Math.abs(rx) * mx + Math.abs(ry) * my + Math.abs(rz) * mz);
  if (certain < 3) return UNCERTAIN;
  const above = +(d0 > 0) + +(d1 > 0) + +(d2 > 0);
  if (above === 1 || above === 2) return STRADDLES;
  const vertex = size0 <= size1 && size0 <= size2 ? 0 : size1 <= size2 ? 1 : 2;
  const at = po + 3 * vertex;
  const wx = p[at] - x;
  const wy = p[at + 1] - y;
  const wz = p[at + 2] - z;
  const beta = (wy * vz - wz * vy) * nx + (wz * vx - wx * vz) * ny + (wx * vy - wy * vx) * nz;
  if (beta < 0) return BESIDE;
  const gamma = (uy * wz - uz * wy) * nx + (uz * wx - ux * wz) * ny + (ux * wy - uy * wx) * nz;
  return gamma < 0 || beta + gamma > nn ? BESIDE : vertex;
}

/** Distance of vertex i of p, known to be over the face of t; p is b rather than a when `swapped`. */
function finishFace(
  p: Coords,
  po: number,
  i: number,
  t: Coords,
  to: number,
  swapped: boolean,
  out: Float64Array | undefined,
): number {
  const d = distanceSqPointTriangle(p, po + 3 * i, t, to, out);
  if (out !== undefined) {
    out[6] = i;
    if (swapped) swapSides(out);
  }
  return Math.max(d, Number.MIN_VALUE);
}

function swapSides(out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    const kept = out[k];
    out[k] = out[3 + k];
    out[3 + k] = kept;
  }
  const kept = out[6];
  out[6] = out[7];
  out[7] = kept;
}

function finishEdges(
  a: Coords,
  ao: number,
  i: number,
  b: Coords,
  bo: number,
  j: number,
  distanceSq: number,
  out: Float64Array | undefined,
): number {
  if (out !== undefined) {
    const p1 = ao + 3 * ((i + 1) % 3);
    distanceSqSegmentSegment(a, ao + 3 * i, p1, b, bo + 3 * j, bo + 3 * ((j + 1) % 3), out);
    out[6] = edgeFeature(i, out[6]);
    out[7] = edgeFeature(j, out[7]);
  }
  return Math.max(distanceSq, Number.MIN_VALUE);
}

/** Every candidate, with the exact predicate first. */
function distanceSqCareful(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array | undefined,
): number {
  if (boxesMeet(a, ao, b, bo) && intersectsTriangleTriangle(a, ao, b, bo)) {
    return writeCommonPoint(a, ao, b, bo, out);
  }
  let best = Infinity;
  let candidate = 0; // 0 … 8: edge i of a, edge j of b as 3 i + j; then vertices of a, vertices of b
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const p1 = ao + 3 * ((i + 1) % 3);
      const d = distanceSqSegmentSegment(a, ao + 3 * i, p1, b, bo + 3 * j, bo + 3 * ((j + 1) % 3));
      if (d < best) {
        best = d;
        candidate = 3 * i + j;
      }
    }
  }
  for (let i = 0; i < 3; i++) {
    const dA = distanceSqPointTriangle(a, ao + 3 * i, b, bo);
    if (dA < best) {
      best = dA;
      candidate = 9 + i;
    }
    const dB = distanceSqPointTriangle(b, bo + 3 * i, a, ao);
    if (dB < best) {
      best = dB;
      candidate = 12 + i;
    }
  }
  if (candidate < 9) return finishEdges(a, ao, Math.floor(candidate / 3), b, bo, candidate % 3, best, out);
  if (candidate < 12) return finishFace(a, ao, candidate - 9, b, bo, false, out);
  return finishFace(b, bo, candidate - 12, a, ao, true, out);
}

function boxesMeet(a: Coords, ao: number, b: Coords, bo: number): boolean {
  for (let k = 0; k < 3; k++) {
    const p = ao + k;
    const q = bo + k;
    if (Math.max(a[p], a[p + 3], a[p + 6]) < Math.min(b[q], b[q + 3], b[q + 6])) return false;
    if (Math.max(b[q], b[q + 3], b[q + 6]) < Math.min(a[p], a[p + 3], a[p + 6])) return false;
  }
  return true;
}

function writeCommonPoint(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array | undefined,
): number {
  if (out !== undefined) {
    const corners = new Float64Array(18);
    intersectionTriangleTriangle(a, ao, b, bo, corners, 0);
    for (let k = 0; k < 3; k++) out[k] = out[3 + k] = corners[k];
    out[6] = out[7] = FACE;
  }
  return 0;
}
