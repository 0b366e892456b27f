/** A thread of `PainterThreads`: draws one picture after the other. */
import { parentPort, workerData } from 'node:worker_threads';
import { openStoreFile } from 'impinge/node';
import { sentError } from '../jobs/pack-messages.js';
import { PainterHere } from './painter.js';
import type { PainterReply, PainterStart } from './painter-threads.js';
import type { Subject } from './picture.js';
import { Scenery } from './scenery.js';

const { store, model } = workerData as PainterStart;
const port = parentPort!;
const painter = openStoreFile(store).then((opened) => new PainterHere(model, new Scenery(opened)));

painter.catch(() => {}); // told when there is something to draw

/** One after the other: they are drawn on the same layers. */
let drawn: Promise<void> = Promise.resolve();

async function reply(subject: Subject): Promise<void> {
  try {
    port.postMessage({ picture: await (await painter).picture(subject) } satisfies PainterReply);
  } catch (error) {
    port.postMessage({ error: sentError(error) } satisfies PainterReply);
  }
}

port.on('message', (subject: Subject) => {
  drawn = drawn.then(() => reply(subject));
});
