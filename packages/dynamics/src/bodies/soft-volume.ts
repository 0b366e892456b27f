/**
 * A soft solid bounded by a closed surface: point masses on the surface alone, held in shape by springs along its
 * edges and through the inside, and by a pressure that resists change of volume.
 */
import type { Point } from 'impinge/internal/math/point.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import { MassSpringBody } from './mass-spring.js';
import { edgeSprings, inwardSprings } from './springs.js';
import {
  checkOption,
  outwardIndices,
  readSurface,
  type SurfaceSource,
  withDefaults,
} from './surface-input.js';
import { TOUCH_NAMES, Touch, type TouchOptions } from './touch.js';

export interface SoftVolumeOptions extends TouchOptions {
  /** Kilograms per cubic metre. */
  readonly density?: number;
  /** Stiffness of the springs along edges and through the inside, N / m. */
  readonly stiffness?: number;
  /** Resistance to change of volume, pascals; 0 for none. */
  readonly bulkModulus?: number;
  /** Rate at which motion other than rigid dies away, 1 / s. */
  readonly damping?: number;
  /** Most iterations of a step in search of the balance of forces. */
  readonly iterations?: number;
  readonly velocity?: Point;
}

export const SOFT_VOLUME_DEFAULTS = {
  density: 200,
  stiffness: 2000,
  bulkModulus: 20_000,
  damping: 1,
  iterations: 32,
} as const;

/**
 * Makes a soft solid of a closed, consistently oriented triangle mesh. Takes time proportional to vertices times
 * triangles: intended for a few thousand.
 */
export function softVolume(surface: SurfaceSource, options: SoftVolumeOptions = {}): MassSpringBody {
  const input = readSurface(surface, 'soft volume');
  const { name, positions, vertexCount } = input;
  const indices = outwardIndices(name, positions, input.indices);
  const { density, stiffness, bulkModulus, damping, iterations } = withDefaults(
    'softVolume',
    SOFT_VOLUME_DEFAULTS,
    options,
    { velocity: true, ...TOUCH_NAMES },
  );
  checkOption(`${name}: density`, density, density > 0);
  checkOption(`${name}: stiffness`, stiffness, stiffness > 0);
  checkOption(`${name}: bulkModulus`, bulkModulus, bulkModulus >= 0);
  checkOption(`${name}: damping`, damping, damping >= 0);
  checkOption(`${name}: iterations`, iterations, Number.isInteger(iterations) && iterations >= 1);
  const edges = edgeSprings(indices);
  const masses = new Float64Array(vertexCount).fill(
    (density * signedVolumeTimes6(positions, indices)) / 6 / vertexCount,
  );
  return new MassSpringBody({
    name,
    positions,
    indices,
    masses,
    springs: [
      { ends: edges, stiffness },
      { ends: inwardSprings(positions, indices), stiffness },
    ],
    bulkModulus,
    damping,
    iterations,
    self: true,
    touch: new Touch(name, options),
    ...(options.velocity && { velocity: options.velocity }),
  });
}
