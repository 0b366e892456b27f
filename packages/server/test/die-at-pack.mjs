// Ends the process at once when it starts a thread to pack a certain file: POISON is how its name ends.
import { syncBuiltinESMExports } from 'node:module';
import threads from 'node:worker_threads';

threads.Worker = class extends threads.Worker {
  constructor(script, options) {
    const { paths = [] } = options?.workerData ?? {};
    if (paths.some((path) => path.endsWith(process.env.POISON))) process.kill(process.pid, 'SIGKILL');
    super(script, options);
  }
};
syncBuiltinESMExports();
