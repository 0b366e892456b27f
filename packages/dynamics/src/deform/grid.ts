/**
 * Second stage: the hierarchical hash grid, for loose triangles that test themselves; clusters for everything else.
 *
 * Idea: each triangle lies in one cell of the tier of its size, so a triangle of the floor and those of a lace on it
 * are both found in a few cells, and no pair is found twice. Triangles of a cell are kept in packs of four, with boxes
 * for both ends of the step. How cells are made: kernels/deform/grid.ts. Paper: Jung and Choi, who hash every triangle
 * into all the cells of one size that it touches.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ranges, type Work } from 'impinge/internal/kernel/schedule.js';
import { arenaBuffers, disposeAll } from './arena-buffers.js';
import { Clusters } from './clusters.js';
import { deformKernels } from './kernels.generated.js';
import {
  BOUND_BYTES,
  CELL_BYTES,
  CellWord,
  Ctx,
  GRID_BYTES,
  GridWord,
  PACK_BYTES,
} from './layout.generated.js';
import type { PairSource, PairTask } from './primitive-culling.js';

export class Grid implements PairSource {
  readonly #clusters = new Clusters();
  readonly #buffers = arenaBuffers('block', 'keys', 'order', 'packs', 'bounds', 'cells', 'table');

  /** After the sweep: finds the clusters that may meet, and fills the grid with the triangles not left to them. */
  *fill(ctx: number, parts: number): Work<void> {
    const { list, count } = yield* this.#clusters.run(ctx, parts);
    const block = this.#reserve(ctx, count, list);
    arena().u32()[(ctx >>> 2) + Ctx.grid] = block;
    if (count === 0) return;
    yield ranges(count, parts).map(([from, to]) => deformKernels.call('writeKeys', ctx, block, from, to));
    yield [deformKernels.call('sortCells', block)];
    this.#reserveCells();
    yield [deformKernels.call('cutCells', block)];
    this.#reservePacks();
    yield this.#ranges(parts).map(([from, to]) => deformKernels.call('writePacks', ctx, block, from, to));
  }

  /** Triangles that may meet something. */
  get triangleCount(): number {
    const own =
      this.#buffers.block.bytes > 0 ? arena().u32()[(this.#buffers.block.at >>> 2) + GridWord.count] : 0;
    return own + this.#clusters.triangleCount;
  }

  tasks(parts: number): PairTask[] {
    const own = this.#ranges(parts).map(([from, to]) => ({ kernel: 'cullPrimitives', from, to }) as const);
    return [...own, ...this.#clusters.tasks(parts)];
  }

  /** Ranges of cells with about the same number of packs. */
  #ranges(parts: number): [from: number, to: number][] {
    const words = arena().u32();
    const at = this.#buffers.block.at >>> 2;
    const cellCount = words[at + GridWord.cellCount];
    const packCount = words[at + GridWord.packCount];
    const cut: [number, number][] = [];
    let from = 0;
    for (let part = 1; part <= parts && from < cellCount; part++) {
      const to = part === parts ? cellCount : this.#cellOfPack((packCount * part) / parts);
      if (to > from) cut.push([from, to]);
      from = Math.max(from, to);
    }
    return cut;
  }

  dispose(): void {
    this.#clusters.dispose();
    disposeAll(this.#buffers);
  }

  /** The first cell that begins at a pack or after it. */
  #cellOfPack(pack: number): number {
    const words = arena().u32();
    const cells = this.#buffers.cells.at >>> 2;
    let low = 0;
    let high = words[(this.#buffers.block.at >>> 2) + GridWord.cellCount];
    while (low < high) {
      const mid = (low + high) >>> 1;
      if (words[cells + (CELL_BYTES / 4) * mid + CellWord.firstPack] < pack) low = mid + 1;
      else high = mid;
    }
    return low;
  }

  /** Room for the keys, and for sorting them where the packs will be. */
  #reserve(ctx: number, count: number, list: number): number {
    const block = this.#buffers.block.reserve(GRID_BYTES);
    const words = [
      [GridWord.count, count],
      [GridWord.list, list],
      [GridWord.range, arena().u32()[(ctx >>> 2) + Ctx.range]],
      [GridWord.keys, this.#buffers.keys.reserve(8 * count)],
      [GridWord.order, this.#buffers.order.reserve(4 * count)],
      [GridWord.packs, this.#buffers.packs.reserve(12 * count)],
      [GridWord.cellCount, 0],
    ] as const;
    for (const [field, value] of words) arena().u32()[(block >>> 2) + field] = value;
    arena().f32()[(block >>> 2) + GridWord.margin] = arena().f32()[(ctx >>> 2) + Ctx.boxMargin];
    return block;
  }

  /** Room for the cells that were counted. */
  #reserveCells(): void {
    const block = this.#buffers.block.at >>> 2;
    const cells = arena().u32()[block + GridWord.cellCount];
    const tableBits = 33 - Math.clz32(cells + 1);
    const table = this.#buffers.table.reserve(4 * 2 ** tableBits);
    const at = this.#buffers.cells.reserve(CELL_BYTES * cells);
    arena().u32()[block + GridWord.tableBits] = tableBits;
    arena().u32()[block + GridWord.table] = table;
    arena().u32()[block + GridWord.cells] = at;
  }

  /** Room for the packs that the cells hold. */
  #reservePacks(): void {
    const block = this.#buffers.block.at >>> 2;
    const count = arena().u32()[block + GridWord.packCount];
    const packs = this.#buffers.packs.reserve(PACK_BYTES * count);
    const bounds = this.#buffers.bounds.reserve(BOUND_BYTES * count);
    arena().u32()[block + GridWord.packs] = packs;
    arena().u32()[block + GridWord.bounds] = bounds;
  }
}
