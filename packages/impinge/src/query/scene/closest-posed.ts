/** Points and one mesh somewhere, scaled, stretched or mirrored as it may be. */
import { ImpingeError } from '../../base/errors.js';
import { invertLinear, isMirror } from '../../math/linear-map.js';
import { posePoint } from '../../math/pose.js';
import { isClosed } from '../../mesh/closed.js';
import { type ClosestPointResult, closestPoint } from '../point/closest-point.js';
import { pointsInMesh, signedDistance } from '../point/signed-distance.js';
import { toLocal } from '../ray/ray-input.js';
import { closestUneven } from './closest-uneven.js';
import type { PosedMesh } from './placed-target.js';

/** Equal distances in the world may differ by rounding in the mesh's numbers. */
const MORE = 1 + 1e-12;

/** The closest point of the mesh, where it is within `atMost`. */
export function closestPosed(
  posed: PosedMesh,
  point: Float64Array,
  atMost: number,
): ClosestPointResult | undefined {
  const { mesh, pose, stretch } = posed;
  if (!stretch.rigid && stretch.scale === 0) return closestUneven(posed, point, atMost);
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
export function signedPosed(posed: PosedMesh, point: Float64Array, atMost: number): number {
  const { mesh, pose, stretch } = posed;
  if (isClosed(mesh)) {
    const side = sideOf(posed, point);
    if (side === 0) return 0;
    const found = closestPosed(posed, point, side > 0 ? Infinity : atMost);
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
