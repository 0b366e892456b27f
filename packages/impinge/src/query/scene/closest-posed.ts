/** Points and one part of a target: a mesh, scaled, stretched or mirrored as it may be, or a primitive. */
import { invertLinear, isMirror, RIGID } from '../../math/linear-map.js';
import { invertPose, posePoint, type Vec3 } from '../../math/pose.js';
import { rigidly } from '../../mesh/baked.js';
import { isClosed } from '../../mesh/closed.js';
import { type ClosestPointResult, closestPoint } from '../point/closest-point.js';
import { pointsInMesh, signedDistances } from '../point/signed-distance.js';
import { RayBlock } from '../ray/ray-block.js';
import type { TargetPart } from '../target.js';
import { closestUneven } from './closest-uneven.js';

/** Equal distances in the world may differ by rounding in the mesh's numbers. */
const MORE = 1 + 1e-12;

/** The closest point of the part, where it is within `atMost`. */
export function closestPosed(
  posed: TargetPart,
  point: Float64Array,
  atMost: number,
): ClosestPointResult | undefined {
  if (posed.primitive) return closestOfPrimitive(posed, point, atMost);
  const { mesh, pose, stretch = RIGID } = posed;
  if (!stretch.rigid && stretch.scale === 0) return closestUneven(posed, point, atMost);
  const scale = stretch.rigid ? 1 : stretch.scale;
  const found = closestPoint(mesh, localPoint(posed, point), (atMost / scale) * MORE);
  if (!found || !(found.distance * scale <= atMost)) return undefined;
  const at: [number, number, number] = [0, 0, 0];
  posePoint(pose, ...found.point, at, 0);
  const unit = (isMirror(pose) ? -1 : 1) / scale;
  const [x, y, z] = found.normal;
  const turned = (k: number) => unit * (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z);
  return { ...found, distance: found.distance * scale, point: at, normal: [turned(0), turned(1), turned(2)] };
}

/** The closest point of a primitive's surface; its one triangle is 0, with the weight on its first corner. */
function closestOfPrimitive(
  { primitive, pose }: TargetPart,
  p: Float64Array,
  atMost: number,
): ClosestPointResult | undefined {
  const { point, normal } = primitive!.closest(pose, p);
  const distance = Math.hypot(p[0] - point[0], p[1] - point[1], p[2] - point[2]);
  if (!(distance <= atMost)) return undefined;
  const length = Math.hypot(...normal);
  const unit: Vec3 = [normal[0] / length, normal[1] / length, normal[2] / length];
  const [x, y, z] = point;
  return { distance, point: [x, y, z], triangle: 0, barycentrics: [1, 0, 0], normal: unit };
}

/** Where a point of the world is in the mesh's frame. */
function localPoint({ pose, stretch = RIGID }: TargetPart, point: Float64Array): [number, number, number] {
  const out: [number, number, number] = [0, 0, 0];
  const back = stretch.rigid ? invertPose(pose) : invertLinear(pose);
  posePoint(back, point[0], point[1], point[2], out, 0);
  return out;
}

/** Whether the point is inside the part (1), on it (0) or outside (−1); a mesh must be closed, else 'bad-input'. */
export function sideOf(posed: TargetPart, point: Float64Array): number {
  if (posed.primitive) return posed.primitive.closest(posed.pose, point).side;
  return inOwnFrame((block) => pointsInMesh(posed.mesh, localPoint(posed, point), block)[0]);
}

/** The distance of a point from the part, negative inside; Infinity where it is outside and farther than `atMost`. */
export function signedPosed(posed: TargetPart, point: Float64Array, atMost: number): number {
  if (posed.primitive)
    return closestOfPrimitive(posed, point, Infinity)!.distance * (0 - sideOf(posed, point));
  const { mesh, pose, stretch = RIGID } = posed;
  if (isClosed(mesh)) {
    const side = sideOf(posed, point);
    if (side === 0) return 0;
    const found = closestPosed(posed, point, side > 0 ? Infinity : atMost);
    return found ? -side * found.distance : Infinity;
  }
  if (!stretch.rigid && (stretch.scale === 0 || isMirror(pose)))
    return signedPosed({ ...posed, ...rigidly(mesh, pose), stretch: RIGID }, point, atMost);
  const distance = inOwnFrame((block) => signedDistances(mesh, localPoint(posed, point), block)[0]);
  return (stretch.rigid ? 1 : stretch.scale) * distance;
}

function inOwnFrame<Found>(ask: (block: RayBlock) => Found): Found {
  const block = RayBlock.take();
  try {
    block.ask.atMost = Infinity;
    block.ask.place(undefined);
    return ask(block);
  } finally {
    block.release();
  }
}
