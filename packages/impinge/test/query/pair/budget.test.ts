/** Budgets of tests and of milliseconds, by a clock that the test moves. */
import { describe, expect, test } from 'vitest';
import { type Budget, readBudget, Spending } from '../../../src/query/pair/budget.js';

/** A clock, and how often it was looked at. */
function clock(at = 1000) {
  const state = { at, looks: 0 };
  const now = () => {
    state.looks++;
    return state.at;
  };
  return { state, now };
}

describe('a budget', () => {
  test('of tests is spent with the last of them, whoever makes them', () => {
    const spending = new Spending(readBudget({ tests: 100 }));
    expect([0, 60, 39, 1, 1, 0].map((tests) => spending.spend(tests))).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ]);
  });

  test('of milliseconds is spent when they are over, and stays so', () => {
    const { state, now } = clock();
    const spending = new Spending(readBudget({ ms: 5, now }));
    expect(spending.spend(0)).toBe(false);
    state.at += 4.9;
    expect(spending.spend(1000)).toBe(false);
    state.at += 0.1;
    expect(spending.spend(1000)).toBe(true);
    state.at -= 5; // no clock should
    expect(spending.spend(1000)).toBe(true);
  });

  test('of both is spent with the first', () => {
    const { state, now } = clock();
    expect(new Spending(readBudget({ ms: 5, now, tests: 3 })).spend(3)).toBe(true);
    const spending = new Spending(readBudget({ ms: 5, now, tests: 1e6 }));
    state.at += 6;
    expect(spending.spend(2)).toBe(true);
  });

  test('looks at the clock once in a while, and after every larger number of tests', () => {
    const { state, now } = clock();
    const spending = new Spending(readBudget({ ms: 5, now }));
    for (let tests = 0; tests < 1600; tests++) spending.spend(1);
    expect(state.looks).toBe(1 + 100);
    state.looks = 0;
    for (let walk = 0; walk < 10; walk++) spending.spend(100);
    expect(state.looks).toBe(10);
  });

  test('that is none is never spent, and asks for no clock', () => {
    const { state, now } = clock();
    for (const limits of [readBudget(), readBudget({ now })]) {
      expect(new Spending(limits).spend(Number.MAX_SAFE_INTEGER)).toBe(false);
    }
    expect(state.looks).toBe(0);
  });

  test('goes by performance.now unless told otherwise', () => {
    expect(new Spending(readBudget({ ms: Number.MIN_VALUE })).spend(0)).toBe(true); // too little to add
    expect(new Spending(readBudget({ ms: 1e9 })).spend(0)).toBe(false);
  });

  test.each<[Record<string, unknown>, RegExp]>([
    [{ tests: 0 }, /^budget\.tests must be an integer of at least 1, got 0/],
    [{ tests: 1.5 }, /^budget\.tests must be/],
    [{ ms: 0 }, /^budget\.ms must be a number above 0, got 0/],
    [{ ms: NaN }, /^budget\.ms must be/],
    [{ ms: 1, now: 5 }, /^budget\.now must be a function/],
    [{ time: 1 }, /^budget has no option time/],
  ])('%j is refused', (budget, message) => {
    expect(() => readBudget(budget as Budget)).toThrow(message);
  });
});
