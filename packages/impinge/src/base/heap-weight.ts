/**
 * Tells the collector of memory that it cannot see. A handle is a few hundred bytes to it, whatever the arena holds for
 * the handle: nothing would be collected before the arena is full. An array buffer that is never written to counts as
 * memory that is in use, and on most systems takes none.
 */
import { arena } from './arena.js';

/** Below this size of the arena, memory is not scarce. */
const EASE_BYTES = 2 ** 27;
/** Below this, handles weigh enough by themselves. */
const LEAST_BYTES = 16384;

/**
 * What to keep with a handle of so many bytes; a quarter will do, as the collector comes by every few dozen megabytes.
 */
export function heapWeight(bytes: number): ArrayBuffer | undefined {
  if (bytes < LEAST_BYTES || arena().usedBytes < EASE_BYTES) return undefined;
  try {
    return new ArrayBuffer(bytes >>> 2);
  } catch {
    return undefined; // the system has no room to spare
  }
}
