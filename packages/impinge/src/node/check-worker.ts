/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { mainKernels } from '../kernel/kernel.js';
import { PairRunner } from '../query/check/pair-runner.js';
import { solidKernels } from '../query/solid/solid-kernel.js';
import type { StoredModel } from '../store/model.js';
import { checkedModel } from '../store/open.js';
import {
  type CheckWorkerOrder,
  type CheckWorkerReply,
  type CheckWorkerStart,
  sentError,
} from './check-messages.js';
import { FileSource } from './files.js';

const { path, directoryBytes } = workerData as CheckWorkerStart;

async function open(): Promise<StoredModel> {
  const source = await FileSource.open(path);
  await Promise.all([mainKernels.prepare(), solidKernels.prepare()]);
  return checkedModel(source, directoryBytes);
}

const model = open();
model.catch(() => {}); // told when there is something to do
let runner: Promise<PairRunner> | undefined;

const reply = (message: CheckWorkerReply) => parentPort!.postMessage(message);

parentPort!.on('message', async (order: CheckWorkerOrder) => {
  try {
    if (order === 'divide') return reply({ givenFrom: (await runner!).divide() });
    if ('job' in order) {
      const { rules, memory } = order.job;
      runner = model.then((opened) => new PairRunner(opened, rules, memory));
      return runner.catch(() => {});
    }
    await (await runner!).run(order, (part) => reply({ part }));
    reply({ done: true });
  } catch (error) {
    reply({ error: sentError(error) });
  }
});
