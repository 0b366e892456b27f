/**
 * The objects of a model by the outcomes of selectors: objects with equal outcomes in all columns, and near the same
 * sets, have one profile. Selections are decided profile by profile.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { ObjectInfo } from '../../store/source.js';
import type { Column } from './columns.js';

/** Tests of one column, one of which must hold. */
export interface Clause {
  readonly column: number;
  readonly tests: readonly number[];
  /** Begins messages about it. */
  readonly where: string;
  /** The text of each test: `type "IfcWall*"`. */
  readonly texts: readonly string[];
}

/** All of these; the numbers of selections and tests are −1 where there is none. */
export interface Conjunction {
  readonly clauses: readonly Clause[];
  /** Selections, one of which must hold; an empty list requires none. */
  readonly sets: readonly number[];
  readonly near: number;
  readonly except: number;
}

interface Profile {
  /** By column. */
  readonly outcomes: readonly number[];
  /** The near tests that hold. */
  readonly near: readonly number[];
}

export class Profiles {
  /** By object. */
  readonly profileOf: Uint32Array;
  /** Objects by profile. */
  readonly sizes: readonly number[];
  readonly #columns: readonly Column[];
  readonly #selections: readonly (readonly Conjunction[])[];
  readonly #profiles: readonly Profile[];
  readonly #info: (object: number) => ObjectInfo;
  /** The number of near tests by which profiles have been divided. */
  readonly #nearTests: number;
  /** By column and test: the profiles of which it holds, or may hold. */
  readonly #holding: readonly Map<number, number[]>[];
  /** Decided selections, in their order. */
  readonly #decided: ReadonlySet<number>[] = [];

  constructor(
    columns: readonly Column[],
    selections: readonly (readonly Conjunction[])[],
    profileOf: Uint32Array,
    profiles: readonly Profile[],
    info: (object: number) => ObjectInfo,
    nearTests = 0,
  ) {
    this.profileOf = profileOf;
    const sizes = new Array<number>(profiles.length).fill(0);
    for (const profile of profileOf) sizes[profile]++;
    this.sizes = sizes;
    this.#columns = columns;
    this.#selections = selections;
    this.#profiles = profiles;
    this.#info = info;
    this.#nearTests = nearTests;
    this.#holding = columns.map((column, c) => {
      const holding = new Map<number, number[]>();
      profiles.forEach(({ outcomes }, p) => {
        const tests = [...column.held(outcomes[c]), ...(column.open(outcomes[c])?.tests ?? [])];
        for (const test of tests) {
          const list = holding.get(test);
          if (list === undefined) holding.set(test, [p]);
          else list.push(p);
        }
      });
      return holding;
    });
  }

  /** The profiles that a selection has. */
  selected(selection: number): ReadonlySet<number> {
    // selections come after the ones they refer to: no recursion, however long the chain
    for (let next = this.#decided.length; next <= selection; next++) this.#decided.push(this.#decide(next));
    return this.#decided[selection];
  }

  /**
   * The parts of a selection that match no object, though the selection does: tests that no object passes, and
   * selectors of a list without objects. Excludes the contents of sets, near tests and exceptions.
   */
  unmatched(selection: number): string[] {
    return this.#selections[selection].flatMap((conjunction, i) => {
      const failing = conjunction.clauses.flatMap(({ column, tests, texts }) =>
        texts.filter((_, k) => !this.#holding[column].has(tests[k])),
      );
      if (failing.length > 0) return failing;
      const candidates = [...this.#candidates(conjunction)];
      return candidates.some((profile) => this.#holds(conjunction, profile)) ? [] : [`entry ${i + 1}`];
    });
  }

  /** 1 for every object that a selection has. */
  objects(selection: number): Uint8Array {
    const profiles = this.selected(selection);
    return Uint8Array.from(this.profileOf, (profile) => (profiles.has(profile) ? 1 : 0));
  }

  /** The same with one more near test, which holds of the objects with a 1. */
  divided(near: Uint8Array): Profiles {
    const numbers = new Map<number, number>();
    const profiles: Profile[] = [];
    const profileOf = this.profileOf.map((profile, object) => {
      const key = 2 * profile + near[object];
      let number = numbers.get(key);
      if (number === undefined) {
        const { outcomes, near: tests } = this.#profiles[profile];
        number =
          profiles.push({ outcomes, near: near[object] === 1 ? [...tests, this.#nearTests] : tests }) - 1;
        numbers.set(key, number);
      }
      return number;
    });
    const tests = this.#nearTests + 1;
    return new Profiles(this.#columns, this.#selections, profileOf, profiles, this.#info, tests);
  }

  #decide(selection: number): ReadonlySet<number> {
    const found = new Set<number>();
    for (const conjunction of this.#selections[selection]) {
      for (const profile of this.#candidates(conjunction)) {
        if (this.#holds(conjunction, profile)) found.add(profile);
      }
    }
    return found;
  }

  /** Profiles among which those of a conjunction are. */
  #candidates({ clauses: [first], sets }: Conjunction): Iterable<number> {
    if (first !== undefined)
      return new Set(first.tests.flatMap((test) => this.#holding[first.column].get(test) ?? []));
    return sets.length === 0 ? this.sizes.keys() : new Set(sets.flatMap((set) => [...this.#decided[set]]));
  }

  #holds({ clauses, sets, near, except }: Conjunction, profile: number): boolean {
    // a near test that does not exist yet belongs to a selection that is only used later
    if (near >= 0 && !this.#profiles[profile].near.includes(near)) return false;
    if (sets.length > 0 && !sets.some((set) => this.#decided[set].has(profile))) return false;
    if (except >= 0 && this.#decided[except].has(profile)) return false;
    const open: Clause[] = [];
    for (const clause of clauses) {
      const column = this.#columns[clause.column];
      const outcome = this.#profiles[profile].outcomes[clause.column];
      if (clause.tests.some((test) => column.held(outcome).has(test))) continue;
      if (!clause.tests.some((test) => column.open(outcome)?.tests.has(test))) return false;
      open.push(clause);
    }
    if (open.length > 0) throw this.#ambiguous(open[0], profile);
    return true;
  }

  #ambiguous({ column, where }: Clause, profile: number): ImpingeError {
    const names = this.#columns[column].open(this.#profiles[profile].outcomes[column])?.names ?? [];
    const object = this.#info(this.profileOf.indexOf(profile));
    return new ImpingeError(
      'bad-option',
      `${where}: "${object.path}" has several with different values, ${names.join(', ')}; write the full name of one`,
      { where, names, object: object.path },
    );
  }
}
