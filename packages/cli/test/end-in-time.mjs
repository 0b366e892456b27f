// Preloaded by tests: sends this process the signal SIGNAL again and again.
import { isMainThread } from 'node:worker_threads';

if (isMainThread) setInterval(() => process.kill(process.pid, process.env.SIGNAL), 5).unref();
