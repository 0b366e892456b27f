/**
 * The public tests and distances, which check their arguments. The library itself calls the unchecked ones with arrays
 * of its own.
 *
 * Every point must be three finite numbers at an offset of its array, every triangle nine; where results are written,
 * there must be room for them. Else nothing is written, and `bad-input`, `bad-option` or `non-finite` is thrown.
 */
import { ImpingeError } from '../base/errors.js';
import { readInteger, shown } from '../base/options.js';
import type { Coords } from '../math/coords.js';
import * as pointTriangle from './distance/point-triangle.js';
import * as segmentSegmentDistance from './distance/segment-segment.js';
import * as segmentTriangleDistance from './distance/segment-triangle.js';
import * as triangleTriangleDistance from './distance/triangle-triangle.js';
import * as coplanar from './intersect/coplanar.js';
import * as rayTriangle from './intersect/ray-triangle.js';
import * as segmentSegment from './intersect/segment-segment.js';
import * as segmentTriangle from './intersect/segment-triangle.js';
import * as triangleTriangle from './intersect/triangle-triangle.js';
import * as triangleTriangleSegment from './intersect/triangle-triangle-segment.js';

const POINT = 3;
const TRIANGLE = 9;
/** Two witness points and two features. */
const WITNESS = 8;
/** Six corners. */
const POLYGON = 18;

/** Throws unless there are that many finite numbers. */
function checkNumbers(coords: Coords, offset: number, count: number): void {
  const isArray = coords instanceof Float64Array || coords instanceof Float32Array;
  if (isArray && Number.isInteger(offset) && offset >= 0 && offset + count <= coords.length) {
    let sum = 0; // of x − x, which is 0 for finite numbers, else NaN
    for (let i = offset; i < offset + count; i++) sum += coords[i] - coords[i];
    if (sum === 0) return;
  }
  checkEach(coords, offset, count);
}

/** The same, slowly, for any value a caller may pass. */
function checkEach(coords: Coords, offset: number, count: number): void {
  readInteger('an offset', offset, 0);
  for (let i = offset; i < offset + count; i++) {
    const value: unknown = coords?.[i];
    if (Number.isFinite(value)) continue;
    const code = typeof value === 'number' ? 'non-finite' : 'bad-input';
    throw new ImpingeError(code, `number ${i} of the coordinates is ${shown(value)}`, { index: i });
  }
}

function checkSegment(coords: Coords, from: number, to: number): void {
  checkNumbers(coords, from, POINT);
  checkNumbers(coords, to, POINT);
}

function checkRoom(out: Float64Array | undefined, offset: number, count: number): void {
  readInteger('an offset', offset, 0);
  if (out instanceof Float64Array && out.length >= offset + count) return;
  throw new ImpingeError('bad-input', `results need a Float64Array with ${count} numbers from ${offset} on`);
}

/** Writes the point of a triangle closest to a point to out[oo .. oo + 3); returns the feature it lies on. */
export function closestPointOnTriangle(
  p: Coords,
  po: number,
  t: Coords,
  to: number,
  out: Float64Array,
  oo: number,
): number {
  checkNumbers(p, po, POINT);
  checkNumbers(t, to, TRIANGLE);
  checkRoom(out, oo, POINT);
  return pointTriangle.closestPointOnTriangle(p, po, t, to, out, oo);
}

/** The squared distance of a point and a triangle; witness points and features go to `out`, eight numbers, if given. */
export function distanceSqPointTriangle(
  p: Coords,
  po: number,
  t: Coords,
  to: number,
  out?: Float64Array,
): number {
  checkNumbers(p, po, POINT);
  checkNumbers(t, to, TRIANGLE);
  if (out !== undefined) checkRoom(out, 0, WITNESS);
  return pointTriangle.distanceSqPointTriangle(p, po, t, to, out);
}

/** The squared distance of the segments p0 p1 and q0 q1; witness points and features go to `out`, if given. */
export function distanceSqSegmentSegment(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
  out?: Float64Array,
): number {
  checkSegment(p, p0, p1);
  checkSegment(q, q0, q1);
  if (out !== undefined) checkRoom(out, 0, WITNESS);
  return segmentSegmentDistance.distanceSqSegmentSegment(p, p0, p1, q, q0, q1, out);
}

