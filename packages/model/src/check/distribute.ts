/**
 * Distributes pairs among workers: each takes one task after the other; when none is left, it takes half of another
 * worker's remaining pairs, until there is nothing to halve.
 *
 * Idea: the time of a pair is not known beforehand (a few may take half of the total), so nothing is estimated. A
 * worker gives up the end of its task, which lies apart from its current pairs, so that little is read by both.
 */
import type { CheckWorkers } from './executor.js';
import { cutPairPieces } from './pair-pieces.js';
import type { PlannedTask } from './plan.js';
import type { CheckTaskPart } from './task.js';

export interface MeasuredPart {
  readonly worker: number;
  /** The position of these in the plan, in pairs. */
  readonly at: number;
  /** Positions among the candidates. */
  readonly pairs: Uint32Array;
  readonly part: CheckTaskPart;
}

/** A worker's current task and progress. */
interface Share {
  readonly task: PlannedTask;
  readonly at: number;
  done: number;
  /** Less where it gave up some. */
  count: number;
}

export class Distribution {
  readonly #workers: CheckWorkers;
  readonly #triplesOf: (pairs: Uint32Array) => Uint32Array;
  readonly #onPart: (part: MeasuredPart) => void;
  readonly #waiting: Share[] = [];
  readonly #current = new Map<number, Share>();

  constructor(
    workers: CheckWorkers,
    tasks: readonly PlannedTask[],
    triplesOf: (pairs: Uint32Array) => Uint32Array,
    onPart: (part: MeasuredPart) => void,
  ) {
    this.#workers = workers;
    this.#triplesOf = triplesOf;
    this.#onPart = onPart;
    let at = 0;
    for (const task of tasks) {
      this.#waiting.push({ task, at, done: 0, count: task.pairs.length });
      at += task.pairs.length;
    }
  }

  /** Keeps a worker busy until no work is left for it. */
  async work(worker: number): Promise<void> {
    for (;;) {
      const share = this.#waiting.shift() ?? (await this.#half());
      if (!share) return;
      this.#current.set(worker, share);
      const { pairs, pieces } = share.task;
      await this.#workers.run(worker, { triples: this.#triplesOf(pairs), pieces }, (part) => {
        share.done = part.to;
        const { from, to } = part;
        this.#onPart({ worker, at: share.at + from, pairs: pairs.subarray(from, to), part });
      });
      this.#current.delete(worker);
    }
  }

  /** Starts no new work. */
  stop(): void {
    this.#waiting.length = 0;
    this.#current.clear();
  }

  /** Half of the remaining work of the busiest worker; undefined if there is none. */
  async #half(): Promise<Share | undefined> {
    const { divide } = this.#workers;
    if (!divide) return undefined;
    const rest = ({ count, done }: Share) => count - done;
    const refused = new Set<Share>();
    for (;;) {
      const [most] = [...this.#current]
        .filter(([, share]) => !refused.has(share))
        .sort(([, p], [, q]) => rest(q) - rest(p));
      if (!most) return undefined;
      const [worker, share] = most;
      const from = await divide(worker);
      // the request may have reached the worker between two tasks
      if (from === undefined) {
        refused.add(share);
        continue;
      }
      const { pairs, pieces } = share.task;
      const task = {
        pairs: pairs.subarray(from, share.count),
        pieces: cutPairPieces(pieces, from, share.count),
      };
      const given = { task, at: share.at + from, done: 0, count: share.count - from };
      share.count = from;
      return given;
    }
  }
}
