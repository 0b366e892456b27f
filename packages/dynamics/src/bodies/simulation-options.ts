/** The options of a simulation, and its requirements on bodies. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  type OptionNames,
  readChoice,
  readFunction,
  readKnown,
  readLength,
  readPositive,
  shown,
} from 'impinge/internal/base/options.js';
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import { type Point, readPoint } from 'impinge/internal/math/point.js';
import { type Budget, readBudget } from 'impinge/internal/query/pair/budget.js';
import type { SurfaceBroadPhase } from '../deform/types.js';
import { CONTACT_ENGINES } from '../rigid/contact-engine.js';
import { type AllowedError, readContactError } from '../rigid/contact-error.js';
import type { Body } from './body.js';
import type { Collides } from './pair-filter.js';
import { readShare } from './touch.js';

export interface SimulationOptions {
  /** Seconds per step, at most `LONGEST_STEP`. */
  readonly dt: number;
  /** The distance that surfaces keep, in metres: well below the length of edges, well above float32 rounding. */
  readonly thickness: number;
  /** Default: 9.81 m/s² against y. */
  readonly gravity?: Point;
  /** Coulomb's coefficient. Default 0.3. */
  readonly friction?: number;
  /** Share of the approaching speed that comes back, 0 … 1. Default 0. */
  readonly restitution?: number;
  /**
   * Whether two bodies meet at all, for pairs that groups and masks do not decide; asked once, and again after a change
   * of either's `touch`. Pairs that do not meet pass through each other.
   */
  readonly collides?: Collides;
  /** Whether bodies at rest are left alone until something comes near. Default true. */
  readonly sleeping?: boolean;
  /** How contacts of rigid bodies, and their contacts with scenery, are found. */
  readonly contacts?: ContactOptions;
  /**
   * Whether contacts are recorded: `contacts()` of the simulation and `contactEvents` of reports, sensors included.
   * Default false.
   */
  readonly contactEvents?: boolean;
  /** Threads for `stepParallel`. */
  readonly pool?: WorkerPool;
  /** How the detector finds pairs. */
  readonly broadPhase?: SurfaceBroadPhase;
  /** A clock in milliseconds, for the times in the reports. */
  readonly now?: () => number;
}

export interface ContactOptions {
  /**
   * Permitted error of contacts, so that they can be found faster where shapes have levels: bodies stay farther apart
   * by at most that. In metres, or from size, speed and view at each contact. Default 0: exact. Stored bodies take the
   * size alone.
   */
  readonly error?: number | AllowedError;
  /**
   * What contacts by contact levels may take in a step, all pairs of bodies together. Where it does not suffice, what
   * would lose most is divided first. Contacts are never missed, so the least that is possible is always done.
   */
  readonly budget?: Budget;
  /** The engine that finds contacts; `auto` (the default) chooses by pair. */
  readonly engine?: (typeof CONTACT_ENGINES)[number];
}

/** For a step on the threads of the simulation's pool. */
export interface ParallelStepOptions {
  readonly signal?: AbortSignalLike;
}

export const SIMULATION_DEFAULTS = {
  gravity: [0, -9.81, 0],
  friction: 0.3,
  restitution: 0,
  sleeping: true,
  contacts: { error: 0, budget: {}, engine: 'auto' },
} as const;

/** In longer steps, in seconds, bodies fall past obstacles before anything can hold them. */
const LONGEST_STEP = 0.25;

/** The options in full; throws for those outside their domain. */
const NAMES: OptionNames<SimulationOptions> = {
  ...{ dt: true, thickness: true, gravity: true, friction: true, restitution: true, sleeping: true },
  ...{ collides: true, contactEvents: true, contacts: true, pool: true, broadPhase: true, now: true },
};
const CONTACT_NAMES = { error: true, budget: true, engine: true } as const;

export function readOptions(options: SimulationOptions) {
  const all = { ...SIMULATION_DEFAULTS, ...readKnown('Simulation', options, NAMES) };
  const { dt, thickness, friction, restitution, sleeping } = all;
  check('dt', dt, readPositive('dt', dt) <= LONGEST_STEP);
  readPositive('thickness', thickness);
  readLength('friction', friction);
  readShare('restitution', restitution);
  readChoice('contactEvents', all.contactEvents ?? false, [true, false]);
  if (all.collides !== undefined) readFunction('collides', all.collides);
  const [x, y, z] = readPoint('gravity', all.gravity, [0, 0, 0], 0, 'bad-option');
  readChoice('sleeping', sleeping, [true, false]);
  const gravity: readonly [number, number, number] = [x, y, z];
  return { dt, thickness, gravity, friction, restitution, sleeping, contacts: readContacts(all.contacts) };
}

function readContacts(options: ContactOptions): Required<ContactOptions> {
  const { error, budget, engine } = {
    ...SIMULATION_DEFAULTS.contacts,
    ...readKnown('contacts', options, CONTACT_NAMES),
  };
  readContactError('error', error);
  readBudget(budget);
  return { error, budget, engine: readChoice('engine', engine, CONTACT_ENGINES) };
}

function check(option: string, value: unknown, inDomain: boolean): void {
  if (Number.isFinite(value) && inDomain) return;
  throw new ImpingeError('bad-option', `${option} of the simulation cannot be ${shown(value)}`, {
    option,
    value,
  });
}

/** Throws unless the body has all its coordinates, on the float32 grid. */
export function checkBody(body: Body): void {
  const { name, positions, proposed, vertexCount } = Object(body) as Body;
  if (typeof name !== 'string' || !(positions instanceof Float64Array && proposed instanceof Float64Array)) {
    throw new ImpingeError('bad-input', 'a body is needed');
  }
  if (positions.length !== 3 * vertexCount || proposed.length !== 3 * vertexCount) {
    throw new ImpingeError(
      'bad-input',
      `${name}: ${vertexCount} vertices, but ${positions.length} and ${proposed.length} coordinates`,
      { object: name },
    );
  }
  const at = positions.findIndex((x) => x !== Math.fround(x));
  if (at >= 0) {
    throw new ImpingeError(
      Number.isFinite(positions[at]) ? 'bad-input' : 'non-finite',
      `${name}: vertex ${Math.floor(at / 3)} is not on the float32 grid: ${'xyz'[at % 3]} = ${positions[at]}`,
      { object: name, vertex: Math.floor(at / 3) },
    );
  }
}
