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

port.on('message', async (subject: Subject) => {
  try {
    const picture = await (await painter).picture(subject);
    port.postMessage({ picture } satisfies PainterReply);
  } catch (error) {
    port.postMessage({ error: sentError(error) } satisfies PainterReply);
  }
});
