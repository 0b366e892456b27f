/** What passes between a check and its threads. */
import { ImpingeError, type ImpingeErrorCode } from '../base/errors.js';
import type { CheckQuestion, PlannedCheck } from '../query/check/planning.js';
import type { CheckJob, CheckTask, CheckTaskPart } from '../query/check/task.js';

/** What a thread is told when it starts, which may be before the check is planned. */
export interface CheckWorkerStart {
  readonly path: string;
  readonly directoryBytes: Uint8Array;
}

/** What all tasks have in common comes first; then tasks to do, or wishes for half of what is left of the one before. */
export type CheckWorkerOrder = { readonly job: CheckJob } | CheckTask | 'divide';

export type CheckWorkerReply =
  | { readonly part: CheckTaskPart }
  | { readonly givenFrom: number | undefined }
  | { readonly done: true }
  | { readonly error: SentError };

export interface PlanWorkerStart {
  readonly path: string;
  readonly directoryBytes: Uint8Array;
  readonly question: CheckQuestion;
}

/** First how many candidates there are, which is answered with those that are done; then the plan. */
export type PlanWorkerReply =
  | { readonly count: number }
  | { readonly planned: PlannedCheck }
  | { readonly error: SentError };

/** An error as far as messages take it: classes do not pass. */
export interface SentError {
  readonly code: ImpingeErrorCode | '';
  readonly message: string;
  /** A RangeError: how V8 refuses memory. */
  readonly isRange: boolean;
  /** As far as JSON holds it. */
  readonly detail: string;
}

export function sentError(error: unknown): SentError {
  const [code, detail] = error instanceof ImpingeError ? [error.code, error.detail] : (['', {}] as const);
  const { message } = error as Error;
  return { code, message, isRange: error instanceof RangeError, detail: JSON.stringify(detail) };
}

export function receivedError({ code, message, isRange, detail }: SentError): Error {
  if (code !== '') return new ImpingeError(code, message, JSON.parse(detail));
  return isRange ? new RangeError(message) : new Error(message);
}
