/**
 * How far a cylinder is from a mesh that it does not meet.
 *
 * Idea: the capsule with the same axis and radius holds it. The triangle closest to that says how far to look at most;
 * of those as close to the capsule, all are measured.
 */
import type { Mesh } from '../../mesh/mesh.js';
import { farthestOfPoints, type Gap, gapOfConvex, MET } from './convex-gap.js';
import { largest } from './convex-shape.js';
import { closestInCylinder, farthestOfCylinder } from './cylinder.js';
import { cornersOf, findTriangles, toWorld } from './find-triangles.js';
import type { MeshPlace } from './mesh-place.js';
import type { CylinderWorldShape } from './shape-input.js';

/** The gap between a cylinder and a triangle in the world, whose points are in this order. */
export function gapToTriangle(cylinder: CylinderWorldShape, corners: Float64Array): Gap {
  const size = Math.max(largest(cylinder.axis) + cylinder.radius, largest(corners));
  const { points } = gapOfConvex(farthestOfCylinder(cylinder), farthestOfPoints(corners), size);
  if (!points) return MET;
  // from the triangle's point it is told without going round
  const [, [px, py, pz]] = points;
  const [x, y, z] = closestInCylinder(cylinder, points[1]);
  const distance = Math.hypot(px - x, py - y, pz - z);
  return distance > 0 ? { distance, points: [[x, y, z], points[1]] } : MET;
}

/** The closest triangle, and the gap to it; `first` is any that is close. */
export function closestToCylinder(
  cylinder: CylinderWorldShape,
  mesh: Mesh,
  place: MeshPlace,
  first: number,
): Gap & { readonly triangle: number } {
  const measure = (triangle: number) => {
    const gap = gapToTriangle(cylinder, toWorld(cornersOf(mesh, triangle), mesh, place));
    return { ...gap, triangle };
  };
  let best = measure(first);
  const { axis, radius } = cylinder;
  const reach = radius + best.distance * (1 + 1e-12);
  for (const triangle of findTriangles({ form: 'round', axis, radius: reach }, mesh, place, false)) {
    const own = measure(triangle);
    if (own.distance < best.distance || (own.distance === best.distance && triangle < best.triangle))
      best = own;
  }
  return best;
}
