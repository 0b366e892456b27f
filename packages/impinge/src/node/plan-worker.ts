/** The thread that plans a check: asks what is done of what there is, answers with the plan, and ends. */
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type PlannedCheck, planModel } from '../query/check/planning.js';
import { checkedModel } from '../store/open.js';
import { type PlanWorkerReply, type PlanWorkerStart, sentError } from './check-messages.js';
import { FileSource } from './files.js';

const { path, directoryBytes, question } = workerData as PlanWorkerStart;
const port = parentPort!;

/** Every array once, so that nothing is copied. */
function buffersOf({ candidates, tasks, alone }: PlannedCheck): ArrayBuffer[] {
  const arrays = [...tasks, ...alone].flatMap(({ pairs, pieces }) => [
    ...[pairs, pieces.first, pieces.pieces, pieces.nearCount],
  ]);
  return [...new Set([candidates.triples, ...arrays].map(({ buffer }) => buffer as ArrayBuffer))];
}

async function plan(): Promise<PlannedCheck> {
  const source = await FileSource.open(path);
  try {
    return await planModel(checkedModel(source, directoryBytes), question, async (count) => {
      port.postMessage({ count } satisfies PlanWorkerReply);
      const [done] = await once(port, 'message');
      return done as Uint8Array | undefined;
    });
  } finally {
    await source.dispose();
  }
}

try {
  const planned = await plan();
  port.postMessage({ planned } satisfies PlanWorkerReply, buffersOf(planned));
} catch (error) {
  port.postMessage({ error: sentError(error) } satisfies PlanWorkerReply);
}
port.close();
