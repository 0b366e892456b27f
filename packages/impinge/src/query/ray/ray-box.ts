/** Where a ray enters a box, for objects and pieces: a bound that errs towards meeting it. */

/** Covers the rounding of slopes, differences and quotients. */
const SLACK = 1e-12;

/**
 * The distance at which the ray (eight numbers) may enter the box at boxes[at ..], or Infinity where it certainly
 * misses it.
 */
export function entersBox(ray: Float64Array, boxes: ArrayLike<number>, at: number): number {
  const length = Math.hypot(ray[3], ray[4], ray[5]);
  let enters = 0;
  let leaves = ray[7] / length;
  for (let k = 0; k < 3; k++) {
    const from = ray[k];
    const step = ray[3 + k];
    const low = boxes[at + k];
    const high = boxes[at + 3 + k];
    const slack = SLACK * (Math.abs(from) + Math.abs(low) + Math.abs(high));
    if (Math.abs(step) < 1e-290) {
      if (from < low - slack || from > high + slack) return Infinity;
      continue;
    }
    const a = (low - slack - from) / step;
    const b = (high + slack - from) / step;
    enters = Math.max(enters, Math.min(a, b));
    leaves = Math.min(leaves, Math.max(a, b));
  }
  return enters * (1 - SLACK) <= leaves * (1 + SLACK) ? enters * (1 - SLACK) * length : Infinity;
}
