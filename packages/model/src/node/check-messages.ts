/** Messages between a check and its threads. */
import type { CheckQuestion, DoneQuestion, PlannedCheck } from '../check/planning.js';
import type { CheckJob, CheckTask, CheckTaskPart } from '../check/task.js';
import type { SentError } from './sent-error.js';
import type { SharedStore } from './shared-store.js';

/** The first message to a thread, which may come before the check is planned. */
export interface CheckWorkerStart {
  readonly store: SharedStore;
}

/**
 * Orders for a worker: first the settings common to all tasks, with the store if it differs from the initial one; then
 * tasks, or requests to give up half of the rest of the current task.
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

/** First the candidates, answered with the finished ones; then the plan. */
export type PlanWorkerReply =
  | { readonly candidates: DoneQuestion }
  | { readonly planned: PlannedCheck }
  | { readonly error: SentError };
