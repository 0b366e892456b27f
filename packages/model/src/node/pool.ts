/** Threads for models. */
import { availableParallelism } from 'node:os';
import { ASYNC_DISPOSE } from 'impinge/internal/base/dispose.js';
import { nodePool } from 'impinge/internal/node.js';
import type { CheckPool } from '../check/executor.js';
import type { LevelsPool } from '../levels/group-task.js';
import { checkExecutor } from './check-workers.js';
import { LevelsThreads } from './levels-workers.js';

/**
 * A pool of `size` worker threads (default: one per core) for checks and levels, and for everything `nodePool` serves.
 * Threads start when first needed. Idle ones do not keep the process alive; `dispose()` ends them.
 */
export function modelPool(size: number = availableParallelism()): CheckPool & LevelsPool {
  const kernels = nodePool(size);
  const executor = checkExecutor(size);
  const levels = new LevelsThreads(size);
  const dispose = async () => {
    await Promise.all([kernels.dispose(), executor.dispose(), levels.dispose()]);
  };
  const simplify: LevelsPool['simplify'] = (task) => levels.simplify(task);
  return { ...kernels, executor, simplify, dispose, [ASYNC_DISPOSE]: dispose };
}
