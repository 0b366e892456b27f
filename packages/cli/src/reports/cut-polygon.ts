/** Clips convex polygons by axis-aligned planes; three numbers per corner. */

/** A triangle clipped by seven planes has at most ten corners. */
export const CORNERS_MAX = 10;

/** Whether `sign` times the coordinate plus `rest` is nowhere negative. */
export function isWithin(
  polygon: Float64Array,
  count: number,
  axis: number,
  sign: number,
  rest: number,
): boolean {
  for (let v = axis; v < 3 * count; v += 3) if (sign * polygon[v] + rest < 0) return false;
  return true;
}

/** Clips a convex polygon to where that holds; returns the number of corners. */
export function cutBy(
  from: Float64Array,
  count: number,
  to: Float64Array,
  axis: number,
  sign: number,
  rest: number,
): number {
  let length = 0;
  for (let i = 0; i < count; i++) {
    const v = 3 * i;
    const w = i + 1 < count ? v + 3 : 0;
    const p = sign * from[v + axis] + rest;
    const q = sign * from[w + axis] + rest;
    if (p >= 0) {
      for (let k = 0; k < 3; k++) to[3 * length + k] = from[v + k];
      length++;
    }
    if (p >= 0 !== q >= 0) {
      const t = p / (p - q);
      for (let k = 0; k < 3; k++) to[3 * length + k] = from[v + k] + t * (from[w + k] - from[v + k]);
      length++;
    }
  }
  return length;
}
