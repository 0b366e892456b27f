/** Mass, its centre and inertia that callers give instead of having them worked out. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { Point } from 'impinge/internal/math/point.js';
import type { Vec3 } from 'impinge/internal/math/pose.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import type { SolidMass } from './solid-mass.js';
import { checkOption, readVector } from './surface-input.js';

/** Relative to the sum of all: second moments this far below 0 count as 0, that of a flat body across it. */
const ROUNDING = 1e-9;
/** The same for the inertia, which a body must have about every axis. */
const LEAST = 1e-12;

/** What encloses no volume needs mass, centre and inertia. */
export interface MassOptions {
  /** Kilograms per cubic metre of the enclosed volume. */
  readonly density?: number;
  /** Kilograms, instead of a density. */
  readonly mass?: number;
  /** The centre of mass, in the coordinates that the body was modelled in; with an inertia. */
  readonly centre?: Point;
  /**
   * About the centre of mass, kg m²: moments about the axes x, y and z, or xx, yy, zz, xy, yz, zx; that of the shape
   * filled with one material by default.
   */
  readonly inertia?: ArrayLike<number>;
}

export const MASS_NAMES = { density: true, mass: true, centre: true, inertia: true } as const;

/** Given parts of a mass; those that are not are worked out. */
export interface GivenMass {
  readonly density: number;
  readonly mass?: number | undefined;
  readonly centre?: Vec3 | undefined;
  readonly second?: Float64Array | undefined;
}

/** Reads the options of a body's mass. */
export function readMass(name: string, options: MassOptions, usual: number): GivenMass {
  const { density = usual, mass, centre, inertia } = options;
  const refuse = (why: string) => new ImpingeError('bad-option', `${name}: ${why}`, { object: name });
  checkOption(`${name}: density`, density, typeof density === 'number' && density > 0);
  if (mass !== undefined) checkOption(`${name}: mass`, mass, typeof mass === 'number' && mass > 0);
  if (mass !== undefined && options.density !== undefined)
    throw refuse('it has a mass or a density, not both');
  if (centre !== undefined && inertia === undefined)
    throw refuse('a centre of mass needs the inertia about it');
  return {
    density,
    mass,
    centre: centre && (Array.from(readVector(`${name}: centre of mass`, centre)) as unknown as Vec3),
    second: inertia === undefined ? undefined : readInertia(name, inertia),
  };
}

/** The mass, where all of it is given. */
export function wholeMass({ mass, centre, second }: GivenMass): SolidMass | undefined {
  return mass !== undefined && centre && second ? { mass, centre, second } : undefined;
}

/** The mass of a solid of one material, with the given parts in place of it. */
export function withGivenMass(solid: SolidMass, { mass = solid.mass, centre, second }: GivenMass): SolidMass {
  return {
    mass,
    centre: centre ?? solid.centre,
    second: second ?? solid.second.map((value) => (value * mass) / solid.mass),
  };
}

/** Second moments of a given inertia: those of masses spread in space. */
function readInertia(name: string, inertia: ArrayLike<number>): Float64Array {
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
