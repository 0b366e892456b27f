/**
 * The strategy `bvh`: a binary tree of swept boxes instead of the grid, built once in Morton order and refitted in each
 * step. Shipped to be compared with; what it finds is the same. How it is fitted and asked: kernels/deform/tree.ts.
 */
import { arena } from '../base/arena.js';
import { ArenaBuffer } from '../base/arena-buffer.js';
import { ranges, type Work } from '../kernel/schedule.js';
import { deformKernels } from './deform-kernel.js';
import { Ctx, GRID_WORDS, GridWord, TREE_WORDS, TreeWord } from './layout.js';
import type { PairSource } from './primitive-culling.js';

const NODE_BYTES = 32;

export class SweptTree implements PairSource {
  readonly kernel = 'cullTree';
  readonly #block = new ArenaBuffer();
  readonly #order = new ArenaBuffer();
  readonly #nodes = new ArenaBuffer();
  /** The context that it was built for. */
  #builtFor = 0;

  /** Builds the tree for a new context, and fits it to the step that was swept last. */
  *fill(ctx: number, parts: number): Work<void> {
    const count = arena().u32()[(ctx >>> 2) + Ctx.triangleCount];
    const block = this.#block.reserve(4 * TREE_WORDS);
    if (this.#builtFor !== ctx || arena().u32()[(ctx >>> 2) + Ctx.tree] !== block) {
      yield* this.#build(ctx, count, parts);
      this.#builtFor = ctx;
    }
    yield ranges(count, parts).map(([from, to]) => deformKernels.call('fitLeaves', ctx, from, to));
    yield [deformKernels.call('fitNodes', ctx)];
  }

  ranges(parts: number): [from: number, to: number][] {
    return ranges(arena().u32()[(this.#block.at >>> 2) + TreeWord.count], parts);
  }

  dispose(): void {
    for (const buffer of [this.#block, this.#order, this.#nodes]) buffer.dispose();
  }

  *#build(ctx: number, count: number, parts: number): Work<void> {
    const order = this.#order.reserve(4 * count);
    const tree = [
      [TreeWord.count, count],
      [TreeWord.order, order],
      [TreeWord.nodes, this.#nodes.reserve(2 * NODE_BYTES * count)],
    ] as const;
    for (const [field, value] of tree) arena().u32()[(this.#block.at >>> 2) + field] = value;
    arena().u32()[(ctx >>> 2) + Ctx.tree] = this.#block.at;
    // sorted as the keys of a grid are, whose packs lend their memory
    const keys = arena().alloc(8 * count);
    const spare = arena().alloc(12 * count);
    const sort = arena().alloc(4 * GRID_WORDS);
    const grid = [
      [GridWord.count, count],
      [GridWord.range, arena().u32()[(ctx >>> 2) + Ctx.range]],
      [GridWord.keys, keys],
      [GridWord.order, order],
      [GridWord.packs, spare],
    ] as const;
    for (const [field, value] of grid) arena().u32()[(sort >>> 2) + field] = value;
    try {
      yield ranges(count, parts).map(([from, to]) =>
        deformKernels.call('writeTreeKeys', ctx, sort, from, to),
      );
      yield [deformKernels.call('sortTreeKeys', sort)];
    } finally {
      for (const at of [keys, spare, sort]) arena().free(at);
    }
  }
}
