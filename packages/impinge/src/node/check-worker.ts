/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { mainKernels } from '../kernel/kernel.js';
import { PairRunner } from '../query/check/pair-runner.js';
import { solidKernels } from '../query/solid/solid-kernel.js';
import type { StoredModel } from '../store/model.js';
import type { CheckWorkerOrder, CheckWorkerReply, CheckWorkerStart } from './check-messages.js';
import { sentError } from './sent-error.js';
import { openSharedStore } from './shared-store.js';

const { store } = workerData as CheckWorkerStart;

async function open(): Promise<StoredModel> {
  await Promise.all([mainKernels.prepare(), solidKernels.prepare()]);
  return openSharedStore(store);
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
