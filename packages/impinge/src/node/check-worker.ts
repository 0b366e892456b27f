/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { ImpingeError } from '../base/errors.js';
import { PairRunner } from '../query/check/pair-runner.js';
import type { CheckTask } from '../query/check/task.js';
import { checkedModel } from '../store/open.js';
import type { CheckWorkerReply, CheckWorkerStart } from './check-messages.js';
import { FileSource } from './files.js';

const { path, directoryBytes, job } = workerData as CheckWorkerStart;

async function start(): Promise<PairRunner> {
  return new PairRunner(checkedModel(await FileSource.open(path), directoryBytes), job.rules, job.memory);
}

const runner = start();

const reply = (message: CheckWorkerReply) => parentPort!.postMessage(message);

parentPort!.on('message', async (task: CheckTask) => {
  try {
    await (await runner).run(task, (part) => reply({ part }));
    reply({ done: true });
  } catch (error) {
    const code = error instanceof ImpingeError ? error.code : '';
    reply({ error: { code, message: (error as Error).message } });
  }
});
