/**
 * The state of the tasks of running checks, kept beside the queue: the queue only decides which worker takes a task
 * next. A task is finished when its result is here.
 *
 * Invariant: a result never changes. An attempt is counted before it starts, so that attempts that crash the process
 * count.
 */

export interface Begun {
  /** Number of attempts, including this one. */
  readonly tries: number;
  /** Whether it has a result or is quarantined, so that nothing is left to do. */
  readonly isSettled: boolean;
  /** The error of the last attempt, if one was reported. */
  readonly error: string | undefined;
}

export type Settled =
  /** The findings, as JSON. */
  | { readonly result: string }
  /** Why it was quarantined: see `quarantineText`. */
  | { readonly apart: string };

export interface ResultTable {
  /** Registers a check; idempotent. */
  openRun(run: string, description: string): Promise<void>;
  /** Undefined if the check does not exist or has ended. */
  descriptionOf(run: string): Promise<string | undefined>;
  /** Counts an attempt; undefined if the check does not exist. */
  begin(run: string, task: string, worker: string): Promise<Begun | undefined>;
  /** Records the error of an attempt. */
  fail(run: string, task: string, error: string): Promise<void>;
  putResult(run: string, task: string, result: string): Promise<void>;
  quarantine(run: string, task: string, why: string): Promise<void>;
  /** The tasks, among these, that have a result or are quarantined. */
  settled(run: string, tasks: readonly string[]): Promise<ReadonlyMap<string, Settled>>;
  /** Deletes a check and everything about its tasks. */
  closeRun(run: string): Promise<void>;
  close(): Promise<void>;
}

/** Days after which unfinished checks are deleted. */
export const KEPT_DAYS = 14;
