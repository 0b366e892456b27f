/**
 * Named access to a tree's bytes (see layout.ts). A view owns nothing: it is an arena, an offset and numbers read
 * from the header once.
 *
 * A node is named by its slot, 4 · block + lane. Growing an arena that is not shared detaches `words` and `floats`;
 * whoever may have allocated calls `refresh()` before reading on. A lazy tree is looked at by a `LazyView`.
 */
import { type Arena, arena } from '../base/arena.js';
import { HierarchyHeader } from '../kernel/layout.generated.js';
import { VOLUME_KINDS, type VolumeKind } from '../volumes/kinds.js';
import { blockWords, LANES } from './layout.js';

export class TreeView {
  readonly arena: Arena;
  byteOffset: number;
  readonly kind: VolumeKind;
  readonly stride: number;
  readonly triangleCount: number;
  readonly leafSize: number;
  /** Word positions in `words` and `floats`. */
  headerWord: number;
  orderWord: number;
  pendingWord: number;
  blocksWord: number;
  readonly wordsPerBlock: number;
  words: Uint32Array;
  floats: Float32Array;
  /** Builds what is pending below a slot. Other views are to be refreshed then. */
  grow?(slot: number): void;

  /** The bytes must hold a tree; those from outside go through `validateHierarchy` first. */
  constructor(owner: Arena, byteOffset: number) {
    this.arena = owner;
    this.byteOffset = byteOffset;
    this.words = owner.u32();
    this.floats = owner.f32();
    this.headerWord = byteOffset >>> 2;
    const header = (field: number) => this.words[this.headerWord + field];
    this.kind = VOLUME_KINDS[header(HierarchyHeader.kind)];
    this.stride = header(HierarchyHeader.stride);
    this.triangleCount = header(HierarchyHeader.triangleCount);
    this.leafSize = header(HierarchyHeader.leafSize);
    this.orderWord = this.headerWord + (header(HierarchyHeader.order) >>> 2);
    this.pendingWord = this.headerWord + (header(HierarchyHeader.pending) >>> 2);
    this.blocksWord = this.headerWord + (header(HierarchyHeader.blocks) >>> 2);
    this.wordsPerBlock = blockWords(this.stride);
  }

  /** Fetches the arrays again if the arena has grown under this view. */
  refresh(): void {
    if (this.words.buffer === this.arena.memory.buffer) return;
    this.words = this.arena.u32();
    this.floats = this.arena.f32();
  }

  header(field: number): number {
    return this.words[this.headerWord + field];
  }

  /** Grows while a lazy tree is expanded. */
  get blockCount(): number {
    return this.header(HierarchyHeader.blockCount);
  }

  /** Volumes are relative to this point of the mesh's own frame (positions as stored, without the mesh origin). */
  get centre(): [number, number, number] {
    const at = (this.headerWord + HierarchyHeader.centre) >>> 1;
    const f64 = this.arena.f64();
    return [f64[at], f64[at + 1], f64[at + 2]];
  }

  get radius(): number {
    return this.floats[this.headerWord + HierarchyHeader.radius];
  }

  /** Which triangle of the mesh lies at a leaf position. */
  triangleAt(position: number): number {
    return this.words[this.orderWord + position];
  }

  /** Where the volume of a slot begins in `floats`; its components are four apart. */
  volumeAt(slot: number): number {
    return this.blocksWord + (slot >>> 2) * this.wordsPerBlock + (slot & 3);
  }

  /** Where the reference of a slot lies in `words`. */
  refAt(slot: number): number {
    return this.blocksWord + (slot >>> 2) * this.wordsPerBlock + LANES * this.stride + (slot & 3);
  }

  ref(slot: number): number {
    return this.words[this.refAt(slot)];
  }
}

/** A tree of the library's own memory. */
export function viewOf(tree: { readonly block: number }): TreeView {
  return new TreeView(arena(), tree.block);
}
