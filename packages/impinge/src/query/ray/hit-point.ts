/** A triangle of a mesh and weights of its corners, as callers get them: a point and a normal in the world. */
import { arena } from '../../base/arena.js';
import { MESH_HEADER_BYTES } from '../../kernel/layout.generated.js';
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { align16 } from '../../mesh/mesh-layout.js';
import type { Hit } from './cast.js';

/** Writes the point of a hit and its normal, of length 1 or zero where the triangle has none: six numbers. */
export function writePlace(
  { origin, block, vertexCount }: Mesh,
  pose: RigidPose | undefined,
  { triangle, u, v, corners, row }: Hit,
  out: Float64Array,
): void {
  const floats = arena().f32();
  let a = corners >>> 2;
  let step = row >>> 2;
  let b = a + 3 * step;
  let c = b + 3 * step;
  if (corners === 0) {
    const words = arena().u32();
    const positions = (block + MESH_HEADER_BYTES) >>> 2;
    const at = ((block + align16(MESH_HEADER_BYTES + 12 * vertexCount)) >>> 2) + 3 * triangle;
    a = positions + 3 * words[at];
    b = positions + 3 * words[at + 1];
    c = positions + 3 * words[at + 2];
    step = 1;
  }
  const ax = floats[a];
  const ay = floats[a + step];
  const az = floats[a + 2 * step];
  const px = floats[b] - ax;
  const py = floats[b + step] - ay;
  const pz = floats[b + 2 * step] - az;
  const qx = floats[c] - ax;
  const qy = floats[c + step] - ay;
  const qz = floats[c + 2 * step] - az;
  out[0] = ax + u * px + v * qx + origin[0];
  out[1] = ay + u * py + v * qy + origin[1];
  out[2] = az + u * pz + v * qz + origin[2];
  const nx = py * qz - pz * qy;
  const ny = pz * qx - px * qz;
  const nz = px * qy - py * qx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const unit = length > 0 ? 1 / length : 0;
  out[3] = nx * unit;
  out[4] = ny * unit;
  out[5] = nz * unit;
  if (pose) poseHit(pose, out);
}

/** Takes a point and a normal from the mesh's frame to the world. */
export function poseHit(pose: RigidPose, out: Float64Array): void {
  posePoint(pose, out[0], out[1], out[2], out, 0);
  const x = out[3];
  const y = out[4];
  const z = out[5];
  for (let k = 0; k < 3; k++) out[3 + k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
}
