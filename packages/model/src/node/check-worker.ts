/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { mainKernels } from 'impinge/internal/kernel/kernels.generated.js';
import { pairKernels } from 'impinge/internal/query/pair/kernels.generated.js';
import { solidKernels } from 'impinge/internal/query/solid/kernels.generated.js';
import { PairRunner } from '../check/pair-runner.js';
import type { StoredModel } from '../store/model.js';
import type { CheckWorkerOrder, CheckWorkerReply, CheckWorkerStart } from './check-messages.js';
import { sentError } from './sent-error.js';
import { openSharedStore, type SharedStore } from './shared-store.js';

const { store } = workerData as CheckWorkerStart;

async function open(): Promise<StoredModel> {
  await Promise.all([mainKernels, pairKernels, solidKernels].map((kernels) => kernels.prepare()));
  return openSharedStore(store);
}

let model = open();
model.catch(() => {}); // reported when there is a task
let runner: Promise<PairRunner> | undefined;

/** Lets go of the model before. */
async function turnTo(
  next: SharedStore,
  before: Promise<StoredModel>,
  measured: Promise<PairRunner> | undefined,
): Promise<StoredModel> {
  const forget = () => {}; // its error has been reported already
  await measured?.then((one) => one.dispose(), forget);
  await before.then((one) => one.dispose(), forget);
  return openSharedStore(next);
}

const reply = (message: CheckWorkerReply) => parentPort!.postMessage(message);

parentPort!.on('message', async (order: CheckWorkerOrder) => {
  try {
    if (order === 'divide') return reply({ givenFrom: (await runner!).divide() });
    if ('job' in order) {
      const { rules, memory } = order.job;
      if (order.store) model = turnTo(order.store, model, runner);
      runner = model.then((opened) => new PairRunner(opened, rules, memory));
      return runner.catch(() => {});
    }
    await (await runner!).run(order, (part) => reply({ part }));
    reply({ done: true });
  } catch (error) {
    reply({ error: sentError(error) });
  }
});
