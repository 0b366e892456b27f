/** Where things of three.js are, as poses. */
import type { Matrix4, Object3D, Quaternion, Vector3 } from 'three';
import { ImpingeError } from '../base/errors.js';
import { shown } from '../base/options.js';
import type { Pose } from '../math/pose.js';

/** Parts of a pose, as three.js has them. */
export interface Placement {
  readonly position?: Vector3;
  readonly quaternion?: Quaternion;
  readonly scale?: Vector3;
}

/**
 * The pose of an object in the world, of a matrix, of a position or rotation alone, or of several of them. Updates an
 * object's matrices first. The numbers are copied: after a move, call it again.
 */
export function poseOf(place: Object3D | Matrix4 | Vector3 | Quaternion | Placement): Pose {
  const given = Object(place) as Partial<Object3D & Matrix4 & Vector3 & Quaternion>;
  if (given.isObject3D) {
    (place as Object3D).updateWorldMatrix(true, false);
    return (place as Object3D).matrixWorld.elements.slice();
  }
  if (given.elements?.length === 16) return (place as Matrix4).elements.slice();
  if (given.isVector3) return { translation: numbersOf(place as Vector3) };
  if (given.isQuaternion) return { rotation: turnOf(place as Quaternion) };
  const { position, quaternion, scale } = given as Placement;
  if (!(position?.isVector3 || quaternion?.isQuaternion || scale?.isVector3)) {
    throw new ImpingeError('bad-input', `poseOf: an object of three.js is needed, got ${shown(place)}`);
  }
  return {
    ...(position?.isVector3 && { translation: numbersOf(position) }),
    ...(quaternion?.isQuaternion && { rotation: turnOf(quaternion) }),
    ...(scale?.isVector3 && { scale: numbersOf(scale) }),
  };
}

function numbersOf({ x, y, z }: Vector3): [number, number, number] {
  return [x, y, z];
}

function turnOf({ x, y, z, w }: Quaternion): [number, number, number, number] {
  return [x, y, z, w];
}
