/** Cloth: any triangle mesh as a sheet of point masses, with springs along edges and, softer, across them. */

import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Point } from 'impinge/internal/math/point.js';
import { MassSpringBody } from './mass-spring.js';
import { acrossSprings, edgeSprings } from './springs.js';
import { checkOption, readSurface, type SurfaceSource, withDefaults } from './surface-input.js';
import { TOUCH_NAMES, Touch, type TouchOptions } from './touch.js';

export interface ClothOptions extends TouchOptions {
  /** Kilograms per square metre. */
  readonly density?: number;
  /** Stiffness of springs along edges, N / m. */
  readonly stretchStiffness?: number;
  /** Stiffness of springs across edges, N / m: they resist bending, and shear where two triangles make a square. */
  readonly bendStiffness?: number;
  /** Rate at which motion other than rigid dies away, 1 / s. */
  readonly damping?: number;
  /** Most iterations of a step in search of the balance of forces. */
  readonly iterations?: number;
  /** Vertices held in place. */
  readonly pinned?: ArrayLike<number>;
  /** Where the springs are at rest, if not at `positions`. */
  readonly rest?: ArrayLike<number>;
  readonly velocity?: Point;
}

export const CLOTH_DEFAULTS = {
  density: 0.2,
  stretchStiffness: 400,
  bendStiffness: 2,
  damping: 0.5,
  iterations: 32,
} as const;

/** Makes cloth of a triangle mesh, open or closed; vertices should belong to triangles. */
export function cloth(surface: SurfaceSource, options: ClothOptions = {}): MassSpringBody {
  const { name, positions, indices, vertexCount } = readSurface(surface, 'cloth');
  const { density, stretchStiffness, bendStiffness, damping, iterations } = withDefaults(
    'cloth',
    CLOTH_DEFAULTS,
    options,
    { pinned: true, rest: true, velocity: true, ...TOUCH_NAMES },
  );
  checkOption(`${name}: density`, density, density > 0);
  checkOption(`${name}: stretchStiffness`, stretchStiffness, stretchStiffness > 0);
  checkOption(`${name}: bendStiffness`, bendStiffness, bendStiffness >= 0);
  checkOption(`${name}: damping`, damping, damping >= 0);
  checkOption(`${name}: iterations`, iterations, Number.isInteger(iterations) && iterations >= 1);
  const rest = options.rest
    ? readSurface({ positions: options.rest, indices, name: `${name}, at rest` }, name).positions
    : positions;
  const masses = vertexMasses(rest, indices, density);
  const { pinned = [] } = options;
  for (let i = 0; i < pinned.length; i++) {
    if (!(pinned[i] in masses)) {
      throw new ImpingeError('index-out-of-range', `${name}: pinned vertex ${pinned[i]} of ${vertexCount}`, {
        object: name,
        vertex: pinned[i],
      });
    }
    masses[pinned[i]] = 0;
  }
  const edges = edgeSprings(indices);
  const springs = [{ ends: edges, stiffness: stretchStiffness }];
  if (bendStiffness > 0) springs.push({ ends: acrossSprings(indices, edges), stiffness: bendStiffness });
  return new MassSpringBody({
    name,
    positions,
    rest,
    indices,
    masses,
    springs,
    bulkModulus: 0,
    damping,
    iterations,
    self: true,
    touch: new Touch(name, options),
    ...(options.velocity && { velocity: options.velocity }),
  });
}

/**
 * A third of the mass of each triangle goes to each of its corners; vertices without area get a thousandth of the
 * mean.
 */
function vertexMasses(positions: Float64Array, indices: Uint32Array, density: number): Float64Array {
  const masses = new Float64Array(positions.length / 3);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
    const u = [0, 1, 2].map((k) => positions[b + k] - positions[a + k]);
    const v = [0, 1, 2].map((k) => positions[c + k] - positions[a + k]);
    const area =
      0.5 * Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    for (const at of [a, b, c]) masses[at / 3] += (density * area) / 3;
  }
  const least = masses.reduce((sum, m) => sum + m, 0) / masses.length / 1000;
  if (!(least > 0)) throw new ImpingeError('bad-input', 'cloth without area has no mass');
  return masses.map((m) => Math.max(m, least));
}
