/** The objects of a shape: their poses, and whether they can be compared with others. Errors say whose they are. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  carvePose,
  orthonormalised,
  type Pose,
  type RigidPose,
  toRigidPose,
} from 'impinge/internal/math/pose.js';
import { FARTHEST, reachOf } from 'impinge/internal/mesh/reach.js';
import type { SourceObject } from './source.js';

/** The objects that can be compared with any other; the rest is reported, or refused. */
export function nearEnough(
  objects: readonly SourceObject[],
  poses: readonly (Float64Array | undefined)[],
  box: Float64Array | undefined,
  onTooFar: ((object: SourceObject) => void) | undefined,
): number[] {
  const all = [...objects.keys()];
  // what is not finite is refused with its vertex
  if (box === undefined) return all;
  return all.filter((i) => {
    if (reachOf(box, poses[i]) < FARTHEST) return true;
    if (onTooFar) onTooFar(objects[i]);
    else naming(objects[i], refuseTooFar);
    return false;
  });
}

export function poseOf(object: SourceObject): Float64Array | undefined {
  if (object.pose === undefined) return undefined;
  const { pose } = object;
  return naming(object, () => keptPose(pose));
}

/** A pose as stores keep it: a rotation as exact as float64 has it. */
export function keptPose(pose: Pose): RigidPose {
  return orthonormalised(toRigidPose(pose, carvePose), carvePose);
}

function refuseTooFar(): never {
  throw new ImpingeError('bad-input', `it reaches farther than ${FARTHEST.toExponential()} from zero`);
}

/** Says which object an error is about. */
export function naming<T>(object: SourceObject, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ImpingeError)) throw error;
    throw new ImpingeError(error.code, `object "${object.path}" of ${object.file}: ${error.message}`, {
      ...error.detail,
      object: object.path,
      file: object.file,
    });
  }
}
