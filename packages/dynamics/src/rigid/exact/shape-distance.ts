/** The distance of two shapes, by the exact query. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import type { BodyShape, PosedPair } from '../contact-engine.js';
import { restPose } from '../placing.js';

/** Triangles, and how far around them the surface is. */
interface RoundedMesh extends BodyShape {
  readonly mesh: Mesh;
  readonly round: number;
}

export function distanceOf({ a, b, pose }: PosedPair<RoundedMesh>): number {
  const placed = { bToA: restPose(a, b, pose), aToWorld: IDENTITY as RigidPose };
  return distancePlaced(a.mesh, b.mesh, placed, Infinity).distance - a.round - b.round;
}
