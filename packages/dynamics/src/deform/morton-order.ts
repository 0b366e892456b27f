/** Triangles in an order in which neighbours lie near each other: by the Morton codes of their middles at T0. */
import { arena } from 'impinge/internal/base/arena.js';
import { ranges, type Work } from 'impinge/internal/kernel/schedule.js';
import { deformKernels } from './kernels.generated.js';
import { Ctx, GRID_BYTES, GridWord } from './layout.generated.js';

/** Writes the numbers of all triangles to `order`, after a sweep. */
export function* writeMortonOrder(ctx: number, order: number, parts: number): Work<void> {
  const count = arena().u32()[(ctx >>> 2) + Ctx.triangleCount];
  // sorted like the keys of a grid, in memory lent by its packs
  const keys = arena().alloc(8 * count);
  const spare = arena().alloc(12 * count);
  const sort = arena().alloc(GRID_BYTES);
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
      deformKernels.call('writeMortonKeys', ctx, sort, from, to),
    );
    yield [deformKernels.call('sortMortonKeys', sort)];
  } finally {
    for (const at of [keys, spare, sort]) arena().free(at);
  }
}
