/** What passes between a check and its threads. */
import type { ImpingeErrorCode } from '../base/errors.js';
import type { CheckJob, CheckTaskPart } from '../query/check/task.js';

/** What a thread is told first; then come tasks. */
export interface CheckWorkerStart {
  readonly path: string;
  readonly directoryBytes: Uint8Array;
  readonly job: CheckJob;
}

export type CheckWorkerReply =
  | { readonly part: CheckTaskPart }
  | { readonly done: true }
  | { readonly error: { readonly code: ImpingeErrorCode | ''; readonly message: string } };
