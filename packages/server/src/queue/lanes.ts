/**
 * The threads of a worker. Each measures tasks of one check at a time and keeps its model loaded until another check
 * needs the thread. Threads are reused because their code is already compiled.
 */
import type { StoredModel } from '@impinge/model';
import { startTaskWorker, type TaskWorker } from '@impinge/model/node';
import type { RunDescription } from './job-format.js';

/** A check and its name. */
export interface LaneRun {
  readonly run: string;
  readonly description: RunDescription;
}

interface Lane {
  run: string | undefined;
  worker: TaskWorker | undefined;
  /** Memory limit of its check. */
  memory: number;
  isBusy: boolean;
}

interface OpenModel {
  readonly model: Promise<StoredModel>;
  users: number;
}

export class Lanes {
  readonly #lanes: Lane[];
  readonly #models = new Map<string, OpenModel>();
  readonly #open: (description: RunDescription) => Promise<StoredModel>;
  readonly #waiting: (() => void)[] = [];

  /** `open` rejects with a one-line message if the store cannot be used. */
  constructor(threads: number, open: (description: RunDescription) => Promise<StoredModel>) {
    this.#lanes = Array.from({ length: threads }, () => ({
      run: undefined,
      worker: undefined,
      memory: 0,
      isBusy: false,
    }));
    this.#open = open;
  }

  /** Runs `act` with a thread that has the model of a check open; a thread with another model switches first. */
  async use<T>(of: LaneRun, act: (worker: TaskWorker) => Promise<T>): Promise<T> {
    const lane = await this.#take(of.run);
    try {
      if (lane.run !== of.run) await this.#turnTo(lane, of);
      return await act(lane.worker!);
    } catch (error) {
      await this.#empty(lane); // a failed thread is not reused
      throw error;
    } finally {
      lane.isBusy = false;
      this.#waiting.shift()?.();
    }
  }

  /** Runs `act` in place of a thread, whose memory is freed first. */
  async without<T>(act: () => Promise<T>): Promise<T> {
    const lane = await this.#take(undefined);
    try {
      await this.#empty(lane);
      return await act();
    } finally {
      lane.isBusy = false;
      this.#waiting.shift()?.();
    }
  }

  async dispose(): Promise<void> {
    for (const lane of this.#lanes) await this.#empty(lane);
  }

  async #take(run: string | undefined): Promise<Lane> {
    for (;;) {
      const free = this.#lanes.filter(({ isBusy }) => !isBusy);
      const lane = free.find((one) => one.run === run) ?? free.find((one) => !one.worker) ?? free[0];
      if (lane) {
        lane.isBusy = true;
        return lane;
      }
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #turnTo(lane: Lane, { run, description }: LaneRun): Promise<void> {
    let opened = this.#models.get(run);
    if (!opened) {
      opened = { model: this.#open(description), users: 0 };
      this.#models.set(run, opened);
    }
    opened.users++;
    const before = lane.run;
    lane.run = run;
    try {
      const model = await opened.model;
      const { rules, memory } = description;
      // the arena keeps gaps from previous contents, which matter if the new limit is smaller
      if (lane.worker && memory >= lane.memory) lane.worker.turnTo(model, { rules, memory });
      else {
        await lane.worker?.dispose();
        lane.worker = await startTaskWorker(model, { rules, memory });
      }
      lane.memory = memory;
    } finally {
      await this.#release(before);
    }
  }

  async #empty(lane: Lane): Promise<void> {
    const { run, worker } = lane;
    lane.run = lane.worker = undefined;
    await worker?.dispose();
    await this.#release(run);
  }

  /** Closes models that are no longer in use. */
  async #release(run: string | undefined): Promise<void> {
    const opened = run === undefined ? undefined : this.#models.get(run);
    if (run === undefined || !opened || --opened.users > 0) return;
    this.#models.delete(run);
    await opened.model.then(
      (model) => model.dispose(),
      () => {}, // already reported to the caller that opened it
    );
  }
}
