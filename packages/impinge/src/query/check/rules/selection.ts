/**
 * Which objects a selection means. Case does not matter, except in ids and in the names of properties; an empty pattern
 * finds objects of which nothing is known there.
 *
 * Idea: every field that some selector asks about is a column with all patterns about it. An object's outcomes in the
 * columns are its profile; models have few profiles, and selections are decided once for each of them.
 *
 * Layout: the outcome of profile p in column c is outcomes[p · columns + c].
 */
import { ImpingeError } from '../../../base/errors.js';
import type { ObjectInfo, PropertyValue } from '../../../store/source.js';
import { GlobSet } from './glob.js';
import type { Selection, Selector } from './rule.js';

/** The objects of a model, as far as rules look at them. */
export interface RuleModel {
  readonly objectCount: number;
  object(index: number): ObjectInfo;
  /** Asked for only where a selector names a property. */
  properties(index: number): Properties;
}

const FIELDS = ['path', 'name', 'id', 'type', 'discipline', 'file', 'storey'] as const;
type Field = (typeof FIELDS)[number];

const SELECTOR_KEYS: readonly string[] = [...FIELDS, 'property', 'except'];
/** Deeper than anyone writes, and an end to a selection that excepts itself. */
const MAX_EXCEPT_DEPTH = 16;

/** Of these tests of one column, one must hold. */
interface Clause {
  readonly column: number;
  readonly tests: readonly number[];
}

interface Conjunction {
  readonly clauses: readonly Clause[];
  readonly except: number | undefined;
}

type Properties = Readonly<Record<string, PropertyValue>> | undefined;

interface Column {
  /** Equal numbers stand for the same tests holding. */
  outcome(info: ObjectInfo, properties: Properties): number;
  held(outcome: number): ReadonlySet<number>;
}

export class SelectionSet {
  readonly #columns: Column[] = [];
  readonly #fields = new Map<Field, { readonly column: number; readonly globs: GlobSet }>();
  readonly #properties = new Map<string, { readonly column: number; readonly tests: PropertyColumn }>();
  readonly #selections: (readonly Conjunction[])[] = [];

  /** Takes a selection in and returns its number; `where` begins the messages about it. Throws `bad-option`. */
  add(selection: Selection, where: string): number {
    return this.#add(selection, where, 0);
  }

  /** Whether a selector names a property. */
  get asksForProperties(): boolean {
    return this.#properties.size > 0;
  }

  /** Sorts the objects of a model by the selections they are in. */
  profiles(model: RuleModel): Profiles {
    const width = this.#columns.length;
    const profileOf = new Uint32Array(model.objectCount);
    const outcomes: number[] = [];
    const sizes: number[] = [];
    // one map per column: profile so far and outcome → profile so far
    const steps = this.#columns.map(() => new Map<number, number>());
    const next = new Array<number>(width).fill(0);
    const current = new Array<number>(width);
    for (let i = 0; i < model.objectCount && width > 0; i++) {
      const info = model.object(i);
      const properties = this.asksForProperties ? model.properties(i) : undefined;
      let prefix = 0;
      for (let c = 0; c < width; c++) {
        const outcome = this.#columns[c].outcome(info, properties);
        current[c] = outcome;
        const key = prefix * 2 ** 26 + outcome;
        let longer = steps[c].get(key);
        if (longer === undefined) {
          longer = next[c]++;
          steps[c].set(key, longer);
          if (c === width - 1) {
            outcomes.push(...current);
            sizes.push(0);
          }
        }
        prefix = longer;
      }
      profileOf[i] = prefix;
      sizes[prefix]++;
    }
    if (width === 0) sizes.push(model.objectCount);
    return new Profiles(this.#columns, this.#selections, profileOf, sizes, outcomes);
  }

  #add(selection: Selection, where: string, depth: number): number {
    if (depth > MAX_EXCEPT_DEPTH) throw bad(where, `except is nested more than ${MAX_EXCEPT_DEPTH} deep`);
    const selectors = Array.isArray(selection) ? selection : [selection];
    if (selectors.length === 0) throw bad(where, 'an empty list selects nothing');
    const compiled = selectors.map((selector: string | Selector) =>
      this.#conjunction(selector, where, depth),
    );
    return this.#selections.push(compiled) - 1;
  }

