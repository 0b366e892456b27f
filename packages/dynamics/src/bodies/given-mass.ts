/** Mass and inertia that callers give instead of having them worked out. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import type { SolidMass } from './solid-mass.js';
import { checkOption } from './surface-input.js';

/** Relative to the sum of all: second moments this far below 0 count as 0, that of a flat body across it. */
const ROUNDING = 1e-9;
/** The same for the inertia, which a body must have about every axis. */
const LEAST = 1e-12;

export interface MassOptions {
  /** Kilograms, instead of a density. */
  readonly mass?: number;
  /**
   * About the centre of mass, kg m²: moments about the axes x, y and z, or xx, yy, zz, xy, yz, zx; that of the shape
   * filled with one material by default.
   */
  readonly inertia?: ArrayLike<number>;
}

export const MASS_NAMES = { mass: true, inertia: true } as const;

/** The mass of a solid of one material, with the given parts in place of it. */
export function withGivenMass(name: string, solid: SolidMass, { mass, inertia }: MassOptions): SolidMass {
  const { centre, second } = solid;
  if (mass !== undefined) checkOption(`${name}: mass`, mass, mass > 0);
  const all = mass ?? solid.mass;
  if (inertia !== undefined) return { mass: all, centre, second: readInertia(name, inertia) };
  return { mass: all, centre, second: second.map((value) => (value * all) / solid.mass) };
}

/** Second moments of a given inertia: those of masses spread in space. */
export function readInertia(name: string, inertia: ArrayLike<number>): Float64Array {
  const given = inertia && steady(inertia);
  if (given?.length !== 3 && given?.length !== 6)
    throw new ImpingeError('bad-input', `${name}: inertia must be three or six numbers`);
  const [xx, yy, zz, xy = 0, yz = 0, zx = 0] = Array.from(given, (x) =>
    checkOption(`${name}: inertia`, x, true),
  );
  const half = 0.5 * (xx + yy + zz);
  const second = Float64Array.of(half - xx, half - yy, half - zz, -xy, -yz, -zx);
  // a principal moment above the sum of the others would take masses below 0
  const isBodys =
    isPositive(second, ROUNDING * half) && isPositive(Float64Array.of(xx, yy, zz, xy, yz, zx), -LEAST * half);
  if (!isBodys) throw new ImpingeError('bad-option', `${name}: no body has this inertia`, { object: name });
  return second;
}

/** Whether a symmetric matrix, xx, yy, zz, xy, yz, zx, is positive definite with this added to its diagonal. */
function isPositive([xx, yy, zz, d, e, f]: Float64Array, more: number): boolean {
  const [a, b, c] = [xx + more, yy + more, zz + more];
  const determinant = a * (b * c - e * e) - d * (d * c - e * f) + f * (d * e - b * f);
  return a > 0 && a * b - d * d > 0 && determinant > 0;
}
