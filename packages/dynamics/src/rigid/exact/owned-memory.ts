/** Blocks of the arena that belong to something, and go with it. */
import { arena } from 'impinge/internal/base/arena.js';

const reclaim = new FinalizationRegistry<Set<number>>(freeAll);

function freeAll(blocks: Set<number>): void {
  for (const block of blocks) arena().free(block);
  blocks.clear();
}

export class OwnedMemory {
  readonly #blocks = new Set<number>();

  constructor() {
    reclaim.register(this, this.#blocks, this);
  }

  alloc(byteLength: number): number {
    const block = arena().alloc(byteLength);
    this.#blocks.add(block);
    return block;
  }

  free(block: number): void {
    if (this.#blocks.delete(block)) arena().free(block);
  }

  /** Replaces a block that is too small, discarding its contents; 0 means none. */
  replace(block: number, byteLength: number): number {
    if (block !== 0) this.free(block);
    return this.alloc(byteLength);
  }

  dispose(): void {
    reclaim.unregister(this);
    freeAll(this.#blocks);
  }
}
