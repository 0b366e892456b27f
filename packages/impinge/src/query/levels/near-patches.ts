/**
 * Which patches of pairs of meshes come near each other (see kernels/patches/near-patches.ts).
 *
 * A patch is a few neighbouring triangles in a box no larger than asked, or a leaf's.
 */
import { arena } from '../../base/arena.js';
import type { Hierarchy } from '../../hierarchy/hierarchy.js';
import { HierarchyHeader } from '../../hierarchy/layout.js';
import type { RigidPose } from '../../math/pose.js';
import { storedPose, storedRounding } from '../../mesh/stored-pose.js';
import { decideDoubts } from '../pair/collide.js';
import {
  closeContext,
  DISTANCE_ENTRY_BYTES,
  type OpenQuery,
  openContext,
  Q,
  type QueryStats,
  Status,
  tooFar,
  writeRotations,
} from '../pair/context.js';
import { expandPending } from '../pair/hierarchy-of.js';
import type { PatchList } from './patch-list.js';
import { patchesKernels } from './patches-kernel.js';

/** A part of a surface with its tree, and how far it may be from what it stands for. */
export interface Part {
  readonly part: number;
  readonly tree: Hierarchy;
  /** No point of that is farther from it, and none of its points farther from that. */
  readonly out: number;
  readonly in: number;
}

/** Parts of a and of b, all in one pose, the parts of a side with one origin; and which of them to compare. */
export interface PartPairs {
  readonly a: readonly Part[];
  readonly b: readonly Part[];
  readonly bToA: RigidPose;
  /** Two numbers per pair: its places in `a` and `b`. */
  readonly pairs: Uint32Array;
}

export interface PatchAsk {
  /** Everything this near is among the answers, and nothing farther by more than the error. */
  readonly distance: number;
  readonly error: number;
  /** Half the diagonal of the largest box around a patch of several triangles. */
  readonly radius: number;
  /** Most answers. */
  readonly limit: number;
}

/** Fields of the query that only this kernel knows, see kernels/patches/near-patches.ts. */
const PATCH = 272;
const DEVIATION = 280;
const TREES = 288;
const TREE_COUNT = 292;
const CURSOR = 296;
const TREES_BYTES = 32;
/** Words of an answer. */
const ANSWER = 7;

/** Adds the patches near each other to `list`, pair by pair. Returns whether there are no more than that. */
export function findPatches(
  parts: PartPairs,
  ask: PatchAsk,
  list: PatchList,
): { complete: boolean; stats: QueryStats } {
  const query = new PatchQuery(parts, ask);
  try {
    let adaptiveTests = 0;
    let left = ask.limit;
    let status: number;
    do {
      query.setWord(Q.limit, left);
      status = patchesKernels.kernels().nearPatches(query.block);
      if (status === Status.tooFar) throw tooFar();
      left -= query.takeAnswers(list);
      const doubts = query.takeDoubts();
      adaptiveTests += doubts.length;
      for (const key of decideDoubts(query, doubts, left + 1)) {
        if (--left < 0) break; // there are more
        query.addMeeting(list, Number(key >> 32n), Number(key & 0xffffffffn));
      }
      if (status === Status.needTreelet) query.expand();
    } while (status !== Status.done && left > 0);
    return { complete: left >= 0 && query.finished, stats: query.stats(adaptiveTests) };
  } finally {
    query.release();
  }
}

class PatchQuery implements OpenQuery {
  readonly block: number;
  readonly pose: RigidPose;
  readonly entryBytes = DISTANCE_ENTRY_BYTES;
  readonly #parts: PartPairs;
  readonly #ask: PatchAsk;
  readonly #trees: number;
  readonly #rounding: number;

