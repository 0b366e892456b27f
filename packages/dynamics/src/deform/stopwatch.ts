/** Times of the stages of a step, by the caller's clock if there is one. */
import type { DeformStats, StageTimes } from './types.js';

export class Stopwatch {
  readonly #now: (() => number) | undefined;
  readonly #times = { sweep: 0, grid: 0, primitives: 0, elements: 0, exact: 0, sort: 0 };
  #last: number;

  constructor(now: (() => number) | undefined) {
    this.#now = now;
    this.#last = now?.() ?? 0;
  }

  /** Gives a stage the time since the last lap. */
  lap(stage: keyof StageTimes): void {
    if (!this.#now) return;
    const time = this.#now();
    this.#times[stage] += time - this.#last;
    this.#last = time;
  }

  /** The statistics, with times if they were taken. */
  stamp(stats: DeformStats): DeformStats {
    return this.#now ? { ...stats, ms: { ...this.#times } } : stats;
  }
}
