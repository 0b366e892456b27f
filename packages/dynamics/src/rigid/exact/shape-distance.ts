/** The distance of two shapes, by the exact query. */
import { IDENTITY, type RigidPose } from 'impinge/internal/math/pose.js';
import { distancePlaced } from 'impinge/internal/query/pair/distance.js';
import type { PosedPair } from '../contact-engine.js';
import type { ContactShape } from '../contact-shape.js';
import { restPose } from '../placing.js';

export function distanceOf({ a, b, pose }: PosedPair<ContactShape>): number {
  const placed = { bToA: restPose(a, b, pose), aToWorld: IDENTITY as RigidPose };
  return distancePlaced(a.mesh, b.mesh, placed, Infinity).distance - a.round - b.round;
}
