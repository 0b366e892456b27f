/**
 * What contacts by contact levels take and leave out in a step, and how a budget is shared among pairs of bodies.
 *
 * A step takes no more tests than the larger of its budget and what it needs whatever the budget is, as far as that can
 * be known beforehand. Needed are the walk down to the coarsest surfaces, pairs that are too near for their level, and
 * guards. What is left of the budget is spent on detail: all pairs may exceed the allowed by one factor, `limit`, so
 * that what would lose most is divided first, whichever pair it belongs to. Each search records the tests that powers
 * of two of it would take; from those of the last step follows the factor of the next one.
 *
 * Detail is searched before the step is over, so what the rest of it will need is set aside: for every planned search
 * of a pair and one more, as much as its searches have needed, the most of late. Only a step that needs several times
 * as much as those before exceeds its budget. A pair that takes more detail than expected gets what is not reserved for
 * the others, or half of that if it takes much more: what it leads to is not known yet. A guard that would take more
 * than what is left stops, and triangles are searched instead (contact-levels-engine.ts). Milliseconds are turned into
 * tests, by what steps before took; tests alone depend on no clock.
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
  /**
   * Those among them that had to be looked at whatever the budget: the coarsest surfaces, bodies too near for coarse
   * levels, and guards.
   */
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

/** For a search: how often the allowed detail may be exceeded, and how much may be spent on detail. */
export interface Allotment {
  readonly limit: number;
  /** Tests beyond those that the coarsest surfaces took. */
  readonly most: (coarsest: number) => number;
  /** To be filled: the tests of the walk for a limit of 2^i; NaN where that was not reached. */
  readonly costs: Float64Array;
}

/** What a search took, in tests: its walk, the first of these down to the coarsest surfaces; and pairs beyond it. */
export interface SearchWork {
  readonly walked: number;
  readonly coarsest: number;
  readonly beyond: number;
}

interface Demand {
  looks: number;
  /** Tests that were needed in this step, and the most per search of late. */
  needed: number;
  perLook: number;
  /** Of a walk for a limit of 2^i beyond the coarsest surfaces. */
  readonly costs: Float64Array;
  found: LevelsFound | undefined;
}

/** Share of a budget that is planned with. */
const AIM = 0.95;
/** Powers of two that are recorded. */
export const RATIOS = 24;
/** Bounds of the factor between the tests for one ratio and for half of it, where it is not known. */
const LEAST_GROWTH = 1.25;
const MOST_GROWTH = 4;
/** A pair that takes more than this many times what it took before gets this share of what is not reserved. */
const MUCH_MORE = 2;
const FOR_NEW = 0.5;
/** What a search is expected to need at least, in walks down to the coarsest surfaces: a guard may take another one. */
const LEAST_NEED = 2;
/** Share of the most tests needed that is kept where fewer were; where a pair was not searched. */
const STILL_NEEDED = 0.97;
const FORGOTTEN = 0.5;
/** Share of what the last step reached that the factor may fall to: what coarser levels held is looked at then. */
const FALL = 0.5;
/**
 * Initial milliseconds per test, and by how much they change with a step that took more or less: they follow what four
 * steps of five take, and a step in which something else was done does not count for more than another.
 */
const FIRST_TEST_MS = 0.01;
const DEARER = 1.25;
const CHEAPER = 0.945;

