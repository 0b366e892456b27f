/** The share of a motion that two surfaces make without coming near each other, by the exact search over time. */
import { timeOfImpact } from 'impinge/internal/query/motion/time-of-impact.js';
import type { PairMotion } from './contact-engine.js';
import type { ContactShape } from './contact-shape.js';

/** Share of the query's distance by which the search may stop early. */
const ACCURACY = 0.1;
/** Where they meet at the very end, that is not all of the motion. */
const LAST = 1 - 1e-6;

type SearchedShape = Pick<ContactShape, 'mesh' | 'centre'> & Partial<Pick<ContactShape, 'round'>>;

export function searchedShareOf(
  a: SearchedShape,
  b: SearchedShape,
  motion: PairMotion,
  distance: number,
): number {
  const { fromA, toA, fromB, toB } = motion;
  const { time } = timeOfImpact(a.mesh, b.mesh, {
    motionA: { from: restPose(fromA, a), to: restPose(toA, a), centre: a.centre },
    motionB: { from: restPose(fromB, b), to: restPose(toB, b), centre: b.centre },
    distance: distance + (a.round ?? 0) + (b.round ?? 0),
    accuracy: ACCURACY * distance,
  });
  return time === Infinity ? 1 : Math.min(time, LAST);
}

/** The pose of the mesh, given that of the frame about the centre. */
function restPose(pose: Float64Array, { centre: [x, y, z] }: SearchedShape) {
  return {
    rotation: pose.subarray(0, 9),
    translation: [0, 1, 2].map(
      (k) => pose[9 + k] - (pose[3 * k] * x + pose[3 * k + 1] * y + pose[3 * k + 2] * z),
    ),
  };
}
