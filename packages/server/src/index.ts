/** The interface of this package to the command. */
import type { ServerPackage } from '@impinge/cli/internal/server-package.js';
import { addServeOptions } from './command-line/serve.js';
import { addWorkerOptions } from './command-line/worker.js';
import { queueAddress } from './queue/backends.js';
import { idleNote } from './queue/queue-address.js';

export const { addServe, addWorker, queueAt }: ServerPackage = {
  addServe: addServeOptions,
  addWorker: addWorkerOptions,
  queueAt(url) {
    const address = queueAddress(url);
    return {
      idleNote: idleNote(address),
      lead: async (model, path, options) =>
        (await import('./queue/queued-check.js')).openCoordinator(address, model, path, options),
      pack: async (requests, options) =>
        (await import('./queue/queued-packing.js')).packOnQueue(address, requests, options),
    };
  },
};
