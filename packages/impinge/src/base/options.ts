/** Options as callers give them: the value, or a `bad-option` that names the option and its domain. */
import { ImpingeError } from './errors.js';

function refuse(name: string, domain: string, value: unknown): never {
  throw new ImpingeError('bad-option', `${name} must be ${domain}, got ${value}`, { option: name, value });
}

/** A finite number of at least 0: lengths, distances, tolerances. */
export function readLength(name: string, value: number): number {
  return value >= 0 && value < Infinity ? value : refuse(name, 'a finite number of at least 0', value);
}

/** A number of at least 0; Infinity sets no limit. */
export function readAtMost(name: string, value: number): number {
  return value >= 0 ? value : refuse(name, 'a number of at least 0', value);
}

/** A number above 0, Infinity included. */
export function readPositive(name: string, value: number): number {
  return value > 0 ? value : refuse(name, 'a number above 0', value);
}

export function readInteger(name: string, value: number, least: number, most = Infinity): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  return refuse(
    name,
    `an integer ${most < Infinity ? `from ${least} to ${most}` : `of at least ${least}`}`,
    value,
  );
}

export function readChoice<Choice>(name: string, value: Choice, choices: readonly Choice[]): Choice {
  return choices.includes(value) ? value : refuse(name, `one of ${choices.join(', ')}`, value);
}
