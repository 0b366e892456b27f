/** Publishes progress and state of runs, and changed decisions of projects, to subscribers. */
import type { Run } from './api/schemas.js';
import type { CheckProgress } from './check-process.js';

export type RunEvent =
  | { readonly event: 'progress'; readonly data: CheckProgress }
  | { readonly event: 'run'; readonly data: Run }
  | { readonly event: 'review'; readonly data: { readonly revision: string } };

type Listener = (event: RunEvent) => void;

export class RunEvents {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #progress = new Map<string, CheckProgress>();
  /** Number of subscriptions per token. */
  readonly #counts = new Map<string, number>();

  get count(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  countOf(token: string): number {
    return this.#counts.get(token) ?? 0;
  }

  /** Follows a run, or the decisions of a project; returns a function that unsubscribes. */
  follow(id: string, token: string, listener: Listener): () => void {
    const own = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, own.add(listener));
    this.#counts.set(token, this.countOf(token) + 1);
    return () => {
      if (!own.delete(listener)) return;
      const left = this.countOf(token) - 1;
      if (left > 0) this.#counts.set(token, left);
      else this.#counts.delete(token);
      if (own.size === 0) this.#listeners.delete(id);
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

  decided(project: string, revision: number): void {
    this.#tell(project, { event: 'review', data: { revision: String(revision) } });
  }

  #tell(id: string, event: RunEvent): void {
    for (const listener of this.#listeners.get(id) ?? []) listener(event);
  }
}
