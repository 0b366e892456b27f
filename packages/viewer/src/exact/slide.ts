/** The remainder of a motion that has hit planes. */
import type { Vec3 } from 'impinge';
import { add, cross, dot } from '../picture/vectors.js';

/**
 * The part of a motion that enters none of the planes, whose normals point into the obstacles: along one plane, along
 * the line of two, or zero.
 */
export function slide(way: Vec3, normals: readonly Vec3[]): Vec3 {
  const enters = (v: Vec3) => normals.some((n) => dot(v, n) > 1e-9 * Math.hypot(...v));
  if (!enters(way)) return way;
  for (let i = normals.length - 1; i >= 0; i--) {
    const along = add(way, normals[i], -dot(way, normals[i]));
    if (!enters(along)) return along;
  }
  for (let i = normals.length - 1; i >= 0; i--) {
    for (let j = i - 1; j >= 0; j--) {
      const line = cross(normals[i], normals[j]);
      const lengthSq = dot(line, line);
      if (lengthSq < 1e-12) continue;
      const along = add([0, 0, 0], line, dot(way, line) / lengthSq);
      if (!enters(along)) return along;
    }
  }
  return [0, 0, 0];
}
