/** The planners by name. */
import { ConnectTrees } from './connect-trees.js';
import type { MakePlanner } from './planner.js';

export const PLANNERS = {
  connect: (space, start, goals, random) => new ConnectTrees(space, start, goals, random),
} satisfies Record<string, MakePlanner>;

export type PlannerName = keyof typeof PLANNERS;
