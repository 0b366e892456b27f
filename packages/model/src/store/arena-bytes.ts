/**
 * Bytes of the arena in transit to or from a file. Shared memory stays in place when it grows; private memory moves,
 * and a transfer under way would miss it.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { SpillFile } from './spill.js';

/** Bytes to be written while the arena may grow: valid until they are overwritten. */
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
