/**
 * Do two segments of space meet? Decided by exact signs.
 *
 * Segments that meet are coplanar. Four coplanar points that are not all on one line keep apart in at least one
 * axis projection, and there four turns decide; four collinear points are compared as intervals.
 */
import { type Coords, compareLexicographic } from '../../math/coords.js';
import { orient2dAt, orient3dAt } from '../../math/predicates.js';

/**
 * Whether the closed segments p0 p1 and q0 q1 (offsets of their ends in `p` and `q`) have a point in common.
 * Either may be a single point. Exact.
 */
export function intersectsSegmentSegment(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
): boolean {
  if (orient3dAt(p, p0, p, p1, q, q0, q, q1) !== 0) return false;
  const axis = projectionAxisOfSegments(p, p0, p1, q, q0, q1);
  if (axis < 0) return overlapsCollinear(p, p0, p1, q, q0, q1);
  return (
    orient2dAt(p, p0, p, p1, q, q0, axis) * orient2dAt(p, p0, p, p1, q, q1, axis) <= 0 &&
    orient2dAt(q, q0, q, q1, p, p0, axis) * orient2dAt(q, q0, q, q1, p, p1, axis) <= 0
  );
}

/** The axis to drop so that the four coplanar ends are not collinear in projection; −1 if they are in space. */
export function projectionAxisOfSegments(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
): number {
  for (let axis = 0; axis < 3; axis++) {
    if (
      orient2dAt(p, p0, p, p1, q, q0, axis) !== 0 ||
      orient2dAt(p, p0, p, p1, q, q1, axis) !== 0 ||
      orient2dAt(q, q0, q, q1, p, p0, axis) !== 0 ||
      orient2dAt(q, q0, q, q1, p, p1, axis) !== 0
    ) {
      return axis;
    }
  }
  return -1;
}

/** On a common line, lexicographic order is the order along the line. */
function overlapsCollinear(p: Coords, p0: number, p1: number, q: Coords, q0: number, q1: number): boolean {
  const pInOrder = compareLexicographic(p, p0, p, p1) <= 0;
  const qInOrder = compareLexicographic(q, q0, q, q1) <= 0;
  return (
    compareLexicographic(p, pInOrder ? p0 : p1, q, qInOrder ? q1 : q0) <= 0 &&
    compareLexicographic(q, qInOrder ? q0 : q1, p, pInOrder ? p1 : p0) <= 0
  );
}
