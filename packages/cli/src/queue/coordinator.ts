/**
 * Leads a check whose groups are measured by workers elsewhere: hands them to the queue, and waits until each has a result.
 *
 * Idea: only results count. A group that has none, and of which the queue does not know any more, is handed out again,
 * whatever became of it. One that has ended its worker three times is cut into its pairs, each of which is tried as often:
 * what is set apart in the end is a pair, and it has a name.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { GroupFindings, GroupSettings } from 'impinge/node';
import { CommandError } from '../command-error.js';
import type { Broker } from './broker.js';
import {
  groupName,
  hash,
  type PairJob,
  pairsText,
  type RunDescription,
  readApart,
  readFindings,
} from './job-format.js';
import type { ResultTable, Settled } from './result-table.js';

/** A pair that nobody could measure. */
export interface UnmeasuredPair {
  readonly a: number;
  readonly b: number;
  readonly why: string;
}

export interface CoordinatorOptions {
  readonly broker: Broker;
  readonly table: ResultTable;
  /** What tells this check from others of the same model and rules; asked for when the first group is. */
  readonly key: () => string;
  readonly store: Pick<RunDescription, 'store' | 'fingerprint' | 'version'>;
  /** Called once, where nobody seems to be working. */
  readonly onIdle: () => void;
  /** Milliseconds between two looks at what the queue knows. */
  readonly auditEveryMs?: number;
}

const AUDIT_EVERY_MS = 5000;
/** Looks at the queue that find nobody working, until somebody is told. */
const IDLE_AUDITS = 3;
const SHORTEST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 160;

const NOTHING_READ = {
  ...{ loads: 0, bytesRead: 0, trianglesRead: 0, hits: 0 },
  ...{ waits: 0, evictions: 0, overflows: 0, peakBytes: 0 },
};

interface Asked {
  readonly job: PairJob;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
  /** Whether it had no result when results were looked for last. */
  isOpen: boolean;
  /** Whether it was handed out, and when. */
  handedOutAt: number | undefined;
}

export class Coordinator {
  /** Pairs that were set apart. */
  readonly unmeasured: UnmeasuredPair[] = [];
  readonly #options: CoordinatorOptions;
  readonly #asked = new Map<string, Asked>();
  #run: string | undefined;
  #opening: Promise<string> | undefined;
  #following: Promise<void> | undefined;
  #ended: { readonly error: unknown } | undefined;
  #idleAudits = 0;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
  }

  /** Has a group measured. */
  async measure(triples: Uint32Array, settings: GroupSettings): Promise<GroupFindings> {
    this.#opening ??= this.#open(settings);
    const run = await this.#opening;
    const settled = await this.#ask(run, triples);
    const count = triples.length / 3;
    if ('result' in settled) return readFindings(settled.result, count);
    const { isRefused, why } = readApart(settled.apart);
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

  /** Everything is in the journal: nobody needs the results any more. */
  async finish(): Promise<void> {
    if (this.#run !== undefined) await this.#options.table.closeRun(this.#run);
  }

  /** Takes back what nobody has begun; results stay, for whoever goes on. */
  async close(): Promise<void> {
    const { broker, table } = this.#options;
    const left = [...this.#asked.values()].filter(({ handedOutAt }) => handedOutAt !== undefined);
    this.#end(new Error('the check was stopped'));
    await this.#following;
    try {
      await broker.remove(left.map(({ job }) => job));
    } finally {
      await Promise.allSettled([broker.close(), table.close()]);
    }
  }

  async #open({ rules, memory }: GroupSettings): Promise<string> {
    const { key, store, table } = this.#options;
    const description = JSON.stringify({ ...store, rules, memory } satisfies RunDescription);
    const run = hash(`${key()}\n${description}`);
    await table.openRun(run, description);
    this.#run = run;
    return run;
  }

  #ask(run: string, triples: Uint32Array): Promise<Settled> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended.error);
      const pairs = pairsText(triples);
      const group = groupName(pairs);
      const job = { run, group, pairs };
      this.#asked.set(group, { job, resolve, reject, isOpen: false, handedOutAt: undefined });
      this.#following ??= this.#follow(run).catch((error) => this.#end(error));
    });
  }

  /** Looks for results until nobody waits for any. */
  async #follow(run: string): Promise<void> {
    let wait = SHORTEST_WAIT_MS;
    let auditedAt = performance.now();
    while (!this.#ended) {
      const came = await this.#collect(run);
      await this.#handOut();
      if (came > 0) this.#idleAudits = 0;
      if (performance.now() - auditedAt > (this.#options.auditEveryMs ?? AUDIT_EVERY_MS)) {
        await this.#audit();
        auditedAt = performance.now();
      }
      if (this.#asked.size === 0) {
        // whoever got the last result may ask for more at once
        await sleep(0);
        if (this.#asked.size > 0) continue;
        this.#following = undefined;
        return;
      }
      wait = came > 0 ? SHORTEST_WAIT_MS : Math.min(LONGEST_WAIT_MS, 1.5 * wait);
      await sleep(wait);
    }
  }

  async #collect(run: string): Promise<number> {
    const looked = [...this.#asked];
    const settled = await this.#options.table.settled(
      run,
      looked.map(([group]) => group),
    );
    for (const [, asked] of looked) asked.isOpen = true;
    for (const [group, result] of settled) {
      const asked = this.#asked.get(group);
      this.#asked.delete(group);
      asked?.resolve(result);
    }
    return settled.size;
  }

  async #handOut(): Promise<void> {
    const fresh = [...this.#asked.values()].filter(
      ({ isOpen, handedOutAt }) => isOpen && handedOutAt === undefined,
    );
    if (fresh.length === 0) return;
    await this.#options.broker.add(fresh.map(({ job }) => job));
    for (const asked of fresh) asked.handedOutAt = performance.now();
  }

  /** Hands out again what the queue has lost; a result that has come in the meantime is found before. */
  async #audit(): Promise<void> {
    const { broker, onIdle, auditEveryMs = AUDIT_EVERY_MS } = this.#options;
    const now = performance.now();
    for (const asked of this.#asked.values()) {
      if (asked.handedOutAt === undefined || now - asked.handedOutAt < auditEveryMs) continue;
      if (await broker.isLive(asked.job)) continue;
      asked.isOpen = false;
      asked.handedOutAt = undefined;
    }
    if (this.#idleAudits < 0 || this.#asked.size === 0) return;
    this.#idleAudits = (await broker.activeCount()) > 0 ? 0 : this.#idleAudits + 1;
    if (this.#idleAudits < IDLE_AUDITS) return;
    this.#idleAudits = Number.NEGATIVE_INFINITY;
    onIdle();
  }

  #end(error: unknown): void {
    this.#ended ??= { error };
    const waiting = [...this.#asked.values()];
    this.#asked.clear();
    for (const { reject } of waiting) reject(error);
  }
}

/** Findings of single pairs, in order, as those of one group. */
function joined(single: readonly GroupFindings[]): GroupFindings {
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
