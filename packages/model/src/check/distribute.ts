/**
 * Who measures which pairs: each worker takes one task after the other, and one that finds none left takes half of what
 * another still has before it, until there is nothing to halve.
 *
 * Idea: what a pair will take is not known beforehand (a few of a model's may take half the time of all), so nothing is
 * estimated. A worker gives up the end of its task, which lies apart from what it is at: little is read by both.
 */
import type { CheckWorkers } from './executor.js';
import { cutPairPieces } from './pair-pieces.js';
import type { PlannedTask } from './plan.js';
import type { CheckTaskPart } from './task.js';

export interface MeasuredPart {
  readonly worker: number;
  /** How many pairs of the plan come before these. */
  readonly at: number;
  /** Positions among the candidates. */
  readonly pairs: Uint32Array;
  readonly part: CheckTaskPart;
}

/** What a worker is at, and how far. */
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

  /** Has a worker do what there is to do for it. */
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

  /** No more work than what is under way. */
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
      // what was asked may have reached the worker between two tasks
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
