/**
 * The distance of a segment and a triangle: 0 exactly when they meet by the exact predicate, else the least over
 * the triangle's edges and the segment's ends over the face.
 * Layout: as in `segment-segment.ts`; the triangle's feature is coded as in `point-triangle.ts`.
 */
import type { Coords } from '../../math/coords.js';
import { intersectsSegmentTriangle } from '../intersect/segment-triangle.js';
import { intersectionTriangleTriangle } from '../intersect/triangle-triangle-segment.js';
import { distanceSqPointTriangle, edgeFeature, FACE } from './point-triangle.js';
import { distanceSqSegmentSegment } from './segment-segment.js';

/**
 * The squared distance of the segment s0 s1 (offsets of its ends in `s`) and a triangle, either of which may be
 * degenerate. `out`, eight numbers when given, receives witness points and features; where they meet, a common
 * point with features 2 (segment) and 6 (face). 0 if and only if they intersect.
 */
export function distanceSqSegmentTriangle(
  s: Coords,
  s0: number,
  s1: number,
  t: Coords,
  to: number,
  out?: Float64Array,
): number {
  if (intersectsSegmentTriangle(s, s0, s1, t, to)) {
    if (out !== undefined) writeCommonPoint(s, s0, s1, t, to, out);
    return 0;
  }
  return distanceSqApart(s, s0, s1, t, to, out, out === undefined ? undefined : new Float64Array(8));
}

/** The same of two that do not meet; `trial`, eight numbers as `out`, is overwritten. */
export function distanceSqApart(
  s: Coords,
  s0: number,
  s1: number,
  t: Coords,
  to: number,
  out: Float64Array | undefined,
  trial: Float64Array | undefined,
): number {
  let best = Infinity;
  for (let i = 0; i < 3; i++) {
    const d = distanceSqSegmentSegment(s, s0, s1, t, to + 3 * i, to + 3 * ((i + 1) % 3), trial);
    if (d >= best) continue;
    best = d;
    if (out === undefined || trial === undefined) continue;
    out.set(trial);
    out[7] = edgeFeature(i, trial[7]);
  }
  for (let i = 0; i < 2; i++) {
    const d = distanceSqPointTriangle(s, i === 0 ? s0 : s1, t, to, trial);
    if (d >= best) continue;
    best = d;
    if (out === undefined || trial === undefined) continue;
    out.set(trial);
    out[6] = i;
  }
  return Math.max(best, Number.MIN_VALUE);
}

function writeCommonPoint(s: Coords, s0: number, s1: number, t: Coords, to: number, out: Float64Array): void {
  const flat = Float64Array.of(
    s[s0],
    s[s0 + 1],
    s[s0 + 2],
    s[s1],
    s[s1 + 1],
    s[s1 + 2],
    s[s1],
    s[s1 + 1],
    s[s1 + 2],
  );
  const corners = new Float64Array(18);
  intersectionTriangleTriangle(flat, 0, t, to, corners, 0);
  for (let k = 0; k < 3; k++) out[k] = out[3 + k] = corners[k];
  out[6] = 2;
  out[7] = FACE;
}
