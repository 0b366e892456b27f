/**
 * Third stage: pairs of triangles of neighbouring cells that may meet, after box, 26-DOP and the test of neighbours,
 * for which the rings of all vertices are judged first.
 *
 * Each task writes the pairs of a range of cells to a list of its own; the lists, one after the other, are the same for
 * any number of tasks. How pairs are judged: kernels/deform/primitive.ts, rings.ts, normal.ts.
 */
import { arena } from '../base/arena.js';
import { ArenaBuffer } from '../base/arena-buffer.js';
import { ranges, type Work } from '../kernel/schedule.js';
import { deformKernels } from './deform-kernel.js';
import { Ctx, LEAVE_OUT_NEIGHBOURS, TALLY_BYTES, Tally, TallyWord } from './layout.js';

const PAIR_BYTES = 8;
const FIRST_CAPACITY = 4096;

/** Pairs of triangles in the arena; the second perhaps with COMMON_VERTEX and OPPOSITE_ONLY: mask it by TRIANGLE. */
export interface TrianglePairList {
  readonly pairs: number;
  readonly count: number;
}

/** What brings pairs together: a kernel that culls those of a range of its parts, and ranges of about the same work. */
export interface PairSource {
  readonly kernel: 'cullPrimitives' | 'cullTree';
  ranges(parts: number): [from: number, to: number][];
}

export interface PrimitiveCounts {
  readonly candidates: number;
  readonly boxPairs: number;
  readonly dopPairs: number;
  readonly primitivePairs: number;
}

export class PrimitiveCulling {
  readonly #lists: ArenaBuffer[] = [];
  readonly #tallies = new ArenaBuffer();
  readonly #fans = new ArenaBuffer();
  readonly #clearRings = new ArenaBuffer();
  #tasks = 0;
  /** The context whose fans are marked. */
  #fansOf = 0;

  /** Culls the pairs of the moving grid with itself and with the static grid of the context, or those of its tree. */
  *run(ctx: number, source: PairSource, parts: number): Work<TrianglePairList[]> {
    yield* this.#judgeRings(ctx, parts);
    const cells = source.ranges(parts);
    this.#tasks = cells.length;
    const tallies = this.#tallies.reserve(TALLY_BYTES * cells.length);
    arena()
      .u8()
      .fill(0, tallies, tallies + TALLY_BYTES * cells.length);
    const counts = cells.map(() => 0);
    let open = cells.map(([from, to], task) => ({ task, from, to }));
    while (this.#lists.length < cells.length) this.#lists.push(new ArenaBuffer());
    while (open.length > 0) {
      for (const { task } of open) this.#reserve(task, counts[task]);
      const next = yield open.map(({ task, from, to }) => {
        const list = this.#lists[task];
        const count = counts[task];
        const room = Math.floor(list.bytes / PAIR_BYTES) - count;
        return deformKernels.call(
          source.kernel,
          ctx,
          from,
          to,
          list.at + PAIR_BYTES * count,
          room,
          tallies + TALLY_BYTES * task,
        );
      });
      for (const { task } of open) {
        counts[task] += arena().u32()[((tallies + TALLY_BYTES * task) >>> 2) + TallyWord.pairs];
      }
      open = open.map((o, i) => ({ ...o, from: next[i] })).filter(({ from, to }) => from < to);
      // what did not fit finds twice the room
      for (const { task } of open) {
        const { bytes } = this.#lists[task];
        this.#lists[task].reserve(2 * bytes, PAIR_BYTES * counts[task]);
      }
    }
    return cells.map((_, task) => ({ pairs: this.#lists[task].at, count: counts[task] }));
  }

  /** What the last run counted. */
  counts(): PrimitiveCounts {
    const sums = sumTallies(this.#tallies.at, this.#tasks);
    return {
      candidates: sums[Tally.candidates],
      boxPairs: sums[Tally.boxPairs],
      dopPairs: sums[Tally.dopPairs],
      primitivePairs: sums[Tally.primitivePairs],
    };
  }

  dispose(): void {
    for (const list of this.#lists.splice(0)) list.dispose();
    this.#tallies.dispose();
    this.#fans.dispose();
    this.#clearRings.dispose();
  }

  *#judgeRings(ctx: number, parts: number): Work<void> {
    const word = ctx >>> 2;
    const count = arena().u32()[word + Ctx.vertexCount];
    const still = arena().u32()[word + Ctx.staticVertexCount];
    if ((arena().u32()[word + Ctx.options] & LEAVE_OUT_NEIGHBOURS) !== 0) return;
    const fans = this.#fans.reserve(count);
    arena().u32()[word + Ctx.clearRings] = this.#clearRings.reserve(count);
    const moving = ranges(count - still, parts).map(([from, to]) => [still + from, still + to] as const);
    // fans depend on the triangles alone: marked once for a context
    if (this.#fansOf !== ctx || arena().u32()[word + Ctx.fans] !== fans) {
      this.#fansOf = ctx;
      arena().u32()[word + Ctx.fans] = fans;
      yield moving.map(([from, to]) => deformKernels.call('markFans', ctx, from, to));
    }
    yield moving.map(([from, to]) => deformKernels.call('judgeRings', ctx, from, to));
  }

  #reserve(task: number, count: number): void {
    this.#lists[task].reserve(PAIR_BYTES * FIRST_CAPACITY, PAIR_BYTES * count);
  }
}

/** Sums of the float64 entries of `count` tallies. */
export function sumTallies(at: number, count: number): Float64Array {
  const sums = new Float64Array(6);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < sums.length; k++) sums[k] += arena().f64()[((at + TALLY_BYTES * i) >>> 3) + k];
  }
  return sums;
}
