/** A triangle of a mesh and weights of its corners, as callers get them: a point and a normal in the world. */
import { arena } from '../../base/arena.js';
import { MESH_HEADER_BYTES } from '../../kernel/layout.generated.js';
import { posePoint, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { align16 } from '../../mesh/mesh-layout.js';
import type { Hit } from './cast.js';

export interface HitPlace {
  readonly point: [number, number, number];
  /** Of length 1; zero where the triangle has none. */
  readonly normal: [number, number, number];
}

export function placeOf(mesh: Mesh, pose: RigidPose | undefined, hit: Hit): HitPlace {
  const { triangle, u, v, corners, row } = hit;
  const floats = arena().f32();
  let a = corners >>> 2;
  let step = row >>> 2;
  let b = a + 3 * step;
  let c = b + 3 * step;
  if (corners === 0) {
    [a, b, c] = cornersOf(mesh, triangle);
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
  const [ox, oy, oz] = mesh.origin;
  const point: [number, number, number] = [
    ax + u * px + v * qx + ox,
    ay + u * py + v * qy + oy,
    az + u * pz + v * qz + oz,
  ];
  const nx = py * qz - pz * qy;
  const ny = pz * qx - px * qz;
  const nz = px * qy - py * qx;
  const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
  const unit = length > 0 ? 1 / length : 0;
  const normal: [number, number, number] = [nx * unit, ny * unit, nz * unit];
  if (pose) poseHit(pose, point, normal);
  return { point, normal };
}

/** Takes a point and a normal from the mesh's frame to the world. */
export function poseHit(
  pose: RigidPose,
  point: [number, number, number],
  normal: [number, number, number],
): void {
  posePoint(pose, ...point, point, 0);
  const [x, y, z] = normal;
  for (let k = 0; k < 3; k++) normal[k] = pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z;
}

/** Where the corners of a triangle are in the arena's float32. */
function cornersOf({ block, vertexCount }: Mesh, triangle: number): [number, number, number] {
  const positions = (block + MESH_HEADER_BYTES) >>> 2;
  const at = ((block + align16(MESH_HEADER_BYTES + 12 * vertexCount)) >>> 2) + 3 * triangle;
  const words = arena().u32();
  return [positions + 3 * words[at], positions + 3 * words[at + 1], positions + 3 * words[at + 2]];
}
