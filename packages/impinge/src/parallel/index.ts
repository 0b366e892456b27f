/** The long jobs on several threads: building trees, reporting all pairs. */
export { buildHierarchyParallel } from './build-parallel.js';
export {
  collideParallel,
  type ParallelOptions,
  selfIntersectParallel,
  withinParallel,
} from './query-parallel.js';
export type { WorkerPool } from './worker-pool.js';
