/**
 * Typed errors. Every failure a caller can cause has a code to switch on, and a message that names the
 * object and the element at fault.
 */

/** The kind of an error. Each code has one meaning, whichever call it comes from. */
export type ImpingeErrorCode =
  | 'bad-input' // an argument has the wrong shape: a count that does not fit, a missing array, an unknown object
  | 'non-finite' // NaN or Infinity among coordinates, poses or velocities
  | 'index-out-of-range' // a triangle refers to a vertex that does not exist
  | 'empty-mesh' // no triangles
  | 'bad-pose' // a matrix that is not a rigid motion
  | 'bad-option' // an option outside its domain, or two that exclude each other
  | 'empty-rule' // a rule of a check of which a side selects no object
  | 'bad-buffer' // a serialised mesh, tree or store, or a mesh file, that was cut off, altered or made by another version
  | 'out-of-memory' // the memory, or the cap set for it, cannot hold the request
  | 'busy' // it is in use by something that has not finished, or may be used only once
  | 'removed' // the handle of something that was taken out of its scene, session, culler or simulation
  | 'disposed' // an object was used after dispose(), a writer after it had finished
  | 'aborted' // an AbortSignal fired, or a thread ended or failed before it had answered
  | 'device-lost' // the GPU, or its driver, has gone
  | 'not-closed' // the query needs a solid, but the mesh is not closed
  | 'unsupported'; // the platform lacks a required feature

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
