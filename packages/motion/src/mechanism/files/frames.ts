/** Poses as robot files write them: a translation, and turns about x, y and z of the fixed axes, in this order. */
import type { RigidPose } from 'impinge/internal/math/pose.js';

export function poseOfAngles(translation: readonly number[], [r, p, y]: readonly number[]): RigidPose {
  const [sr, cr, sp, cp, sy, cy] = [r, p, y].flatMap((angle) => [Math.sin(angle), Math.cos(angle)]);
  return Float64Array.of(
    ...[cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
    ...[sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
    ...[-sp, cp * sr, cp * cr],
    ...translation,
  );
}
