/**
 * How a body touches others: friction, restitution, and which bodies it meets at all.
 *
 * Of two bodies, friction is the geometric mean, so that either can make it 0, and restitution the greater. They meet
 * if the mask of each has a group of the other.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readChoice, readInteger, readLength } from 'impinge/internal/base/options.js';

export interface TouchOptions {
  /** Coulomb's coefficient; of two bodies, the geometric mean. Default: the simulation's. */
  readonly friction?: number;
  /** Share of the approaching speed that comes back, 0 … 1; of two bodies, the greater. Default: the simulation's. */
  readonly restitution?: number;
  /** The groups it is in, a bit each. Default: the first. */
  readonly groups?: number;
  /** The groups it meets, a bit each. Default: all. */
  readonly mask?: number;
  /** Whether it touches nothing, and only notes which bodies overlap it. Default false. */
  readonly sensor?: boolean;
}

export const TOUCH_NAMES = {
  friction: true,
  restitution: true,
  groups: true,
  mask: true,
  sensor: true,
} as const;

const ALL = 0xffffffff;
/** Changes to any body's, ever: a simulation looks for what changed only if this did. */
let allChanges = 0;

/** What a simulation has for bodies without options of their own. */
export interface TouchLaw {
  readonly friction: number;
  readonly restitution: number;
}

/** Settable between steps; undefined stands for the default. */
export class Touch {
  readonly sensor: boolean;
  readonly #name: string;
  #friction: number | undefined;
  #restitution: number | undefined;
  #groups: number;
  #mask: number;
  /** The numbers of the last change, and of the last that may change which bodies it meets. */
  #changed = 0;
  #sifted = 0;

  constructor(name: string, { friction, restitution, groups, mask, sensor }: TouchOptions = {}) {
    this.#name = name;
    this.sensor = readChoice(`${name}: sensor`, sensor ?? false, [true, false]);
    this.#friction = this.#readFriction(friction);
    this.#restitution = this.#readRestitution(restitution);
    this.#groups = this.#readBits('groups', groups ?? 1);
    this.#mask = this.#readBits('mask', mask ?? ALL);
  }

  get friction(): number | undefined {
    return this.#friction;
  }

  set friction(value: number | undefined) {
    this.#friction = this.#readFriction(value);
    this.#changed = ++allChanges;
  }

  get restitution(): number | undefined {
    return this.#restitution;
  }

  set restitution(value: number | undefined) {
    this.#restitution = this.#readRestitution(value);
    this.#changed = ++allChanges;
  }

  get groups(): number {
    return this.#groups;
  }

  set groups(value: number) {
    this.#groups = this.#readBits('groups', value);
    this.sift();
  }

  get mask(): number {
    return this.#mask;
  }

  set mask(value: number) {
    this.#mask = this.#readBits('mask', value);
    this.sift();
  }

  /** Has simulations ask anew which bodies it meets. */
  sift(): void {
    this.#changed = this.#sifted = ++allChanges;
  }

  /** For a body like this one. */
  get options(): TouchOptions {
    const { friction, restitution, groups, mask, sensor } = this;
    return {
      ...(friction !== undefined && { friction }),
      ...(restitution !== undefined && { restitution }),
      groups,
      mask,
      sensor,
    };
  }

  /** @internal Whether it changed after so many changes of any body's; which bodies it meets. */
  changedAfter(changes: number): boolean {
    return this.#changed > changes;
  }

  /** @internal */
  siftedAfter(changes: number): boolean {
    return this.#sifted > changes;
  }

  #readFriction(value: number | undefined): number | undefined {
    return value === undefined ? undefined : readLength(`${this.#name}: friction`, value);
  }

  #readRestitution(value: number | undefined): number | undefined {
    return value === undefined ? undefined : readShare(`${this.#name}: restitution`, value);
  }

  #readBits(option: string, value: number): number {
    return readInteger(`${this.#name}: ${option}`, value, 0, ALL);
  }
}

/** The number of changes to any body's so far. */
export function touchChanges(): number {
  return allChanges;
}

interface Touching {
  readonly touch?: Touch;
}

export function frictionOf(a: Touching, b: Touching, law: TouchLaw): number {
  return Math.sqrt((a.touch?.friction ?? law.friction) * (b.touch?.friction ?? law.friction));
}

export function restitutionOf(a: Touching, b: Touching, law: TouchLaw): number {
  return Math.max(a.touch?.restitution ?? law.restitution, b.touch?.restitution ?? law.restitution);
}

/** A number from 0 to 1. */
export function readShare(name: string, value: number): number {
  if (readLength(name, value) <= 1) return value;
  throw new ImpingeError('bad-option', `${name} must be at most 1, got ${value}`, { option: name, value });
}
