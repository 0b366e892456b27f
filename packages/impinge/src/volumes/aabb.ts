/**
 * Axis-aligned boxes: exact to fit, merge and test; looser by up to √3 once rotated.
 *
 * Layout: minimum x, y, z, maximum x, y, z.
 * Errs: outward. Fitting and merging round to the next float32; a moved box is the box of the rotated box.
 */
import type { RigidPose } from '../math/pose.js';
import { CONTAINMENT_SLACK, EMPTY_EXTENT, roundDown, roundUp, SLACK } from './round.js';

export const STRIDE = 6;

export function fit(points: Float64Array, pointCount: number, out: Float32Array, offset: number): void {
  for (let k = 0; k < 3; k++) {
    let lo = Infinity;
    let hi = -Infinity;
    for (let i = k; i < 3 * pointCount; i += 3) {
      const value = points[i];
      if (value < lo) lo = value;
      if (value > hi) hi = value;
    }
    out[offset + 4 * k] = roundDown(lo);
    out[offset + 4 * k + 12] = roundUp(hi);
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
  for (let c = 0; c < 12; c += 4) {
    out[oo + c] = Math.min(a[ao + c], b[bo + c]);
    out[oo + c + 12] = Math.max(a[ao + c + 12], b[bo + c + 12]);
  }
}

export function transform(
  src: Float32Array,
  so: number,
  pose: Readonly<RigidPose>,
  out: Float32Array,
  oo: number,
): void {
  const x = 0.5 * (src[so] + src[so + 12]);
  const y = 0.5 * (src[so + 4] + src[so + 16]);
  const z = 0.5 * (src[so + 8] + src[so + 20]);
  const hx = 0.5 * (src[so + 12] - src[so]);
  const hy = 0.5 * (src[so + 16] - src[so + 4]);
  const hz = 0.5 * (src[so + 20] - src[so + 8]);
  for (let k = 0; k < 3; k++) {
    const r0 = pose[3 * k];
    const r1 = pose[3 * k + 1];
    const r2 = pose[3 * k + 2];
    const t = pose[9 + k];
    const middle = r0 * x + r1 * y + r2 * z + t;
    const half = Math.abs(r0) * hx + Math.abs(r1) * hy + Math.abs(r2) * hz;
    const slack = SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(t) + hx + hy + hz);
    out[oo + 4 * k] = roundDown(middle - half - slack);
    out[oo + 4 * k + 12] = roundUp(middle + half + slack);
  }
}

export function overlaps(a: Float32Array, ao: number, b: Float32Array, bo: number): boolean {
  return (
    a[ao] <= b[bo + 12] &&
    b[bo] <= a[ao + 12] &&
    a[ao + 4] <= b[bo + 16] &&
    b[bo + 4] <= a[ao + 16] &&
    a[ao + 8] <= b[bo + 20] &&
    b[bo + 8] <= a[ao + 20]
  );
}

export function distanceLowerBound(a: Float32Array, ao: number, b: Float32Array, bo: number): number {
  const x = Math.max(0, b[bo] - a[ao + 12], a[ao] - b[bo + 12]);
  const y = Math.max(0, b[bo + 4] - a[ao + 16], a[ao + 4] - b[bo + 16]);
  const z = Math.max(0, b[bo + 8] - a[ao + 20], a[ao + 8] - b[bo + 20]);
  return Math.sqrt(x * x + y * y + z * z) * (1 - SLACK);
}

export function containsPoint(v: Float32Array, o: number, x: number, y: number, z: number): boolean {
  const slack = CONTAINMENT_SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z));
  return (
    v[o] <= x + slack &&
    v[o + 4] <= y + slack &&
    v[o + 8] <= z + slack &&
    x - slack <= v[o + 12] &&
    y - slack <= v[o + 16] &&
    z - slack <= v[o + 20]
  );
}

export function size(v: Float32Array, o: number): number {
  const x = v[o + 12] - v[o];
  const y = v[o + 16] - v[o + 4];
  const z = v[o + 20] - v[o + 8];
  return x * y + y * z + z * x;
}

export function setEmpty(out: Float32Array, offset: number): void {
  for (let c = 0; c < 12; c += 4) {
    out[offset + c] = EMPTY_EXTENT;
    out[offset + c + 12] = -EMPTY_EXTENT;
  }
}
