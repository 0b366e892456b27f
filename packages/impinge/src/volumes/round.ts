/**
 * Rounding outward to float32, so that a stored volume still contains what it was computed from.
 *
 * `roundUp(x)` is at least x and at most two float32 steps above the nearest one; plain arithmetic only, so that
 * a kernel can do the same. Past the float32 range it gives Infinity, which contains everything.
 */

const STEP = 2 ** -23; // one float32 step relative to the magnitude, or more
const TINY = 2 ** -149; // the smallest float32

/** Relative error, with room, of the short float64 sums and products in a volume's arithmetic. */
export const SLACK = 2 ** -48;

/** Absolute error of float64 square roots of sums of squares that underflow. */
export const UNDERFLOW = 1e-150;

/** Half extents and radii of an empty lane are minus this; it reaches nothing. */
export const EMPTY_EXTENT = 1e30;

/** Share of its own numbers by which a volume may fail to hold a point and still pass validation. */
export const CONTAINMENT_SLACK = 2 ** -20;

export function roundUp(x: number): number {
  const nearest = Math.fround(x);
  return nearest >= x ? nearest : Math.fround(x + Math.abs(x) * STEP + TINY);
}

export function roundDown(x: number): number {
  const nearest = Math.fround(x);
  return nearest <= x ? nearest : Math.fround(x - Math.abs(x) * STEP - TINY);
}
