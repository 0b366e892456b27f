/**
 * Two moving elements as one moving patch: all points of the second as seen from the points of the first.
 *
 * A vertex sees a face as a triangle, an edge sees an edge as a parallelogram: W + x A + y B with x, y ≥ 0 and
 * x + y ≤ 1, or x, y ≤ 1. The elements touch when the patch contains the origin, and are as far from each other
 * as the origin is from the patch; x, y are the place on the elements (weights of f1 and f2; parameters along a and b).
 *
 * Layout: a query is four points at T0, then at T1 (24 numbers); W, A and B are each the difference of two of the
 * points, so every coordinate of theirs carries one rounding.
 */
export interface DifferencePatch {
  /** A parallelogram, not a triangle. */
  readonly square: boolean;
  /** Where the points that W, A and B lead from and to stand in the query. */
  readonly wFrom: number;
  readonly wTo: number;
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

/** v, f0, f1, f2: W = f0 − v, A = f1 − f0, B = f2 − f0. */
export const VERTEX_FACE_PATCH: DifferencePatch = {
  square: false,
  wFrom: 0,
  wTo: 3,
  aFrom: 3,
  aTo: 6,
  bFrom: 3,
  bTo: 9,
};

/** a0, a1, b0, b1: W = b0 − a0, A = a0 − a1, B = b1 − b0. */
export const EDGE_EDGE_PATCH: DifferencePatch = {
  square: true,
  wFrom: 0,
  wTo: 6,
  aFrom: 3,
  aTo: 0,
  bFrom: 6,
  bTo: 9,
};

/** Where the numbers of T1 begin in a query. */
export const AT_T1 = 12;

const UNIT = 2 ** -53;
/** Factor of one plus the sum of the sizes: bounds the loss where products underflow. */
export const UNDERFLOW = 1e-300;
/**
 * Factor of the sizes of W, A and B (sums of coordinates in magnitude, both ends): bounds the error of the volume
 * polynomial's Bernstein coefficients, ten roundings of each product, plus those of at most MOST_SPLITS splits (nine
 * each, and a time off by 1.4 at a slope of 6) and an evaluation (eight): 192.
 */
export const VOLUME_BOUND = 256 * UNIT;
/** Factor of two sizes: bounds the error of a component of a cross product at an interpolated time. */
export const CROSS_BOUND = 32 * UNIT;
/** Factor of the sum of the sizes: bounds the error of a corner's projection on a unit vector. */
export const PROJECTION_BOUND = 16 * UNIT;

/** Sum of the magnitudes of the coordinates of point `to` less point `from`, at T0 and at T1. */
export function sizeOver(p: Float64Array, from: number, to: number): number {
  const t0 =
    Math.abs(p[to] - p[from]) + Math.abs(p[to + 1] - p[from + 1]) + Math.abs(p[to + 2] - p[from + 2]);
  const f = AT_T1 + from;
  const t = AT_T1 + to;
  return t0 + (Math.abs(p[t] - p[f]) + Math.abs(p[t + 1] - p[f + 1]) + Math.abs(p[t + 2] - p[f + 2]));
}

/** Coordinate `to` less coordinate `from` at time t. */
export function differenceAt(p: Float64Array, from: number, to: number, t: number): number {
  return (1 - t) * (p[to] - p[from]) + t * (p[AT_T1 + to] - p[AT_T1 + from]);
}
