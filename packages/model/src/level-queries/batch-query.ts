/** Many pairs of trees that a kernel is asked about in one call (see kernels/patches/tree-pairs.ts). */
import { arena } from 'impinge/internal/base/arena.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
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
import { BatchField, TREES_BYTES, TRIED_A } from './layout.generated.js';

/** How far a part may be from what it stands for. */
export interface PartErrors {
  /** No point of that is farther from it, and none of its points farther from that. */
  readonly out: number;
  readonly in: number;
}

/** A part of a surface with its tree. */
export interface Part extends PartErrors {
  readonly part: number;
  readonly tree: Hierarchy;
}

/** Pairs of a part of a and one of b, all in one pose, the parts of a side with one origin. */
export interface PartPairs {
  /** The two parts of pair i are a[i] and b[i]. */
  readonly a: readonly Part[];
  readonly b: readonly Part[];
  readonly bToA: RigidPose;
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
    const { a, b, bToA } = parts;
    const memory = arena();
    const [meshA, meshB] = [a[0].tree.mesh, b[0].tree.mesh];
    this.#parts = parts;
    this.pose = storedPose(meshA, meshB, bToA);
    this.rounding = storedRounding(a.map(meshOf), b.map(meshOf), this.pose);
    this.#trees = memory.alloc(TREES_BYTES * a.length);
    this.block = openContext(meshA, meshB, this.pose, ask);
    this.setWord(BatchField.trees, this.#trees);
    this.setWord(BatchField.treeCount, a.length);
    memory.f64()[(this.block + BatchField.deviation) >>> 3] = writeRotations(this.block, this.pose);
    this.#writeTrees();
  }

  get cursor(): number {
    return this.word(BatchField.cursor);
  }
  get finished(): boolean {
    return this.cursor === this.#parts.a.length;
  }
  get treeA(): Hierarchy {
    return this.partA(this.cursor).tree;
  }
  get treeB(): Hierarchy {
    return this.partB(this.cursor).tree;
  }
  partA(pair: number): Part {
    return this.#parts.a[pair];
  }
  partB(pair: number): Part {
    return this.#parts.b[pair];
  }
  /** Gives the kernel two numbers about every pair. */
  writeNumbers(numbersOf: (a: Part, b: Part, pair: number) => readonly [number, number]): void {
    const numbers = arena().f64();
    const count = this.#parts.a.length;
    for (let pair = 0, at = (this.#trees >>> 3) + 2; pair < count; pair++, at += TREES_BYTES / 8) {
      [numbers[at], numbers[at + 1]] = numbersOf(this.partA(pair), this.partB(pair), pair);
    }
  }

  /** Gives the kernel two triangles of every pair to try first. */
  writeTried(triangles: Uint32Array): void {
    const words = arena().u32();
    for (let i = 0, at = (this.#trees + TRIED_A) >>> 2; i < triangles.length; i += 2, at += TREES_BYTES / 4) {
      words[at] = triangles[i];
      words[at + 1] = triangles[i + 1];
    }
  }

  /** Where the trees and meshes are now. */
  #writeTrees(): void {
    const words = arena().u32();
    const { a, b } = this.#parts;
    for (let i = 0, at = this.#trees >>> 2; i < a.length; i++, at += TREES_BYTES / 4) {
      words[at] = a[i].tree.block;
      words[at + 1] = b[i].tree.block;
      words[at + 2] = a[i].tree.mesh.block;
      words[at + 3] = b[i].tree.mesh.block;
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

function meshOf({ tree }: Part): Mesh {
  return tree.mesh;
}
