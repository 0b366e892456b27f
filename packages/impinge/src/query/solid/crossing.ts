/** Pairs of triangles that pass through each other, as opposed to touching. */
import { intersectionTriangleTriangle } from '../../geometry/intersect/triangle-triangle-segment.js';
import type { Coords } from '../../math/coords.js';
import { orient3dAt } from '../../math/predicates.js';

/**
 * Whether the interiors of two triangles cross: each has corners strictly on both sides of the other's plane, and
 * they share a segment. `corners` holds nine numbers of each. Exact.
 */
export function crossesProperly(corners: Float64Array): boolean {
  return (
    reachesBothSides(corners, 0, corners, 9) &&
    reachesBothSides(corners, 9, corners, 0) &&
    shareSegment(corners)
  );
}

function shareSegment(corners: Float64Array): boolean {
  return intersectionTriangleTriangle(corners, 0, corners, 9, new Float64Array(18), 0) === 2;
}

function reachesBothSides(t: Coords, to: number, of: Coords, oo: number): boolean {
  let above = false;
  let below = false;
  for (let k = 0; k < 9; k += 3) {
    const side = orient3dAt(of, oo, of, oo + 3, of, oo + 6, t, to + k);
    if (side > 0) above = true;
    else if (side < 0) below = true;
  }
  return above && below;
}
