/**
 * A bounding-volume tree over the triangles of one mesh: a block of the arena in the layout of layout.ts.
 */
import { arena } from '../base/arena.js';
import { DISPOSE } from '../base/dispose.js';
import { ImpingeError } from '../base/errors.js';
import { HierarchyHeader } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';
import { label } from '../mesh/mesh-arrays.js';
import { VOLUME_KINDS, type VolumeKind } from '../volumes/kinds.js';
import { BUILDERS, type Builder } from './layout.js';

const reclaim = new FinalizationRegistry<{ block: number }>((held) => arena().free(held.block));

/** Throws unless it is a tree. */
export function assertTree(tree: Hierarchy): void {
  if (typeof tree?.header !== 'function') throw new ImpingeError('bad-input', 'a hierarchy is needed');
}

/**
 * The same, and of where its mesh is now (mesh/revisions.ts): who walks or keeps a tree of their own says when and how
 * it is refitted.
 */
export function assertFitted(tree: Hierarchy): void {
  assertTree(tree);
  if (tree.revision === tree.mesh.revision) return;
  throw new ImpingeError(
    'bad-input',
    `the hierarchy of ${label(tree.mesh.name)} is out of date, since its vertices have moved: call refitHierarchy(tree)`,
  );
}

export class Hierarchy implements Disposable {
  readonly mesh: Mesh;
  readonly #held: { block: number };
  #disposed = false;
  /** The mesh's revision these volumes were fitted to. */
  revision: number;

  /** @internal Takes over a block laid out by a builder. */
  constructor(mesh: Mesh, block: number) {
    this.mesh = mesh;
    this.#held = { block };
    this.revision = mesh.revision;
    arena().label(block, 'trees');
    reclaim.register(this, this.#held, this);
  }

  /** @internal Byte offset in the arena; kernels take it. Changes when a lazy tree outgrows its memory. */
  get block(): number {
    if (this.#disposed) throw new ImpingeError('disposed', 'the hierarchy was disposed');
    return this.#held.block;
  }

  /** @internal Moves to another block that holds a copy of this tree. */
  moveTo(block: number): void {
    arena().free(this.block);
    this.#held.block = block;
    arena().label(block, 'trees');
  }

  get kind(): VolumeKind {
    return VOLUME_KINDS[this.header(HierarchyHeader.kind)];
  }
  get builder(): Builder {
    return BUILDERS[this.header(HierarchyHeader.builder)];
  }
  get byteLength(): number {
    return this.header(HierarchyHeader.byteLength);
  }
  get blockCount(): number {
    return this.header(HierarchyHeader.blockCount);
  }

  /** @internal Where the blocks begin, in the arena. */
  get blocksByteOffset(): number {
    return this.block + this.header(HierarchyHeader.blocks);
  }

  /** @internal A word of what the block begins with. */
  header(word: number): number {
    return arena().u32()[(this.block >>> 2) + word];
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    reclaim.unregister(this);
    arena().free(this.#held.block);
  }
  [DISPOSE](): void {
    this.dispose();
  }
}