export class StepLevels {
  /** May change between steps. */
  limits: Limits;
  #last: ReadonlyMap<object, Demand> = new Map();
  #now = new Map<object, Demand>();
  /** The factor of this step, and what the last one reached; tests of this step, those made. */
  #limit = 1;
  #reached = 1;
  #tests = Infinity;
  #spent = 0;
  /** Tests set aside for needs and for detail. */
  #needs = 0;
  #detail = 0;
  /** Searches planned for each pair. */
  #looks = 1;
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
      this.#testMs *= this.#ms > this.#testMs * this.#spent ? DEARER : CHEAPER;
    if (this.#now.size > 0) {
      this.#reached = this.report()?.reached ?? this.#reached;
      this.#take();
    }
    this.#spent = 0;
    this.#ms = 0;
    this.#tests = AIM * Math.min(tests, time ? time.ms / this.#testMs : Infinity);
    this.plan(1);
  }

  /** Tells that so many searches of each pair are to come, as far as anybody knows. */
  plan(looks: number): void {
    if (!this.isLimited) return;
    let made = 0;
    for (const demand of this.#now.values()) made = Math.max(made, demand.looks);
    this.#looks = made + looks;
    this.#needs = 0;
    for (const demand of this.#now.values()) this.#needs += this.#openNeed(demand, demand.perLook);
    for (const [pair, { perLook }] of this.#last)
      if (!this.#now.has(pair)) this.#needs += this.#openNeed(undefined, perLook);
    const left = this.#tests - this.#spent - this.#needs;
    this.#limit = Math.max(1, this.#limitFor(left, looks), FALL * this.#reached);
    this.#detail = looks * this.#detailOf(this.#limit);
  }

  /** For the next search of a pair. */
  allot(pair: object): Allotment | undefined {
    if (!this.isLimited) return undefined;
    const before = this.#last.get(pair);
    const now = this.#now.get(pair);
    const looks = now?.looks ?? 0;
    const expected = before ? costAt(before.costs, this.#limit) : 0;
    if (before && before.looks > 0 && looks < this.#looks) this.#detail -= expected;
    if (now) this.#needMore(now, now.needed / Math.max(1, looks));
    const own = this.#openNeed(now, now?.perLook ?? before?.perLook ?? 0);
    const others = this.#spent + this.#needs - own + this.#detail;
    const most = (coarsest: number): number => {
      const least = (Math.max(1, this.#looks - looks) + 1) * LEAST_NEED * coarsest;
      const left = this.#tests - others - Math.max(own, least);
      return Math.max(0, Math.floor(Math.min(left, Math.max(MUCH_MORE * expected, FOR_NEW * left))));
    };
    return { limit: this.#limit, most, costs: new Float64Array(RATIOS).fill(Number.NaN) };
  }

  /** Tests that a guard of a pair may take: what is set aside neither for others nor for its own planned searches. */
  leftFor(pair: object): number {
    if (!this.isLimited) return Infinity;
    const { looks, needed, perLook } = this.#demandOf(pair);
    const own = this.#openNeed({ needed }, perLook) - Math.max(0, this.#looks - looks) * perLook;
    return this.#tests - this.#spent - this.#detail - this.#needs + Math.max(0, own);
  }

  /** Notes a search. */
  searched(pair: object, found: LevelsFound, work: SearchWork, costs?: Float64Array): void {
    const { walked, coarsest, beyond } = work;
    const demand = this.#demandOf(pair);
    this.#needMore(demand, LEAST_NEED * coarsest);
    demand.looks++;
    demand.found = found;
    if (costs) demand.costs.set(extrapolated(costs, walked).map((cost) => Math.max(0, cost - coarsest)));
    this.#spent += walked - coarsest;
    this.#need(demand, coarsest + beyond);
  }

  /** Notes tests of a guard. */
  guarded(pair: object, tests: number): void {
    this.#need(this.#demandOf(pair), tests);
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
      needed: Array.from(this.#now.values()).reduce((sum, { needed }) => sum + needed, 0),
      patches: all.reduce((sum, { patches }) => sum + patches, 0),
      levels: Array.from(levels, (count) => count ?? 0),
      ...(this.limits.time && { ms: this.#ms }),
    };
  }

  /** Writes what the next steps depend on; each pair then says which of it is its own. */
  save(out: StateWriter): void {
    for (const number of [this.#limit, this.#reached, this.#spent, this.#ms, this.#testMs])
      out.number(number);
    for (const demands of [this.#last, this.#now]) {
      out.number(demands.size);
      for (const { looks, needed, perLook, costs, found } of demands.values()) {
        for (const number of [looks, needed, perLook]) out.number(number);
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
    this.#reached = from.number();
    this.#spent = from.number();
    this.#ms = from.number();
    this.#testMs = from.number();
    const [last, now] = [0, 1].map(() => {
      const demands = Array.from({ length: from.number() }, (): Demand => {
        const [looks, needed, perLook] = [from.number(), from.number(), from.number()];
        const costs = from.doubles();
        const isFound = from.flag();
        const [reached, error, patches] = [from.number(), from.number(), from.number()];
        const found = { reached, error, patches, levels: Array.from(from.doubles()) };
        return { looks, needed, perLook, costs, found: isFound ? found : undefined };
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

  /** Makes the step that is over the last one. */
  #take(): void {
    const last = new Map<object, Demand>();
    for (const [pair, demand] of this.#now) {
      const { needed, looks, perLook } = demand;
      last.set(pair, { ...demand, perLook: Math.max(needed / Math.max(1, looks), STILL_NEEDED * perLook) });
    }
    for (const [pair, demand] of this.#last) {
      const perLook = FORGOTTEN * demand.perLook;
      if (!last.has(pair) && perLook >= 1) last.set(pair, { ...demand, looks: 0, needed: 0, perLook });
    }
    this.#last = last;
    this.#now = new Map();
  }

  #demandOf(pair: object): Demand {
    let demand = this.#now.get(pair);
    if (!demand) {
      const { perLook = 0, costs = new Float64Array(RATIOS) } = this.#last.get(pair) ?? {};
      demand = { looks: 0, needed: 0, perLook, costs: costs.slice(), found: undefined };
      this.#now.set(pair, demand);
    }
    return demand;
  }

  /** What a pair will still need: for the planned searches, and one more if a motion is cut short. */
  #openNeed({ needed }: Pick<Demand, 'needed'> = { needed: 0 }, perLook: number): number {
    return Math.max(0, (this.#looks + 1) * perLook - needed);
  }

  /** Expects a pair to need so much in each search. */
  #needMore(demand: Demand, perLook: number): void {
    this.#needs -= this.#openNeed(demand, demand.perLook);
    demand.perLook = Math.max(demand.perLook, perLook);
    this.#needs += this.#openNeed(demand, demand.perLook);
  }

  #need(demand: Demand, tests: number): void {
    this.#needs -= this.#openNeed(demand, demand.perLook);
    demand.needed += tests;
    this.#needs += this.#openNeed(demand, demand.perLook);
    this.#spent += tests;
  }

  /** Tests for detail if each pair of the last step is searched once. */
  #detailOf(limit: number): number {
    let sum = 0;
    for (const { looks, costs } of this.#last.values()) if (looks > 0) sum += costAt(costs, limit);
    return sum;
  }

  /** The least factor for which so many tests suffice, by the last step. */
  #limitFor(tests: number, looks: number): number {
    const expected = (ratio: number) => looks * this.#detailOf(ratio);
    let high = 0;
    while (high < RATIOS - 1 && expected(2 ** high) > tests) high++;
    if (high === 0) return 1;
    const [few, many] = [expected(2 ** high), expected(2 ** (high - 1))];
    return 2 ** (high - Math.min(1, Math.max(0, (tests - few) / (many - few))));
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

// Less detail is no way out where a step needs much: at most 55 % of a budget for detail took levels so coarse
// that more was divided for nearness, and 6 of 4 700 steps exceeded budgets by more than 5 % instead of 3.
