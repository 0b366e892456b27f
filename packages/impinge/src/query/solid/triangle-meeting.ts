/**
 * How two triangles that meet do so.
 *
 * Two triangles that share a segment either pass through each other, or the segment lies on an edge of one of them or
 * of both: then the neighbours at that edge decide (see contact-hinges.ts). Twin of kernels/solid/meeting.ts, for what
 * that leaves open.
 */
import { projectionAxis } from '../../geometry/intersect/degenerate.js';
import { ALL_ON, sidesOfPlane } from '../../geometry/intersect/plane-sides.js';
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import { Meeting } from './layout.generated.js';

/** How two triangles that meet do so; writes the ends of the segment they share, where it is one. */
export function describeExactly(corners: Float64Array, slack: number, shared: Float64Array): number {
  const sidesA = sidesOfPlane(corners, 9, corners, 0);
  const sidesB = sidesOfPlane(corners, 0, corners, 9);
  if (sidesA === ALL_ON || sidesB === ALL_ON) {
    const areas = projectionAxis(corners, 0) >= 0 && projectionAxis(corners, 9) >= 0;
    return areas ? Meeting.coplanar : Meeting.degenerate;
  }
  // a single point, unless both reach through the other's plane or an edge lies in it
  if (!(SPANS[sidesA] && SPANS[sidesB]) && !TWO_ON[sidesA] && !TWO_ON[sidesB]) return 0;
  if (intersectionTriangleTriangle(corners, 0, corners, 9, shared, 0) === 2) {
    return meetingOf(corners, sidesA, sidesB, shared, slack);
  }
  shared.fill(0, 0, 6);
  return 0;
}

/**
 * Of the packed signs of three corners: whether they lie on both sides, whether exactly two of them lie on the plane.
 */
const SPANS = Array.from(
  { length: 27 },
  (_, signs) => digits(signs).includes(0) && digits(signs).includes(2),
);
const TWO_ON = Array.from({ length: 27 }, (_, signs) => digits(signs).filter((s) => s === 1).length === 2);

function digits(signs: number): number[] {
  return [signs % 3, Math.floor(signs / 3) % 3, Math.floor(signs / 9)];
}

/** How two triangles that share a segment meet, neither of them lying in the plane of the other. */
function meetingOf(
  corners: Float64Array,
  sidesA: number,
  sidesB: number,
  segment: Float64Array,
  slack: number,
): number {
  if (SPANS[sidesA] && SPANS[sidesB]) {
    if (slack === 0) return Meeting.crossing;
    const length = Math.hypot(segment[3] - segment[0], segment[4] - segment[1], segment[5] - segment[2]);
    const clear = length > slack && reach(corners, 0, 9) > slack && reach(corners, 9, 0) > slack;
    return clear ? Meeting.crossing : Meeting.blurred;
  }
  return (TWO_ON[sidesA] ? Meeting.edgeA : 0) | (TWO_ON[sidesB] ? Meeting.edgeB : 0);
}

/** How far the triangle at `t` reaches to both sides of the plane of the one at `p`: the lesser of the two. */
function reach(c: Float64Array, t: number, p: number): number {
  const ux = c[p + 3] - c[p];
  const uy = c[p + 4] - c[p + 1];
  const uz = c[p + 5] - c[p + 2];
  const vx = c[p + 6] - c[p];
  const vy = c[p + 7] - c[p + 1];
  const vz = c[p + 8] - c[p + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  let above = 0;
  let below = 0;
  for (let k = t; k < t + 9; k += 3) {
    const height = nx * (c[k] - c[p]) + ny * (c[k + 1] - c[p + 1]) + nz * (c[k + 2] - c[p + 2]);
    above = Math.max(above, height);
    below = Math.max(below, -height);
  }
  return Math.min(above, below) / Math.sqrt(nx * nx + ny * ny + nz * nz);
}
