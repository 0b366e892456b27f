/** What passes between a check and its threads. */
import type { CheckQuestion, PlannedCheck } from '../check/planning.js';
import type { CheckJob, CheckTask, CheckTaskPart } from '../check/task.js';
import type { SentError } from './sent-error.js';
import type { SharedStore } from './shared-store.js';

/** The first message to a thread, which may come before the check is planned. */
export interface CheckWorkerStart {
  readonly store: SharedStore;
}

/**
 * What all tasks have in common comes first, with another store where it is not the one from the start; then tasks to
 * do, or wishes for half of what is left of the one before.
 */
export type CheckWorkerOrder =
  | { readonly job: CheckJob; readonly store?: SharedStore }
  | CheckTask
  | 'divide';

export type CheckWorkerReply =
  | { readonly part: CheckTaskPart }
  | { readonly givenFrom: number | undefined }
  | { readonly done: true }
  | { readonly error: SentError };

export interface PlanWorkerStart {
  readonly store: SharedStore;
  readonly question: CheckQuestion;
}

/** First how many candidates there are, which is answered with those that are done; then the plan. */
export type PlanWorkerReply =
  | { readonly count: number }
  | { readonly planned: PlannedCheck }
  | { readonly error: SentError };
