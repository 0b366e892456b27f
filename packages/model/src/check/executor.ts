/** Where a check runs: on the calling thread, or on several. */
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { StoredModel } from '../store/model.js';
import { PairRunner } from './pair-runner.js';
import type { PlannedTask } from './plan.js';
import { type CheckQuestion, type DoneAmong, type PlannedCheck, planModel } from './planning.js';
import type { CheckJob, CheckTask, CheckTaskPart } from './task.js';

/** Threads that have the model open, or remote workers. */
export interface CheckWorkers {
  /** Concurrent tasks, if not equal to the requested number of workers. */
  readonly atOnce?: number;
  /** Runs a task on a worker, one at a time; findings arrive part by part, in order. */
  run(worker: number, task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void>;
  /**
   * Makes a worker give up half of the rest of its task: the pairs from the returned number on. It replies before the
   * end of `run`; undefined where too little is left. Absent where workers cannot give up work.
   */
  divide?(worker: number): Promise<number | undefined>;
  dispose(): Promise<void>;
}

export interface CheckExecutor {
  /** Workers at the same time; 0: the check runs on the calling thread. */
  readonly size: number;
  /** Plans a check for `size` workers; a signal ends that. */
  plan(
    model: StoredModel,
    question: CheckQuestion,
    doneAmong: DoneAmong,
    signal: AbortSignalLike | undefined,
  ): Promise<PlannedCheck>;
  /** Starts workers, `size` at most, which share the job's memory. */
  start(model: StoredModel, job: CheckJob, workers: number): Promise<CheckWorkers>;
}

/** A pool that has workers for checks, too. Each has a memory of its own. */
export interface CheckPool extends WorkerPool {
  readonly executor: CheckExecutor;
}

/** The executor of a check with this pool. */
export function executorOf(pool: WorkerPool | undefined): CheckExecutor {
  const executor = pool && (pool as Partial<CheckPool>).executor;
  return executor && executor.size > 0 ? executor : CALLER_ONLY;
}

/** Total triangles that are measured faster than a thread starts. */
const FEW_TRIANGLES = 2_000;

/** The executor for these pairs of candidates: the calling thread where they are few. */
export function executorFor(
  executor: CheckExecutor,
  model: StoredModel,
  triples: Uint32Array,
  tasks: readonly PlannedTask[],
): CheckExecutor {
  let left = FEW_TRIANGLES;
  for (const { pairs } of tasks) {
    for (let i = 0; i < pairs.length && left >= 0; i++) {
      const [a, b] = triples.subarray(3 * pairs[i], 3 * pairs[i] + 2);
      left -= model.trianglesOf(a) + model.trianglesOf(b);
    }
  }
  return left >= 0 ? CALLER_ONLY : executor;
}

/** The calling thread; it yields to the event loop between pairs. */
export const CALLER_ONLY: CheckExecutor = {
  size: 1,
  plan: planModel,
  start: async (model, job) => {
    const runner = new PairRunner(model, job.rules, job.memory);
    return {
      run: (_, task, onPart) => runner.run(task, onPart),
      divide: async () => runner.divide(),
      dispose: () => runner.dispose(),
    };
  },
};
