/** Whether a triangle meets the hull of points, by all triangles and tetrahedra of these: exact, and slow. */
import { intersectsTriangleTriangle } from '../../../src/geometry/intersect/triangle-triangle.js';
import { orient3dAt } from '../../../src/math/predicates.js';

export function meetsHull(points: Float64Array, triangle: Float64Array): boolean {
  const n = points.length / 3;
  const corners = new Float64Array(9);
  const place = (at: number, i: number) => corners.set(points.subarray(3 * i, 3 * i + 3), at);
  for (let i = 0; i < n; i++) {
    place(0, i);
    for (let j = i; j < n; j++) {
      place(3, j);
      for (let k = j; k < n; k++) {
        place(6, k);
        if (intersectsTriangleTriangle(corners, 0, triangle, 0)) return true;
        for (let l = k + 1; l < n; l++) if (isInTetrahedron(points, [i, j, k, l], triangle)) return true;
      }
    }
  }
  return false;
}

/** Whether the triangle's first corner is strictly inside. */
function isInTetrahedron(p: Float64Array, [i, j, k, l]: number[], t: Float64Array): boolean {
  const side = (a: number, b: number, c: number, q: Float64Array, at: number) =>
    orient3dAt(p, 3 * a, p, 3 * b, p, 3 * c, q, at);
  return [
    [i, j, k, l],
    [j, i, l, k],
    [k, l, i, j],
    [l, k, j, i],
  ].every(([a, b, c, d]) => {
    const own = side(a, b, c, p, 3 * d);
    return own !== 0 && side(a, b, c, t, 0) === own;
  });
}
