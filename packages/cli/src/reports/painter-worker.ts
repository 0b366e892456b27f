/** A thread of `PainterThreads`: makes one picture or model after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStoreFile } from 'impinge/node';
import { sentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import type { PainterReply, PainterStart, PainterWork } from './painter-threads.js';
import { Scenery } from './scenery.js';

const { store, model } = workerData as PainterStart;
const port = parentPort!;
const painter = openStoreFile(store).then((opened) => new PainterHere(model, new Scenery(opened)));

painter.catch(() => {}); // told when there is something to draw

/** One after the other: they are drawn on the same layers. */
let drawn: Promise<void> = Promise.resolve();

async function reply(work: PainterWork): Promise<void> {
  try {
    const here = await painter;
    const made = 'subject' in work ? await here.picture(work.subject) : await here.model(work.clash);
    port.postMessage({ made } satisfies PainterReply);
  } catch (error) {
    port.postMessage({ error: sentError(error) } satisfies PainterReply);
  }
}

port.on('message', (work: PainterWork) => {
  drawn = drawn.then(() => reply(work));
});
