/** The thread that plans a check: asks which candidates are done, replies with the plan, and ends. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type PlannedCheck, planModel } from '../check/planning.js';
import type { PlanWorkerReply, PlanWorkerStart } from './check-messages.js';
import { sentError } from './sent-error.js';
import { openSharedStore } from './shared-store.js';

const { store, question } = workerData as PlanWorkerStart;
const port = parentPort!;

/** Every array once, so that nothing is copied. */
function buffersOf({ candidates, tasks, alone }: PlannedCheck): ArrayBuffer[] {
  const arrays = [...tasks, ...alone].flatMap(({ pairs, pieces }) => [
    ...[pairs, pieces.first, pieces.pieces, pieces.nearCount],
  ]);
  return [
    ...new Set(
      [candidates.triples, candidates.excluded, ...arrays].map(({ buffer }) => buffer as ArrayBuffer),
    ),
  ];
}

async function plan(): Promise<PlannedCheck> {
  const model = await openSharedStore(store);
  try {
    return await planModel(model, question, async (candidates) => {
      port.postMessage({ candidates } satisfies PlanWorkerReply);
      const [done] = await once(port, 'message');
      return done as Uint8Array | undefined;
    });
  } finally {
    await model.dispose();
  }
}

try {
  const planned = await plan();
  port.postMessage({ planned } satisfies PlanWorkerReply, buffersOf(planned));
} catch (error) {
  port.postMessage({ error: sentError(error) } satisfies PlanWorkerReply);
}
port.close();
