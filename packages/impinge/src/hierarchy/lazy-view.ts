/** A view of a tree that grows while it is looked at, and moves when it outgrows its memory. */
import { arena } from '../base/arena.js';
import type { Hierarchy } from './hierarchy.js';
import { TreeView } from './tree-view.js';

export class LazyView extends TreeView {
  readonly #tree: Hierarchy;
  readonly #growAt: (tree: Hierarchy, slot: number) => void;

  /** `growAt` builds what is pending below a slot. */
  constructor(tree: Hierarchy, growAt: (tree: Hierarchy, slot: number) => void) {
    super(arena(), tree.block);
    this.#tree = tree;
    this.#growAt = growAt;
  }

  override refresh(): void {
    const moved = this.#tree.block - this.byteOffset;
    if (moved !== 0) {
      this.byteOffset += moved;
      this.headerWord += moved / 4;
      this.orderWord += moved / 4;
      this.pendingWord += moved / 4;
      this.blocksWord += moved / 4;
    }
    super.refresh();
  }

  override grow(slot: number): void {
    this.#growAt(this.#tree, slot);
    this.refresh();
  }
}
