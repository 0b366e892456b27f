/** Frames of shapes are about the middles of their boxes. */
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { boxAround } from '../contact-levels/box-around.js';

/** The middle of the box around points. */
export function middleOf(positions: Float64Array): Vec3 {
  const [x, y, z, x1, y1, z1] = boxAround(positions);
  return [0.5 * (x + x1), 0.5 * (y + y1), 0.5 * (z + z1)];
}
