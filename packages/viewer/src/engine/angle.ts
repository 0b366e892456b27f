/** Angles of what was picked. */
import type { Point } from '../picture/types.js';

/** The normal of a triangle of nine numbers: of length 1, or zero where the triangle has no area. */
export function normalOf(t: ArrayLike<number>): Point {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  return unit([uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx]);
}

/** The angle between the planes of two faces with these normals, in degrees: from 0 for parallel to 90. */
export function angleBetween(n: Point, m: Point): number {
  const across = Math.hypot(n[1] * m[2] - n[2] * m[1], n[2] * m[0] - n[0] * m[2], n[0] * m[1] - n[1] * m[0]);
  const along = Math.abs(n[0] * m[0] + n[1] * m[1] + n[2] * m[2]);
  return (180 / Math.PI) * Math.atan2(across, along);
}

/** Of length 1; zero where there is no direction. */
export function unit([x, y, z]: Point): Point {
  const length = Math.hypot(x, y, z);
  return length > 0 ? [x / length, y / length, z / length] : [0, 0, 0];
}
