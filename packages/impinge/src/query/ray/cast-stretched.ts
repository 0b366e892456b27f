/**
 * A ray against a mesh whose pose scales, stretches, shears or mirrors: taken back into the mesh's frame, where it is
 * the same ray with other lengths. The mesh's own boxes serve.
 */
import { invertLinear, isMirror, type LinearPose } from '../../math/linear-map.js';
import { posePoint, type Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { RayAsk } from './asked.js';
import { castMesh, type RayHit } from './cast-mesh.js';
import { Faces } from './layout.generated.js';

/** By Faces: those that a mirror shows. */
const MIRRORED = [Faces.both, Faces.back, Faces.front];
/** Distances are compared in the world; the kernel is to find all that may count. */
const MORE = 1 + 8 * Number.EPSILON;

/** As `castMesh`, for a ray in the world: eight numbers as kernels read them. */
export function castStretched(mesh: Mesh, ray: Float64Array, ask: RayAsk, pose: LinearPose): RayHit[] {
  const back = invertLinear(pose);
  const origin = [0, 0, 0];
  posePoint(back, ray[0], ray[1], ray[2], origin, 0);
  const direction = turned(back, ray[3], ray[4], ray[5]);
  const shrink = Math.hypot(...direction) / Math.hypot(ray[3], ray[4], ray[5]);
  const mirrors = isMirror(pose);
  const local: RayAsk = {
    mode: ask.mode,
    faces: mirrors ? MIRRORED[ask.faces] : ask.faces,
    atLeast: (ask.atLeast * shrink) / MORE,
    atMost: ask.atMost * shrink * MORE,
  };
  return castMesh(mesh, { origin, direction }, local, undefined).flatMap((hit) => {
    const distance = hit.distance / shrink;
    if (!(distance >= ask.atLeast && distance <= ask.atMost)) return [];
    const point: [number, number, number] = [0, 0, 0];
    posePoint(pose, ...hit.point, point, 0);
    return [
      { ...hit, distance, point, normal: normalOf(back, hit.normal, mirrors), back: hit.back !== mirrors },
    ];
  });
}

function turned(m: LinearPose, x: number, y: number, z: number): [number, number, number] {
  return [m[0] * x + m[1] * y + m[2] * z, m[3] * x + m[4] * y + m[5] * z, m[6] * x + m[7] * y + m[8] * z];
}

/** Planes move by what undoes the pose, transposed. */
function normalOf(back: LinearPose, [x, y, z]: Vec3, mirrors: boolean): Vec3 {
  const n = [0, 1, 2].map((k) => back[k] * x + back[3 + k] * y + back[6 + k] * z);
  const length = Math.hypot(...n);
  const unit = length > 0 ? (mirrors ? -1 : 1) / length : 0;
  return [n[0] * unit, n[1] * unit, n[2] * unit];
}
