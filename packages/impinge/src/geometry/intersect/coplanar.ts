/**
 * The common part of two coplanar triangles, either of which may be a segment or a point: a convex polygon of up
 * to six corners.
 *
 * Its corners are the corners of one set inside the other and the proper crossings of edges. Which of them exist
 * is decided by exact signs, so the number of corners is exact; only the crossings' coordinates are rounded.
 */
import { type Coords, compareLexicographic } from '../../math/coords.js';
import { orient2dValueAt } from '../../math/determinants.js';
import { orient2dAt } from '../../math/predicates.js';
import { firstVertex, lastVertex, projectionAxis } from './degenerate.js';
import { projectionAxisOfSegments } from './segment-segment.js';

interface Flat {
  readonly coords: Coords;
  /** Offsets of the corners: three, two for a segment, one for a point. */
  readonly corners: readonly number[];
}

/**
 * Writes the corners of the intersection of two coplanar closed triangles to out[oo ..] in order around it, and
 * returns their number: 0 apart, 1 a point, 2 a segment, 3 … 6 a polygon. Room for 18 numbers is needed. Either
 * may be a segment or a point, as long as one plane holds both. The number is exact.
 */
export function intersectionPolygonCoplanar(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array,
  oo: number,
): number {
  const axisA = projectionAxis(a, ao);
  const axisB = projectionAxis(b, bo);
  const flatA = flatOf(a, ao, axisA);
  const flatB = flatOf(b, bo, axisB);
  let axis = axisA >= 0 ? axisA : axisB;
  if (axis < 0) {
    const p0 = flatA.corners[0];
    const q0 = flatB.corners[0];
    axis = projectionAxisOfSegments(a, p0, flatA.corners[1] ?? p0, b, q0, flatB.corners[1] ?? q0);
    if (axis < 0) return overlapCollinear(flatA, flatB, out, oo);
  }
  let count = 0;
  for (const corner of flatA.corners) {
    if (contains(flatB, axis, a, corner)) writePoint(a, corner, out, oo + 3 * count++);
  }
  for (const corner of flatB.corners) {
    const shared = flatA.corners.some((other) => compareLexicographic(a, other, b, corner) === 0);
    if (!shared && contains(flatA, axis, b, corner)) writePoint(b, corner, out, oo + 3 * count++);
  }
  for (let i = 0; i < edgeCount(flatA); i++) {
    for (let j = 0; j < edgeCount(flatB); j++) {
      if (writeCrossing(flatA, i, flatB, j, axis, out, oo + 3 * count)) count++;
    }
  }
  if (count > 2) sortAround(out, oo, count, axis);
  return count;
}

function flatOf(t: Coords, to: number, axis: number): Flat {
  if (axis >= 0) return { coords: t, corners: [to, to + 3, to + 6] };
  const first = firstVertex(t, to);
  const last = lastVertex(t, to);
  return { coords: t, corners: compareLexicographic(t, first, t, last) === 0 ? [first] : [first, last] };
}

function edgeCount(flat: Flat): number {
  return flat.corners.length === 3 ? 3 : flat.corners.length - 1;
}

function contains(flat: Flat, axis: number, p: Coords, po: number): boolean {
  const { coords, corners } = flat;
  if (corners.length === 1) return compareLexicographic(coords, corners[0], p, po) === 0;
  if (corners.length === 2) {
    return (
      orient2dAt(coords, corners[0], coords, corners[1], p, po, axis) === 0 &&
      compareLexicographic(coords, corners[0], p, po) <= 0 &&
      compareLexicographic(p, po, coords, corners[1]) <= 0
    );
  }
  const outside = -orient2dAt(coords, corners[0], coords, corners[1], coords, corners[2], axis);
  for (let i = 0; i < 3; i++) {
    if (orient2dAt(coords, corners[i], coords, corners[(i + 1) % 3], p, po, axis) === outside) return false;
  }
  return true;
}

/** Writes the point where edge i of `a` and edge j of `b` cross in their interiors; false if they do not. */
function writeCrossing(
  a: Flat,
  i: number,
  b: Flat,
  j: number,
  axis: number,
  out: Float64Array,
  oo: number,
): boolean {
  const p = a.coords;
  const q = b.coords;
  const p0 = a.corners[i];
  const p1 = a.corners[(i + 1) % a.corners.length];
  const q0 = b.corners[j];
  const q1 = b.corners[(j + 1) % b.corners.length];
  if (orient2dAt(q, q0, q, q1, p, p0, axis) * orient2dAt(q, q0, q, q1, p, p1, axis) >= 0) return false;
  if (orient2dAt(p, p0, p, p1, q, q0, axis) * orient2dAt(p, p0, p, p1, q, q1, axis) >= 0) return false;
  const d0 = orient2dValueAt(q, q0, q, q1, p, p0, axis);
  const d1 = orient2dValueAt(q, q0, q, q1, p, p1, axis);
  interpolate(p, p0, p1, d0, d1, out, oo);
  return true;
}

/** The point of p0 p1 where a linear function with values d0 and d1 of opposite sign at its ends is zero. */
export function interpolate(
  p: Coords,
  p0: number,
  p1: number,
  d0: number,
  d1: number,
  out: Float64Array,
  oo: number,
): void {
  const t = d0 / (d0 - d1);
  for (let k = 0; k < 3; k++) out[oo + k] = p[p0 + k] + t * (p[p1 + k] - p[p0 + k]);
}

export function writePoint(p: Coords, po: number, out: Float64Array, oo: number): void {
  out[oo] = p[po];
  out[oo + 1] = p[po + 1];
  out[oo + 2] = p[po + 2];
}

/** Segments or points on one line: from the later of the first ends to the earlier of the last ends. */
function overlapCollinear(a: Flat, b: Flat, out: Float64Array, oo: number): number {
  const aLast = a.corners[a.corners.length - 1];
  const bLast = b.corners[b.corners.length - 1];
  const bStartsLater = compareLexicographic(a.coords, a.corners[0], b.coords, b.corners[0]) < 0;
  const aEndsEarlier = compareLexicographic(a.coords, aLast, b.coords, bLast) < 0;
  const start = bStartsLater ? b : a;
  const end = aEndsEarlier ? a : b;
  const startAt = start.corners[0];
  const endAt = aEndsEarlier ? aLast : bLast;
  const order = compareLexicographic(start.coords, startAt, end.coords, endAt);
  if (order > 0) return 0;
  writePoint(start.coords, startAt, out, oo);
  if (order === 0) return 1;
  writePoint(end.coords, endAt, out, oo + 3);
  return 2;
}

/** Orders the corners of a convex polygon by angle about their mean. */
function sortAround(out: Float64Array, oo: number, count: number, axis: number): void {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  let cu = 0;
  let cv = 0;
  for (let i = 0; i < count; i++) {
    cu += out[oo + 3 * i + u] / count;
    cv += out[oo + 3 * i + v] / count;
  }
  const corners = Array.from({ length: count }, (_, i) => {
    const at = oo + 3 * i;
    return { point: out.slice(at, at + 3), angle: Math.atan2(out[at + v] - cv, out[at + u] - cu) };
  });
  corners.sort((x, y) => x.angle - y.angle);
  corners.forEach(({ point }, i) => {
    out.set(point, oo + 3 * i);
  });
}
