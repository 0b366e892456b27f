/**
 * Crossings of a ray with the triangles of a closed mesh, for telling inside from outside by parity or by
 * winding. The ray is the segment from a point to another one known to be outside. Exact signs; where the ray
 * touches an edge, a vertex or the triangle's plane the crossing is meaningless, and reported as degenerate.
 */
import type { Coords } from '../../math/coords.js';
import { orient3dAt } from '../../math/predicates.js';
import { intersectsSegmentTriangle } from './segment-triangle.js';

/** The ray touches the triangle without crossing its interior properly: choose another ray. */
export const RAY_DEGENERATE = 2;

/**
 * How the segment from the point at `po` to the point at `qo` passes the triangle: 0 not at all, +1 towards the
 * side its normal (v1 − v0) × (v2 − v0) points to (leaving a solid with outward normals), −1 against it, or
 * `RAY_DEGENERATE`. Exact.
 */
export function crossingRayTriangle(
  p: Coords,
  po: number,
  q: Coords,
  qo: number,
  t: Coords,
  to: number,
): number {
  const start = orient3dAt(t, to, t, to + 3, t, to + 6, p, po);
  const end = orient3dAt(t, to, t, to + 3, t, to + 6, q, qo);
  if (start * end > 0) return 0;
  if (start === 0 && end === 0) return touchesInPlane(p, po, q, qo, t, to) ? RAY_DEGENERATE : 0;
  const turn0 = orient3dAt(p, po, q, qo, t, to, t, to + 3);
  const turn1 = orient3dAt(p, po, q, qo, t, to + 3, t, to + 6);
  const turn2 = orient3dAt(p, po, q, qo, t, to + 6, t, to);
  if ((turn0 < 0 || turn1 < 0 || turn2 < 0) && (turn0 > 0 || turn1 > 0 || turn2 > 0)) return 0;
  if (start === 0 || end === 0 || turn0 === 0 || turn1 === 0 || turn2 === 0) return RAY_DEGENERATE;
  return end;
}

function touchesInPlane(p: Coords, po: number, q: Coords, qo: number, t: Coords, to: number): boolean {
  const ray = Float64Array.of(p[po], p[po + 1], p[po + 2], q[qo], q[qo + 1], q[qo + 2]);
  return intersectsSegmentTriangle(ray, 0, 3, t, to);
}
