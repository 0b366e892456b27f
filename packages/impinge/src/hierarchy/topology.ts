/**
 * Which triangles lie together: references and order of a tree, no volumes yet. The specification of the builder;
 * `buildRange` in kernels/build.ts is its twin and gives the same bytes.
 *
 * Idea: a block starts as one range; the child with the largest area that is no leaf yet is split, in place, until
 * there are four or all are leaves. Blocks are numbered on creation, lane 0's whole subtree before lane 1's.
 *
 * Invariant: blocks ≤ max(1, (n − 1) / min(leafSize, 3)). A block of three splits has four children; one of fewer
 * has only leaves, made from more than leafSize triangles. Counting triangles by leaves, a block of one split
 * takes leafSize of the n − 1, of two splits leafSize + 1, of three splits 3.
 * Invariant: depth < MAX_DEPTH. Below MAX_FREE_DEPTH each block halves its range at least once, and a range has
 * fewer than 2²⁸ triangles; a treelet starts counting again.
 */
import type { Arena } from '../base/arena.js';
import { EMPTY, HierarchyHeader } from '../kernel/layout.generated.js';
import type { Mesh } from '../mesh/mesh.js';
import { VOLUME_KINDS } from '../volumes/kinds.js';
import { writeCentre } from './centre.js';
import { type Builder, blockWords, LANES, layOutTree, leafRef } from './layout.js';
import { type Range, Splitter } from './split.js';
import type { TreeKind } from './tree-kind.js';

/** Blocks deeper than this split their ranges in the middle. */
const MAX_FREE_DEPTH = 40;

/** No block of a tree lies deeper: twice MAX_FREE_DEPTH, and the halvings of 2²⁸ triangles and of a treelet. */
export const MAX_DEPTH = 2 * (MAX_FREE_DEPTH + 1) + 28 + 9;

export interface TopologyOptions {
  readonly type: TreeKind;
  readonly builder: Builder;
  /** Most triangles in a leaf; the kernels take four. */
  readonly leafSize: number;
}

/** Most blocks a tree over `triangleCount` triangles can have (see the module's comment). */
export function maxBlocks(triangleCount: number, leafSize: number): number {
  return Math.max(1, Math.floor((triangleCount - 1) / Math.min(leafSize, 3)));
}

/**
 * Allocates a tree and writes its header, order and references, but no volumes.
 * Returns its byte offset in the arena; the caller owns it.
 */
export function buildTopology(owner: Arena, mesh: Mesh, options: TopologyOptions): number {
  const { type, builder, leafSize } = options;
  const count = mesh.triangleCount;
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  const splitter = new Splitter(triangleBoxes(mesh), order, builder, leafSize);
  const refs = splitIntoBlocks(splitter, count, leafSize);

  const { STRIDE: stride } = type.volume;
  const blockCount = refs.length / LANES;
  const tree = layOutTree(owner, {
    kind: VOLUME_KINDS.indexOf(type.kind),
    stride,
    builder,
    leafSize,
    triangleCount: count,
    blockCapacity: blockCount,
    pendingCapacity: 0,
  });
  const words = owner.u32().subarray(tree >>> 2);
  words[HierarchyHeader.blockCount] = blockCount;
  words.set(order, words[HierarchyHeader.order] >>> 2);
  const blocks = words[HierarchyHeader.blocks] >>> 2;
  for (let i = 0; i < refs.length; i += LANES) {
    words.set(refs.subarray(i, i + LANES), blocks + (i / LANES) * blockWords(stride) + LANES * stride);
  }
  writeCentre(owner, tree, mesh);
  return tree;
}

/** Six float32 per triangle: minimum and maximum of its corners. */
function triangleBoxes({
  storedPositions: positions,
  storedIndices: indices,
  triangleCount,
}: Mesh): Float32Array {
  const boxes = new Float32Array(6 * triangleCount);
  for (let i = 0; i < triangleCount; i++) {
    const t = 3 * i;
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

/** References, four per block. */
function splitIntoBlocks(splitter: Splitter, count: number, leafSize: number): Uint32Array {
  const refs = new Uint32Array(LANES * maxBlocks(count, leafSize));
  let blockCount = 0;
  const waiting = [{ range: splitter.measure(0, count), parent: -1, depth: 0 }];
  for (let task = waiting.pop(); task; task = waiting.pop()) {
    const { range, parent, depth } = task;
    const block = blockCount++;
    if (parent >= 0) refs[parent] = block;
    const children = splitInFour(splitter, range, leafSize, depth > MAX_FREE_DEPTH);
    // what is not a leaf goes on the stack, in reverse, so that lane 0 is built first
    for (let lane = LANES - 1; lane >= 0; lane--) {
      const child = children[lane];
      const at = LANES * block + lane;
      if (!child) refs[at] = EMPTY;
      else if (child.count <= leafSize) refs[at] = leafRef(child.start, child.count);
      else waiting.push({ range: child, parent: at, depth: depth + 1 });
    }
  }
  return refs.slice(0, LANES * blockCount);
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
