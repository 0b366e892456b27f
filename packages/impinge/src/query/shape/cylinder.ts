/**
 * Cylinders with flat ends: which triangles meet one, how far it is from things, and where points are beside it.
 *
 * A triangle is cut off at both ends; what is left, seen along the axis, is no farther from it than the radius. Errs:
 * as spheres do, by 1e-14 of the radius and 3e-15 of the coordinates, so that all count that meet; distances as
 * convex-gap.ts.
 */
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import type { Farthest } from './convex-gap.js';
import { largest } from './convex-shape.js';
import type { Decision } from './exact-shape.js';
import type { CylinderWorldShape } from './shape-input.js';

/** Along the axis, of length 1; how long that is. */
export function alongOf({ axis }: CylinderWorldShape) {
  const way = [axis[3] - axis[0], axis[4] - axis[1], axis[5] - axis[2]];
  const length = Math.hypot(...way);
  return { unit: way.map((x) => x / length), length };
}

/** Where a point is: how far along the axis, and what is left across it. */
export function placeBeside({ axis }: CylinderWorldShape, unit: readonly number[], p: ArrayLike<number>) {
  const d = [p[0] - axis[0], p[1] - axis[1], p[2] - axis[2]];
  const along = d[0] * unit[0] + d[1] * unit[1] + d[2] * unit[2];
  return { along, across: d.map((x, k) => x - along * unit[k]) };
}

/** The point of a cylinder that is closest to one outside. */
export function closestInCylinder(cylinder: CylinderWorldShape, p: ArrayLike<number>): number[] {
  const { axis, radius } = cylinder;
  const { unit, length } = alongOf(cylinder);
  const { along, across } = placeBeside(cylinder, unit, p);
  const share = Math.min(1, radius / Math.hypot(...across));
  const height = Math.max(0, Math.min(length, along));
  return unit.map((x, k) => axis[k] + height * x + share * across[k]);
}

/** Of a direction: what is across the axis by less is nothing, so that the middle of an end is as far as any point. */
const ALONG = 1e-15;

export function farthestOfCylinder(cylinder: CylinderWorldShape): Farthest {
  const { unit } = alongOf(cylinder);
  const { axis, radius } = cylinder;
  return (x, y, z, out, at) => {
    const along = x * unit[0] + y * unit[1] + z * unit[2];
    const end = along > 0 ? 3 : 0;
    const rough = [x - along * unit[0], y - along * unit[1], z - along * unit[2]];
    // of a direction along the axis, only rounding is left, which may lead anywhere: what of it is along the axis goes
    const left = rough[0] * unit[0] + rough[1] * unit[1] + rough[2] * unit[2];
    const across = rough.map((r, k) => r - left * unit[k]);
    const wide = Math.hypot(...across);
    const isAcross = wide > ALONG * (Math.abs(x) + Math.abs(y) + Math.abs(z));
    for (let k = 0; k < 3; k++) out[at + k] = axis[end + k] + (isAcross ? (radius / wide) * across[k] : 0);
  };
}

/** Whether triangles in the world meet it; `size`: their largest coordinate. */
export function cylinderDecision(cylinder: CylinderWorldShape, size: number): Decision {
  const { unit, length } = alongOf(cylinder);
  const slack = 3e-15 * Math.max(size, largest(cylinder.axis));
  const reach = cylinder.radius * (1 + 1e-14) + slack;
  const axis = new Float64Array(3);
  const side = new Float64Array(9);
  return (triangle) => {
    let left: Beside[] = [0, 3, 6].map((i) => placeBeside(cylinder, unit, triangle.subarray(i, i + 3)));
    left = cutOff(left, (p) => p.along + slack);
    left = cutOff(left, (p) => length + slack - p.along);
    for (let i = 1; i === 1 || i + 1 < left.length; i++) {
      if (left.length === 0) return false;
      [0, i, i + 1].forEach((c, k) => {
        side.set(left[Math.min(c, left.length - 1)].across, 3 * k);
      });
      if (distanceSqPointTriangle(axis, 0, side, 0) <= reach * reach) return true;
    }
    return false;
  };
}

type Beside = ReturnType<typeof placeBeside>;

/** What of a convex polygon has a height of 0 or more. */
function cutOff(polygon: readonly Beside[], height: (p: Beside) => number): Beside[] {
  const left: Beside[] = [];
  polygon.forEach((p, i) => {
    const q = polygon[(i + 1) % polygon.length];
    const [from, to] = [height(p), height(q)];
    if (from >= 0) left.push(p);
    if (from >= 0 === to >= 0) return;
    const share = from / (from - to);
    const between = (a: number, b: number) => a + share * (b - a);
    left.push({
      along: between(p.along, q.along),
      across: p.across.map((x, k) => between(x, q.across[k])),
    });
  });
  return left;
}
