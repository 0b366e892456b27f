/** Between poses, as queries have them, and the table of bodies. */
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import type { BodyTable } from './body-table.js';
import type { BodyShape } from './contact-engine.js';
import type { PlacedPair } from './contact-error.js';

/** Puts a body of the table where a pose takes a shape. */
export function placeBy(pose: Float64Array, [x, y, z]: Vec3, table: BodyTable, i: number): void {
  for (let k = 0; k < 3; k++)
    table.place[3 * i + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z + pose[9 + k];
  writeQuaternion(pose, table.turn, 4 * i);
  table.orient(i);
}

/** The unit quaternion of a rotation matrix. */
export function writeQuaternion(r: Float64Array, out: Float64Array, at: number): void {
  const trace = r[0] + r[4] + r[8];
  let [x, y, z, w] = [r[7] - r[5], r[2] - r[6], r[3] - r[1], 1 + trace];
  if (trace <= 0) {
    if (r[0] >= r[4] && r[0] >= r[8])
      [x, y, z, w] = [1 + r[0] - r[4] - r[8], r[1] + r[3], r[2] + r[6], r[7] - r[5]];
    else if (r[4] >= r[8]) [x, y, z, w] = [r[1] + r[3], 1 - r[0] + r[4] - r[8], r[5] + r[7], r[2] - r[6]];
    else [x, y, z, w] = [r[2] + r[6], r[5] + r[7], 1 - r[0] - r[4] + r[8], r[3] - r[1]];
  }
  const norm = 1 / Math.hypot(x, y, z, w);
  out[at] = x * norm;
  out[at + 1] = y * norm;
  out[at + 2] = z * norm;
  out[at + 3] = w * norm;
}

/** Writes where b is in the frame of a. */
export function writeRelative(
  { matrix: m, place }: BodyTable,
  a: number,
  b: number,
  out: Float64Array,
): void {
  const [p, q] = [9 * a, 9 * b];
  const dx = place[3 * b] - place[3 * a];
  const dy = place[3 * b + 1] - place[3 * a + 1];
  const dz = place[3 * b + 2] - place[3 * a + 2];
  for (let i = 0; i < 3; i++) {
    const [r0, r1, r2] = [m[p + i], m[p + 3 + i], m[p + 6 + i]];
    for (let j = 0; j < 3; j++) out[3 * i + j] = r0 * m[q + j] + r1 * m[q + 3 + j] + r2 * m[q + 6 + j];
    out[9 + i] = r0 * dx + r1 * dy + r2 * dz;
  }
}

/** How two bodies are placed and move. */
export function placedPair({ matrix, place, velocity, spin }: BodyTable, a: number, b: number): PlacedPair {
  const vector = (x: Float64Array, i: number): Vec3 => [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
  const motion = (i: number) => ({
    velocity: vector(velocity, i),
    spin: vector(spin, i),
    centre: vector(place, i),
  });
  const aToWorld = Float64Array.of(...matrix.subarray(9 * a, 9 * a + 9), ...vector(place, a)) as RigidPose;
  return { aToWorld, motionA: motion(a), motionB: motion(b) };
}

/** From the coordinates that b was made in to those of a. */
export function restPose(
  a: Pick<BodyShape, 'centre'>,
  b: Pick<BodyShape, 'centre'>,
  pose: Float64Array,
): RigidPose {
  const rest = pose.slice();
  const [x, y, z] = b.centre;
  for (let k = 0; k < 3; k++)
    rest[9 + k] += a.centre[k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
  return rest;
}
