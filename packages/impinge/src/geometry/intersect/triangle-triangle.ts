/**
 * Do two triangles meet? Closed sets, decided by exact signs only, so the answer does not depend on the order of
 * the sides or of the vertices.
 *
 * General position: each triangle must reach both sides of the other's plane. Then both meet the line common to
 * the planes, each in an interval, and how two interval ends lie is the sign of one orient3d of the two edges
 * they are on. With one vertex of each triangle alone on the upper side of the other's plane, two such signs are
 * enough.
 * Coplanar and degenerate triangles, the cases where a plane says nothing, have their own paths.
 * Paper: Guigue & Devillers 2003, "Fast and robust triangle-triangle overlap test using orientation predicates".
 */
import type { Coords } from '../../math/coords.js';
import { orient2dAt, orient3dAt } from '../../math/predicates.js';
import { firstVertex, lastVertex, projectionAxis } from './degenerate.js';
import { ALL_ABOVE, ALL_BELOW, ALL_ON, LONE_VERTEX, sidesOfPlane } from './plane-sides.js';
import { intersectsSegmentSegment } from './segment-segment.js';
import { intersectsSegmentTriangle } from './segment-triangle.js';

/**
 * Whether two closed triangles (nine numbers at an offset each) have a point in common: crossing, touching,
 * coplanar overlap and containment all count, and either may be a segment or a point. Exact.
 */
export function intersectsTriangleTriangle(a: Coords, ao: number, b: Coords, bo: number): boolean {
  const sidesA = sidesOfPlane(b, bo, a, ao);
  if (sidesA === ALL_BELOW || sidesA === ALL_ABOVE) return false;
  if (sidesA === ALL_ON) return intersectsFlat(a, ao, b, bo);
  const sidesB = sidesOfPlane(a, ao, b, bo);
  if (sidesB === ALL_BELOW || sidesB === ALL_ABOVE) return false;
  if (sidesB === ALL_ON) return intersectsFlat(a, ao, b, bo);

  // number the vertices from the lone one, upwards; seen from the lone vertex below, the other triangle turns over
  const loneA = LONE_VERTEX[sidesA];
  const loneB = LONE_VERTEX[sidesB];
  const i = loneA & 3;
  const j = loneB & 3;
  const flipA = loneB >> 2;
  const flipB = loneA >> 2;
  const a0 = ao + 3 * i;
  const b0 = bo + 3 * j;
  return (
    orient3dAt(a, a0, a, ao + 3 * ((i + 1 + flipA) % 3), b, b0, b, bo + 3 * ((j + 1 + flipB) % 3)) <= 0 &&
    orient3dAt(a, a0, a, ao + 3 * ((i + 2 - flipA) % 3), b, b0, b, bo + 3 * ((j + 2 - flipB) % 3)) >= 0
  );
}

/** Coplanar triangles, or one of them has no plane. */
function intersectsFlat(a: Coords, ao: number, b: Coords, bo: number): boolean {
  const axisA = projectionAxis(a, ao);
  const axisB = projectionAxis(b, bo);
  if (axisA >= 0 && axisB >= 0) {
    return !separatedByEdge(a, ao, b, bo, axisA) && !separatedByEdge(b, bo, a, ao, axisA);
  }
  if (axisB >= 0) return intersectsSegmentTriangle(a, firstVertex(a, ao), lastVertex(a, ao), b, bo);
  if (axisA >= 0) return intersectsSegmentTriangle(b, firstVertex(b, bo), lastVertex(b, bo), a, ao);
  return intersectsSegmentSegment(
    a,
    firstVertex(a, ao),
    lastVertex(a, ao),
    b,
    firstVertex(b, bo),
    lastVertex(b, bo),
  );
}

/** Whether an edge line of t has all of p strictly outside. For coplanar triangles seen along `axis`. */
function separatedByEdge(t: Coords, to: number, p: Coords, po: number, axis: number): boolean {
  const outside = -orient2dAt(t, to, t, to + 3, t, to + 6, axis);
  for (let i = 0; i < 9; i += 3) {
    const e0 = to + i;
    const e1 = to + ((i + 3) % 9);
    if (
      orient2dAt(t, e0, t, e1, p, po, axis) === outside &&
      orient2dAt(t, e0, t, e1, p, po + 3, axis) === outside &&
      orient2dAt(t, e0, t, e1, p, po + 6, axis) === outside
    ) {
      return true;
    }
  }
  return false;
}
