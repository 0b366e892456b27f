/** Points and one mesh somewhere, scaled, stretched or mirrored as it may be. */
import { ImpingeError } from '../../base/errors.js';
import { invertLinear, isMirror, RIGID } from '../../math/linear-map.js';
import { IDENTITY, posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { isClosed } from '../../mesh/closed.js';
import { Mesh } from '../../mesh/mesh.js';
import { distanceStretched } from '../pair/stretched.js';
import { type ClosestPointResult, closestPoint, weightsAt } from '../point/closest-point.js';
import { pointsInMesh, signedDistance } from '../point/signed-distance.js';
import { toLocal } from '../ray/ray-input.js';
import { cornersOf, toWorld } from '../shape/find-triangles.js';
import type { PosedMesh } from './placed-target.js';

/** Equal distances in the world may differ by rounding in the mesh's numbers. */
const MORE = 1 + 1e-12;

/** A point at zero as a mesh. */
export function makePointMesh(): Mesh {
  return Mesh.from({ positions: new Float32Array(9), name: 'point' });
}

/**
 * The closest point of the mesh, where it is within `atMost`. `pointMesh` is at hand for poses that stretch unevenly.
 */
export function closestPosed(
  posed: PosedMesh,
  point: Float64Array,
  atMost: number,
  pointMesh: () => Mesh,
): ClosestPointResult | undefined {
  const { mesh, pose, stretch } = posed;
  if (!stretch.rigid && stretch.scale === 0) return closestUneven(posed, point, atMost, pointMesh());
  const scale = stretch.rigid ? 1 : stretch.scale;
  const found = closestPoint(mesh, localPoint(posed, point), { atMost: (atMost / scale) * MORE });
  if (!found || !(found.distance * scale <= atMost)) return undefined;
  const at: [number, number, number] = [0, 0, 0];
  posePoint(pose, ...found.point, at, 0);
  const unit = (isMirror(pose) ? -1 : 1) / scale;
  const [x, y, z] = found.normal;
  const turned = (k: number) => unit * (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
  return { ...found, distance: found.distance * scale, point: at, normal: [turned(0), turned(1), turned(2)] };
}

/** The mesh is asked in the frame of the point, which has a unit of length. */
function closestUneven(
  { mesh, pose, stretch }: PosedMesh,
  [x, y, z]: Float64Array,
  atMost: number,
  pointMesh: Mesh,
): ClosestPointResult | undefined {
  const a = (IDENTITY as RigidPose).slice();
  a.set([x, y, z], 9);
  const placed = { a, b: pose, stretchA: RIGID, stretchB: stretch };
  const { distance, pointB, triangleB } = distanceStretched(pointMesh, mesh, placed, atMost * MORE);
  if (!pointB || !(distance <= atMost)) return undefined;
  const t = toWorld(cornersOf(mesh, triangleB), mesh, { pose, back: pose, stretch });
  const [u, v] = weightsAt(t, Float64Array.from(pointB));
  return {
    distance,
    point: pointB,
    triangle: triangleB,
    barycentrics: [1 - u - v, u, v],
    normal: normalOf(t),
  };
}

function normalOf(t: Float64Array): Vec3 {
  const [px, py, pz, qx, qy, qz] = [3, 4, 5, 6, 7, 8].map((k) => t[k] - t[k % 3]);
  const n = [py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx];
  const length = Math.hypot(...n);
  const unit = length > 0 ? 1 / length : 0;
  return [n[0] * unit, n[1] * unit, n[2] * unit];
}

/** Where a point of the world is in the mesh's frame. */
function localPoint({ pose, stretch }: PosedMesh, point: Float64Array): [number, number, number] {
  const out: [number, number, number] = [0, 0, 0];
  const back = stretch.rigid ? toLocal(pose)! : invertLinear(pose);
  posePoint(back, point[0], point[1], point[2], out, 0);
  return out;
}

/** Whether the point is inside the mesh (1), on it (0) or outside (−1); the mesh must be closed, else 'bad-input'. */
export function sideOf(posed: PosedMesh, point: Float64Array): number {
  return pointsInMesh(posed.mesh, localPoint(posed, point))[0];
}

/** The distance of a point from the mesh, negative inside; Infinity where it is outside and farther than `atMost`. */
export function signedPosed(
  posed: PosedMesh,
  point: Float64Array,
  atMost: number,
  pointMesh: () => Mesh,
): number {
  const { mesh, pose, stretch } = posed;
  if (isClosed(mesh)) {
    const side = sideOf(posed, point);
    if (side === 0) return 0;
    const found = closestPosed(posed, point, side > 0 ? Infinity : atMost, pointMesh);
    return found ? -side * found.distance : Infinity;
  }
  if (!stretch.rigid && (stretch.scale === 0 || isMirror(pose)))
    throw new ImpingeError(
      'bad-pose',
      `signedDistance: mesh "${mesh.name}" is open, and its pose stretches unevenly or mirrors; bake that in with mesh.transformed(matrix)`,
      { mesh: mesh.name },
    );
  return (stretch.rigid ? 1 : stretch.scale) * signedDistance(mesh, localPoint(posed, point));
}
