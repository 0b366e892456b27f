/** Number arrays as callers pass them, and their names in messages. */
import { arena } from '../base/arena.js';
import { MAX_TRIANGLES } from './mesh-layout.js';
import type { MeshPart } from './mesh-parts.js';

export type NumberArray = ArrayLike<number>;

export interface MeshArrays {
  /** x, y, z per vertex; any typed array or plain array. */
  readonly positions: NumberArray;
  /** Three per triangle. Without it, every three vertices are a triangle. */
  readonly indices?: NumberArray | null;
  /** Numbers from one vertex to the next (default 3). */
  readonly stride?: number;
  /** Where in `positions` the first vertex begins (default 0). */
  readonly offset?: number;
  readonly name?: string;
  /** Runs of triangles with names. */
  readonly namedParts?: readonly MeshPart[];
}

/** The number of vertices in `room` numbers; the last one may omit the rest of its stride. */
export function verticesIn(room: number, stride: number): number {
  return room < 3 ? 0 : Math.floor((room - 3) / stride) + 1;
}

/**
 * Numbers that cannot change while they are read: an array without shared memory, or a copy. Other threads may write to
 * shared memory, a list may have getters, and a view of another mesh's memory is detached when a private arena grows.
 */
export function steady(input: NumberArray): NumberArray | undefined {
  if (isNumbers(input)) {
    if (input.length === 0) return []; // detached ones, too
    const { buffer } = input;
    const isShared = typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
    return isShared || buffer === arena().memory.buffer ? input.slice() : input;
  }
  if (!Array.isArray(input) && typeof input !== 'object') return undefined;
  const length: unknown = input?.length;
  if (typeof length !== 'number' || !(length >= 0 && length <= 3 * MAX_TRIANGLES)) return undefined;
  try {
    return Float64Array.from(input);
  } catch {
    return undefined; // symbols, bigints, or more than memory holds
  }
}

function isNumbers(input: unknown): input is Float32Array {
  return (
    ArrayBuffer.isView(input) && !(input instanceof DataView) && typeof (input as Uint8Array)[0] !== 'bigint'
  );
}

/** A mesh's name in messages. */
export function label(name: string): string {
  return name === '' ? 'mesh' : `mesh "${name}"`;
}
