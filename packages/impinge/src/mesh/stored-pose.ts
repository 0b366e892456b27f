/** Poses between the numbers stored in two meshes, whose origins may differ. */
import { arena } from '../base/arena.js';
import { MeshHeader } from '../kernel/layout.generated.js';
import { carvePose, IDENTITY, type RigidPose, samePose } from '../math/pose.js';
import type { Mesh } from './mesh.js';

/** The pose between the numbers stored in the two meshes: their origins taken into account. */
export function storedPose(a: Mesh, b: Mesh, bToA: RigidPose): RigidPose {
  const [ax, ay, az] = a.origin;
  const [bx, by, bz] = b.origin;
  if (ax === 0 && ay === 0 && az === 0 && bx === 0 && by === 0 && bz === 0) return bToA;
  if (ax === bx && ay === by && az === bz && samePose(bToA, IDENTITY as RigidPose)) return bToA; // nothing moves
  const out = carvePose();
  out.set(bToA);
  shiftPose(out, ax, ay, az, bx, by, bz);
  return out;
}

/** Takes the origins of a and b into account, in place. Not for poses and origins under which nothing moves. */
export function shiftPose(
  pose: RigidPose,
  ax: number,
  ay: number,
  az: number,
  bx: number,
  by: number,
  bz: number,
): void {
  pose[9] = pose[0] * bx + pose[1] * by + pose[2] * bz - ax + pose[9];
  pose[10] = pose[3] * bx + pose[4] * by + pose[5] * bz - ay + pose[10];
  pose[11] = pose[6] * bx + pose[7] * by + pose[8] * bz - az + pose[11];
}

/** More than float64 distances of triangles lose to rounding: 1e-15 of the largest numbers involved. */
export function distanceRounding(a: Mesh, b: Mesh, bToA: RigidPose): number {
  return pairRounding(a, b, storedPose(a, b, bToA));
}

/** The same where `pose` is between the numbers stored. */
export function pairRounding(a: Mesh, b: Mesh, pose: RigidPose): number {
  return roundingOf(largestCoordinate(a), largestCoordinate(b), pose);
}

/** The same for any two of several meshes; `pose` is between the numbers stored. */
export function storedRounding(a: readonly Mesh[], b: readonly Mesh[], pose: RigidPose): number {
  let [ofA, ofB] = [0, 0];
  for (const mesh of a) ofA = Math.max(ofA, largestCoordinate(mesh));
  for (const mesh of b) ofB = Math.max(ofB, largestCoordinate(mesh));
  return roundingOf(ofA, ofB, pose);
}

function roundingOf(largestA: number, largestB: number, pose: RigidPose): number {
  const far = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  return 1e-15 * (largestA + largestB + far);
}

function largestCoordinate(mesh: Mesh): number {
  const floats = arena().f32();
  let largest = 0;
  for (let i = 0, at = (mesh.block >>> 2) + MeshHeader.box; i < 6; i++) {
    largest = Math.max(largest, Math.abs(floats[at + i]));
  }
  return largest;
}
