/**
 * Plans in a separate thread. With many objects, planning takes seconds without a pause, while the calling thread has
 * signals and other work to handle; its memory is freed when the thread ends.
 */
import { type MessagePort, Worker } from 'node:worker_threads';
import { ImpingeError } from 'impinge/internal/base/errors.js';
import type { CheckQuestion, DoneAmong, DoneQuestion, PlannedCheck } from '../check/planning.js';
import type { StoredModel } from '../store/model.js';
import type { PlanWorkerReply, PlanWorkerStart } from './check-messages.js';
import { receivedError } from './sent-error.js';
import { shareStore } from './shared-store.js';

/** Boxes, times rules, for which it pays to start a thread. */
const FEW = 2000;

/** Whether planning is slow enough to need a thread. */
export function isLongPlan(model: StoredModel, { rules }: CheckQuestion): boolean {
  return (model.directory.placedBox.length / 6) * (1 + (rules?.length ?? 0)) > FEW;
}

export async function planInThread(
  model: StoredModel,
  question: CheckQuestion,
  doneAmong: DoneAmong,
  signal: AbortSignal | undefined,
): Promise<PlannedCheck> {
  if (!isLongPlan(model, question)) {
    // imported only here: pools also serve callers that never run a check
    const { planModel } = await import('../check/planning.js');
    return planModel(model, question, doneAmong);
  }
  const { store, ports } = shareStore(model);
  const start: PlanWorkerStart = { store, question };
  const worker = new Worker(new URL('./plan-worker.js', import.meta.url), {
    workerData: start,
    transferList: ports as MessagePort[],
    resourceLimits: { maxYoungGenerationSizeMb: 4 },
  });
  const stop = () => worker.terminate();
  signal?.addEventListener('abort', stop);
  try {
    return await new Promise<PlannedCheck>((resolve, reject) => {
      const answer = async (asked: DoneQuestion) => worker.postMessage(await doneAmong(asked));
      worker.on('message', (reply: PlanWorkerReply) => {
        if ('candidates' in reply) answer(reply.candidates).catch(reject);
        else if ('planned' in reply) resolve(reply.planned);
        else reject(receivedError(reply.error));
      });
      worker.on('error', reject);
      worker.on('exit', () => reject(new ImpingeError('aborted', 'the check was stopped')));
    });
  } finally {
    signal?.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
