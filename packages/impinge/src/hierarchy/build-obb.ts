/**
 * Builds trees of oriented boxes with the kernels: lays out the memory, lets them find the topology, then fits.
 *
 * Bytes per triangle: 4 for the order, and 176 per block, of which there is about one for eight triangles.
 * A lazy tree leaves subtrees of up to TREELET triangles pending; `growAt` builds one when a walk gets there. In a tree
 * of other volumes it becomes blocks of oriented boxes first, whose references are taken over and fitted.
 */
import { arena } from '../base/arena.js';
import { kernel } from '../kernel/kernel.js';
import {
  EMPTY,
  HierarchyHeader,
  MOMENT_BYTES,
  PENDING_BIT,
  RECORD_BYTES,
} from '../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { VOLUME_KINDS } from '../volumes/kinds.js';
import { VOLUMES } from '../volumes/volumes.js';
import { fitBlocks } from './fit.js';
import { assertTree, Hierarchy } from './hierarchy.js';
import { type Builder, blockWords, isPending, LANES, layOutTree, refIndex } from './layout.js';
import { LazyView } from './lazy-view.js';
import { TreeView, viewOf } from './tree-view.js';

/** Triangles per leaf: the kernels look at four at a time. */
export const LEAF_SIZE = 4;
/** Smaller meshes are built as a whole: their parts would not pay for the detour. */
const LAZY_LEAST = 64;
/** Most triangles in a subtree that is left for later; the kernels gather this many points at once. */
export const TREELET = 512;

export const RANGE_BYTES = 8;
/** Its number among the kinds, and the numbers of a volume. */
export const OBB = VOLUME_KINDS.indexOf('obb');
export const OBB_STRIDE = 10;

/** Builds a tree on the calling thread; a lazy one only at its top, the rest when a query first comes there. */
export function buildObbTree(mesh: Mesh, builder: Builder, lazy: boolean): Hierarchy {
  const tree = new Hierarchy(mesh, buildTop(mesh, builder, lazy ? treeletOf(mesh) : 0));
  fitNewBlocks(tree, 0);
  return tree;
}

/** Most triangles in what a lazy tree leaves out. */
export function treeletOf(mesh: Mesh): number {
  return mesh.triangleCount > LAZY_LEAST ? TREELET : 0;
}

/** Fits the blocks from `from` to the last, in the builder's way. */
function fitNewBlocks(tree: Hierarchy, from: number): void {
  const aligned = tree.builder === 'fast';
  if (aligned) kernel().alignAxes(tree.block, from, tree.blockCount);
  fitBoxes(tree, from, tree.blockCount, aligned);
}

/** Lays out a tree and builds its topology down to subtrees of `treelet` triangles (0: all of it). No volumes yet. */
export function buildTop(mesh: Mesh, builder: Builder, treelet: number): number {
  assertMesh(mesh);
  const memory = arena();
  const run = kernel();
  const count = mesh.triangleCount;
  const records = memory.alloc(RECORD_BYTES * count);
  for (let tries = 0; ; tries++) {
    const block = layOutTop(count, builder, treelet, tries);
    run.writeRecords(mesh.block, records, 0, count);
    run.writeCentre(block, records);
    if (run.buildTopology(block, records, builder === 'fast', treelet)) {
      memory.free(records);
      trim(block);
      return block;
    }
    memory.free(block);
  }
}

/** Lays out a tree with room for what it usually takes, doubled as often as that was not enough. */
export function layOutTop(count: number, builder: Builder, treelet: number, tries: number): number {
  const blocks = 16 + Math.ceil(count * (treelet > 0 ? 3 / treelet : 0.165));
  const pending = treelet > 0 ? 16 + Math.ceil((count * 8) / treelet) : 0;
  return layOutTree(arena(), {
    kind: OBB,
    stride: OBB_STRIDE,
    builder,
    leafSize: LEAF_SIZE,
    triangleCount: count,
    blockCapacity: 2 ** tries * blocks,
    pendingCapacity: 2 ** tries * pending,
  });
}

/** Gives back the blocks a tree does not use. */
function trim(block: number): void {
  const header = arena()
    .u32()
    .subarray(block >>> 2);
  const blockCount = header[HierarchyHeader.blockCount];
  const byteLength =
    header[HierarchyHeader.blocks] + 4 * blockWords(header[HierarchyHeader.stride]) * blockCount;
  header[HierarchyHeader.blockCapacity] = blockCount;
  header[HierarchyHeader.byteLength] = byteLength;
  arena().shrink(block, byteLength);
}

/** Fits the volumes of blocks [from, to). Blocks outside are not looked at unless one of these refers to them. */
function fitBoxes(tree: Hierarchy, from: number, to: number, keepAxes: boolean): void {
  const memory = arena();
  const run = kernel();
  const momentBytes = keepAxes ? 0 : MOMENT_BYTES * (to - from);
  const work = memory.alloc(momentBytes + RANGE_BYTES * (to - from));
  // the kernels index by block number: shift the arrays so that `from` comes first
  const moments = work - MOMENT_BYTES * from;
  const ranges = work + momentBytes - RANGE_BYTES * from;
  const mesh = tree.mesh.block;
  run.computeRanges(tree.block, ranges, from, to);
  run.fitSubtrees(tree.block, mesh, ranges, moments, from, to, keepAxes);
  run.fitUpperBlocks(tree.block, mesh, ranges, moments, from, to, keepAxes);
  memory.free(work);
}

