/**
 * Oriented boxes around points and around each other (how they lie in memory: obb.ts).
 *
 * Idea: a fit tries a few frames (world axes, principal axes, the largest triangle of a small set), measures the
 * points in each frame as it will be stored, and keeps the smallest surface.
 * Errs: outward. Half extents are measured from the stored centre along the stored axes, then rounded up past the
 * float64 error of 2⁻⁴⁸ relative to the farthest point.
 */
import { writeQuaternionTurn } from '../math/pose.js';
import { principalAxes } from './principal-axes.js';
import { roundUp, SLACK } from './round.js';

export const STRIDE = 10;

/** Up to this many points, the frame of the largest triangle among them is tried too. */
const TRIANGLE_FRAME_POINTS = 24;

export function fit(points: Float64Array, pointCount: number, out: Float32Array, offset: number): void {
  const frame = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  measure(points, pointCount, frame, out, offset);
  principalAxes(points, pointCount, frame);
  measureIfSmaller(points, pointCount, frame, out, offset);
  if (pointCount <= TRIANGLE_FRAME_POINTS && largestTriangleFrame(points, pointCount, frame)) {
    measureIfSmaller(points, pointCount, frame, out, offset);
  }
}

function measureIfSmaller(
  points: Float64Array,
  pointCount: number,
  frame: Float64Array,
  out: Float32Array,
  offset: number,
): void {
  const trial = new Float32Array(4 * STRIDE);
  measure(points, pointCount, frame, trial, 0);
  if (!(size(trial, 0) < size(out, offset))) return;
  for (let c = 0; c < 4 * STRIDE; c += 4) out[offset + c] = trial[c];
}

