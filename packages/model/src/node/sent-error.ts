/** Errors that pass from thread to thread. */
import { ImpingeError, type ImpingeErrorCode } from 'impinge/internal/base/errors.js';

/** An error as a message can carry it: classes are lost. */
export interface SentError {
  readonly code: ImpingeErrorCode | '';
  readonly message: string;
  /** A RangeError: how V8 refuses memory. */
  readonly isRange: boolean;
  /** As JSON, where it can be represented. */
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
