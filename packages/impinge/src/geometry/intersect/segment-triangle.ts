/**
 * Does a segment meet a triangle? Decided by exact signs, whatever either degenerates to.
 *
 * A segment that crosses the plane does so in one point, and that point is inside when the segment's line passes
 * the three edges on the same side. In the plane, convex sets are apart exactly when an edge line of one of them
 * keeps the other strictly outside.
 */
import type { Coords } from '../../math/coords.js';
import { orient2dAt, orient3dAt } from '../../math/predicates.js';
import { firstVertex, lastVertex, projectionAxis } from './degenerate.js';
import { intersectsSegmentSegment } from './segment-segment.js';

/**
 * Whether the closed segment s0 s1 (offsets of its ends in `s`) and the closed triangle have a point in common.
 * The segment may be a point, the triangle a segment or a point. Exact.
 */
export function intersectsSegmentTriangle(s: Coords, s0: number, s1: number, t: Coords, to: number): boolean {
  const side0 = orient3dAt(t, to, t, to + 3, t, to + 6, s, s0);
  const side1 = s0 === s1 ? side0 : orient3dAt(t, to, t, to + 3, t, to + 6, s, s1);
  if (side0 * side1 > 0) return false;
  if (side0 === 0 && side1 === 0) return intersectsInPlane(s, s0, s1, t, to);
  const turn0 = orient3dAt(s, s0, s, s1, t, to, t, to + 3);
  const turn1 = orient3dAt(s, s0, s, s1, t, to + 3, t, to + 6);
  const turn2 = orient3dAt(s, s0, s, s1, t, to + 6, t, to);
  return (turn0 >= 0 && turn1 >= 0 && turn2 >= 0) || (turn0 <= 0 && turn1 <= 0 && turn2 <= 0);
}

function intersectsInPlane(s: Coords, s0: number, s1: number, t: Coords, to: number): boolean {
  const axis = projectionAxis(t, to);
  if (axis < 0) return intersectsSegmentSegment(s, s0, s1, t, firstVertex(t, to), lastVertex(t, to));
  const turn = orient2dAt(t, to, t, to + 3, t, to + 6, axis);
  // an edge of the triangle separates
  for (let i = 0; i < 9; i += 3) {
    const e0 = to + i;
    const e1 = to + ((i + 3) % 9);
    const outside0 = orient2dAt(t, e0, t, e1, s, s0, axis) === -turn;
    if (outside0 && orient2dAt(t, e0, t, e1, s, s1, axis) === -turn) return false;
  }
  // the segment separates
  const side = orient2dAt(s, s0, s, s1, t, to, axis);
  return (
    side === 0 ||
    orient2dAt(s, s0, s, s1, t, to + 3, axis) !== side ||
    orient2dAt(s, s0, s, s1, t, to + 6, axis) !== side
  );
}

/**
 * Whether the point at offset `po` lies on the closed triangle, which may be a segment or a point. Exact.
 */
export function pointOnTriangle(p: Coords, po: number, t: Coords, to: number): boolean {
  return intersectsSegmentTriangle(p, po, po, t, to);
}