/** Fits all volumes to where the mesh's vertices are now. */
export function refitObbTree(tree: Hierarchy, keepAxes: boolean): void {
  kernel().widenRadius(tree.block, tree.mesh.block);
  fitBoxes(tree, 0, tree.blockCount, keepAxes);
}

/** Builds the treelet that is pending below a slot of a tree of any kind. The tree may move in memory. */
function growAt(tree: Hierarchy, slot: number): void {
  const { kind } = tree;
  if (kind === 'obb') {
    growBoxesAt(tree, slot);
    return;
  }
  const memory = arena();
  const treelet = layOutTree(memory, {
    kind: OBB,
    stride: OBB_STRIDE,
    builder: tree.builder,
    leafSize: LEAF_SIZE,
    triangleCount: 0,
    blockCapacity: mostBlocksIn(tree, slot),
    pendingCapacity: 0,
  });
  buildTreelet(tree, slot, treelet, EMPTY);
  const from = tree.blockCount;
  reserve(tree, new TreeView(memory, treelet).blockCount);
  const view = viewOf(tree);
  takeBlocks(new TreeView(memory, treelet), view);
  view.words[view.refAt(slot)] = from;
  memory.free(treelet);
  fitBlocks(view, VOLUMES[kind], tree.mesh, from);
}

/** A view under which a tree of any kind grows. */
export function lazyViewOf(tree: Hierarchy): LazyView {
  return new LazyView(tree, growAt);
}

/** Appends blocks with the references of another tree's, which are counted from its own first block. */
export function takeBlocks(from: TreeView, to: TreeView): void {
  const first = to.blockCount;
  for (let slot = 0; slot < LANES * from.blockCount; slot++) {
    const ref = from.ref(slot);
    const inner = ref < PENDING_BIT;
    to.words[to.refAt(LANES * first + slot)] = inner ? ref + first : ref;
  }
  to.words[to.headerWord + HierarchyHeader.blockCount] = first + from.blockCount;
}

/** The same as `growAt`, for oriented boxes. */
export function growBoxesAt(tree: Hierarchy, slot: number): void {
  const from = tree.blockCount;
  reserve(tree, mostBlocksIn(tree, slot));
  buildTreelet(tree, slot, tree.block, slot >>> 2);
  fitNewBlocks(tree, from);
}

/** Builds the topology of a pending treelet at the end of `into`, below a block of it unless that is EMPTY. */
function buildTreelet(tree: Hierarchy, slot: number, into: number, parent: number): void {
  const records = arena().alloc(2 * RECORD_BYTES * mostBlocksIn(tree, slot));
  const treelet = refIndex(viewOf(tree).ref(slot));
  const fast = tree.builder === 'fast';
  kernel().buildTreelet(tree.block, into, tree.mesh.block, records, treelet, parent, slot & 3, fast);
  arena().free(records);
}

/** What is pending below a slot never needs more blocks than half of its triangles (see kernels/build.ts). */
function mostBlocksIn(tree: Hierarchy, slot: number): number {
  const view = viewOf(tree);
  return (view.words[view.pendingWord + 2 * refIndex(view.ref(slot)) + 1] >>> 1) + 1;
}

/** Builds everything a lazy tree has left out, and gives back what it does not need. */
export function completeHierarchy(tree: Hierarchy): void {
  assertTree(tree);
  const view = lazyViewOf(tree);
  for (let slot = 0; slot < LANES * view.blockCount; slot++) {
    if (isPending(view.ref(slot))) view.grow(slot);
  }
  arena().u32()[(tree.block >>> 2) + HierarchyHeader.pendingCount] = 0;
  trim(tree.block);
}

/** Moves the tree to a larger place unless there is room for so many more blocks. */
function reserve(tree: Hierarchy, more: number): void {
  const memory = arena();
  const { blockCount } = tree;
  const room = tree.header(HierarchyHeader.blockCapacity);
  if (room - blockCount >= more) return;
  const capacity = Math.ceil(Math.max(blockCount + more, 1.5 * room));
  const blocksAt = tree.header(HierarchyHeader.blocks);
  const blockBytes = 4 * blockWords(tree.header(HierarchyHeader.stride));
  const byteLength = blocksAt + blockBytes * capacity;
  const block = memory.alloc(byteLength);
  memory.u8().copyWithin(block, tree.block, tree.block + blocksAt + blockBytes * blockCount);
  tree.moveTo(block);
  const words = memory.u32();
  words[(block >>> 2) + HierarchyHeader.blockCapacity] = capacity;
  words[(block >>> 2) + HierarchyHeader.byteLength] = byteLength;
}
