/**
 * Which triangles lie together: references and order of a tree, no volumes yet. The specification of the builder;
 * `buildRange` in kernels/build.ts is its twin and gives the same bytes.
 *
 * Idea: a block starts as one range; the child with the largest area that is no leaf yet is split, in place, until
 * there are four or all are leaves. Blocks are numbered on creation, lane 0's whole subtree before lane 1's.
 * A lazy tree of more than LAZY_LEAST triangles leaves ranges of at most TREELET as pending treelets, built by
 * `expandTopology` later. Room for all their blocks is reserved, so an expansion never moves the tree.
 *
 * Invariant: blocks ≤ max(1, (n − 1) / min(leafSize, 3)). A block of three splits has four children; one of fewer
 * has only leaves, made from more than leafSize triangles. Counting triangles by leaves, a block of one split
 * takes leafSize of the n − 1, of two splits leafSize + 1, of three splits 3.
 * Invariant: depth < MAX_DEPTH. Below MAX_FREE_DEPTH each block halves its range at least once, and a range has
 * fewer than 2²⁸ triangles; a treelet starts counting again.
 */
import type { Arena } from '../base/arena.js';
import { ImpingeError } from '../base/errors.js';
import type { Mesh } from '../mesh/mesh.js';
import { writeCentre } from './centre.js';
import {
  BUILDERS,
  type Builder,
  blockWords,
  EMPTY,
  HIERARCHY_HEADER_BYTES,
  HIERARCHY_MAGIC,
  HIERARCHY_VERSION,
  HierarchyHeader,
  isPending,
  LANES,
  leafRef,
  pendingRef,
  refIndex,
  VOLUME_KINDS,
  type VolumeKind,
} from './layout.js';
import { type Range, Splitter } from './split.js';
import type { TreeView } from './tree-view.js';
import { volumeOf } from './volume-of.js';

export const DEFAULT_LEAF_SIZE = 4;

/** Most triangles in a treelet that is left for later. */
export const TREELET = 512;
/** Smaller meshes are built as a whole: their parts would not pay for the detour. */
export const LAZY_LEAST = 64;

/** Blocks deeper than this split their ranges in the middle. */
const MAX_FREE_DEPTH = 40;

/** No block of a tree lies deeper: twice MAX_FREE_DEPTH, and the halvings of 2²⁸ triangles and of a treelet. */
export const MAX_DEPTH = 2 * (MAX_FREE_DEPTH + 1) + 28 + 9;

export interface TopologyOptions {
  readonly kind: VolumeKind;
  readonly builder: Builder;
  readonly lazy: boolean;
  readonly leafSize: number;
}

/** Most blocks a tree over `triangleCount` triangles can have (see the module's comment). */
export function maxBlocks(triangleCount: number, leafSize: number): number {
  return Math.max(1, Math.floor((triangleCount - 1) / Math.min(leafSize, 3)));
}

/**
 * Allocates a tree and writes its header, order, pending treelets and references; every volume is empty.
 * Returns its byte offset in the arena; the caller owns it.
 */
export function buildTopology(owner: Arena, mesh: Mesh, options: TopologyOptions): number {
  const { kind, builder, lazy, leafSize } = options;
  const count = mesh.triangleCount;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const splitter = new Splitter(triangleBoxes(mesh, order), order, builder, leafSize);
  const parts = splitIntoBlocks(splitter, count, leafSize, lazy && count > LAZY_LEAST);

  const { STRIDE } = volumeOf(kind);
  let capacity = parts.refs.length / LANES;
  for (let i = 1; i < parts.pending.length; i += 2) capacity += maxBlocks(parts.pending[i], leafSize);
  const orderAt = HIERARCHY_HEADER_BYTES;
  const pendingAt = align16(orderAt + 4 * count);
  const blocksAt = align16(pendingAt + 4 * parts.pending.length);
  const byteLength = blocksAt + 4 * blockWords(STRIDE) * capacity;

  const tree = owner.alloc(byteLength);
  const words = owner
    .u32()
    .subarray(tree >>> 2, (tree + byteLength) >>> 2)
    .fill(0);
  words[HierarchyHeader.magic] = HIERARCHY_MAGIC;
  words[HierarchyHeader.version] = HIERARCHY_VERSION;
  words[HierarchyHeader.kind] = VOLUME_KINDS.indexOf(kind);
  words[HierarchyHeader.stride] = STRIDE;
  words[HierarchyHeader.triangleCount] = count;
  words[HierarchyHeader.leafSize] = leafSize;
  words[HierarchyHeader.builder] = BUILDERS.indexOf(builder);
  words[HierarchyHeader.orderByteOffset] = orderAt;
  words[HierarchyHeader.pendingByteOffset] = pendingAt;
  words[HierarchyHeader.pendingCount] = parts.pending.length / 2;
  words[HierarchyHeader.pendingCapacity] = parts.pending.length / 2;
  words[HierarchyHeader.blocksByteOffset] = blocksAt;
  words[HierarchyHeader.blockCapacity] = capacity;
  words[HierarchyHeader.byteLength] = byteLength;
  words.set(order, orderAt >>> 2);
  words.set(parts.pending, pendingAt >>> 2);
  writeRefs(words, blocksAt >>> 2, STRIDE, parts.refs, 0);
  words[HierarchyHeader.blockCount] = parts.refs.length / LANES;
  writeCentre(owner, tree, mesh);
  return tree;
}

