// Kills the process when it starts a thread to pack a file whose name ends with POISON.
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
