/**
 * A path of a mechanism from one configuration to another, of which every motion is proved free.
 */
import { ImpingeError } from 'impinge';
import { type OptionNames, readKnown, readLength } from 'impinge/internal/base/options.js';
import type { AllowedBetweenBodies } from '../mechanism/hold-pair.js';
import type { MechanismSpace } from '../mechanism/mechanism-space.js';
import { JointSpace } from './joint-space.js';
import {
  answerPath,
  type Moved,
  PATH_OPTION_NAMES,
  type PathOptions,
  type PathResult,
  readSearch,
} from './search-path.js';
import type { State } from './state-space.js';
import type { JointPathCertificate } from './verify-path.js';

/** Ends are configurations: all variables of all joints. */
export interface FindJointPathOptions extends PathOptions<ArrayLike<number>> {
  /**
   * How deep two things may be in each other that meet, or are nearer than the clearance, at the start or a goal
   * (default 0). They are not held to the clearance; `certificate.depth` is the most that they get into each other.
   */
  readonly allowed?: AllowedBetweenBodies;
  /** Of every variable, per second, for the time stamps (default 1). */
  readonly speeds?: ArrayLike<number>;
}

/** Configurations; between each and the next all joints move at constant rates, at once. */
export interface JointPath {
  readonly configurations: readonly Float64Array[];
  readonly times: Float64Array;
  readonly certificate: JointPathCertificate;
}

export type FindJointPathResult = PathResult<JointPath>;

const NAMES: OptionNames<FindJointPathOptions> = { ...PATH_OPTION_NAMES, allowed: true, speeds: true };
const PATH_NAMES = { configurations: true, times: true, certificate: true } as const;
const ACCURACY = 1e-4;

/** Looks for a path. A path that is returned is proved; that none was found proves nothing. */
export async function findJointPath(
  space: MechanismSpace,
  options: FindJointPathOptions,
): Promise<FindJointPathResult> {
  const began = performance.now();
  const { start, goals, allowed, ...given } = readKnown('findJointPath', options, NAMES);
  const search = readSearch(given);
  let held = readSpace('findJointPath', space);
  if (allowed !== undefined) {
    const ends = readEnds('findJointPath', space, start, goals).map(({ end }) => end);
    held = space.holding({ configurations: ends, allowed, clearance: given.clearance ?? 0 });
  }
  const moved = new MovedJoints('findJointPath', held, given);
  return answerPath('findJointPath', moved, { ...search, start, goals, began });
}

/** A mechanism among what its space has. */
export class MovedJoints implements Moved<ArrayLike<number>, JointPath> {
  readonly space: JointSpace;
  readonly #call: string;
  readonly #clearance: number;
  readonly #speeds: Float64Array;

  constructor(
    call: string,
    space: MechanismSpace,
    { clearance = 0, accuracy, speeds }: Omit<FindJointPathOptions, 'start' | 'goals' | 'allowed'>,
  ) {
    this.#call = call;
    readSpace(call, space).refresh();
    this.#clearance = readLength('clearance', clearance);
    const { reach } = space.bodies;
    const fine = readLength('accuracy', accuracy ?? (Number.isFinite(reach) ? ACCURACY * reach : ACCURACY));
    this.space = new JointSpace(space, clearance, fine);
    this.#speeds = readSpeeds(speeds, this.space.dimension);
  }

  get revision(): number {
    this.space.space.refresh();
    return this.space.space.revision;
  }

