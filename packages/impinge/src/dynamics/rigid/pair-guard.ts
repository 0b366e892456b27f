/**
 * How much of a motion two surfaces make without coming near each other.
 *
 * Mostly all of it, which a plane for each pair of triangles shows: two triangles cannot come nearer than along a direction
 * d. A vertex at r from its centre, which moves straight while the body turns by φ, strays from the straight way by at most
 * r (1 − cos(φ / 2)) ≤ r φ² / 8. So along d two triangles are as far apart as at the nearer of both ends, less that of
 * both bodies. Pairs of triangles that were farther apart than the bodies move against each other need no plane. Where one
 * does not do, the exact search over time decides. For two bodies that stay in the simulation, kernels/contacts/guard.ts
 * does the same with planes.
 */
import { distanceSqTriangleTriangle } from '../../geometry/distance/triangle-triangle.js';
import { timeOfImpact } from '../../query/motion/time-of-impact.js';
import { UNLIMITED } from '../../query/pair/collide.js';
import { withinPlaced } from '../../query/pair/within.js';
import type { PairMotion } from './contact-engine.js';
import type { ContactShape } from './contact-shape.js';

/** Of the distance asked for: how much earlier the search may stop. */
const ACCURACY = 0.1;
/** Where they meet at the very end, that is not all of the motion. */
const LAST = 1 - 1e-6;
/** Relative: more than rounding does to a pose, a corner and a product with a direction. */
const ROUNDING = 1e-12;

export function freeShareOf(a: ContactShape, b: ContactShape, motion: PairMotion, distance: number): number {
  return planesHold(a, b, motion, distance) ? 1 : searchedShareOf(a, b, motion, distance);
}

/** By the search alone, which is faster where motions are longer than triangles. */
export function searchedShareOf(
  a: Pick<ContactShape, 'mesh' | 'centre'>,
  b: Pick<ContactShape, 'mesh' | 'centre'>,
  motion: PairMotion,
  distance: number,
): number {
  const { fromA, toA, fromB, toB } = motion;
  const { time } = timeOfImpact(a.mesh, b.mesh, {
    motionA: { from: restPose(fromA, a), to: restPose(toA, a), centre: a.centre },
    motionB: { from: restPose(fromB, b), to: restPose(toB, b), centre: b.centre },
    distance,
    accuracy: ACCURACY * distance,
  });
  return time === Infinity ? 1 : Math.min(time, LAST);
}

/** The pose of the mesh, given that of the frame about the centre. */
function restPose(pose: Float64Array, { centre: [x, y, z] }: Pick<ContactShape, 'centre'>) {
  return {
    rotation: pose.subarray(0, 9),
    translation: [0, 1, 2].map(
      (k) => pose[9 + k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z),
    ),
  };
}

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
