/** On which side of a plane a vertex lies: orient3d over one array of coordinates, three per vertex. */
import { orient3dAt } from 'impinge/internal/math/predicates.js';

/** The exact sign of det(b − a, c − a, d − a): +1 when vertex d lies above the plane of a, b, c. */
export function sideOf(x: Float64Array, a: number, b: number, c: number, d: number): number {
  return orient3dAt(x, 3 * a, x, 3 * b, x, 3 * c, x, 3 * d);
}
