/** A queue worker on this machine, so that there is always one. If it ends, it is restarted with increasing delays. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseMemory } from '@impinge/cli/internal/quantities.js';
import { type CheckProcess, startCheckProcess } from './check-process.js';
import type { Log } from './log.js';
import type { ServiceSettings } from './settings.js';

const RESTART_MS = 1000;
const RESTART_MS_MAX = 60_000;
/** After this time without a crash, the restart delay is reset. */
const STEADY_MS = 60_000;

export class LocalWorker {
  readonly #controller = new AbortController();
  readonly #over: Promise<void>;
  #process: CheckProcess | undefined;

  constructor(queue: string, settings: ServiceSettings, log: Log) {
    this.#over = this.#keep(queue, settings, log);
  }

  async stop(): Promise<void> {
    this.#controller.abort();
    this.#process?.stop('the service is stopping');
    await this.#over;
  }

  async #keep(queue: string, { workers, concurrency, memory }: ServiceSettings, log: Log): Promise<void> {
    const { signal } = this.#controller;
    const threads = workers * concurrency;
    const bytes = String(threads * parseMemory(memory));
    const args = ['worker', '--threads', String(threads), '--memory', bytes];
    for (let restartMs = RESTART_MS; !signal.aborted; restartMs = Math.min(2 * restartMs, RESTART_MS_MAX)) {
      const began = performance.now();
      this.#process = startCheckProcess(args, { queue }, () => {});
      const { code, errors, broken } = await this.#process.ended;
      if (signal.aborted) return;
      if (performance.now() - began > STEADY_MS) restartMs = RESTART_MS;
      log.error('worker-ended', { code, error: broken ?? errors.at(-1), restartMs: restartMs / 1000 });
      await delay(restartMs, undefined, { signal }).catch(() => {});
    }
  }
}
