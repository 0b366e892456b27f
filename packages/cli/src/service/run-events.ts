/** Whoever follows a run is told of its progress and its state, and what is known already. */
import type { CheckProgress } from './check-process.js';
import type { Run } from './state/runs.js';

export type RunEvent =
  | { readonly event: 'progress'; readonly data: CheckProgress }
  | { readonly event: 'run'; readonly data: Run };

type Listener = (event: RunEvent) => void;

export class RunEvents {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #progress = new Map<string, CheckProgress>();
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Returns how to stop it. */
  follow(run: string, listener: Listener): () => void {
    const own = this.#listeners.get(run) ?? new Set();
    this.#listeners.set(run, own.add(listener));
    this.#count++;
    return () => {
      if (!own.delete(listener)) return;
      this.#count--;
      if (own.size === 0) this.#listeners.delete(run);
    };
  }

  progressOf(run: string): CheckProgress | undefined {
    return this.#progress.get(run);
  }

  progress(run: string, data: CheckProgress): void {
    this.#progress.set(run, data);
    this.#tell(run, { event: 'progress', data });
  }

  changed(run: Run): void {
    if (run.state !== 'running') this.#progress.delete(run.id);
    this.#tell(run.id, { event: 'run', data: run });
  }

  #tell(run: string, event: RunEvent): void {
    for (const listener of this.#listeners.get(run) ?? []) listener(event);
  }
}
