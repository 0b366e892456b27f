/**
 * Tells the garbage collector about memory it cannot see. It counts a handle as a few hundred bytes, however much the
 * arena holds for it, so nothing would be collected before the arena is full. An array buffer that is never written to
 * counts as used memory, yet takes none on most systems.
 */
import { arena } from './arena.js';

/** Below this size of the arena, memory is not scarce. */
const EASE_BYTES = 2 ** 27;
/** Below this, handles weigh enough by themselves. */
const LEAST_BYTES = 16384;

/**
 * The ballast to keep with a handle of `bytes`. A quarter suffices, as the collector runs every few dozen megabytes.
 */
export function heapWeight(bytes: number): ArrayBuffer | undefined {
  if (bytes < LEAST_BYTES || arena().usedBytes < EASE_BYTES) return undefined;
  try {
    return new ArrayBuffer(bytes >>> 2);
  } catch {
    return undefined; // the system has no room to spare
  }
}
