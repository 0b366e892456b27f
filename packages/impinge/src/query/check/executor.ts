/** Who does the work of a check: the calling thread, or several. */
import type { StoredModel } from '../../store/model.js';
import { PairRunner } from './pair-runner.js';
import type { CheckJob, CheckTask, CheckTaskPart } from './task.js';

/** Threads that have the model open. */
export interface CheckWorkers {
  /** Has a worker do a task, one at a time; what it finds comes part by part, in order. */
  run(worker: number, task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void>;
  end(): Promise<void>;
}

export interface CheckExecutor {
  /** Workers that are busy at the same time. */
  readonly size: number;
  start(model: StoredModel, job: CheckJob): Promise<CheckWorkers>;
}

/** The calling thread; it yields to the event loop between pairs. */
export const CALLER_ONLY: CheckExecutor = {
  size: 1,
  start: async (model, job) => {
    const runner = new PairRunner(model, job.rules, job.memory);
    return { run: (_, task, onPart) => runner.run(task, onPart), end: () => runner.dispose() };
  },
};