/** The squared distance of the segment s0 s1 and a triangle: 0 if and only if they intersect. */
export function distanceSqSegmentTriangle(
  s: Coords,
  s0: number,
  s1: number,
  t: Coords,
  to: number,
  out?: Float64Array,
): number {
  checkSegment(s, s0, s1);
  checkNumbers(t, to, TRIANGLE);
  if (out !== undefined) checkRoom(out, 0, WITNESS);
  return segmentTriangleDistance.distanceSqSegmentTriangle(s, s0, s1, t, to, out);
}

/** The squared distance of two closed triangles: 0 if and only if they intersect. Witnesses go to `out`, if given. */
export function distanceSqTriangleTriangle(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out?: Float64Array,
): number {
  checkNumbers(a, ao, TRIANGLE);
  checkNumbers(b, bo, TRIANGLE);
  if (out !== undefined) checkRoom(out, 0, WITNESS);
  return triangleTriangleDistance.distanceSqTriangleTriangle(a, ao, b, bo, out);
}

/** Writes the corners of the intersection of two coplanar triangles to out[oo ..], 18 numbers; returns their count. */
export function intersectionPolygonCoplanar(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array,
  oo: number,
): number {
  checkNumbers(a, ao, TRIANGLE);
  checkNumbers(b, bo, TRIANGLE);
  checkRoom(out, oo, POLYGON);
  return coplanar.intersectionPolygonCoplanar(a, ao, b, bo, out, oo);
}

/** Writes the corners of the intersection of two triangles to out[oo ..], 18 numbers; returns their count. */
export function intersectionTriangleTriangle(
  a: Coords,
  ao: number,
  b: Coords,
  bo: number,
  out: Float64Array,
  oo: number,
): number {
  checkNumbers(a, ao, TRIANGLE);
  checkNumbers(b, bo, TRIANGLE);
  checkRoom(out, oo, POLYGON);
  return triangleTriangleSegment.intersectionTriangleTriangle(a, ao, b, bo, out, oo);
}

/** How the segment from p to q crosses a triangle: 0 not, +1 with its normal, −1 against it, or `RAY_DEGENERATE`. */
export function crossingRayTriangle(
  p: Coords,
  po: number,
  q: Coords,
  qo: number,
  t: Coords,
  to: number,
): number {
  checkNumbers(p, po, POINT);
  checkNumbers(q, qo, POINT);
  checkNumbers(t, to, TRIANGLE);
  return rayTriangle.crossingRayTriangle(p, po, q, qo, t, to);
}

/** Whether the closed segments p0 p1 and q0 q1 have a point in common. Exact. */
export function intersectsSegmentSegment(
  p: Coords,
  p0: number,
  p1: number,
  q: Coords,
  q0: number,
  q1: number,
): boolean {
  checkSegment(p, p0, p1);
  checkSegment(q, q0, q1);
  return segmentSegment.intersectsSegmentSegment(p, p0, p1, q, q0, q1);
}

/** Whether the closed segment s0 s1 and a closed triangle have a point in common. Exact. */
export function intersectsSegmentTriangle(s: Coords, s0: number, s1: number, t: Coords, to: number): boolean {
  checkSegment(s, s0, s1);
  checkNumbers(t, to, TRIANGLE);
  return segmentTriangle.intersectsSegmentTriangle(s, s0, s1, t, to);
}

/** Whether a point lies on a closed triangle. Exact. */
export function pointOnTriangle(p: Coords, po: number, t: Coords, to: number): boolean {
  checkNumbers(p, po, POINT);
  checkNumbers(t, to, TRIANGLE);
  return segmentTriangle.pointOnTriangle(p, po, t, to);
}

/** Whether two closed triangles have a point in common. Exact. */
export function intersectsTriangleTriangle(a: Coords, ao: number, b: Coords, bo: number): boolean {
  checkNumbers(a, ao, TRIANGLE);
  checkNumbers(b, bo, TRIANGLE);
  return triangleTriangle.intersectsTriangleTriangle(a, ao, b, bo);
}
