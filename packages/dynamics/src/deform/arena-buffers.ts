/** Buffers of the arena by name, let go of together. */
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';

export function arenaBuffers<Name extends string>(...names: Name[]): Readonly<Record<Name, ArenaBuffer>> {
  return Object.fromEntries(names.map((name) => [name, new ArenaBuffer()])) as Record<Name, ArenaBuffer>;
}

export function disposeAll(buffers: Readonly<Record<string, ArenaBuffer>>): void {
  for (const buffer of Object.values(buffers)) buffer.dispose();
}