  statesOf(start: ArrayLike<number>, goals: readonly ArrayLike<number>[]): State[] {
    return readEnds(this.#call, this.space.space, start, goals).map((end) => this.#stateOf(end));
  }

  pathOf(configurations: readonly State[]): JointPath {
    return {
      configurations,
      times: timesOf(this.space, configurations, this.#speeds),
      certificate: certify(this.space.space, configurations, this.#clearance, (from, to) => {
        const { verdict } = this.space.space.edge(from, to, { clearance: this.#clearance, mode: 'any' });
        return verdict === 'free';
      }),
    };
  }

  /** Throws where a configuration is out of limits or not free, and says why. */
  #stateOf({ end, name }: End): State {
    const { space } = this.space;
    const { mechanism } = space;
    const out = mechanism.outOfLimits(end);
    if (out >= 0) {
      const limits = `${mechanism.lower[out]} to ${mechanism.upper[out]}`;
      const why = `variable ${out} is ${end[out]}, its limits are ${limits}`;
      throw new ImpingeError('bad-input', `${this.#call}: ${name} is out of limits: ${why}`, { end: name });
    }
    const met = space.meeting(end, this.#clearance);
    if (!met) return Float64Array.from(end);
    const how = this.#clearance > 0 ? 'comes too near to' : 'meets';
    const message = `${this.#call}: ${name} is not free: ${met.a} ${how} ${met.b}`;
    throw new ImpingeError('bad-input', message, { end: name });
  }
}

interface End {
  readonly end: ArrayLike<number>;
  /** In messages. */
  readonly name: string;
}

/** Throws unless all are configurations. */
function readEnds(
  call: string,
  { mechanism }: MechanismSpace,
  start: ArrayLike<number>,
  goals: readonly ArrayLike<number>[],
): End[] {
  if (!Array.isArray(goals) || goals.length === 0)
    throw new ImpingeError('bad-input', `${call}: goals must be an array of one configuration or more`);
  return [start, ...goals].map((end, i) => {
    const name = i === 0 ? 'the start' : goals.length > 1 ? `goals[${i - 1}]` : 'the goal';
    mechanism.assertConfiguration(end, name);
    return { end, name };
  });
}

/**
 * Looks at a path again: whether all of it is proved to keep more than a clearance, and how far it keeps apart. What is
 * in contact at its ends is drawn in anew, and proved by `timeOfImpact`.
 */
export function verifyJointPath(
  space: MechanismSpace,
  path: Pick<JointPath, 'configurations'>,
  options: Pick<FindJointPathOptions, 'clearance' | 'allowed'> = {},
): JointPathCertificate {
  const { clearance = 0, allowed = 0 } = readKnown('verifyJointPath', options, {
    clearance: true,
    allowed: true,
  });
  readLength('clearance', clearance);
  const { configurations } = readKnown('path', path as JointPath, PATH_NAMES);
  readSpace('verifyJointPath', space).refresh();
  if (!Array.isArray(configurations) || configurations.length === 0)
    throw new ImpingeError('bad-input', 'verifyJointPath: configurations must be an array of one or more');
  const ends = [configurations[0], configurations[configurations.length - 1]];
  const held = space.holding({ configurations: ends, allowed, clearance });
  return certify(held, configurations, clearance, (from, to) => held.isFreeByImpact(from, to, clearance));
}

function certify(
  space: MechanismSpace,
  configurations: readonly ArrayLike<number>[],
  clearance: number,
  isFree: (from: ArrayLike<number>, to: ArrayLike<number>) => boolean,
): JointPathCertificate {
  const { depth } = space;
  if (!space.isFree(configurations[0], clearance)) return { free: false, clearance: 0, motion: 0, depth };
  let least = Infinity;
  // a path of one configuration is a motion that ends where it began
  const ends = configurations.length > 1 ? configurations : [configurations[0], configurations[0]];
  for (let i = 1; i < ends.length; i++) {
    if (!isFree(ends[i - 1], ends[i])) return { free: false, clearance: 0, motion: i - 1, depth };
    least = Math.min(least, space.edgeClearance(ends[i - 1], ends[i], { atMost: least }).least);
  }
  return { free: true, clearance: Math.max(clearance, least), motion: -1, depth };
}

function timesOf(space: JointSpace, states: readonly State[], speeds: Float64Array): Float64Array {
  const times = new Float64Array(states.length);
  for (let i = 1; i < states.length; i++) {
    const takes = space.changes(states[i - 1], states[i]).map((x, k) => Math.abs(x) / speeds[k]);
    times[i] = times[i - 1] + Math.max(...takes);
  }
  return times;
}

function readSpeeds(speeds: ArrayLike<number> | undefined, count: number): Float64Array {
  if (speeds === undefined) return new Float64Array(count).fill(1);
  const out = speeds?.length === count ? Float64Array.from(speeds) : undefined;
  if (!out?.every((speed) => Number.isFinite(speed) && speed > 0))
    throw new ImpingeError('bad-option', `speeds must be ${count} positive numbers`);
  return out;
}

function readSpace(name: string, space: MechanismSpace): MechanismSpace {
  if (typeof space?.refresh !== 'function')
    throw new ImpingeError('bad-input', `${name} needs a MechanismSpace`);
  return space;
}