/**
 * Builds the blocks of the pending treelet at `slot` behind the others and points the slot at the first of them;
 * its order entries are permuted. Returns the first new block; volumes are left to the caller.
 */
export function expandTopology(view: TreeView, mesh: Mesh, slot: number): number {
  const ref = view.ref(slot);
  if (!isPending(ref)) throw new ImpingeError('bad-input', `slot ${slot} holds no pending treelet`, { slot });
  const entry = view.pendingWord + 2 * refIndex(ref);
  const start = view.words[entry];
  const count = view.words[entry + 1];
  const triangles = view.words.slice(view.orderWord + start, view.orderWord + start + count);
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const splitter = new Splitter(triangleBoxes(mesh, triangles), order, BUILDERS[view.builder], view.leafSize);
  const { refs } = splitIntoBlocks(splitter, count, view.leafSize, false);

  const first = view.blockCount;
  for (let i = 0; i < count; i++) view.words[view.orderWord + start + i] = triangles[order[i]];
  for (let i = 0; i < refs.length; i++) {
    if (refs[i] !== EMPTY) refs[i] += (refs[i] & 0x80000000) !== 0 ? start : first;
  }
  writeRefs(view.words, view.blocksWord, view.stride, refs, first);
  view.words[view.refAt(slot)] = first;
  view.words[entry + 1] = 0; // no longer pending
  view.words[view.headerWord + HierarchyHeader.blockCount] = first + refs.length / LANES;
  return first;
}

/** Six float32 per listed triangle: minimum and maximum of its corners. */
function triangleBoxes(mesh: Mesh, triangles: Uint32Array): Float32Array {
  const { positions, indices } = mesh;
  const boxes = new Float32Array(6 * triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    const t = 3 * triangles[i];
    for (let k = 0; k < 3; k++) {
      const p = positions[3 * indices[t] + k];
      const q = positions[3 * indices[t + 1] + k];
      const r = positions[3 * indices[t + 2] + k];
      boxes[6 * i + k] = Math.min(p, q, r);
      boxes[6 * i + 3 + k] = Math.max(p, q, r);
    }
  }
  return boxes;
}

/** References, four per block, and the pending treelets (start, count) in the order of their numbers. */
function splitIntoBlocks(
  splitter: Splitter,
  count: number,
  leafSize: number,
  lazy: boolean,
): { refs: Uint32Array; pending: number[] } {
  const refs = new Uint32Array(LANES * maxBlocks(count, leafSize));
  const pending: number[] = [];
  let blockCount = 0;
  const waiting = [{ range: splitter.measure(0, count), parent: -1, depth: 0 }];
  for (let task = waiting.pop(); task; task = waiting.pop()) {
    const { range, parent, depth } = task;
    const block = blockCount++;
    if (parent >= 0) refs[parent] = block;
    const children = splitInFour(splitter, range, leafSize, depth > MAX_FREE_DEPTH);
    for (let lane = 0; lane < LANES; lane++) {
      const child = children[lane];
      const at = LANES * block + lane;
      if (!child) refs[at] = EMPTY;
      else if (child.count <= leafSize) refs[at] = leafRef(child.start, child.count);
      else if (lazy && child.count <= TREELET) {
        refs[at] = pendingRef(pending.length / 2);
        pending.push(child.start, child.count);
      }
    }
    // what is left goes on the stack in reverse, so that lane 0 is built first
    for (let lane = children.length - 1; lane >= 0; lane--) {
      const child = children[lane];
      const later = child.count > leafSize && !(lazy && child.count <= TREELET);
      if (later) waiting.push({ range: child, parent: LANES * block + lane, depth: depth + 1 });
    }
  }
  return { refs: refs.slice(0, LANES * blockCount), pending };
}

/** Splits the child of largest area, the first among equals, until there are four or all are leaves. */
function splitInFour(splitter: Splitter, range: Range, leafSize: number, inMiddle: boolean): Range[] {
  const children = [range];
  while (children.length < LANES) {
    let pick = -1;
    for (let k = 0; k < children.length; k++) {
      if (children[k].count <= leafSize) continue;
      if (pick < 0 || children[k].area > children[pick].area) pick = k;
    }
    if (pick < 0) break;
    children.splice(pick, 1, ...splitter.split(children[pick], inMiddle));
  }
  return children;
}

function writeRefs(
  words: Uint32Array,
  blocksWord: number,
  stride: number,
  refs: Uint32Array,
  first: number,
): void {
  for (let i = 0; i < refs.length; i += LANES) {
    const row = blocksWord + (first + i / LANES) * blockWords(stride) + LANES * stride;
    for (let lane = 0; lane < LANES; lane++) words[row + lane] = refs[i + lane];
  }
}

function align16(n: number): number {
  return Math.ceil(n / 16) * 16;
}
