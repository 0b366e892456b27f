/**
 * Whether triangles meet a shape, decided without rounding: of what the kernel leaves in doubt, and of everything where
 * there are no kernels.
 */
import { distanceSqSegmentTriangle } from '../../geometry/distance/segment-triangle.js';
import { intersectsTriangleTriangle } from '../../geometry/intersect/triangle-triangle.js';
import { toCommonIntegers } from '../../math/dyadic.js';
import { orient3dAt } from '../../math/predicates.js';
import { facesOfHull } from './convex-shape.js';
import type { LocalShape } from './local-shape.js';

/** Says of triangles (nine numbers, those of the mesh) whether they meet the shape. */
export type Decision = (triangle: Float64Array) => boolean;

/** `halfSpace`: normal and offset as they are, where the shape is one. */
export function decisionOf(shape: LocalShape, halfSpace: readonly number[] | undefined): Decision {
  if (shape.kind !== 2) {
    const reachSq = shape.reach * shape.reach;
    const axis = Float64Array.from(shape.axis);
    return (triangle) => distanceSqSegmentTriangle(axis, 0, 3, triangle, 0) <= reachSq;
  }
  if (halfSpace) return (triangle) => [0, 3, 6].some((at) => isBelow(halfSpace, triangle, at));
  return hullDecision(shape.points, shape.faces);
}

/** normal · p ≤ offset. */
function isBelow(plane: readonly number[], triangle: Float64Array, at: number): boolean {
  const numbers = Float64Array.of(...plane, triangle[at], triangle[at + 1], triangle[at + 2], 1);
  const [nx, ny, nz, offset, x, y, z, one] = toCommonIntegers(numbers);
  return nx * x + ny * y + nz * z <= offset * one;
}

function hullDecision(points: Float64Array, given: Uint32Array): Decision {
  const solid = facesOfHull(points);
  const faces = solid.length > 0 ? solid : given;
  const surface = new Float64Array(3 * faces.length);
  faces.forEach((v, i) => {
    for (let k = 0; k < 3; k++) surface[3 * i + k] = points[3 * v + k];
  });
  const isInside = (triangle: Float64Array, at: number) => {
    let below = false;
    for (let f = 0; f < surface.length; f += 9) {
      const side = orient3dAt(surface, f, surface, f + 3, surface, f + 6, triangle, at);
      if (side > 0) return false;
      if (side < 0) below = true;
    }
    // both sides of a flat shape have the point on them: what it meets, its triangles meet
    return below;
  };
  return (triangle) => {
    for (let f = 0; f < surface.length; f += 9) {
      if (intersectsTriangleTriangle(surface, f, triangle, 0)) return true;
    }
    return isInside(triangle, 0);
  };
}
