/**
 * Builds trees of oriented boxes with the kernels: lays out the memory, lets them find the topology, then fits.
 *
 * Bytes per triangle: 4 for the order, and 176 per block, of which there is about one for eight triangles.
 * A lazy tree leaves subtrees of up to TREELET triangles pending; `expandPendingAt` builds one when a query gets there.
 */
import { arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import { kernel } from '../kernel/kernel.js';
import {
  BLOCK_BYTES,
  EMPTY,
  HierarchyHeader,
  MOMENT_BYTES,
  RECORD_BYTES,
} from '../kernel/layout.generated.js';
import { assertMesh, type Mesh } from '../mesh/mesh.js';
import { VOLUME_KINDS } from '../volumes/kinds.js';
import { assertTree, Hierarchy } from './hierarchy.js';
import { type Builder, isPending, LANES, layOutTree, refIndex } from './layout.js';

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
  const treelet = lazy && mesh.triangleCount > LAZY_LEAST ? TREELET : 0;
  const tree = new Hierarchy(mesh, buildTop(mesh, builder, treelet));
  fitNewBlocks(tree, 0);
  return tree;
}

/** Fits the blocks from `from` to the last, in the builder's way. */
function fitNewBlocks(tree: Hierarchy, from: number): void {
  const aligned = tree.builder === 'fast';
  if (aligned) kernel().alignAxes(tree.block, from, tree.blockCount);
  fitBlocks(tree, from, tree.blockCount, aligned);
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
  const byteLength = header[HierarchyHeader.blocks] + BLOCK_BYTES * blockCount;
  header[HierarchyHeader.blockCapacity] = blockCount;
  header[HierarchyHeader.byteLength] = byteLength;
  arena().shrink(block, byteLength);
}

/** Fits the volumes of blocks [from, to). Blocks outside are not looked at unless one of these refers to them. */
function fitBlocks(tree: Hierarchy, from: number, to: number, keepAxes: boolean): void {
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
  fitBlocks(tree, 0, tree.blockCount, keepAxes);
}

/** Builds the pending treelet that lane `lane` of block `parent` refers to. The tree may move in memory. */
export function expandPendingAt(tree: Hierarchy, parent: number, lane: number): void {
  const memory = arena();
  const refWord = (tree.blocksByteOffset + BLOCK_BYTES * parent) / 4 + LANES * OBB_STRIDE + lane;
  const ref = memory.u32()[refWord];
  if (ref === EMPTY || !isPending(ref))
    throw new ImpingeError('bad-input', 'expand: the lane is not pending');
  const treelet = refIndex(ref);
  const count = memory.u32()[(tree.block + tree.header(HierarchyHeader.pending)) / 4 + 2 * treelet + 1];
  const records = memory.alloc(RECORD_BYTES * count);
  const from = tree.blockCount;
  // a treelet of n triangles never needs more than n / 2 blocks (see kernels/build.ts)
  if (tree.header(HierarchyHeader.blockCapacity) - from < count / 2 + 1) reserve(tree, from + count / 2 + 1);
  const fast = tree.builder === 'fast';
  kernel().buildTreelet(tree.block, tree.block, tree.mesh.block, records, treelet, parent, lane, fast);
  memory.free(records);
  fitNewBlocks(tree, from);
}

/** Builds everything a lazy tree has left out, and gives back what it does not need. */
export function completeHierarchy(tree: Hierarchy): void {
  assertTree(tree);
  for (let block = 0; block < tree.blockCount; block++) {
    for (let lane = 0; lane < LANES; lane++) {
      const ref =
        arena().u32()[(tree.blocksByteOffset + BLOCK_BYTES * block) / 4 + LANES * OBB_STRIDE + lane];
      if (ref !== EMPTY && isPending(ref)) expandPendingAt(tree, block, lane);
    }
  }
  arena().u32()[(tree.block >>> 2) + HierarchyHeader.pendingCount] = 0;
  trim(tree.block);
}

/** Moves the tree to a place with room for at least `blocks` blocks. */
function reserve(tree: Hierarchy, blocks: number): void {
  const memory = arena();
  const capacity = Math.ceil(Math.max(blocks, 1.5 * tree.header(HierarchyHeader.blockCapacity)));
  const byteLength = tree.header(HierarchyHeader.blocks) + BLOCK_BYTES * capacity;
  const block = memory.alloc(byteLength);
  const used = tree.header(HierarchyHeader.blocks) + BLOCK_BYTES * tree.blockCount;
  memory.u8().copyWithin(block, tree.block, tree.block + used);
  tree.moveTo(block);
  const words = memory.u32();
  words[(block >>> 2) + HierarchyHeader.blockCapacity] = capacity;
  words[(block >>> 2) + HierarchyHeader.byteLength] = byteLength;
}
