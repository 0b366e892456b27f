// Preloaded by tests: sends the process a signal when a certain thread has begun to run, whatever the speed of the
// machine. INTERRUPT='SIGINT plan-worker.js'. THREADS_FILE gets a line with the name of every thread that is started.
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import threads from 'node:worker_threads';

const [signal, script] = process.env.INTERRUPT.split(' ');

threads.Worker = class extends threads.Worker {
  constructor(file, options) {
    super(file, options);
    const name = basename(String(file));
    appendFileSync(process.env.THREADS_FILE, `${name}\n`);
    if (name === script) this.once('online', () => process.kill(process.pid, signal));
  }
};
syncBuiltinESMExports();