  constructor(parts: PartPairs, ask: PatchAsk) {
    const { a, b, pairs, bToA } = parts;
    const { radius, limit } = ask;
    this.#ask = ask;
    const memory = arena();
    const [meshesA, meshesB] = [a, b].map((side) => side.map(({ tree }) => tree.mesh));
    this.#parts = parts;
    this.pose = storedPose(meshesA[0], meshesB[0], bToA);
    this.#rounding = storedRounding(meshesA, meshesB, this.pose);
    this.#trees = memory.alloc((TREES_BYTES * pairs.length) / 2);
    this.block = openContext(meshesA[0], meshesB[0], this.pose, { limit });
    this.setWord(Q.pairCapacity, Math.floor((2 * this.word(Q.pairCapacity)) / ANSWER));
    this.setWord(TREES, this.#trees);
    this.setWord(TREE_COUNT, pairs.length / 2);
    memory.f32()[(this.block + PATCH) >>> 2] = radius * radius;
    memory.f64()[(this.block + DEVIATION) >>> 3] = writeRotations(this.block, this.pose);
    this.#writeTrees();
    const numbers = memory.f64();
    for (let i = 0, at = (this.#trees >>> 3) + 2; i < pairs.length; i += 2, at += TREES_BYTES / 8) {
      const partA = a[pairs[i]];
      const partB = b[pairs[i + 1]];
      const bound = this.#bound(partA, partB);
      numbers[at] = bound;
      // where the error is below rounding: as exact answers do it
      numbers[at + 1] = Math.max(bound, this.#accept(partA, partB));
    }
  }

  get cursor(): number {
    return this.word(CURSOR);
  }
  get finished(): boolean {
    return this.cursor === this.#parts.pairs.length / 2;
  }
  get treeA(): Hierarchy {
    return this.#partA(this.cursor).tree;
  }
  get treeB(): Hierarchy {
    return this.#partB(this.cursor).tree;
  }
  #partA(pair: number): Part {
    return this.#parts.a[this.#parts.pairs[2 * pair]];
  }
  #partB(pair: number): Part {
    return this.#parts.b[this.#parts.pairs[2 * pair + 1]];
  }
  word(field: number): number {
    return arena().u32()[(this.block + field) >>> 2];
  }
  setWord(field: number, value: number): void {
    arena().u32()[(this.block + field) >>> 2] = value;
  }

  /** Where the trees and meshes are now. */
  #writeTrees(): void {
    const words = arena().u32();
    const { a, b, pairs } = this.#parts;
    const [treesA, treesB] = [a, b].map((side) => side.map(({ tree }) => tree.block));
    const [meshesA, meshesB] = [a, b].map((side) => side.map(({ tree }) => tree.mesh.block));
    for (let i = 0, at = this.#trees >>> 2; i < pairs.length; i += 2, at += TREES_BYTES / 4) {
      words[at] = treesA[pairs[i]];
      words[at + 1] = treesB[pairs[i + 1]];
      words[at + 2] = meshesA[pairs[i]];
      words[at + 3] = meshesB[pairs[i + 1]];
    }
  }

  /** Builds the treelet at which the kernel stopped. */
  expand(): void {
    const { treeA, treeB } = this;
    const before = treeA.block + treeB.block;
    expandPending(this);
    if (treeA.block + treeB.block !== before) this.#writeTrees();
  }

  /** Moves the answers that are there to the list; returns how many there were. */
  takeAnswers(list: PatchList): number {
    const count = this.word(Q.pairsFound);
    if (count === 0) return 0;
    const memory = arena();
    const words = memory.u32();
    const floats = memory.f32();
    let [last, orderA, orderB] = [-1, 0, 0];
    for (let i = 0, at = this.word(Q.pairs) >>> 2; i < count; i++, at += ANSWER) {
      const pair = words[at];
      if (pair !== last) {
        orderA = orderAt(this.#partA(pair).tree);
        orderB = orderAt(this.#partB(pair).tree);
        this.#name(list, pair);
        last = pair;
      }
      list.add(words, floats, at, orderA, orderB);
    }
    this.setWord(Q.pairsFound, 0);
    return count;
  }

  /** Adds two triangles of the parts asked about that meet. */
  addMeeting(list: PatchList, triangleA: number, triangleB: number): void {
    const { treeA, treeB } = this;
    this.#name(list, this.cursor);
    list.addMeeting(triangleA, triangleB, positionOf(treeA, triangleA), positionOf(treeB, triangleB));
  }

  #name(list: PatchList, pair: number): void {
    const a = this.#partA(pair);
    const b = this.#partB(pair);
    const { distance, error } = this.#ask;
    list.between(a.part, b.part, {
      out: a.out + b.out + this.#rounding,
      in: a.in + b.in + this.#rounding,
      most: this.#accept(a, b) >= this.#bound(a, b) ? distance + error : Infinity,
    });
  }

  // what the proof of levels-engine.ts asks for
  #bound(a: Part, b: Part): number {
    return (this.#ask.distance + a.out + b.out) * (1 + 1e-14) + this.#rounding;
  }
  #accept(a: Part, b: Part): number {
    return (this.#ask.distance + this.#ask.error - a.in - b.in) * (1 - 1e-14) - 2 * this.#rounding;
  }

  takeDoubts(): BigUint64Array {
    const from = this.word(Q.doubts) / 8;
    const count = this.word(Q.doubtCount);
    this.setWord(Q.doubtCount, 0);
    return arena()
      .u64()
      .slice(from, from + count);
  }

  stats(adaptiveTests: number): QueryStats {
    return {
      volumeTests: this.word(Q.volumeTests),
      triangleTests: this.word(Q.triangleTests),
      exactTests: this.word(Q.exactTests),
      adaptiveTests,
    };
  }

  release(): void {
    closeContext(this.block);
    arena().free(this.#trees);
  }
}

/** Word position of a tree's order of triangles. */
function orderAt(tree: Hierarchy): number {
  return (tree.block + tree.header(HierarchyHeader.orderByteOffset)) >>> 2;
}

/** `count` triangles from position `first` of a tree's order on. */
export function trianglesInOrder(tree: Hierarchy, first: number, count: number): Uint32Array {
  const at = orderAt(tree) + first;
  return arena()
    .u32()
    .slice(at, at + count);
}

/** Where a triangle is in a tree's order. */
function positionOf(tree: Hierarchy, triangle: number): number {
  return trianglesInOrder(tree, 0, tree.mesh.triangleCount).indexOf(triangle);
}
