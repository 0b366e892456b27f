/**
 * Which bodies of a mechanism need not be compared: neighbours, which joints hold against each other, and pairs that
 * always meet, or never did, at random configurations.
 */

import { ImpingeError } from 'impinge';
import { readInteger, readKnown, shown } from 'impinge/internal/base/options.js';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { writeRandomTurn } from '../random-turn.js';
import type { Mechanism } from './mechanism.js';
import { MechanismSpace } from './mechanism-space.js';

export interface AllowedPairsOptions {
  /** Configurations that are tried (default 10 000). */
  readonly samples?: number;
  readonly seed?: number;
  /** Variables without limits are tried within this of 0 (default 1); turns are tried all round. */
  readonly range?: number;
}

export interface AllowedPairs {
  /** Names of links between which there is one joint. */
  readonly adjacent: readonly (readonly [string, string])[];
  /** Pairs that met at every configuration. */
  readonly always: readonly (readonly [string, string])[];
  /** Pairs that met at none: that they cannot is likely, not certain. */
  readonly never: readonly (readonly [string, string])[];
}

const NAMES = { samples: true, seed: true, range: true } as const;

/** Finds the pairs of links that need no comparison by sampling; the same for the same seed. */
export function allowedPairs(mechanism: Mechanism, options: AllowedPairsOptions = {}): AllowedPairs {
  const { samples = 10_000, seed = 1, range = 1 } = readKnown('allowedPairs', options, NAMES);
  readInteger('samples', samples, 1, 1e7);
  if (typeof seed !== 'number')
    throw new ImpingeError('bad-option', `seed must be a number, got ${shown(seed)}`);
  if (typeof mechanism?.forward !== 'function') throw new ImpingeError('bad-input', 'a mechanism is needed');
  if (typeof range !== 'number' || !(range > 0 && range < Infinity))
    throw new ImpingeError('bad-option', `range must be above 0, got ${shown(range)}`);
  const adjacent = mechanism.jointOf.flatMap((joint) =>
    joint ? [[mechanism.links[joint.parent], mechanism.links[joint.child]] as const] : [],
  );
  const space = new MechanismSpace(mechanism, undefined, { allowed: adjacent });
  const random = new SeededRandom(seed);
  const counts = new Map<string, { readonly pair: readonly [string, string]; met: number }>();
  for (let i = 0; i < samples; i++) {
    for (const { a, b, meets } of space.ownMeetings(sampleOf(mechanism, random, range))) {
      const key = JSON.stringify([a, b]);
      const count = counts.get(key) ?? { pair: [a, b] as const, met: 0 };
      counts.set(key, count);
      if (meets) count.met++;
    }
  }
  const withCount = (met: number) =>
    [...counts.values()].filter((one) => one.met === met).map(({ pair }) => pair);
  return { adjacent, always: withCount(samples), never: withCount(0) };
}

function sampleOf(mechanism: Mechanism, random: SeededRandom, range: number): Float64Array {
  const { lower, upper, jointOf } = mechanism;
  const out = new Float64Array(mechanism.variables);
  for (let i = 0; i < out.length; i++) {
    const least = lower[i] > -Infinity ? lower[i] : Math.min(-range, upper[i] - range);
    const most = upper[i] < Infinity ? upper[i] : Math.max(range, lower[i] + range);
    out[i] = least + random.next() * (most - least);
  }
  for (const joint of jointOf) {
    if (!joint?.free) continue;
    if (joint.type === 'continuous') out[joint.first] = Math.PI * (2 * random.next() - 1);
    if (joint.type === 'planar' && lower[joint.first + 2] === -Infinity)
      out[joint.first + 2] = Math.PI * (2 * random.next() - 1);
    if (joint.type === 'floating') writeRandomTurn(random, out, joint.first + 3);
  }
  return out;
}
