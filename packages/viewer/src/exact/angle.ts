/** Angles between picked faces. */
import type { Point } from '../picture/types.js';
import { cross, dot, length, normalized, subtract } from '../picture/vectors.js';

/** The unit normal of a triangle of nine numbers; zero if it has no area. */
export function normalOf(t: ArrayLike<number>): Point {
  const corner = (k: number): Point => [t[k], t[k + 1], t[k + 2]];
  return normalized(cross(subtract(corner(3), corner(0)), subtract(corner(6), corner(0))));
}

/** The angle between two planes in degrees, 0 (parallel) to 90. */
export function angleBetween(n: Point, m: Point): number {
  return (180 / Math.PI) * Math.atan2(length(cross(n, m)), Math.abs(dot(n, m)));
}
