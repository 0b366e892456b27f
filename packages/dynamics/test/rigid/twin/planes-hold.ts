/**
 * Whether planes keep two surfaces apart in a motion: the twin of kernels/contacts/guard.ts, which proves it, with
 * fewer planes.
 */
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { UNLIMITED } from 'impinge/internal/query/pair/collide.js';
import { withinPlaced } from 'impinge/internal/query/pair/within.js';
import type { PairMotion } from '../../../src/rigid/contact-engine.js';
import type { ContactShape } from '../../../src/rigid/contact-shape.js';

/** Relative: more than rounding does to a pose, a corner and a product with a direction. */
const ROUNDING = 1e-12;

/** Whether planes show that the surfaces stay farther apart than `distance`. */
export function planesHold(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): boolean {
  const { fromA, toA, fromB, toB } = motion;
  const angleA = angleBetween(fromA, toA);
  const angleB = angleBetween(fromB, toB);
  let waySq = 0;
  let size = a.radius + b.radius;
  for (let k = 9; k < 12; k++) {
    waySq += (toB[k] - fromB[k] - toA[k] + fromA[k]) ** 2;
    size += Math.abs(fromA[k]) + Math.abs(fromB[k]) + Math.abs(toA[k]) + Math.abs(toB[k]);
  }
  const way = Math.sqrt(waySq) + angleA * a.radius + angleB * b.radius;
  const stray = (angleA * angleA * a.radius + angleB * angleB * b.radius) / 8 + ROUNDING * size;
  const { pairs, count } = withinPlaced(
    a.mesh,
    b.mesh,
    meshToMesh(a, b, fromA, fromB),
    UNLIMITED,
    way + distance + stray,
  );
  const corners = new Float64Array(18);
  const witness = new Float64Array(8);
  for (let i = 0; i < count; i++) {
    readCorners(a, pairs[2 * i], fromA, corners, 0);
    readCorners(b, pairs[2 * i + 1], fromB, corners, 9);
    const apart = Math.sqrt(distanceSqTriangleTriangle(corners, 0, corners, 9, witness));
    if (!(apart > distance + stray)) return false;
    const dx = (witness[3] - witness[0]) / apart;
    const dy = (witness[4] - witness[1]) / apart;
    const dz = (witness[5] - witness[2]) / apart;
    const before = gapAlong(corners, dx, dy, dz);
    readCorners(a, pairs[2 * i], toA, corners, 0);
    readCorners(b, pairs[2 * i + 1], toB, corners, 9);
    if (!(Math.min(before, gapAlong(corners, dx, dy, dz)) > distance + stray)) return false;
  }
  return true;
}

/** How far the second of two triangles is from the first along a direction. */
function gapAlong(x: Float64Array, dx: number, dy: number, dz: number): number {
  let most = -Infinity;
  let least = Infinity;
  for (let k = 0; k < 9; k += 3) {
    most = Math.max(most, dx * x[k] + dy * x[k + 1] + dz * x[k + 2]);
    least = Math.min(least, dx * x[k + 9] + dy * x[k + 10] + dz * x[k + 11]);
  }
  return least - most;
}

function readCorners(
  { vertices, corners }: ContactShape,
  t: number,
  p: Float64Array,
  out: Float64Array,
  at: number,
): void {
  for (let i = 0; i < 3; i++) {
    const v = 3 * corners[3 * t + i];
    const x = vertices[v];
    const y = vertices[v + 1];
    const z = vertices[v + 2];
    out[at + 3 * i] = p[0] * x + p[1] * y + p[2] * z + p[9];
    out[at + 3 * i + 1] = p[3] * x + p[4] * y + p[5] * z + p[10];
    out[at + 3 * i + 2] = p[6] * x + p[7] * y + p[8] * z + p[11];
  }
}

/** The angle between two rotations, not too small: |sin(φ / 2)| from the difference of the matrices. */
function angleBetween(p: Float64Array, q: Float64Array): number {
  let sq = 0;
  for (let k = 0; k < 9; k++) sq += (p[k] - q[k]) ** 2;
  // ‖P − Q‖² = 8 sin²(φ / 2)
  return 2 * Math.asin(Math.min(1, Math.sqrt(sq / 8))) * (1 + ROUNDING);
}

/** From the coordinates of b's mesh to those of a's. */
function meshToMesh(a: ContactShape, b: ContactShape, p: Float64Array, q: Float64Array): Float64Array {
  const out = new Float64Array(12);
  const [x, y, z] = b.centre;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) out[3 * i + j] = p[i] * q[j] + p[3 + i] * q[3 + j] + p[6 + i] * q[6 + j];
    out[9 + i] =
      p[i] * (q[9] - p[9]) +
      p[3 + i] * (q[10] - p[10]) +
      p[6 + i] * (q[11] - p[11]) +
      a.centre[i] -
      (out[3 * i] * x + out[3 * i + 1] * y + out[3 * i + 2] * z);
  }
  return out;
}
