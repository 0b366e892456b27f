/**
 * Bytes of the arena on their way to or from a file. Memory that is shared stays where it is when it grows; other
 * memory moves, and then what is under way would miss it.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { SpillFile } from './spill.js';

/** Bytes to be written while others may allocate: valid until they are overwritten. */
export function bytesToWrite(at: number, byteLength: number): Uint8Array {
  const memory = arena();
  const bytes = memory.u8().subarray(at, at + byteLength);
  return memory.shared ? bytes : bytes.slice();
}

/** Reads `byteLength` bytes from place `from` of a file to the arena. */
export async function readToArena(
  file: SpillFile,
  from: number,
  at: number,
  byteLength: number,
): Promise<void> {
  const memory = arena();
  if (memory.shared) return file.read(from, memory.u8().subarray(at, at + byteLength));
  const bytes = new Uint8Array(byteLength);
  await file.read(from, bytes);
  memory.u8().set(bytes, at);
}
