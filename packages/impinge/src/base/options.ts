/** Options as callers give them: the value, or a `bad-option` that names the option and its domain. */
import { ImpingeError } from './errors.js';

function refuse(name: string, domain: string, value: unknown): never {
  const got = `${name} must be ${domain}, got ${shown(value)}`;
  throw new ImpingeError('bad-option', got, { option: name, value });
}

/** Whatever a caller gave, in a message. */
export function shown(value: unknown): string {
  try {
    return String(value);
  } catch {
    return typeof value;
  }
}

/** The object that holds options: no list, whose methods could be taken for them. */
export function readBag<Options extends object>(options: Options): Options {
  const isBag = typeof options === 'object' && options !== null && !('length' in options);
  return isBag ? options : refuse('options', 'an object', options);
}

/** Throws where an option has a name that nobody reads. */
export function readKnown(call: string, options: object, names: readonly string[]): void {
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  throw new ImpingeError('bad-option', `${call} has no option ${stray}; it has ${names.join(', ')}`, {
    option: stray,
  });
}

/** A finite number of at least 0: lengths, distances, tolerances. */
export function readLength(name: string, value: number): number {
  return isNumber(value) && value >= 0 && value < Infinity
    ? value
    : refuse(name, 'a finite number of at least 0', value);
}

/** A number of at least 0; Infinity sets no limit. */
export function readAtMost(name: string, value: number): number {
  return isNumber(value) && value >= 0 ? value : refuse(name, 'a number of at least 0', value);
}

/** A number above 0, Infinity included. */
export function readPositive(name: string, value: number): number {
  return isNumber(value) && value > 0 ? value : refuse(name, 'a number above 0', value);
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

export function readFunction<Called>(name: string, value: Called): Called {
  return typeof value === 'function' ? value : refuse(name, 'a function', value);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
