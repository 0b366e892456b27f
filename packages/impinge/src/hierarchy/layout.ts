/**
 * How a bounding-volume tree lies in memory. Tree, file and message are the same bytes.
 *
 * Layout: 32 header words; `order`, one uint32 per triangle (leaf position → triangle of the mesh); `pending`,
 * two uint32 per unbuilt treelet (first leaf position, count); then blocks. A block holds up to four children:
 * `stride` rows of four float32 (component c of child l at word 4·c + l), then one row of four references.
 * Block 0 is the root. Volumes are relative to the tree's float64 centre (words 16 … 21), not to the mesh's
 * origin, so that float32 suffices however far away the mesh lies.
 * Invariant: children of a block cover disjoint, consecutive ranges of `order`, in lane order; a parent block's
 * index is smaller than its children's (a tree built lazily keeps this: new blocks are appended).
 *
 * Reference: EMPTY, or a leaf (bit 31; count − 1 in bits 28–30; first leaf position in bits 0–27),
 * or a pending treelet (bit 30; its number in bits 0–27), or a block index (bits 0–27).
 */
import type { Arena } from '../base/arena.js';
import {
  BLOCK_BYTES,
  EMPTY,
  HierarchyHeader,
  LEAF_BIT,
  LOW_BITS,
  PENDING_BIT,
  TREE_HEADER_BYTES,
} from '../kernel/layout.generated.js';

export const HIERARCHY_MAGIC = 0x48504d49; // "IMPH"
export const HIERARCHY_VERSION = 1;

export const LANES = 4;

export const BUILDERS = ['sah', 'fast'] as const;
export type Builder = (typeof BUILDERS)[number];

/** Most triangles in a leaf that a reference can express. */
export const MAX_LEAF_SIZE = 7; // count − 1 = 7 with all other bits set would read as EMPTY

/** No block of a tree lies deeper: twice 40, and the halvings of 2²⁸ triangles and of a treelet (kernels/build.ts). */
export const MAX_DEPTH = 2 * (40 + 1) + 28 + 9;

export function leafRef(start: number, count: number): number {
  return (LEAF_BIT | ((count - 1) << 28) | start) >>> 0;
}
export function isLeaf(ref: number): boolean {
  return (ref & LEAF_BIT) !== 0 && ref !== EMPTY;
}
export function isPending(ref: number): boolean {
  return (ref & (LEAF_BIT | PENDING_BIT)) === PENDING_BIT;
}
export function leafStart(ref: number): number {
  return ref & LOW_BITS;
}
export function leafCount(ref: number): number {
  return ((ref >>> 28) & 7) + 1;
}
export function refIndex(ref: number): number {
  return ref & LOW_BITS;
}
/** The slot, 4 · block + lane, whose lane the kernels name by its distance in bytes from the first block of boxes. */
export function slotAt(bytes: number): number {
  return LANES * Math.floor(bytes / BLOCK_BYTES) + (bytes % BLOCK_BYTES) / 4;
}
/** Words in one block of a tree whose volumes have `stride` numbers. */
export function blockWords(stride: number): number {
  return LANES * (stride + 1);
}

/** What the header of a tree says from the start. */
export interface TreeHead {
  /** Its number among the kinds of volumes, and the numbers of a volume. */
  readonly kind: number;
  readonly stride: number;
  readonly builder: Builder;
  readonly leafSize: number;
  readonly triangleCount: number;
  /** Room for blocks and for pending treelets. */
  readonly blockCapacity: number;
  readonly pendingCapacity: number;
}

/** Allocates a tree and writes its header; it has no blocks yet. Returns its byte offset; the caller owns it. */
export function layOutTree(owner: Arena, head: TreeHead): number {
  const orderAt = TREE_HEADER_BYTES;
  const pendingAt = orderAt + 16 * Math.ceil(head.triangleCount / 4);
  const blocksAt = pendingAt + 16 * Math.ceil(head.pendingCapacity / 2);
  const byteLength = blocksAt + 4 * blockWords(head.stride) * head.blockCapacity;
  const tree = owner.alloc(byteLength);
  const header = owner.u32().subarray(tree >>> 2, (tree + TREE_HEADER_BYTES) >>> 2);
  header.fill(0);
  header[HierarchyHeader.magic] = HIERARCHY_MAGIC;
  header[HierarchyHeader.version] = HIERARCHY_VERSION;
  header[HierarchyHeader.kind] = head.kind;
  header[HierarchyHeader.stride] = head.stride;
  header[HierarchyHeader.triangleCount] = head.triangleCount;
  header[HierarchyHeader.leafSize] = head.leafSize;
  header[HierarchyHeader.builder] = BUILDERS.indexOf(head.builder);
  header[HierarchyHeader.order] = orderAt;
  header[HierarchyHeader.pending] = pendingAt;
  header[HierarchyHeader.pendingCapacity] = head.pendingCapacity;
  header[HierarchyHeader.blocks] = blocksAt;
  header[HierarchyHeader.blockCapacity] = head.blockCapacity;
  header[HierarchyHeader.byteLength] = byteLength;
  owner.u8().fill(0, tree + orderAt + 4 * head.triangleCount, tree + pendingAt);
  return tree;
}
