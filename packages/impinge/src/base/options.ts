/** Options as callers give them: the value, or a `bad-option` that names the option and its domain. */
import { ImpingeError } from './errors.js';

function refuse(name: string, domain: string, value: unknown): never {
  const got = `${name} must be ${domain}, got ${shown(value)}`;
  throw new ImpingeError('bad-option', got, { option: name, value });
}

/** A caller's value as shown in a message: in one line, and not for long. */
export function shown(value: unknown): string {
  try {
    if (typeof value === 'function') return 'a function';
    if (Object(value) !== value) return String(value).slice(0, 60).replace(/\s+/g, ' ');
    if (!isList(value as object))
      return `{${Object.keys(value as object)
        .slice(0, 8)
        .map((key) => ` ${key}`)} }`;
    const list = Array.from(value as ArrayLike<unknown>);
    return list.length > 4 ? `a list of ${list.length}` : `[${list.map(shown).join(', ')}]`;
  } catch {
    return typeof value;
  }
}

/** Whether it has numbered parts. Vectors of three.js have none, but a method named length. */
export function isList(value: object): value is ArrayLike<unknown> {
  return typeof (value as { readonly length?: unknown }).length === 'number';
}

/** Checks that options are a plain object; an array's methods could pass for options. */
export function readBag<Options extends object>(options: Options): Options {
  const isBag = typeof options === 'object' && options !== null && !isList(options);
  return isBag ? options : refuse('options', 'an object', options);
}

/** The names of all options of a call: the compiler sees to it that none is missing. */
export type OptionNames<Options> = { readonly [Name in keyof Options]-?: true };

/** The options of a call, without unknown names. */
export function readKnown<Options extends object>(
  call: string,
  options: Options,
  names: OptionNames<Options>,
): Options {
  readBag(options);
  for (const name in options) {
    if ((names as Readonly<Record<string, unknown>>)[name] !== true)
      refuseUnknown(call, name, Object.keys(names));
  }
  return options;
}

function refuseUnknown(call: string, option: string, names: readonly string[]): never {
  const nearest = nearestWord(option, names);
  const others = names.length > 1 ? ` It has ${names.join(', ')}` : '';
  throw new ImpingeError('bad-option', `${call} has no option ${option}; did you mean ${nearest}?${others}`, {
    option,
    nearest,
  });
}

/** The word that shares most of its pairs of letters; the first of several. */
function nearestWord(word: string, words: readonly string[]): string {
  const pairs = (of: string) => Array.from(of, (letter, i) => `${of[i - 1]}${letter}`.toLowerCase());
  const own = pairs(word);
  const share = (other: string) =>
    pairs(other).filter((pair) => own.includes(pair)).length / (own.length + other.length);
  return words.reduce((best, other) => (share(other) > share(best) ? other : best));
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
