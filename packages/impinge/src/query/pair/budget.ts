/** What a question may cost: it is answered as well as that allows. */
import { readFunction, readInteger, readKnown, readPositive } from '../../base/options.js';

/** Limits that stop a question before everything is as fine as requested. */
export interface Budget {
  /** Pairs of volumes and of triangles compared, at most. */
  readonly tests?: number;
  /** Milliseconds at most, by the clock given, or `performance.now`. */
  readonly ms?: number;
  readonly now?: () => number;
}

export interface Limits {
  readonly tests?: number;
  readonly time?: { readonly ms: number; readonly now: () => number };
}

export function readBudget(budget: Budget = {}): Limits {
  const names = { tests: true, ms: true, now: true } as const;
  const { tests, ms, now = () => performance.now() } = readKnown('budget', budget, names);
  return {
    ...(tests !== undefined && { tests: readInteger('budget.tests', tests, 1) }),
    ...(ms !== undefined && {
      time: { ms: readPositive('budget.ms', ms), now: readFunction('budget.now', now) },
    }),
  };
}

/** Tests between looks at the clock: a look takes as long as some of them. */
const LOOK = 16;

/** What is left of a budget. Several walks can share it. */
export class Spending {
  readonly #end: number;
  readonly #now: (() => number) | undefined;
  #testsLeft: number;
  #untilLook = 0;
  #isSpent = false;

  /** Time begins now. */
  constructor({ tests = Infinity, time }: Limits) {
    this.#testsLeft = tests;
    this.#now = time?.now;
    this.#end = time ? time.now() + time.ms : Infinity;
  }

  /** Counts tests that were made. Returns whether nothing is left; what is spent stays so. */
  spend(tests: number): boolean {
    this.#testsLeft -= tests;
    this.#untilLook -= tests;
    if (this.#testsLeft <= 0) this.#isSpent = true;
    if (!this.#isSpent && this.#now && this.#untilLook <= 0) {
      this.#untilLook = LOOK;
      this.#isSpent = this.#now() >= this.#end;
    }
    return this.#isSpent;
  }
}
