/** What queries took, added up. */
import type { QueryStats } from './context.js';

export type StatsSum = Record<keyof QueryStats, number>;

export function noStats(): StatsSum {
  return { volumeTests: 0, triangleTests: 0, exactTests: 0, adaptiveTests: 0 };
}

export function addStats(sum: StatsSum, own: QueryStats): void {
  sum.volumeTests += own.volumeTests;
  sum.triangleTests += own.triangleTests;
  sum.exactTests += own.exactTests;
  sum.adaptiveTests += own.adaptiveTests;
}