/** Writes the smallest box around the points with axes near the columns of `frame` (row-major rotation). */
function measure(
  points: Float64Array,
  pointCount: number,
  frame: Float64Array,
  out: Float32Array,
  o: number,
): void {
  const [f00, f01, f02, f10, f11, f12, f20, f21, f22] = frame;
  writeQuaternion(f00, f01, f02, f10, f11, f12, f20, f21, f22, out, o + 24);
  const m = axesOf(out, o, new Float64Array(9));
  const end = 3 * pointCount;
  let x0 = Infinity;
  let x1 = -Infinity;
  let y0 = Infinity;
  let y1 = -Infinity;
  let z0 = Infinity;
  let z1 = -Infinity;
  for (let i = 0; i < end; i += 3) {
    const px = points[i];
    const py = points[i + 1];
    const pz = points[i + 2];
    const x = m[0] * px + m[3] * py + m[6] * pz;
    const y = m[1] * px + m[4] * py + m[7] * pz;
    const z = m[2] * px + m[5] * py + m[8] * pz;
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  const x = 0.5 * (x0 + x1);
  const y = 0.5 * (y0 + y1);
  const z = 0.5 * (z0 + z1);
  out[o] = m[0] * x + m[1] * y + m[2] * z;
  out[o + 4] = m[3] * x + m[4] * y + m[5] * z;
  out[o + 8] = m[6] * x + m[7] * y + m[8] * z;
  // extents about the centre as it was stored
  let hx = 0;
  let hy = 0;
  let hz = 0;
  let reach = 0;
  for (let i = 0; i < end; i += 3) {
    const px = points[i] - out[o];
    const py = points[i + 1] - out[o + 4];
    const pz = points[i + 2] - out[o + 8];
    hx = Math.max(hx, Math.abs(m[0] * px + m[3] * py + m[6] * pz));
    hy = Math.max(hy, Math.abs(m[1] * px + m[4] * py + m[7] * pz));
    hz = Math.max(hz, Math.abs(m[2] * px + m[5] * py + m[8] * pz));
    reach = Math.max(reach, Math.abs(px) + Math.abs(py) + Math.abs(pz));
  }
  out[o + 12] = roundUp(hx + SLACK * reach);
  out[o + 16] = roundUp(hy + SLACK * reach);
  out[o + 20] = roundUp(hz + SLACK * reach);
}

/** Row-major rotation matrix of the box at `o`; its columns are the box axes. */
export function axesOf(v: Float32Array, o: number, m: Float64Array): Float64Array {
  writeQuaternionTurn(v[o + 24], v[o + 28], v[o + 32], v[o + 36], m);
  return m;
}

/** Writes the unit quaternion of a rotation matrix, four apart from `o` on. */
export function writeQuaternion(
  m00: number,
  m01: number,
  m02: number,
  m10: number,
  m11: number,
  m12: number,
  m20: number,
  m21: number,
  m22: number,
  out: Float32Array,
  o: number,
): void {
  const trace = m00 + m11 + m22;
  let x = m21 - m12;
  let y = m02 - m20;
  let z = m10 - m01;
  let w = 1 + trace;
  // four times the products of the largest component with all four: no division by a small one
  if (!(trace > 0)) {
    if (m00 >= m11 && m00 >= m22) {
      w = x;
      x = 1 + m00 - m11 - m22;
      y = m10 + m01;
      z = m02 + m20;
    } else if (m11 >= m22) {
      w = y;
      x = m10 + m01;
      y = 1 + m11 - m00 - m22;
      z = m21 + m12;
    } else {
      w = z;
      x = m02 + m20;
      y = m21 + m12;
      z = 1 + m22 - m00 - m11;
    }
  }
  const s = 1 / Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x * s;
  out[o + 4] = y * s;
  out[o + 8] = z * s;
  out[o + 12] = w * s;
}

/** Longest edge, in-plane normal to it, normal: of the largest of the triangles that consecutive points form. */
function largestTriangleFrame(points: Float64Array, pointCount: number, frame: Float64Array): boolean {
  let largest = -1;
  let largestSq = 0;
  const n = [0, 0, 0];
  for (let i = 0; i + 9 <= 3 * pointCount; i += 9) {
    normalOf(points, i, n);
    const sq = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (sq > largestSq) {
      largestSq = sq;
      largest = i;
    }
  }
  if (largest < 0) return false;
  normalOf(points, largest, n);
  let ex = 0;
  let ey = 0;
  let ez = 0;
  let edgeSq = -1;
  for (let k = 0; k < 3; k++) {
    const p = largest + 3 * k;
    const q = largest + 3 * ((k + 1) % 3);
    const x = points[q] - points[p];
    const y = points[q + 1] - points[p + 1];
    const z = points[q + 2] - points[p + 2];
    const sq = x * x + y * y + z * z;
    if (sq > edgeSq) {
      edgeSq = sq;
      ex = x;
      ey = y;
      ez = z;
    }
  }
  const en = 1 / Math.sqrt(edgeSq);
  const nn = 1 / Math.sqrt(largestSq);
  if (!Number.isFinite(en) || !Number.isFinite(nn)) return false;
  ex *= en;
  ey *= en;
  ez *= en;
  const nx = n[0] * nn;
  const ny = n[1] * nn;
  const nz = n[2] * nn;
  frame.set([ex, ny * ez - nz * ey, nx, ey, nz * ex - nx * ez, ny, ez, nx * ey - ny * ex, nz]);
  return true;
}

function normalOf(points: Float64Array, i: number, n: number[]): void {
  const ux = points[i + 3] - points[i];
  const uy = points[i + 4] - points[i + 1];
  const uz = points[i + 5] - points[i + 2];
  const vx = points[i + 6] - points[i];
  const vy = points[i + 7] - points[i + 1];
  const vz = points[i + 8] - points[i + 2];
  n[0] = uy * vz - uz * vy;
  n[1] = uz * vx - ux * vz;
  n[2] = ux * vy - uy * vx;
}

/** Eight corners of the box, grown by the error of computing them. */
export function corners(v: Float32Array, o: number, out: Float64Array, at: number): number {
  const m = axesOf(v, o, new Float64Array(9));
  const x = v[o];
  const y = v[o + 4];
  const z = v[o + 8];
  const extents = v[o + 12] + v[o + 16] + v[o + 20];
  const slack = SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z) + extents);
  const hx = v[o + 12] + slack;
  const hy = v[o + 16] + slack;
  const hz = v[o + 20] + slack;
  for (let corner = 0; corner < 8; corner++) {
    const ex = corner & 1 ? hx : -hx;
    const ey = corner & 2 ? hy : -hy;
    const ez = corner & 4 ? hz : -hz;
    out[at + 3 * corner] = x + m[0] * ex + m[1] * ey + m[2] * ez;
    out[at + 3 * corner + 1] = y + m[3] * ex + m[4] * ey + m[5] * ez;
    out[at + 3 * corner + 2] = z + m[6] * ex + m[7] * ey + m[8] * ez;
  }
  return 8;
}

export function size(v: Float32Array, o: number): number {
  const x = v[o + 12];
  const y = v[o + 16];
  const z = v[o + 20];
  return x * y + y * z + z * x;
}
