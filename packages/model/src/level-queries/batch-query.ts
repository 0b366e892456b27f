/** Many pairs of trees that a kernel is asked about in one call (see kernels/patches/tree-pairs.ts). */
import { arena } from 'impinge/internal/base/arena.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { storedPose, storedRounding } from 'impinge/internal/mesh/stored-pose.js';
import {
  type Ask,
  closeContext,
  DISTANCE_ENTRY_BYTES,
  type OpenQuery,
  openContext,
  QueryBlock,
  writeRotations,
} from 'impinge/internal/query/pair/context.js';
import { expandPending } from 'impinge/internal/query/pair/hierarchy-of.js';
import { BatchField, TREES_BYTES } from './layout.generated.js';

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

export class BatchQuery extends QueryBlock implements OpenQuery {
  readonly block: number;
  readonly pose: RigidPose;
  readonly entryBytes = DISTANCE_ENTRY_BYTES;
  /** What distances of these parts lose to rounding at most. */
  readonly rounding: number;
  readonly #parts: PartPairs;
  readonly #trees: number;

  constructor(parts: PartPairs, ask: Ask) {
    super();
    const { a, b, pairs, bToA } = parts;
    const memory = arena();
    const [meshesA, meshesB] = [a, b].map((side) => side.map(({ tree }) => tree.mesh));
    this.#parts = parts;
    this.pose = storedPose(meshesA[0], meshesB[0], bToA);
    this.rounding = storedRounding(meshesA, meshesB, this.pose);
    this.#trees = memory.alloc((TREES_BYTES * pairs.length) / 2);
    this.block = openContext(meshesA[0], meshesB[0], this.pose, ask);
    this.setWord(BatchField.trees, this.#trees);
    this.setWord(BatchField.treeCount, pairs.length / 2);
    memory.f64()[(this.block + BatchField.deviation) >>> 3] = writeRotations(this.block, this.pose);
    this.#writeTrees();
  }

  get cursor(): number {
    return this.word(BatchField.cursor);
  }
  get finished(): boolean {
    return this.cursor === this.#parts.pairs.length / 2;
  }
  get treeA(): Hierarchy {
    return this.partA(this.cursor).tree;
  }
  get treeB(): Hierarchy {
    return this.partB(this.cursor).tree;
  }
  partA(pair: number): Part {
    return this.#parts.a[this.#parts.pairs[2 * pair]];
  }
  partB(pair: number): Part {
    return this.#parts.b[this.#parts.pairs[2 * pair + 1]];
  }
  /** Gives the kernel two numbers about every pair. */
  writeNumbers(numbersOf: (a: Part, b: Part) => readonly [number, number]): void {
    const numbers = arena().f64();
    const count = this.#parts.pairs.length / 2;
    for (let pair = 0, at = (this.#trees >>> 3) + 2; pair < count; pair++, at += TREES_BYTES / 8) {
      [numbers[at], numbers[at + 1]] = numbersOf(this.partA(pair), this.partB(pair));
    }
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
    const [a, b] = [treeA.block, treeB.block];
    expandPending(this);
    if (treeA.block !== a || treeB.block !== b) this.#writeTrees();
  }

  release(): void {
    closeContext(this.block);
    arena().free(this.#trees);
  }
}
