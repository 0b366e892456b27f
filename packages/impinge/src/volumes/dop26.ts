/**
 * 26-DOPs: slabs along 13 fixed axes; nearly as tight as a hull, merged as easily as a box.
 *
 * Layout: 13 minima, then 13 maxima, along the axes below, which are not normalised.
 * Idea: the 26 directions ±axis split space into 48 cones, one per order and signs of (x, y, z). A direction with
 * a ≥ b ≥ c among its magnitudes is (a − b) · e + (b − c) · (e + f) + c · (e + f + g), e, f, g being signed unit
 * axes; so three stored slabs bound its extent, exactly where they meet in a corner. Moving a DOP asks for the
 * extent along each axis rotated back.
 * Errs: outward, by a float32 step.
 */
import type { RigidPose } from '../math/pose.js';
import { CONTAINMENT_SLACK, EMPTY_EXTENT, roundDown, roundUp, SLACK } from './round.js';

export const STRIDE = 26;

const AXIS_COUNT = 13;
const MAX = 4 * AXIS_COUNT; // from a minimum to its maximum

/** The 13 axes, x, y, z each. */
export const AXES = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
  [1, 1, 0],
  [1, -1, 0],
  [1, 0, 1],
  [1, 0, -1],
  [0, 1, 1],
  [0, 1, -1],
  [1, 1, 1],
  [1, 1, -1],
  [1, -1, 1],
  [1, -1, -1],
] as const;

/** Four right-angled triples of axes: the gaps along one of them combine as in a box. */
const TRIPLES = [
  [0, 1, 2],
  [3, 4, 2],
  [5, 6, 1],
  [7, 8, 0],
] as const;

/** For a direction in {−1, 0, 1}³ at 13 + 9x + 3y + z: the component that bounds it; below 13 a minimum. */
const SUPPORT = [
  9, 3, 10, 5, 0, 6, 11, 4, 12, 7, 1, 8, 2, 0, 15, 21, 14, 20, 25, 17, 24, 19, 13, 18, 23, 16, 22,
] as const;

export function fit(points: Float64Array, pointCount: number, out: Float32Array, offset: number): void {
  let magnitude = 0;
  for (let i = 0; i < 3 * pointCount; i++) magnitude = Math.max(magnitude, Math.abs(points[i]));
  for (let k = 0; k < AXIS_COUNT; k++) {
    const [ax, ay, az] = AXES[k];
    let lo = Infinity;
    let hi = -Infinity;
    for (let i = 0; i < 3 * pointCount; i += 3) {
      const value = ax * points[i] + ay * points[i + 1] + az * points[i + 2];
      if (value < lo) lo = value;
      if (value > hi) hi = value;
    }
    const slack = k < 3 ? 0 : SLACK * magnitude; // sums round, single coordinates do not
    out[offset + 4 * k] = roundDown(lo - slack);
    out[offset + 4 * k + MAX] = roundUp(hi + slack);
  }
}

export function merge(
  a: Float32Array,
  ao: number,
  b: Float32Array,
  bo: number,
  out: Float32Array,
  oo: number,
): void {
  for (let c = 0; c < MAX; c += 4) {
    out[oo + c] = Math.min(a[ao + c], b[bo + c]);
    out[oo + c + MAX] = Math.max(a[ao + c + MAX], b[bo + c + MAX]);
  }
}

export function transform(
  src: Float32Array,
  so: number,
  pose: Readonly<RigidPose>,
  out: Float32Array,
  oo: number,
): void {
  let magnitude = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  for (let c = 0; c < 4 * STRIDE; c += 4) magnitude = Math.max(magnitude, Math.abs(src[so + c]));
  const slack = 8 * SLACK * magnitude;
  for (let k = 0; k < AXIS_COUNT; k++) {
    const [ax, ay, az] = AXES[k];
    const dx = ax * pose[0] + ay * pose[3] + az * pose[6];
    const dy = ax * pose[1] + ay * pose[4] + az * pose[7];
    const dz = ax * pose[2] + ay * pose[5] + az * pose[8];
    const shift = ax * pose[9] + ay * pose[10] + az * pose[11];
    out[oo + 4 * k] = roundDown(shift - extent(src, so, -dx, -dy, -dz) - slack);
    out[oo + 4 * k + MAX] = roundUp(shift + extent(src, so, dx, dy, dz) + slack);
  }
}

/** At least the largest dot product of (x, y, z) with a point of the DOP, but for rounding. */
function extent(v: Float32Array, o: number, x: number, y: number, z: number): number {
  let a = Math.abs(x);
  let b = Math.abs(y);
  let c = Math.abs(z);
  let e = x < 0 ? -9 : 9;
  let f = y < 0 ? -3 : 3;
  let g = z < 0 ? -1 : 1;
  if (a < b) {
    [a, b] = [b, a];
    [e, f] = [f, e];
  }
  if (b < c) {
    [b, c] = [c, b];
    [f, g] = [g, f];
  }
  if (a < b) {
    [a, b] = [b, a];
    [e, f] = [f, e];
  }
  return (a - b) * slab(v, o, 13 + e) + (b - c) * slab(v, o, 13 + e + f) + c * slab(v, o, 13 + e + f + g);
}

function slab(v: Float32Array, o: number, direction: number): number {
  const c = SUPPORT[direction];
  return c < AXIS_COUNT ? -v[o + 4 * c] : v[o + 4 * c];
}

export function overlaps(a: Float32Array, ao: number, b: Float32Array, bo: number): boolean {
  for (let c = 0; c < MAX; c += 4) {
    if (!(a[ao + c] <= b[bo + c + MAX] && b[bo + c] <= a[ao + c + MAX])) return false;
  }
  return true;
}

export function distanceLowerBound(a: Float32Array, ao: number, b: Float32Array, bo: number): number {
  let boundSq = 0;
  for (const [i, j, k] of TRIPLES) {
    boundSq = Math.max(boundSq, gapSq(a, ao, b, bo, i) + gapSq(a, ao, b, bo, j) + gapSq(a, ao, b, bo, k));
  }
  for (let k = 9; k < AXIS_COUNT; k++) boundSq = Math.max(boundSq, gapSq(a, ao, b, bo, k));
  return Math.sqrt(boundSq) * (1 - SLACK);
}

/** Squared gap between the slabs along axis k; the first three axes have length² 1, then six of 2, four of 3. */
function gapSq(a: Float32Array, ao: number, b: Float32Array, bo: number, k: number): number {
  const c = 4 * k;
  const gap = Math.max(0, b[bo + c] - a[ao + c + MAX], a[ao + c] - b[bo + c + MAX]);
  return (gap * gap) / (k < 3 ? 1 : k < 9 ? 2 : 3);
}

export function containsPoint(v: Float32Array, o: number, x: number, y: number, z: number): boolean {
  const slack = CONTAINMENT_SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  for (let k = 0; k < AXIS_COUNT; k++) {
    const [ax, ay, az] = AXES[k];
    const value = ax * x + ay * y + az * z;
    if (!(v[o + 4 * k] <= value + slack && value - slack <= v[o + 4 * k + MAX])) return false;
  }
  return true;
}

export function size(v: Float32Array, o: number): number {
  const x = v[o + MAX] - v[o];
  const y = v[o + 4 + MAX] - v[o + 4];
  const z = v[o + 8 + MAX] - v[o + 8];
  return x * y + y * z + z * x;
}

export function setEmpty(out: Float32Array, offset: number): void {
  for (let c = 0; c < MAX; c += 4) {
    out[offset + c] = EMPTY_EXTENT;
    out[offset + c + MAX] = -EMPTY_EXTENT;
  }
}
