/** What a question may cost: it is answered as well as that allows. */
import { readFunction, readInteger, readKnown, readPositive } from '../../base/options.js';

/** Limits that stop a question before everything is as fine as requested. */
export interface Budget {
  /** Pairs of volumes compared, at most. */
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
