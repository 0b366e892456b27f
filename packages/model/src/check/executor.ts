/** Who does the work of a check: the calling thread, or several. */
import type { AbortSignalLike } from 'impinge/internal/base/platform-types.js';
import type { WorkerPool } from 'impinge/internal/kernel/worker-pool.js';
import type { StoredModel } from '../store/model.js';
import type { Candidates } from './candidates.js';
import { PairRunner } from './pair-runner.js';
import { type CheckQuestion, type DoneAmong, type PlannedCheck, planModel } from './planning.js';
import type { CheckJob, CheckTask, CheckTaskPart } from './task.js';

/** Threads that have the model open, or others that are asked from here. */
export interface CheckWorkers {
  /** Tasks that are under way at the same time, where that is not the number of workers that was asked for. */
  readonly atOnce?: number;
  /** Has a worker do a task, one at a time; what it finds comes part by part, in order. */
  run(worker: number, task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void>;
  /**
   * Has a worker give up half of what it has left of its task: the pairs from the number on that is returned. It says
   * so before the end of `run`. Undefined where it has too little left. Not there where nobody gives anything up.
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

/** Who runs a check that was given this pool. */
export function executorOf(pool: WorkerPool | undefined): CheckExecutor {
  const executor = pool && (pool as Partial<CheckPool>).executor;
  return executor && executor.size > 0 ? executor : CALLER_ONLY;
}

/** Total triangles that are measured faster than a thread starts. */
const FEW_TRIANGLES = 2_000;

/** Who measures these candidates: the calling thread where they are few. */
export function executorFor(
  executor: CheckExecutor,
  model: StoredModel,
  { triples }: Candidates,
): CheckExecutor {
  let left = FEW_TRIANGLES;
  for (let i = 0; i < triples.length && left >= 0; i += 3) {
    left -= model.trianglesOf(triples[i]) + model.trianglesOf(triples[i + 1]);
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
