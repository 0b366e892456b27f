/** A thread of `PainterThreads`: makes one picture or model after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openSharedStore } from '@impinge/model/node';
import { sentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import {
  begins,
  type PainterOrders,
  type PainterReply,
  type PainterStart,
  type PainterWork,
} from './painter-threads.js';
import { Scenery } from './scenery.js';

const { store, model } = workerData as PainterStart;
const port = parentPort!;
const painter = openSharedStore(store).then((opened) => new PainterHere(model, new Scenery(opened)));

painter.catch(() => {}); // reported with the first item

/** Sequential, since all use the same layers. */
let drawn: Promise<void> = Promise.resolve();

async function make(work: PainterWork, order: number): Promise<void> {
  try {
    const here = await painter;
    const made = 'subject' in work ? await here.picture(work.subject) : await here.model(work.clash);
    port.postMessage({ order, made } satisfies PainterReply);
  } catch (error) {
    port.postMessage({ order, error: sentError(error) } satisfies PainterReply);
  }
}

port.on('message', ({ works, begun, first }: PainterOrders) => {
  drawn = drawn.then(async () => {
    for (const [i, work] of works.entries()) if (begins(begun, i)) await make(work, first + i);
  });
});
