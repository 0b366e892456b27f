/** Convex polygons cut by planes at right angles to an axis; three numbers a corner. */

/** A polygon of three corners that is cut by seven planes has ten at most. */
export const CORNERS_MAX = 10;

/** Whether `sign` times a coordinate plus `rest` is negative at no corner. */
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

/** The part of a convex polygon where that holds, and how many corners it has. */
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
