/**
 * Which patches of pairs of meshes come near each other (see kernels/patches/near-patches.ts).
 *
 * A patch is a few neighbouring triangles in a box no larger than asked, or a leaf's.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { Hierarchy } from 'impinge/internal/hierarchy/hierarchy.js';
import { HierarchyHeader, Q, Status } from 'impinge/internal/kernel/layout.generated.js';
import { decideDoubts } from 'impinge/internal/query/pair/collide.js';
import { type QueryStats, tooFar } from 'impinge/internal/query/pair/context.js';
import { BatchQuery, type Part, type PartPairs } from './batch-query.js';
import { patchesKernels } from './kernels.generated.js';
import { ANSWER_BYTES, BatchField } from './layout.generated.js';
import type { PatchList } from './patch-list.js';

export interface PatchAsk {
  /** Everything this near is among the answers, and nothing farther by more than the error. */
  readonly distance: number;
  readonly error: number;
  /** Half the diagonal of the largest box around a patch of several triangles. */
  readonly radius: number;
  /** Most answers. */
  readonly limit: number;
}

const ANSWER_WORDS = ANSWER_BYTES / 4;

/**
 * Adds the patches near each other to `list`, pair by pair. Their order does not depend on how much of the trees is
 * built: doubts are decided where the kernel says so, not whenever it stops.
 */
export function findPatches(parts: PartPairs, ask: PatchAsk, list: PatchList): QueryStats {
  const query = new PatchQuery(parts, ask);
  try {
    const end = list.count + ask.limit;
    let adaptiveTests = 0;
    let status: number;
    do {
      query.setWord(Q.limit, end - list.count);
      status = patchesKernels.kernels().nearPatches(query.block);
      if (status === Status.tooFar) throw tooFar();
      query.takeAnswers(list);
      if (status === Status.doubtsFull) {
        const doubts = query.takeDoubts();
        adaptiveTests += doubts.length;
        for (const key of decideDoubts(query, doubts, end - list.count)) {
          query.addMeeting(list, Number(key >> 32n), Number(key & 0xffffffffn));
        }
      }
      if (status === Status.needTreelet) query.expand();
    } while (status !== Status.done && list.count < end);
    return query.stats(adaptiveTests);
  } finally {
    query.release();
  }
}

class PatchQuery extends BatchQuery {
  readonly #ask: PatchAsk;

  constructor(parts: PartPairs, ask: PatchAsk) {
    super(parts, ask);
    this.#ask = ask;
    this.setWord(Q.pairCapacity, Math.floor((2 * this.word(Q.pairCapacity)) / ANSWER_WORDS));
    // infinite would be whole trees
    arena().f32()[(this.block + BatchField.patch) >>> 2] = Math.min(ask.radius * ask.radius, 3e38);
    this.writeNumbers((a, b) => {
      const bound = this.#bound(a, b);
      // where the error is below rounding: as exact answers do it
      return [bound, Math.max(bound, this.#accept(a, b))];
    });
  }

  /** Moves the answers that are there to the list. */
  takeAnswers(list: PatchList): void {
    const count = this.word(Q.pairsFound);
    if (count === 0) return;
    const memory = arena();
    const words = memory.u32();
    const floats = memory.f32();
    let [last, orderA, orderB] = [-1, 0, 0];
    for (let i = 0, at = this.word(Q.pairs) >>> 2; i < count; i++, at += ANSWER_WORDS) {
      const pair = words[at];
      if (pair !== last) {
        orderA = orderAt(this.partA(pair).tree);
        orderB = orderAt(this.partB(pair).tree);
        this.#name(list, pair);
        last = pair;
      }
      list.add(words, floats, at, orderA, orderB);
    }
    this.setWord(Q.pairsFound, 0);
  }

  /** Adds two triangles of the parts asked about that meet. */
  addMeeting(list: PatchList, triangleA: number, triangleB: number): void {
    const { treeA, treeB } = this;
    this.#name(list, this.cursor);
    list.addMeeting(triangleA, triangleB, positionOf(treeA, triangleA), positionOf(treeB, triangleB));
  }

  #name(list: PatchList, pair: number): void {
    const a = this.partA(pair);
    const b = this.partB(pair);
    const { distance, error } = this.#ask;
    list.between(a.part, b.part, {
      out: a.out + b.out + this.rounding,
      in: a.in + b.in + this.rounding,
      most: this.#accept(a, b) >= this.#bound(a, b) ? distance + error : Infinity,
    });
  }

  // what the proof of levels-target.ts asks for
  #bound(a: Part, b: Part): number {
    return (this.#ask.distance + a.out + b.out) * (1 + 1e-14) + this.rounding;
  }
  #accept(a: Part, b: Part): number {
    return (this.#ask.distance + this.#ask.error - a.in - b.in) * (1 - 1e-14) - 2 * this.rounding;
  }
}

/** Word position of a tree's order of triangles. */
export function orderAt(tree: Hierarchy): number {
  return (tree.block + tree.header(HierarchyHeader.order)) >>> 2;
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
