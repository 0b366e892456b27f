/** A thread of a check: does the tasks it is sent, one after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { PairRunner } from '../query/check/pair-runner.js';
import { checkedModel } from '../store/open.js';
import {
  type CheckWorkerOrder,
  type CheckWorkerReply,
  type CheckWorkerStart,
  sentError,
} from './check-messages.js';
import { FileSource } from './files.js';

const { path, directoryBytes, job } = workerData as CheckWorkerStart;

async function start(): Promise<PairRunner> {
  return new PairRunner(checkedModel(await FileSource.open(path), directoryBytes), job.rules, job.memory);
}

const runner = start();

const reply = (message: CheckWorkerReply) => parentPort!.postMessage(message);

parentPort!.on('message', async (order: CheckWorkerOrder) => {
  try {
    if (order === 'divide') return reply({ givenFrom: (await runner).divide() });
    await (await runner).run(order, (part) => reply({ part }));
    reply({ done: true });
  } catch (error) {
    reply({ error: sentError(error) });
  }
});
