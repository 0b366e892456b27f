/**
 * Typed errors. Every failure a caller can cause has a code to switch on, and a message that names the
 * object and the element at fault.
 */

export type ImpingeErrorCode =
  | 'bad-input' // the shape of an argument is wrong: a count that does not fit, a missing array
  | 'non-finite' // NaN or Infinity among coordinates, poses, tolerances
  | 'index-out-of-range' // a triangle refers to a vertex that does not exist
  | 'empty-mesh' // no triangles
  | 'bad-pose' // a matrix that is not a rigid motion
  | 'bad-option' // an option outside its domain
  | 'bad-buffer' // a serialised mesh or hierarchy that was cut off, altered or made by another version
  | 'out-of-memory' // the arena cannot grow any further
  | 'disposed' // an object was used after dispose()
  | 'aborted' // an AbortSignal fired
  | 'device-lost' // the GPU, or its driver, has gone
  | 'unsupported'; // the platform lacks what was asked for

export class ImpingeError extends Error {
  override readonly name = 'ImpingeError';
  readonly code: ImpingeErrorCode;
  /** The machine-readable particulars: `{ object, vertex, triangle, ... }`. */
  readonly detail: Readonly<Record<string, unknown>>;

  constructor(code: ImpingeErrorCode, message: string, detail: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}
