/**
 * Resolves selections to objects. Case does not matter, except in ids and in the names of properties; an empty pattern
 * matches objects without a value.
 *
 * Idea: every field that some selector tests is a column with all its patterns. An object's outcomes in the columns are
 * its profile; models have few profiles, and selections are decided once for each of them.
 *
 * Invariant: a selection has a higher number than those it refers to, and so has a near test than those within it.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { shown } from 'impinge/internal/base/options.js';
import { LABEL_KINDS, OBJECT_TEXTS, type ObjectInfo } from '../../store/source.js';
import {
  addPattern,
  bad,
  type Column,
  type Field,
  FieldColumn,
  type Properties,
  PropertyColumn,
} from './columns.js';
import { type Clause, type Conjunction, Profiles } from './profiles.js';
import type { PropertyTest, Selection, SelectionSets, Selector } from './rule.js';

/** The data of a model's objects that rules use. */
export interface RuleModel {
  readonly objectCount: number;
  object(index: number): ObjectInfo;
  /** Asked for only where a selector names a property. */
  properties(index: number): Properties;
}

/** Of objects, with questions in between. */
export type Sorting = Generator<NearQuestion, Profiles, Uint8Array>;

/** Which objects are within a distance of these? */
export interface NearQuestion {
  /** 1 for each of them. */
  readonly members: Uint8Array;
  readonly within: number;
}

const FIELDS: readonly Field[] = [...OBJECT_TEXTS, ...LABEL_KINDS];
/** The keys of a selector. */
export const SELECTOR_KEYS: readonly string[] = [...FIELDS, 'property', 'set', 'near', 'except'];
/** Deeper than anyone writes, and an end to a selection that excepts itself. */
const MAX_DEPTH = 16;
const MAX_NEAR_TESTS = 64;

interface NearTest {
  readonly selection: number;
  readonly within: number;
}

export class SelectionSet {
  readonly #sets: SelectionSets;
  /** Numbers of the selections of sets; undefined while they are being taken in. */
  readonly #numberOf = new Map<string, number | undefined>();
  readonly #columns: Column[] = [];
  readonly #fields = new Map<Field, { readonly column: number; readonly tests: FieldColumn }>();
  readonly #properties = new Map<string, { readonly column: number; readonly tests: PropertyColumn }>();
  readonly #selections: (readonly Conjunction[])[] = [];
  readonly #nearTests: NearTest[] = [];

  /** Throws `bad-option` where a set is wrong. */
  constructor(sets: SelectionSets = {}) {
    if (typeof sets !== 'object' || sets === null || Array.isArray(sets))
      throw new ImpingeError('bad-option', 'sets must be selections by name');
    this.#sets = sets;
    // in their order: sets that refer to earlier ones need no depth
    this.#named(Object.keys(sets), 'sets', 0);
  }

  /** Takes a selection in and returns its number; `where` begins the messages about it. Throws `bad-option`. */
  add(selection: Selection, where: string): number {
    return this.#add(selection, where, 0);
  }

  /** Whether a selector names a property. */
  get asksForProperties(): boolean {
    return this.#properties.size > 0;
  }

  /**
   * Sorts the objects of a model by the selections they are in. Asks which objects are near others, and wants a 1 for
   * each that is. Throws where a name of a property is ambiguous.
   */
  *sorting(model: RuleModel): Sorting {
    let profiles = this.#textProfiles(model);
    for (const { selection, within } of this.#nearTests) {
      profiles = profiles.divided(yield { members: profiles.objects(selection), within });
    }
    return profiles;
  }

