/**
 * Where two triangles meet: usually a segment, along the line common to their planes.
 *
 * Each triangle covers an interval of that line. The inner two of the four interval ends are found by exact
 * signs, so whether the answer is nothing, a point or a segment is exact and agrees with
 * `intersectsTriangleTriangle`; only then are coordinates computed, on the edge of one triangle.
 * Errs: a corner is off both triangles by no more than a few units of rounding of the coordinates, and is never
 * outside either triangle's box.
 */
import type { Coords } from '../../math/coords.js';
import { orient3dValueAt } from '../../math/determinants.js';
import { orient3dAt } from '../../math/predicates.js';
import { interpolate, intersectionPolygonCoplanar, writePoint } from './coplanar.js';
import { firstVertex, lastVertex, projectionAxis } from './degenerate.js';
import { ALL_ABOVE, ALL_BELOW, ALL_ON, LONE_VERTEX, sidesOfPlane } from './plane-sides.js';
import { intersectsTriangleTriangle } from './triangle-triangle.js';

/**
 * Writes the corners of the intersection of two closed triangles to out[oo ..] and returns their number: 0 apart,
 * 1 a point, 2 a segment, 3 … 6 the polygon common to coplanar triangles, in order around it. Room for 18 numbers
 * is needed. The number is exact.
 */
export function intersectionTriangleTriangle(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array,
  oo: number,
): number {
  const count = writeIntersection(a, ao, b, bo, out, oo);
  for (let i = 0; i < count; i++) clampToBoxes(a, ao, b, bo, out, oo + 3 * i);
  return count;
}

function writeIntersection(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array,
  oo: number,
): number {
  const sidesA = sidesOfPlane(b, bo, a, ao);
  if (sidesA === ALL_BELOW || sidesA === ALL_ABOVE) return 0;
  if (sidesA === ALL_ON) return writeFlat(a, ao, b, bo, out, oo);
  const sidesB = sidesOfPlane(a, ao, b, bo);
  if (sidesB === ALL_BELOW || sidesB === ALL_ABOVE) return 0;
  if (sidesB === ALL_ON) return writeFlat(a, ao, b, bo, out, oo);

  const loneA = LONE_VERTEX[sidesA];
  const loneB = LONE_VERTEX[sidesB];
  const i = loneA & 3;
  const j = loneB & 3;
  const flipA = loneB >> 2;
  const flipB = loneA >> 2;
  const a0 = ao + 3 * i;
  const a1 = ao + 3 * ((i + 1 + flipA) % 3);
  const a2 = ao + 3 * ((i + 2 - flipA) % 3);
  const b0 = bo + 3 * j;
  const b1 = bo + 3 * ((j + 1 + flipB) % 3);
  const b2 = bo + 3 * ((j + 2 - flipB) % 3);
  // along the line, a covers [a0 a2, a0 a1] and b covers [b0 b1, b0 b2]: the ends named by the edges they are on
  const aLastToBFirst = orient3dAt(a, a0, a, a1, b, b0, b, b1);
  if (aLastToBFirst > 0) return 0;
  const aFirstToBLast = orient3dAt(a, a0, a, a2, b, b0, b, b2);
  if (aFirstToBLast < 0) return 0;
  const startsWithB = orient3dAt(a, a0, a, a2, b, b0, b, b1) >= 0;
  const endsWithA = orient3dAt(a, a0, a, a1, b, b0, b, b2) >= 0;
  if (startsWithB) writeCut(b, b0, b1, a, ao, out, oo);
  else writeCut(a, a0, a2, b, bo, out, oo);
  let onePoint: boolean;
  if (startsWithB) onePoint = endsWithA ? aLastToBFirst === 0 : signOf(sidesB, j) === 0;
  else onePoint = endsWithA ? signOf(sidesA, i) === 0 : aFirstToBLast === 0;
  if (onePoint) return 1;
  if (endsWithA) writeCut(a, a0, a1, b, bo, out, oo + 3);
  else writeCut(b, b0, b2, a, ao, out, oo + 3);
  return 2;
}

function signOf(packed: number, vertex: number): number {
  return (Math.floor(packed / 3 ** vertex) % 3) - 1;
}

/** Writes the point where the segment p0 p1 meets the plane of t, given that it does. */
function writeCut(
  p: Coords,
  p0: number,
  p1: number,
  t: Coords,
  to: number,
  out: Float64Array,
  oo: number,
): void {
  const d0 = orient3dValueAt(t, to, t, to + 3, t, to + 6, p, p0);
  const d1 = orient3dValueAt(t, to, t, to + 3, t, to + 6, p, p1);
  if (d0 === 0) writePoint(p, p0, out, oo);
  else if (d1 === 0) writePoint(p, p1, out, oo);
  else interpolate(p, p0, p1, d0, d1, out, oo);
}

/** Coplanar triangles, or one of them is a segment or a point. */
function writeFlat(a: Coords, ao: number, b: Coords, bo: number, out: Float64Array, oo: number): number {
  if (!intersectsTriangleTriangle(a, ao, b, bo)) return 0;
  const properA = projectionAxis(a, ao) >= 0;
  const properB = projectionAxis(b, bo) >= 0;
  if (properA !== properB) {
    // a segment that leaves the triangle's plane pierces it
    const t = properA ? a : b;
    const to = properA ? ao : bo;
    const s = properA ? b : a;
    const so = properA ? bo : ao;
    if (sidesOfPlane(t, to, s, so) !== ALL_ON) {
      writeCut(s, firstVertex(s, so), lastVertex(s, so), t, to, out, oo);
      return 1;
    }
  }
  return intersectionPolygonCoplanar(a, ao, b, bo, out, oo);
}

function clampToBoxes(a: Coords, ao: number, b: Coords, bo: number, out: Float64Array, at: number): void {
  for (let k = 0; k < 3; k++) {
    const low = Math.max(
      Math.min(a[ao + k], a[ao + 3 + k], a[ao + 6 + k]),
      Math.min(b[bo + k], b[bo + 3 + k], b[bo + 6 + k]),
    );
    const high = Math.min(
      Math.max(a[ao + k], a[ao + 3 + k], a[ao + 6 + k]),
      Math.max(b[bo + k], b[bo + 3 + k], b[bo + 6 + k]),
    );
    out[at + k] = Math.min(Math.max(out[at + k], low), high);
  }
}
