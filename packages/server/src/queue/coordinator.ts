/**
 * Runs a check whose tasks are measured by queue workers: submits them and waits for the results. A task that crashed
 * its worker three times is split into its pairs, each of which is attempted as often, so that only single pairs are
 * quarantined and can be named.
 */

import { CommandError } from '@impinge/cli/internal/command-error.js';
import type { QueuedCheck, UnmeasuredPair } from '@impinge/cli/internal/server-package.js';
import type { TaskFindings, TaskSettings } from '@impinge/model/node';
import { HandedOut, type HandedOutOptions } from './handed-out.js';
import {
  hash,
  pairsText,
  type RunDescription,
  readFindings,
  readQuarantine,
  taskName,
} from './job-format.js';

export interface CoordinatorOptions extends HandedOutOptions {
  /** Distinguishes this check from others of the same model and rules; called with the first task. */
  readonly key: () => string;
  readonly store: Pick<RunDescription, 'store' | 'fingerprint' | 'version'>;
}

const NOTHING_READ = {
  ...{ loads: 0, bytesRead: 0, trianglesRead: 0, hits: 0 },
  ...{ waits: 0, readMs: 0, evictions: 0, overflows: 0, peakBytes: 0 },
};

export class Coordinator implements QueuedCheck {
  readonly unmeasured: UnmeasuredPair[] = [];
  readonly #options: CoordinatorOptions;
  readonly #tasks: HandedOut;
  #run: string | undefined;
  #opening: Promise<string> | undefined;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#tasks = new HandedOut(options);
  }

  /** Has a task measured. */
  async measure(triples: Uint32Array, settings: TaskSettings): Promise<TaskFindings> {
    this.#opening ??= this.#open(settings);
    const run = await this.#opening;
    const pairs = pairsText(triples);
    const settled = await this.#tasks.ask({ run, task: taskName(pairs), pairs });
    const count = triples.length / 3;
    if ('result' in settled) return readFindings(settled.result, count);
    const { isRefused, why } = readQuarantine(settled.apart);
    if (isRefused) throw new CommandError(`no worker can take part: ${why}`);
    if (count === 1) {
      this.unmeasured.push({ a: triples[0], b: triples[1], why });
      return { found: [], touches: 0, cache: NOTHING_READ, unmeasured: [0] };
    }
    const single = Array.from({ length: count }, (_, i) =>
      this.measure(triples.slice(3 * i, 3 * i + 3), settings),
    );
    return joined(await Promise.all(single));
  }

  async finish(): Promise<void> {
    if (this.#run !== undefined) await this.#options.table.closeRun(this.#run);
  }

  close(): Promise<void> {
    return this.#tasks.close();
  }

  async #open({ rules, memory }: TaskSettings): Promise<string> {
    const { key, store, table } = this.#options;
    const description = JSON.stringify({ ...store, rules, memory } satisfies RunDescription);
    const run = hash(`${key()}\n${description}`);
    await table.openRun(run, description);
    this.#run = run;
    return run;
  }
}

/** Merges the findings of single pairs, in order, into those of one task. */
function joined(single: readonly TaskFindings[]): TaskFindings {
  const cache = { ...NOTHING_READ };
  for (const one of single) {
    for (const name of Object.keys(cache) as (keyof typeof cache)[]) {
      cache[name] =
        name === 'peakBytes' ? Math.max(cache[name], one.cache[name]) : cache[name] + one.cache[name];
    }
  }
  return {
    found: single.flatMap(({ found }, pair) => found.map(({ measure }) => ({ pair, measure }))),
    touches: single.reduce((sum, { touches }) => sum + touches, 0),
    cache,
    unmeasured: single.flatMap(({ unmeasured }, pair) => (unmeasured ? [pair] : [])),
  };
}
