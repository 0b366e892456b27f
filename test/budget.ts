/**
 * How much the tests try. vitest.config.ts sets the budget: `fast` for the inner loop (`npm run test:fast`), `full` for
 * everything that is to hold (`npm test`), `long` for what takes minutes on its own (`npm test -- --mode long`). When
 * `npm test` runs everything, unit tests have `full` in one file of three, by turns, and `sample` in the others: the
 * runs and sizes of `fast`, but every test.
 */
import { test } from 'vitest';

const budget = process.env['IMPINGE_TEST_BUDGET'] ?? 'full';

/** True where only the inner loop is run, which leaves out some tests. */
export const INNER_LOOP = budget === 'fast';

/** A test that takes too long for the inner loop, and is in every full run. */
export const full = test.skipIf(INNER_LOOP);

/** True where inputs are few and small. */
export const FAST = INNER_LOOP || budget === 'sample';

/** True where minutes do not matter. */
export const LONG = budget === 'long';

const FAST_SHARE = 0.05;
const FAST_LEAST = 2;
const SOME = 8;

/** How much a search must have found to be one; few inputs are too little to ask for any. */
export function least(whole: number): number {
  return FAST ? Number.NEGATIVE_INFINITY : whole;
}

/** Of a matrix of rows all, or some from all over it; others for another `turn`. */
export function some<T>(rows: readonly T[], turn = 0): T[] {
  return rows.filter((_, i) => !FAST || i % SOME === turn % SOME);
}

/** Of a few rows all, or each n-th. */
export function every<T>(rows: readonly T[], n: number): T[] {
  return rows.filter((_, i) => !FAST || i % n === 0);
}

/** Which day it is, 0 to 5, in a run of everything. */
const rotation = process.env['IMPINGE_TEST_ROTATION'] ?? '';

/** Of ways that differ little all, or, in a run of everything, the one whose day it is. */
export function turn<T>(ways: readonly T[]): T[] {
  return rotation === '' ? [...ways] : ways.slice(Number(rotation) % ways.length).slice(0, 1);
}

/** Of many cases all, or, in a run of everything, the third whose day it is. */
export function third<T>(cases: readonly T[]): T[] {
  return cases.filter((_, i) => rotation === '' || i % 3 === Number(rotation) % 3);
}

/**
 * From one place to the next in what may be tried at every place, and is in a run of its own. No multiple of small
 * patterns.
 */
export const stride = FAST ? 17 : rotation === '' ? 1 : 7;

/** How often to try what the whole run tries `whole` times. Generators give the same first cases in both. */
export function runs(whole: number): number {
  return FAST ? Math.min(whole, Math.max(FAST_LEAST, Math.ceil(FAST_SHARE * whole))) : whole;
}
