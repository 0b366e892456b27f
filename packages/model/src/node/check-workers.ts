/**
 * The threads of a check. Each has its own memory, a share of the cap, and its own view of the file; threads exchange
 * only object numbers and findings.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { CheckExecutor, CheckWorkers } from '../check/executor.js';
import type { CheckJob, CheckTask, CheckTaskPart } from '../check/task.js';
import type { StoredModel } from '../store/model.js';
import type { CheckWorkerOrder, CheckWorkerReply, CheckWorkerStart } from './check-messages.js';
import { isLongPlan, planInThread } from './plan-in-thread.js';
import { receivedError } from './sent-error.js';
import { shareStore } from './shared-store.js';

/** The script of a thread. */
export const CHECK_WORKER = new URL('./check-worker.js', import.meta.url);

/** Threads for checks of stores in files; `dispose()` stops any that are still running. */
export function checkExecutor(size: number): CheckExecutor & { dispose(): Promise<void> } {
  const running = new Set<CheckWorkers>();
  // started while a check of the model is planned, so that they are ready then
  const spare = new Map<StoredModel, CheckThread[]>();
  const endSpare = async (model: StoredModel) => {
    const threads = spare.get(model) ?? [];
    spare.delete(model);
    await Promise.all(threads.map((thread) => thread.end()));
  };
  return {
    size,
    plan: async (model, question, doneAmong, signal) => {
      if (!question.someKnown && isLongPlan(model, question) && !spare.has(model)) {
        spare.set(
          model,
          Array.from({ length: size }, () => startThread(model)),
        );
      }
      try {
        return await planInThread(model, question, doneAmong, signal);
      } catch (error) {
        await endSpare(model);
        throw error;
      }
    },
    start: async (model, job, count) => {
      const ready = spare.get(model)?.splice(0, count) ?? [];
      await endSpare(model);
      const threads = Array.from({ length: count }, (_, i) => ready[i] ?? startThread(model));
      for (const thread of threads) thread.begin({ ...job, memory: job.memory / count });
      const workers: CheckWorkers = {
        run: (worker, task, onPart) => threads[worker].run(task, onPart),
        divide: (worker) => threads[worker].divide(),
        dispose: async () => {
          running.delete(workers);
          await Promise.all(threads.map((thread) => thread.end()));
        },
      };
      running.add(workers);
      return workers;
    },
    dispose: async () => {
      await Promise.all([...running].map((workers) => workers.dispose()));
      await Promise.all([...spare.keys()].map(endSpare));
    },
  };
}

export interface CheckThread {
  /** `model`: where it differs from the initial one. */
  begin(job: CheckJob, model?: StoredModel): void;
  run(task: CheckTask, onPart: (part: CheckTaskPart) => void): Promise<void>;
  divide(): Promise<number | undefined>;
  end(): Promise<unknown>;
}

export function startThread(model: StoredModel): CheckThread {
  const { store, ports } = shareStore(model);
  const start: CheckWorkerStart = { store };
  const worker = new Worker(CHECK_WORKER, {
    workerData: start,
    transferList: ports as MessagePort[],
    // measuring makes much short-lived garbage; a small nursery keeps it from adding up to megabytes
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  worker.unref(); // until there is something to do
  let ended: Error | undefined;
  let waiting: { onPart: (part: CheckTaskPart) => void; resolve: () => void; reject: (error: Error) => void };
  const dividing: ((from: number | undefined) => void)[] = [];
  const fail = (error: Error) => {
    ended ??= error;
    waiting?.reject(error);
    for (const resolve of dividing.splice(0)) resolve(undefined); // run() reports the reason to its caller
  };
  worker.on('message', (reply: CheckWorkerReply) => {
    if ('part' in reply) waiting.onPart(reply.part);
    else if ('givenFrom' in reply) dividing.shift()!(reply.givenFrom);
    else if ('done' in reply) waiting.resolve();
    else waiting.reject(receivedError(reply.error));
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new ImpingeError('aborted', 'a thread of the check has ended')));
  return {
    begin: (job, other) => {
      worker.ref();
      if (!other) return worker.postMessage({ job } satisfies CheckWorkerOrder);
      const { store, ports } = shareStore(other);
      worker.postMessage({ job, store } satisfies CheckWorkerOrder, ports as MessagePort[]);
    },
    run: (task, onPart) =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended);
        waiting = { onPart, resolve, reject };
        worker.postMessage(task satisfies CheckWorkerOrder);
      }),
    divide: () =>
      new Promise((resolve) => {
        if (ended) return resolve(undefined);
        dividing.push(resolve);
        worker.postMessage('divide' satisfies CheckWorkerOrder);
      }),
    end: () => worker.terminate(),
  };
}
