/**
 * The fields and properties that selectors test, one column each. An outcome identifies the tests of a column that an
 * object passes: equal numbers, equal tests.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  isLabel,
  type LabelKind,
  type ObjectInfo,
  type ObjectText,
  type PropertyValue,
} from '../../store/source.js';
import { GlobSet } from './glob.js';
import type { PropertyTest } from './rule.js';

export type Field = ObjectText | LabelKind;

export type Properties = Readonly<Record<string, PropertyValue>> | undefined;

export interface Column {
  outcome(info: ObjectInfo, properties: Properties): number;
  held(outcome: number): ReadonlySet<number>;
  /** Tests that hold of some of the values that a name stands for, but not of all; undefined: there are none. */
  open(outcome: number): OpenTests | undefined;
}

export interface OpenTests {
  readonly tests: ReadonlySet<number>;
  /** The full names of the properties. */
  readonly names: readonly string[];
}

/** A text of an object, or a label, of which one must match. */
export class FieldColumn implements Column {
  readonly #field: Field;
  readonly globs: GlobSet;

  constructor(field: Field) {
    this.#field = field;
    this.globs = new GlobSet({ paths: field === 'path', caseless: field !== 'id' });
  }

  outcome(info: ObjectInfo): number {
    const field = this.#field;
    return isLabel(field) ? this.globs.matchAny(info.labels?.[field] ?? []) : this.globs.match(info[field]);
  }

  held(outcome: number): ReadonlySet<number> {
    return this.globs.matched(outcome);
  }

  open(): undefined {
    return undefined;
  }
}

interface PropertyOutcome {
  readonly held: ReadonlySet<number>;
  readonly open: OpenTests | undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly test: number;
}

/**
 * The tests of one property: a text matches a pattern; a number or a truth value is equal, also written as text; a
 * number is in a range. A name that an object does not have matches names that end with it, after the name of their
 * set.
 */
export class PropertyColumn implements Column {
  readonly #name: string;
  readonly #globs = new GlobSet({ paths: false, caseless: true });
  /** Tests of numbers and ranges are −1 and below. */
  readonly #numbers = new Map<number, number>();
  readonly #ranges: Range[] = [];
  readonly #outcomeOf = new Map<string, number>();
  readonly #outcomes: PropertyOutcome[] = [{ held: new Set(), open: undefined }];

  constructor(name: string) {
    this.#name = name;
  }

  add(wanted: PropertyTest, where: string): number {
    if (typeof wanted === 'string') return addPattern(this.#globs, wanted, where);
    if (typeof wanted === 'boolean') return this.#globs.add(String(wanted));
    const test = -1 - this.#numbers.size - this.#ranges.length;
    if (typeof wanted !== 'number') return this.#addRange(wanted, test, where);
    const known = this.#numbers.get(wanted);
    if (known === undefined) this.#numbers.set(wanted, test);
    return known ?? test;
  }

  outcome(_info: ObjectInfo, properties: Properties): number {
    const names = properties === undefined ? [] : namesFor(this.#name, properties);
    if (properties === undefined || names.length === 0) return 0;
    const tests = names.map((name) => this.#tests(String(properties[name])));
    const texts = tests.map((those) => those.join());
    const key = texts.every((text) => text === texts[0]) ? texts[0] : [...names, ...texts].join('\n');
    let outcome = this.#outcomeOf.get(key);
    if (outcome === undefined) {
      outcome = this.#outcomes.push(outcomeOf(tests, names)) - 1;
      this.#outcomeOf.set(key, outcome);
    }
    return outcome;
  }

  held(outcome: number): ReadonlySet<number> {
    return this.#outcomes[outcome].held;
  }

  open(outcome: number): OpenTests | undefined {
    return this.#outcomes[outcome].open;
  }

  #addRange(wanted: Exclude<PropertyTest, PropertyValue>, test: number, where: string): number {
    const isRange = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted);
    const known = ['min', 'max'];
    if (!isRange || Object.keys(wanted).length === 0 || Object.keys(wanted).some((k) => !known.includes(k)))
      throw bad(where, 'is not a string, a number, a boolean or a range of min and max');
    const { min = -Infinity, max = Infinity } = wanted;
    if (!(typeof min === 'number' && typeof max === 'number' && min <= max))
      throw bad(where, `is not a range: ${String(min)} to ${String(max)}`);
    this.#ranges.push({ min, max, test });
    return test;
  }

  /** The tests that a value passes, sorted. */
  #tests(text: string): number[] {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    const equal = this.#numbers.get(value);
    return [
      ...this.#globs.matched(this.#globs.match(text)),
      ...(equal === undefined ? [] : [equal]),
      ...this.#ranges.flatMap(({ min, max, test }) => (min <= value && value <= max ? [test] : [])),
    ].sort((a, b) => a - b);
  }
}

/** The properties that a name stands for: that one, or else those of this name in any set. */
function namesFor(name: string, properties: NonNullable<Properties>): string[] {
  if (Object.hasOwn(properties, name)) return [name];
  return Object.keys(properties).filter((full) => full.endsWith(`.${name}`));
}

function outcomeOf(tests: readonly (readonly number[])[], names: readonly string[]): PropertyOutcome {
  const all = new Set(tests.flat());
  const held = new Set([...all].filter((test) => tests.every((those) => those.includes(test))));
  const open = new Set([...all].filter((test) => !held.has(test)));
  return { held, open: open.size === 0 ? undefined : { tests: open, names } };
}

export function addPattern(globs: GlobSet, pattern: string, where: string): number {
  try {
    return globs.add(pattern);
  } catch (error) {
    if (error instanceof ImpingeError)
      throw new ImpingeError(error.code, `${where}: ${error.message}`, error.detail);
    throw error;
  }
}

export function bad(where: string, why: string): ImpingeError {
  return new ImpingeError('bad-option', `${where}: ${why}`, { where });
}
