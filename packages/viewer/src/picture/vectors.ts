/** Vectors of three numbers. */
import type { Point } from './types.js';

export const add = (a: Point, b: Point, factor = 1): Point => [
  a[0] + factor * b[0],
  a[1] + factor * b[1],
  a[2] + factor * b[2],
];
export const subtract = (a: Point, b: Point): Point => add(a, b, -1);
export const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Point): number => Math.hypot(a[0], a[1], a[2]);
export const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Unit length; zero stays zero. */
export function normalized(a: Point): Point {
  const size = length(a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
}
