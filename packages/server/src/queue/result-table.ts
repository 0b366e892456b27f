/**
 * What is known of the groups of checks under way, kept beside the queue and not in it: the queue's word is good for
 * who looks at a group next, and for nothing else. A group is finished when its result is here.
 *
 * Invariant: a result never changes once it is there. A try is counted before it begins, so that one that ends the
 * process counts.
 */

export interface Begun {
  /** With this one. */
  readonly tries: number;
  /** Whether there is nothing to do: it has a result, or was set apart. */
  readonly isSettled: boolean;
  /** The error of the last attempt, if one was reported. */
  readonly error: string | undefined;
}

export type Settled =
  /** What was measured. */
  | { readonly result: string }
  /** Why it was quarantined: see `quarantineText`. */
  | { readonly apart: string };

export interface ResultTable {
  /** Makes a check known; the same again changes nothing. */
  openRun(run: string, description: string): Promise<void>;
  /** Undefined where there is no such check, any more. */
  descriptionOf(run: string): Promise<string | undefined>;
  /** Counts a try; undefined where there is no such check. */
  begin(run: string, group: string, worker: string): Promise<Begun | undefined>;
  /** Says what went wrong with a try. */
  fail(run: string, group: string, error: string): Promise<void>;
  putResult(run: string, group: string, result: string): Promise<void>;
  quarantine(run: string, group: string, why: string): Promise<void>;
  /** Those of the groups that have come to an end. */
  settled(run: string, groups: readonly string[]): Promise<ReadonlyMap<string, Settled>>;
  /** Forgets a check, and with it everything about its groups. */
  closeRun(run: string): Promise<void>;
  close(): Promise<void>;
}

/** Days after which unfinished checks are deleted. */
export const KEPT_DAYS = 14;
