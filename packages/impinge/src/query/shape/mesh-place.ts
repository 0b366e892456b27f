/** Where a mesh is that shapes are asked about: its pose, and what undoes it. */
import { invertLinear, type LinearPose, RIGID, readLinearPose, type Stretch } from '../../math/linear-map.js';
import { carvePose, IDENTITY, type Pose } from '../../math/pose.js';

export interface MeshPlace {
  readonly pose: LinearPose;
  readonly back: LinearPose;
  readonly stretch: Stretch;
}

export const HERE: MeshPlace = {
  pose: IDENTITY as LinearPose,
  back: IDENTITY as LinearPose,
  stretch: RIGID,
};

export function readPlace(pose: Pose | undefined): MeshPlace {
  if (pose === undefined) return HERE;
  const read = carvePose();
  const stretch = readLinearPose(pose, read);
  return { pose: read, back: invertLinear(read), stretch };
}
