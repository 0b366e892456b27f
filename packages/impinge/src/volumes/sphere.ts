/**
 * Bounding spheres: cheapest to move and to test, loosest to fit.
 *
 * Layout: centre x, y, z, radius.
 * Idea: a fit walks from the middle of the box towards the farthest point with shrinking steps; that converges to
 * the smallest sphere, and the best centre seen is kept.
 * Errs: outward. The radius is rounded up past the error of its square root.
 */
import type { RigidPose } from '../math/pose.js';
import { CONTAINMENT_SLACK, EMPTY_EXTENT, roundUp, SLACK, UNDERFLOW } from './round.js';

export const STRIDE = 4;

const FIT_STEPS = 16;

export function fit(points: Float64Array, pointCount: number, out: Float32Array, offset: number): void {
  const end = 3 * pointCount;
  let [x, y, z] = boxMiddle(points, end);
  let bestSq = Infinity;
  for (let step = 2; step < FIT_STEPS + 2; step++) {
    x = Math.fround(x);
    y = Math.fround(y);
    z = Math.fround(z);
    let farthest = 0;
    let farthestSq = -1;
    for (let i = 0; i < end; i += 3) {
      const dx = points[i] - x;
      const dy = points[i + 1] - y;
      const dz = points[i + 2] - z;
      const sq = dx * dx + dy * dy + dz * dz;
      if (sq > farthestSq) {
        farthestSq = sq;
        farthest = i;
      }
    }
    if (farthestSq < bestSq) {
      bestSq = farthestSq;
      write(out, offset, x, y, z, Math.sqrt(farthestSq));
    }
    x += (points[farthest] - x) / step;
    y += (points[farthest + 1] - y) / step;
    z += (points[farthest + 2] - z) / step;
  }
}

function boxMiddle(points: Float64Array, end: number): [number, number, number] {
  const lo = [Infinity, Infinity, Infinity];
  const hi = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < end; i += 3) {
    for (let k = 0; k < 3; k++) {
      const value = points[i + k];
      if (value < lo[k]) lo[k] = value;
      if (value > hi[k]) hi[k] = value;
    }
  }
  return [0.5 * (lo[0] + hi[0]), 0.5 * (lo[1] + hi[1]), 0.5 * (lo[2] + hi[2])];
}

/** x, y, z must be float32 already, or the radius must allow for their rounding. */
function write(out: Float32Array, o: number, x: number, y: number, z: number, radius: number): void {
  out[o] = x;
  out[o + 4] = y;
  out[o + 8] = z;
  out[o + 12] = roundUp(radius + Math.abs(radius) * SLACK + UNDERFLOW);
}

export function merge(
  a: Float32Array,
  ao: number,
  b: Float32Array,
  bo: number,
  out: Float32Array,
  oo: number,
): void {
  const ax = a[ao];
  const ay = a[ao + 4];
  const az = a[ao + 8];
  const ar = a[ao + 12];
  const bx = b[bo];
  const by = b[bo + 4];
  const bz = b[bo + 8];
  const br = b[bo + 12];
  const gap = distance(ax, ay, az, bx, by, bz);
  // the centre lies on the line between both; where one contains the other the share clamps to that one
  const wanted = Math.max(ar, br, 0.5 * (gap + ar + br));
  const share = gap > 0 ? Math.min(1, Math.max(0, (wanted - ar) / gap)) : ar >= br ? 0 : 1;
  const x = Math.fround(ax + share * (bx - ax));
  const y = Math.fround(ay + share * (by - ay));
  const z = Math.fround(az + share * (bz - az));
  const radius = Math.max(
    distance(x, y, z, ax, ay, az) + UNDERFLOW + ar,
    distance(x, y, z, bx, by, bz) + UNDERFLOW + br,
  );
  write(out, oo, x, y, z, radius);
}

function distance(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  const x = bx - ax;
  const y = by - ay;
  const z = bz - az;
  return Math.sqrt(x * x + y * y + z * z);
}

export function transform(
  src: Float32Array,
  so: number,
  pose: Readonly<RigidPose>,
  out: Float32Array,
  oo: number,
): void {
  const x = src[so];
  const y = src[so + 4];
  const z = src[so + 8];
  const px = pose[0] * x + pose[1] * y + pose[2] * z + pose[9];
  const py = pose[3] * x + pose[4] * y + pose[5] * z + pose[10];
  const pz = pose[6] * x + pose[7] * y + pose[8] * z + pose[11];
  const cx = Math.fround(px);
  const cy = Math.fround(py);
  const cz = Math.fround(pz);
  const moved = distance(cx, cy, cz, px, py, pz);
  const posing =
    SLACK *
    (1.01 * (Math.abs(x) + Math.abs(y) + Math.abs(z)) +
      Math.abs(pose[9]) +
      Math.abs(pose[10]) +
      Math.abs(pose[11]));
  write(out, oo, cx, cy, cz, src[so + 12] * stretch(pose) + moved + posing);
}

/** How much the pose may lengthen a vector: 1 for a rotation, a little more within the tolerance of poses. */
function stretch(p: Readonly<RigidPose>): number {
  const xy = Math.abs(p[0] * p[1] + p[3] * p[4] + p[6] * p[7]);
  const xz = Math.abs(p[0] * p[2] + p[3] * p[5] + p[6] * p[8]);
  const yz = Math.abs(p[1] * p[2] + p[4] * p[5] + p[7] * p[8]);
  // rows of RᵀR bound its largest eigenvalue
  return Math.sqrt(
    Math.max(
      p[0] * p[0] + p[3] * p[3] + p[6] * p[6] + xy + xz,
      p[1] * p[1] + p[4] * p[4] + p[7] * p[7] + xy + yz,
      p[2] * p[2] + p[5] * p[5] + p[8] * p[8] + xz + yz,
    ),
  );
}

export function overlaps(a: Float32Array, ao: number, b: Float32Array, bo: number): boolean {
  const x = b[bo] - a[ao];
  const y = b[bo + 4] - a[ao + 4];
  const z = b[bo + 8] - a[ao + 8];
  const reach = a[ao + 12] + b[bo + 12];
  return reach >= 0 && (x * x + y * y + z * z) * (1 - SLACK) <= reach * reach;
}

export function distanceLowerBound(a: Float32Array, ao: number, b: Float32Array, bo: number): number {
  const gap = distance(a[ao], a[ao + 4], a[ao + 8], b[bo], b[bo + 4], b[bo + 8]);
  const reach = a[ao + 12] + b[bo + 12];
  return Math.max(0, gap - reach - SLACK * (gap + Math.abs(reach)));
}

export function containsPoint(v: Float32Array, o: number, x: number, y: number, z: number): boolean {
  const slack = CONTAINMENT_SLACK * (Math.abs(x) + Math.abs(y) + Math.abs(z) + v[o + 12]);
  return distance(v[o], v[o + 4], v[o + 8], x, y, z) <= v[o + 12] + slack;
}

export function size(v: Float32Array, o: number): number {
  return v[o + 12] * v[o + 12];
}

export function setEmpty(out: Float32Array, offset: number): void {
  out[offset] = 0;
  out[offset + 4] = 0;
  out[offset + 8] = 0;
  out[offset + 12] = -EMPTY_EXTENT;
}
