/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { PairRunner } from '../query/check/pair-runner.js';
import type { CheckTask } from '../query/check/task.js';
import { checkedModel } from '../store/open.js';
import { type CheckWorkerReply, type CheckWorkerStart, sentError } from './check-messages.js';
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
    reply({ error: sentError(error) });
  }
});