  #conjunction(selector: string | Selector, where: string, depth: number): Conjunction {
    if (typeof selector === 'string') {
      if (selector === '') throw bad(where, 'an empty pattern of paths selects nothing');
      return { clauses: [this.#fieldClause('path', selector, where)], except: undefined };
    }
    if (typeof selector !== 'object' || selector === null || Array.isArray(selector))
      throw bad(where, 'a selection is a pattern of paths, a selector or a list of these');
    const given = Object.entries(selector).filter(([, value]) => value !== undefined);
    if (given.length === 0) throw bad(where, 'an empty selector; leave the side out to select everything');
    for (const [key] of given)
      if (!SELECTOR_KEYS.includes(key))
        throw bad(where, `unknown field "${key}"; there are ${SELECTOR_KEYS.join(', ')}`);
    const clauses = FIELDS.flatMap((field) =>
      selector[field] === undefined ? [] : [this.#fieldClause(field, selector[field], where)],
    );
    if (selector.property !== undefined) clauses.push(...this.#propertyClauses(selector.property, where));
    const except =
      selector.except === undefined ? undefined : this.#add(selector.except, `${where}, except`, depth + 1);
    return { clauses, except };
  }

  #fieldClause(field: Field, pattern: unknown, where: string): Clause {
    const patterns: unknown[] = Array.isArray(pattern) ? pattern : [pattern];
    if (patterns.length === 0) throw bad(where, `${field} is an empty list`);
    let entry = this.#fields.get(field);
    if (entry === undefined) {
      const globs = new GlobSet({ paths: field === 'path', caseless: field !== 'id' });
      const column = this.#columns.push(new FieldColumn(field, globs)) - 1;
      entry = { column, globs };
      this.#fields.set(field, entry);
    }
    const { column, globs } = entry;
    const tests = patterns.map((one) => {
      if (typeof one !== 'string') throw bad(where, `${field} is not a pattern or a list of patterns`);
      return addPattern(globs, one, `${where}, ${field}`);
    });
    return { column, tests };
  }

  #propertyClauses(property: Readonly<Record<string, PropertyValue>>, where: string): Clause[] {
    if (typeof property !== 'object' || property === null || Object.keys(property).length === 0)
      throw bad(where, 'property needs names with their values');
    return Object.entries(property).map(([name, value]) => {
      let entry = this.#properties.get(name);
      if (entry === undefined) {
        const tests = new PropertyColumn(name);
        entry = { column: this.#columns.push(tests) - 1, tests };
        this.#properties.set(name, entry);
      }
      return { column: entry.column, tests: [entry.tests.add(value, `${where}, property "${name}"`)] };
    });
  }
}

/** The objects of a model by what selects them; made by `SelectionSet`. */
export class Profiles {
  /** By object. */
  readonly profileOf: Uint32Array;
  /** Objects by profile. */
  readonly sizes: readonly number[];
  readonly #columns: readonly Column[];
  readonly #selections: readonly (readonly Conjunction[])[];
  readonly #outcomes: readonly number[];
  /** By column and test: the profiles of which it holds. */
  readonly #holding: readonly Map<number, number[]>[];

  constructor(
    columns: readonly Column[],
    selections: readonly (readonly Conjunction[])[],
    profileOf: Uint32Array,
    sizes: readonly number[],
    outcomes: readonly number[],
  ) {
    this.profileOf = profileOf;
    this.sizes = sizes;
    this.#columns = columns;
    this.#selections = selections;
    this.#outcomes = outcomes;
    this.#holding = columns.map((column, c) => {
      const holding = new Map<number, number[]>();
      for (let p = 0; p < sizes.length; p++) {
        for (const test of column.held(outcomes[p * columns.length + c])) {
          const list = holding.get(test);
          if (list === undefined) holding.set(test, [p]);
          else list.push(p);
        }
      }
      return holding;
    });
  }

  /** The profiles that a selection has. */
  selected(selection: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (const { clauses, except } of this.#selections[selection]) {
      const [first, ...others] = clauses;
      const left = except === undefined ? undefined : this.selected(except);
      for (const profile of first === undefined ? this.sizes.keys() : this.#candidates(first)) {
        if (left?.has(profile) || others.some((clause) => !this.#holds(clause, profile))) continue;
        found.add(profile);
      }
    }
    return found;
  }

  #candidates({ column, tests }: Clause): number[] {
    return tests.flatMap((test) => this.#holding[column].get(test) ?? []);
  }

  #holds({ column, tests }: Clause, profile: number): boolean {
    const held = this.#columns[column].held(this.#outcomes[profile * this.#columns.length + column]);
    return tests.some((test) => held.has(test));
  }
}

class FieldColumn implements Column {
  readonly #field: Field;
  readonly #globs: GlobSet;

  constructor(field: Field, globs: GlobSet) {
    this.#field = field;
    this.#globs = globs;
  }

  outcome(info: ObjectInfo): number {
    return this.#globs.match(info[this.#field]);
  }

  held(outcome: number): ReadonlySet<number> {
    return this.#globs.matched(outcome);
  }
}

/** What is asked about one property: a text matches a pattern; a number or a truth value is equal, in words too. */
class PropertyColumn implements Column {
  readonly #name: string;
  readonly #globs = new GlobSet({ paths: false, caseless: true });
  /** Tests of numbers are −1 and below. */
  readonly #numbers = new Map<number, number>();
  readonly #outcomeOf = new Map<number, number>();
  readonly #outcomes: ReadonlySet<number>[] = [new Set()];

  constructor(name: string) {
    this.#name = name;
  }

  add(wanted: PropertyValue, where: string): number {
    if (typeof wanted === 'string') return addPattern(this.#globs, wanted, where);
    if (typeof wanted === 'boolean') return this.#globs.add(String(wanted));
    if (typeof wanted !== 'number') throw bad(where, 'is not a text, a number or a truth value');
    const test = this.#numbers.get(wanted) ?? -1 - this.#numbers.size;
    this.#numbers.set(wanted, test);
    return test;
  }

  outcome(_info: ObjectInfo, properties: Properties): number {
    if (properties === undefined || !Object.hasOwn(properties, this.#name)) return 0;
    const text = String(properties[this.#name]);
    const matched = this.#globs.match(text);
    const number = text.trim() === '' ? undefined : this.#numbers.get(Number(text));
    const key = matched * 2 ** 26 - (number ?? 0);
    let outcome = this.#outcomeOf.get(key);
    if (outcome === undefined) {
      const held = [...this.#globs.matched(matched), ...(number === undefined ? [] : [number])];
      outcome = this.#outcomes.push(new Set(held)) - 1;
      this.#outcomeOf.set(key, outcome);
    }
    return outcome;
  }

  held(outcome: number): ReadonlySet<number> {
    return this.#outcomes[outcome];
  }
}

function addPattern(globs: GlobSet, pattern: string, where: string): number {
  try {
    return globs.add(pattern);
  } catch (error) {
    if (error instanceof ImpingeError)
      throw new ImpingeError(error.code, `${where}: ${error.message}`, error.detail);
    throw error;
  }
}

function bad(where: string, why: string): ImpingeError {
  return new ImpingeError('bad-option', `${where}: ${why}`, { where });
}
