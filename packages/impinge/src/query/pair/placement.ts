/** Where two meshes are, as callers say it, rigid or not. */
import { type LinearPose, RIGID, readLinearPose, type Stretch } from '../../math/linear-map.js';
import { badPose, carvePose, IDENTITY, type Pose, type RigidPose } from '../../math/pose.js';
import { assertOnePlacement, type Placement, type PoseOptions, relativePose } from './context.js';

/** Two poses in the world, of which one at least is not rigid. */
export interface StretchedPlacement {
  readonly a: LinearPose;
  readonly b: LinearPose;
  readonly stretchA: Stretch;
  readonly stretchB: Stretch;
}

export function isStretched(placed: Placement | StretchedPlacement): placed is StretchedPlacement {
  return 'stretchA' in placed;
}

/** Whether lengths are the world's, but for a factor, in neither of two frames. */
export function areUneven(placed: Placement | StretchedPlacement): boolean {
  return isStretched(placed) && placed.stretchA.scale + placed.stretchB.scale === 0;
}

interface Posed {
  readonly pose: LinearPose;
  readonly stretch?: Stretch | undefined;
}

/** Where two posed things are, unless both are posed rigidly. */
export function stretchedPlacement(a: Posed, b: Posed): StretchedPlacement | undefined {
  const { stretch: stretchA = RIGID } = a;
  const { stretch: stretchB = RIGID } = b;
  return stretchA.rigid && stretchB.rigid ? undefined : { a: a.pose, b: b.pose, stretchA, stretchB };
}

/** As `readPlacement`, and poses that scale, stretch, shear or mirror as well. */
export function readAnyPlacement(options: PoseOptions): Placement | StretchedPlacement {
  assertOnePlacement(options);
  const { poseA, pose = options.poseB } = options;
  const a = poseA === undefined ? (IDENTITY as RigidPose) : carvePose();
  const b = pose === undefined ? (IDENTITY as RigidPose) : carvePose();
  const stretchA = read(poseA, a);
  const stretchB = read(pose, b);
  if (!stretchA.rigid || !stretchB.rigid) return { a, b, stretchA, stretchB };
  return { bToA: poseA === undefined ? b : relativePose(a, b), aToWorld: a };
}

/** The same where poses must be rigid: scenes and stored models are not stretched as wholes. */
export function readRigidPlacement(options: PoseOptions): Placement {
  const placed = readAnyPlacement(options);
  if (isStretched(placed)) throw badPose('not a rigid motion');
  return placed;
}

function read(pose: Pose | undefined, out: LinearPose): Stretch {
  return pose === undefined ? RIGID : readLinearPose(pose, out);
}
