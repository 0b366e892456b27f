/**
 * Submitted jobs, and the wait for their results.
 *
 * Only results count: a job without a result that the queue no longer knows is submitted again, whatever happened to
 * it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Broker } from './broker.js';
import type { QueueJob } from './job-format.js';
import type { ResultTable, Settled } from './result-table.js';

export interface HandedOutOptions {
  readonly broker: Broker;
  readonly table: ResultTable;
  /** Called once if no worker seems to be active. */
  readonly onIdle: () => void;
  /** Milliseconds between two audits of the queue. */
  readonly auditEveryMs?: number;
}

const AUDIT_EVERY_MS = 5000;
/** Audits without an active worker before `onIdle` is called. */
const IDLE_AUDITS = 3;
const SHORTEST_WAIT_MS = 10;
const LONGEST_WAIT_MS = 160;
/**
 * Target share of outstanding jobs that have a result at each poll: polling takes time from the workers, and results
 * are not urgent until the last few.
 */
const SHARE_PER_LOOK = 1 / 16;

interface Asked {
  readonly job: QueueJob;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
  /** Whether it had no result at the last poll. */
  isOpen: boolean;
  /** When it was submitted, if it was. */
  handedOutAt: number | undefined;
}

/** The submitted jobs of one run. */
export class HandedOut {
  readonly #options: HandedOutOptions;
  readonly #asked = new Map<string, Asked>();
  #following: Promise<void> | undefined;
  #ended: { readonly error: unknown } | undefined;
  #idleAudits = 0;

  constructor(options: HandedOutOptions) {
    this.#options = options;
  }

  /** Submits a job, unless it has a result, and waits for its result. */
  ask(job: QueueJob): Promise<Settled> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended.error);
      this.#asked.set(job.task, { job, resolve, reject, isOpen: false, handedOutAt: undefined });
      this.#following ??= this.#follow(job.run).catch((error) => this.#end(error));
    });
  }

  /** Removes jobs that were not started; results stay for a later resume. */
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

  /** Polls for results until none is awaited. */
  async #follow(run: string): Promise<void> {
    let wait = SHORTEST_WAIT_MS;
    let auditedAt = performance.now();
    while (!this.#ended) {
      const out = this.#asked.size;
      const came = await this.#collect(run);
      await this.#handOut();
      if (came > 0) this.#idleAudits = 0;
      if (performance.now() - auditedAt > (this.#options.auditEveryMs ?? AUDIT_EVERY_MS)) {
        await this.#audit();
        auditedAt = performance.now();
      }
      if (this.#asked.size === 0) {
        // the receiver of the last result may submit more immediately
        await sleep(0);
        if (this.#asked.size > 0) continue;
        this.#following = undefined;
        return;
      }
      wait = came > SHARE_PER_LOOK * out ? wait / 2 : 1.5 * wait;
      wait = Math.max(SHORTEST_WAIT_MS, Math.min(LONGEST_WAIT_MS, wait));
      await sleep(wait);
    }
  }

  async #collect(run: string): Promise<number> {
    const looked = [...this.#asked];
    const settled = await this.#options.table.settled(
      run,
      looked.map(([task]) => task),
    );
    for (const [, asked] of looked) asked.isOpen = true;
    for (const [task, result] of settled) {
      const asked = this.#asked.get(task);
      this.#asked.delete(task);
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

  /** Resubmits jobs that the queue has lost. A result that arrived meanwhile is collected first. */
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
