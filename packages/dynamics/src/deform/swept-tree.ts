/**
 * The strategy `bvh`: a binary tree of swept boxes instead of the grid, built once in Morton order and refitted in each
 * step. Shipped to be compared with; what it finds is the same. How it is fitted and asked: kernels/deform/tree.ts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { ranges, type Work } from 'impinge/internal/kernel/schedule.js';
import { deformKernels } from './kernels.generated.js';
import { Ctx, NODE_BYTES, TREE_BYTES, TreeWord } from './layout.generated.js';
import { writeMortonOrder } from './morton-order.js';
import type { PairSource, PairTask } from './primitive-culling.js';

export class SweptTree implements PairSource {
  readonly clustered = false;
  readonly #block = new ArenaBuffer();
  readonly #order = new ArenaBuffer();
  readonly #nodes = new ArenaBuffer();
  /** The context that it was built for. */
  #builtFor = 0;

  /** Builds the tree for a new context, and fits it to the step that was swept last. */
  *fill(ctx: number, parts: number): Work<void> {
    const count = arena().u32()[(ctx >>> 2) + Ctx.triangleCount];
    const block = this.#block.reserve(TREE_BYTES);
    if (this.#builtFor !== ctx || arena().u32()[(ctx >>> 2) + Ctx.tree] !== block) {
      yield* this.#build(ctx, count, parts);
      this.#builtFor = ctx;
    }
    yield ranges(count, parts).map(([from, to]) => deformKernels.call('fitLeaves', ctx, from, to));
    yield [deformKernels.call('fitNodes', ctx)];
  }

  tasks(parts: number): PairTask[] {
    const count = arena().u32()[(this.#block.at >>> 2) + TreeWord.count];
    return ranges(count, parts).map(([from, to]) => ({ kernel: 'cullTree', from, to }));
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
    yield* writeMortonOrder(ctx, order, parts);
  }
}
