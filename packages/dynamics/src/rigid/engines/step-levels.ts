/**
 * What contacts by contact levels take and leave out in a step, and how a budget is shared among pairs of bodies.
 *
 * With a budget, all pairs may exceed the allowed detail by one factor, `limit`: what would lose most is divided first,
 * whichever pair it belongs to. Each search records the tests that powers of two of it would take; from those of the
 * last step follows the factor of the next one. A pair that takes more than expected gets what is not reserved for the
 * others, or half of that if it takes much more: what it leads to is not known yet. Pairs that are too near for their
 * level are divided whatever the budget is, which takes more tests the coarser they are: so coarser is not always
 * cheaper, and the factor does not grow where such tests take most of the budget. They are expected as in the steps
 * before, and nothing else is spent on what is expected.
 * Milliseconds are turned into tests, as measured in the steps before; tests alone depend on no clock.
 */
import type { Limits } from 'impinge/internal/query/pair/budget.js';
import type { StateReader, StateWriter } from '../../bodies/state-bytes.js';

/** Of a step: what its searches by contact levels have found and left out. */
export interface ContactLevelsReport {
  /** The largest ratio of detail left out to allowed: 1 or less, unless a budget was spent first. */
  readonly reached: number;
  /** The most detail left out at two patches, in metres. */
  readonly error: number;
  /** Pairs of boxes and of hulls looked at, guards included. */
  readonly tests: number;
  /** Those among them that had to be looked at whatever the budget: guards, and bodies too near for coarse levels. */
  readonly needed: number;
  /** Milliseconds in searches and guards, if the budget has them. */
  readonly ms?: number;
  /** Pairs of patches found, in the last search of each pair of bodies. */
  readonly patches: number;
  /** Patches in these by their level, those of both bodies; the surface itself first. */
  readonly levels: readonly number[];
}

/** The result of a search. */
export type LevelsFound = Pick<ContactLevelsReport, 'reached' | 'error' | 'patches' | 'levels'>;

/** For a search: how often the allowed detail may be exceeded, and after how many tests to stop. */
export interface Allotment {
  readonly limit: number;
  readonly tests: number;
  /** To be filled: the tests for a limit of 2^i; NaN where that was not reached. */
  readonly costs: Float64Array;
}

interface Demand {
  looks: number;
  /** Tests beyond those of walks, and how many are to be expected of such a pair. */
  extra: number;
  readonly expected: number;
  readonly costs: Float64Array;
  found: LevelsFound | undefined;
}

/** Powers of two that are recorded. */
export const RATIOS = 24;
/** Bounds of the factor between the tests for one ratio and for half of it, where it is not known. */
const LEAST_GROWTH = 1.25;
const MOST_GROWTH = 4;
/** A pair that takes more than this many times what it took before gets this share of what is not reserved. */
const MUCH_MORE = 2;
const FOR_NEW = 0.5;
/** Share of the last expectation of tests beyond walks that is kept where there were fewer. */
const STILL_EXPECTED = 0.9;
/** Share of its last value that the factor may fall to in a step: what coarser levels held has to be looked at then. */
const FALL = 0.5;
/** Share of a budget for tests beyond walks, above which the factor is made smaller; how fast it changes per step. */
const MOST_EXTRA = 0.5;
const FINER = 0.25;
const COARSER = 1.05;
/** Initial milliseconds per test; share that the measured value may fall per step. */
const FIRST_TEST_MS = 0.002;
const FORGET = 0.9;

export class StepLevels {
  /** May change between steps. */
  limits: Limits;
  #last: ReadonlyMap<object, Demand> = new Map();
  #now = new Map<object, Demand>();
  /** The factor of the present step, its tests, those made, and those expected of searches to come. */
  #limit = 1;
  /** The largest factor that pays: of coarser pairs more must be divided because they are too near. */
  #coarsest = 2 ** RATIOS;
  #tests = Infinity;
  #spent = 0;
  #reserved = 0;
  #reservedExtra = 0;
  #ms = 0;
  #testMs = FIRST_TEST_MS;

  constructor(limits: Limits = {}) {
    this.limits = limits;
  }

