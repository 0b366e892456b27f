/** What is left of a motion that has run into planes. */
import type { Vec3 } from 'impinge';

/**
 * The part of a motion that enters none of the planes, whose normals lead into what was met: along one of them, along
 * the line where two meet, or none at all.
 */
export function slide(way: Vec3, normals: readonly Vec3[]): Vec3 {
  const enters = (v: Vec3) => normals.some((n) => dot(v, n) > 1e-9 * Math.hypot(...v));
  if (!enters(way)) return way;
  for (let i = normals.length - 1; i >= 0; i--) {
    const along = without(way, normals[i]);
    if (!enters(along)) return along;
  }
  for (let i = normals.length - 1; i >= 0; i--) {
    for (let j = i - 1; j >= 0; j--) {
      const line = cross(normals[i], normals[j]);
      const lengthSq = dot(line, line);
      if (lengthSq < 1e-12) continue;
      const share = dot(way, line) / lengthSq;
      const along: Vec3 = [share * line[0], share * line[1], share * line[2]];
      if (!enters(along)) return along;
    }
  }
  return [0, 0, 0];
}

function without(v: Vec3, n: Vec3): Vec3 {
  const into = dot(v, n);
  return [v[0] - into * n[0], v[1] - into * n[1], v[2] - into * n[2]];
}

function cross(p: Vec3, q: Vec3): Vec3 {
  return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
}

function dot(p: Vec3, q: Vec3): number {
  return p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
}