  #textProfiles(model: RuleModel): Profiles {
    const width = this.#columns.length;
    const profileOf = new Uint32Array(model.objectCount);
    const outcomes: number[][] = [];
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
          if (c === width - 1) outcomes.push([...current]);
        }
        prefix = longer;
      }
      profileOf[i] = prefix;
    }
    if (width === 0) outcomes.push([]);
    const rows = outcomes.map((row) => ({ outcomes: row, near: [] }));
    return new Profiles(this.#columns, this.#selections, profileOf, rows, (i) => model.object(i));
  }

  #add(selection: Selection, where: string, depth: number): number {
    if (depth > MAX_DEPTH) throw bad(where, `selections are nested more than ${MAX_DEPTH} deep`);
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
      return { clauses: [this.#fieldClause('path', selector, where)], sets: [], near: -1, except: -1 };
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
    const sets = selector.set === undefined ? [] : this.#named(selector.set, `${where}, set`, depth);
    if (selector.set !== undefined && sets.length === 0) throw bad(where, 'set is an empty list');
    const near = selector.near === undefined ? -1 : this.#near(selector.near, `${where}, near`, depth);
    const except =
      selector.except === undefined ? -1 : this.#add(selector.except, `${where}, except`, depth + 1);
    return { clauses, sets, near, except };
  }

  #fieldClause(field: Field, pattern: unknown, where: string): Clause {
    const patterns: unknown[] = Array.isArray(pattern) ? pattern : [pattern];
    if (patterns.length === 0) throw bad(where, `${field} is an empty list`);
    let entry = this.#fields.get(field);
    if (entry === undefined) {
      const tests = new FieldColumn(field);
      entry = { column: this.#columns.push(tests) - 1, tests };
      this.#fields.set(field, entry);
    }
    const { column, tests: known } = entry;
    const tests = patterns.map((one) => {
      if (typeof one !== 'string') throw bad(where, `${field} is not a pattern or a list of patterns`);
      return addPattern(known.globs, one, `${where}, ${field}`);
    });
    return { column, tests, where, texts: patterns.map((one) => `${field} "${one}"`) };
  }

  #propertyClauses(property: Readonly<Record<string, PropertyTest>>, where: string): Clause[] {
    if (typeof property !== 'object' || property === null || Object.keys(property).length === 0)
      throw bad(where, 'property needs names with their values');
    return Object.entries(property).map(([name, value]) => {
      let entry = this.#properties.get(name);
      if (entry === undefined) {
        const tests = new PropertyColumn(name);
        entry = { column: this.#columns.push(tests) - 1, tests };
        this.#properties.set(name, entry);
      }
      const place = `${where}, property "${name}"`;
      const texts = [`property "${name}"`];
      return { column: entry.column, tests: [entry.tests.add(value, place)], where: place, texts };
    });
  }

  /** The numbers of sets by their names. */
  #named(given: string | readonly string[], where: string, depth: number): number[] {
    const names = Array.isArray(given) ? given : [given];
    return names.map((name: string) => {
      if (typeof name !== 'string' || !Object.hasOwn(this.#sets, name)) {
        const known = Object.keys(this.#sets).join(', ') || 'none';
        throw bad(where, `there is no set ${shown(name)}; there are ${known}`);
      }
      if (this.#numberOf.has(name)) {
        const number = this.#numberOf.get(name);
        if (number === undefined) throw bad(where, `set "${name}" contains itself`);
        return number;
      }
      this.#numberOf.set(name, undefined);
      const number = this.#add(this.#sets[name], `set "${name}"`, depth + 1);
      this.#numberOf.set(name, number);
      return number;
    });
  }

  #near(near: NonNullable<Selector['near']>, where: string, depth: number): number {
    const { set, within } = Object(near) as Partial<NonNullable<Selector['near']>>;
    if (set === undefined || !(typeof within === 'number' && within >= 0 && within < Infinity))
      throw bad(where, 'needs a set, and within: a length of 0 or more');
    if (this.#nearTests.length === MAX_NEAR_TESTS)
      throw bad(where, `there are more than ${MAX_NEAR_TESTS} of these`);
    const sets = this.#named(set, where, depth);
    if (sets.length === 0) throw bad(where, 'set is an empty list');
    const selection = this.#selections.push([{ clauses: [], sets, near: -1, except: -1 }]) - 1;
    return this.#nearTests.push({ selection, within }) - 1;
  }
}
