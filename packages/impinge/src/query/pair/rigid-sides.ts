/** Two meshes for questions that know rigid poses only. */
import { rigidly } from '../../mesh/baked.js';
import type { Mesh } from '../../mesh/mesh.js';
import { assertOnePlacement, type PoseOptions } from './context.js';

/** The same two where they are, rigidly posed: with scale, shear and mirroring baked into meshes that are kept. */
export function rigidSides(
  a: Mesh,
  b: Mesh,
  options: PoseOptions,
): { readonly a: Mesh; readonly b: Mesh; readonly poses: PoseOptions } {
  assertOnePlacement(options);
  const { poseA, pose = options.poseB } = options;
  const ofA = poseA === undefined ? { mesh: a } : rigidly(a, poseA);
  const ofB = pose === undefined ? { mesh: b } : rigidly(b, pose);
  return {
    a: ofA.mesh,
    b: ofB.mesh,
    poses: { ...('pose' in ofA && { poseA: ofA.pose }), ...('pose' in ofB && { poseB: ofB.pose }) },
  };
}
