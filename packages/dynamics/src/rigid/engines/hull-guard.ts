/**
 * Whether a motion of two bodies with contact levels is free, by planes between the originals of their nodes, as
 * kernels/contacts/guard.ts does it for triangles. Along a direction, the originals below two nodes are as far apart as
 * at the nearer of both ends of the motion, less the deviation of points from straight paths by turning. Nodes without
 * a separating plane are divided.
 */
import type { PairMotion } from '../contact-engine.js';
import type { FrontQuestion, HullFront } from './hull-front.js';
import { bendOf, relativePose } from './pair-motion.js';

/** Whether planes show that nothing comes within `distance` in the whole motion, and the pairs looked at for that. */
export function planesOfHulls(
  front: HullFront,
  motion: PairMotion,
  distance: number,
  question: Omit<FrontQuestion, 'reach'>,
): { readonly holds: boolean; readonly tests: number } {
  const { fromA, toA, fromB, toB } = motion;
  const { way, stray } = bendOf(front.a.radius, front.b.radius, motion);
  const least = distance + stray;
  const before = relativePose(fromA, fromB);
  const after = relativePose(toA, toB);
  let holds = true;
  const ask = { ...question, reach: way + least };
  const { walked, beyond } = front.each(before, ask, ({ nodeA, nodeB, x, y, z, gap }, divisible) => {
    if (!holds) return true;
    if (gap > least) {
      // the same direction of the world, as a sees it in the end
      const wx = fromA[0] * x + fromA[1] * y + fromA[2] * z;
      const wy = fromA[3] * x + fromA[4] * y + fromA[5] * z;
      const wz = fromA[6] * x + fromA[7] * y + fromA[8] * z;
      const ex = toA[0] * wx + toA[3] * wy + toA[6] * wz;
      const ey = toA[1] * wx + toA[4] * wy + toA[7] * wz;
      const ez = toA[2] * wx + toA[5] * wy + toA[8] * wz;
      if (front.gapAlong(nodeA, nodeB, ex, ey, ez, after) > least) return true;
    }
    holds = divisible;
    return !divisible;
  });
  return { holds, tests: walked + beyond };
}