  /** Whether there is a budget. */
  get isLimited(): boolean {
    return this.limits.tests !== undefined || this.limits.time !== undefined;
  }

  /** The factor by which all pairs may exceed the allowed detail in this step. */
  get limit(): number {
    return this.#limit;
  }

  /** Begins a step. */
  begin(): void {
    const { tests = Infinity, time } = this.limits;
    if (this.#spent > 0 && this.#ms > 0)
      this.#testMs = Math.max(this.#ms / this.#spent, FORGET * this.#testMs);
    if (this.#now.size > 0) this.#last = this.#now;
    this.#now = new Map();
    this.#spent = 0;
    this.#ms = 0;
    if (!this.isLimited) return;
    this.#tests = Math.min(tests, time ? time.ms / this.#testMs : Infinity);
    this.#reservedExtra = 0;
    for (const { extra, expected } of this.#last.values()) this.#reservedExtra += Math.max(extra, expected);
    if (this.#reservedExtra > MOST_EXTRA * this.#tests) this.#coarsest = FINER * this.#limit;
    else this.#coarsest = Math.max(1, Math.min(COARSER * this.#coarsest, 2 ** RATIOS));
    const limit = Math.min(this.#limitFor(this.#tests), this.#coarsest);
    this.#limit = Math.max(1, limit, FALL * this.#limit);
    this.#reserved = this.#expected(this.#limit) - this.#reservedExtra;
  }

  /** For the next search of a pair. */
  allot(pair: object): Allotment | undefined {
    if (!this.isLimited) return undefined;
    const before = this.#last.get(pair);
    const { looks = 0, extra = 0 } = this.#now.get(pair) ?? {};
    const expected = before ? costAt(before.costs, this.#limit) : 0;
    if (before && looks < before.looks) this.#reserved -= expected;
    // beyond the walk it will take as much as the searches of this step did
    const beyond = Math.max(this.#reservedExtra, looks > 0 ? extra / looks : 0);
    const free = this.#tests - this.#spent - this.#reserved - beyond;
    const tests = Math.max(1, Math.floor(Math.min(free, Math.max(MUCH_MORE * expected, FOR_NEW * free))));
    return { limit: this.#limit, tests, costs: new Float64Array(RATIOS).fill(Number.NaN) };
  }

  /** Notes a search, and the tests that it took in walks and beyond. */
  searched(pair: object, found: LevelsFound, walked: number, extra: number, costs?: Float64Array): void {
    const demand = this.#demandOf(pair);
    demand.looks++;
    demand.found = found;
    if (costs) demand.costs.set(extrapolated(costs, walked));
    this.#spend(demand, walked, extra);
  }

  /** Notes tests of a guard. */
  guarded(pair: object, tests: number): void {
    this.#spend(this.#demandOf(pair), 0, tests);
  }

  /** Runs something on the clock. */
  timed<T>(work: () => T): T {
    const { time } = this.limits;
    if (!time) return work();
    const began = time.now();
    try {
      return work();
    } finally {
      this.#ms += time.now() - began;
    }
  }

  /** Of the step; undefined where nothing was looked for. */
  report(): ContactLevelsReport | undefined {
    const all = Array.from(this.#now.values(), ({ found }) => found).filter((found) => found !== undefined);
    if (all.length === 0) return undefined;
    const levels: number[] = [];
    for (const found of all) {
      found.levels.forEach((count, level) => {
        levels[level] = (levels[level] ?? 0) + count;
      });
    }
    return {
      reached: all.reduce((most, { reached }) => Math.max(most, reached), 0),
      error: all.reduce((most, { error }) => Math.max(most, error), 0),
      tests: this.#spent,
      needed: Array.from(this.#now.values()).reduce((sum, { extra }) => sum + extra, 0),
      patches: all.reduce((sum, { patches }) => sum + patches, 0),
      levels: Array.from(levels, (count) => count ?? 0),
      ...(this.limits.time && { ms: this.#ms }),
    };
  }

  /** Writes what the next steps depend on; each pair then says which of it is its own. */
  save(out: StateWriter): void {
    for (const number of [this.#limit, this.#coarsest, this.#spent, this.#ms, this.#testMs])
      out.number(number);
    for (const demands of [this.#last, this.#now]) {
      out.number(demands.size);
      for (const { looks, extra, expected, costs, found } of demands.values()) {
        for (const number of [looks, extra, expected]) out.number(number);
        out.array(costs);
        out.flag(found !== undefined);
        const { reached = 0, error = 0, patches = 0, levels = [] } = found ?? {};
        for (const number of [reached, error, patches]) out.number(number);
        out.array(Float64Array.from(levels, (count) => count ?? 0));
      }
    }
  }

  restore(from: StateReader): void {
    this.#limit = from.number();
    this.#coarsest = from.number();
    this.#spent = from.number();
    this.#ms = from.number();
    this.#testMs = from.number();
    const [last, now] = [0, 1].map(() => {
      const demands = Array.from({ length: from.number() }, (): Demand => {
        const [looks, extra, expected] = [from.number(), from.number(), from.number()];
        const costs = from.doubles();
        const isFound = from.flag();
        const [reached, error, patches] = [from.number(), from.number(), from.number()];
        const found = { reached, error, patches, levels: Array.from(from.doubles()) };
        return { looks, extra, expected, costs, found: isFound ? found : undefined };
      });
      // of pairs that are gone, unless one takes it
      return new Map(demands.map((demand): [object, Demand] => [{}, demand]));
    });
    this.#last = last;
    this.#now = now;
  }

  savePair(pair: object, out: StateWriter): void {
    for (const demands of [this.#last, this.#now]) out.number([...demands.keys()].indexOf(pair));
  }

  restorePair(pair: object, from: StateReader): void {
    const taken = (demands: ReadonlyMap<object, Demand>): Map<object, Demand> => {
      const at = from.number();
      return new Map(Array.from(demands, ([key, demand], i) => [i === at ? pair : key, demand]));
    };
    this.#last = taken(this.#last);
    this.#now = taken(this.#now);
  }

  #demandOf(pair: object): Demand {
    let demand = this.#now.get(pair);
    if (!demand) {
      const last = this.#last.get(pair);
      const expected = last ? STILL_EXPECTED * Math.max(last.extra, last.expected) : 0;
      demand = { looks: 0, extra: 0, expected, costs: new Float64Array(RATIOS), found: undefined };
      this.#now.set(pair, demand);
    }
    return demand;
  }

  #spend(demand: Demand, walked: number, extra: number): void {
    demand.extra += extra;
    this.#reservedExtra = Math.max(0, this.#reservedExtra - extra);
    this.#spent += walked + extra;
  }

  /** Tests of a step like the last one. */
  #expected(limit: number): number {
    let sum = 0;
    for (const { looks, costs, extra, expected } of this.#last.values())
      sum += looks * costAt(costs, limit) + Math.max(extra, expected);
    return sum;
  }

  /** The least factor for which so many tests suffice, by the last step. */
  #limitFor(tests: number): number {
    let high = 0;
    while (high < RATIOS - 1 && this.#expected(2 ** high) > tests) high++;
    if (high === 0) return 1;
    const [few, many] = [this.#expected(2 ** high), this.#expected(2 ** (high - 1))];
    return 2 ** (high - Math.max(0, (tests - few) / (many - few)));
  }
}

/** Tests for a ratio, between those recorded. */
function costAt(costs: Float64Array, ratio: number): number {
  const at = Math.log2(ratio);
  const below = Math.min(Math.floor(at), costs.length - 2);
  return costs[below] + (at - below) * (costs[below + 1] - costs[below]);
}

/** Tests for all ratios, from those for the larger ones; `most` were made in all. */
function extrapolated(costs: Float64Array, most: number): Float64Array {
  const all = costs.slice();
  for (let i = RATIOS - 1; i >= 0; i--) {
    if (!Number.isNaN(all[i])) continue;
    const above = all[i + 1] ?? most;
    const growth = i + 2 < RATIOS && all[i + 2] > 0 ? above / all[i + 2] : MOST_GROWTH;
    all[i] = above * Math.min(MOST_GROWTH, Math.max(LEAST_GROWTH, growth));
  }
  return all;
}
