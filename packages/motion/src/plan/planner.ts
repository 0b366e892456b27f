/** What planners have in common. */
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { State, StateSpace } from './state-space.js';

/** A search that goes on for as long as it is asked to. */
export interface Planner {
  /** States kept so far. */
  readonly nodes: number;
  /** Whether there is nothing left to look at. */
  readonly isExhausted?: boolean;
  /** Goes on for a moment; a path, once there is one, whose motions look free. */
  step(): Candidate | undefined;
}

export interface Candidate {
  readonly states: readonly State[];
  /** Says that a motion, counted from 0, is not free: the search goes on without it. */
  refuse(motion: number): void;
}

export type MakePlanner = (
  space: StateSpace,
  start: State,
  goals: readonly State[],
  random: SeededRandom,
) => Planner;
