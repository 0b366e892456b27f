/**
 * Third stage: pairs of triangles of neighbouring cells or clusters that may meet, after box, 26-DOP and the test of
 * neighbours, for which the rings of all vertices are judged first.
 *
 * Each task writes the pairs of a range of cells to a list of its own; the lists, one after the other, are the same for
 * any number of tasks. How pairs are judged: kernels/deform/primitive.ts, rings.ts, normal.ts.
 */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { results, type Work } from 'impinge/internal/kernel/schedule.js';
import { arenaBuffers, disposeAll } from './arena-buffers.js';
import { deformKernels } from './kernels.generated.js';
import { Ctx, LEAVE_OUT_NEIGHBOURS, TALLY_BYTES, Tally, TallyWord } from './layout.generated.js';
import { callsFor, selfTestingVertices } from './self-testing.js';

const PAIR_BYTES = 8;
const FIRST_CAPACITY = 4096;

/** Pairs of triangles in the arena; the second perhaps with COMMON_VERTEX and OPPOSITE_ONLY: mask it by TRIANGLE. */
export interface TrianglePairList {
  readonly pairs: number;
  readonly count: number;
}

/** A kernel call that culls the pairs in a range of its source. */
export interface PairTask {
  readonly kernel: 'cullPrimitives' | 'cullClusters';
  readonly from: number;
  readonly to: number;
}

/** A source of pairs. */
export interface PairSource {
  /** Tasks of about equal work. */
  tasks(parts: number): PairTask[];
}

export interface PrimitiveCounts {
  readonly candidates: number;
  readonly boxPairs: number;
  readonly dopPairs: number;
  readonly primitivePairs: number;
}

export class PrimitiveCulling {
  readonly #lists: ArenaBuffer[] = [];
  readonly #buffers = arenaBuffers('tallies', 'fans', 'fanVertices', 'clearRings');
  #tasks = 0;
  /** The context whose fans are marked; surfaces are identified by their first vertices. */
  #fansOf = 0;
  readonly #fanned = new Set<number>();

  /** Culls the pairs that the source brings together. */
  *run(ctx: number, source: PairSource, parts: number): Work<TrianglePairList[]> {
    yield* this.#judgeRings(ctx, parts);
    const tasks = source.tasks(parts);
    this.#tasks = tasks.length;
    const tallies = this.#buffers.tallies.reserve(TALLY_BYTES * tasks.length);
    arena()
      .u8()
      .fill(0, tallies, tallies + TALLY_BYTES * tasks.length);
    const counts = tasks.map(() => 0);
    let open = tasks.map((range, task) => ({ ...range, task }));
    while (this.#lists.length < tasks.length) this.#lists.push(new ArenaBuffer());
    while (open.length > 0) {
      for (const { task } of open) this.#reserve(task, counts[task]);
      const next = yield* results(
        open.map(({ task, kernel, from, to }) => {
          const list = this.#lists[task];
          const count = counts[task];
          const room = Math.floor(list.bytes / PAIR_BYTES) - count;
          return deformKernels.call(
            kernel,
            ctx,
            from,
            to,
            list.at + PAIR_BYTES * count,
            room,
            tallies + TALLY_BYTES * task,
          );
        }),
      );
      for (const { task } of open) {
        counts[task] += arena().u32()[((tallies + TALLY_BYTES * task) >>> 2) + TallyWord.pairs];
      }
      open = open.map((o, i) => ({ ...o, from: next[i] })).filter(({ from, to }) => from < to);
      // tasks that overflowed get twice the room
      for (const { task } of open) {
        const { bytes } = this.#lists[task];
        this.#lists[task].reserve(2 * bytes, PAIR_BYTES * counts[task]);
      }
    }
    return tasks.map((_, task) => ({ pairs: this.#lists[task].at, count: counts[task] }));
  }

  /** The counts of the last run. */
  counts(): PrimitiveCounts {
    const sums = sumTallies(this.#buffers.tallies.at, this.#tasks);
    return {
      candidates: sums[Tally.candidates],
      boxPairs: sums[Tally.boxPairs],
      dopPairs: sums[Tally.dopPairs],
      primitivePairs: sums[Tally.primitivePairs],
    };
  }

  dispose(): void {
    for (const list of this.#lists.splice(0)) list.dispose();
    disposeAll(this.#buffers);
  }

  *#judgeRings(ctx: number, parts: number): Work<void> {
    const word = ctx >>> 2;
    const count = arena().u32()[word + Ctx.vertexCount];
    if ((arena().u32()[word + Ctx.options] & LEAVE_OUT_NEIGHBOURS) !== 0) return;
    const fans = this.#buffers.fans.reserve(count);
    arena().u32()[word + Ctx.clearRings] = this.#buffers.clearRings.reserve(count);
    if (this.#fansOf !== ctx || arena().u32()[word + Ctx.fans] !== fans) {
      this.#fansOf = ctx;
      this.#fanned.clear();
      arena().u32()[word + Ctx.fans] = fans;
      const ringLength = arena().u32()[(arena().u32()[word + Ctx.ringStart] >>> 2) + count];
      const neighbours = this.#buffers.fanVertices.reserve(4 * ringLength);
      arena().u32()[word + Ctx.fanVertices] = neighbours;
    }
    const runs = selfTestingVertices(ctx);
    // fans depend on the triangles alone: marked once for a context
    const fresh = runs.filter(([first]) => !this.#fanned.has(first));
    for (const [first] of fresh) this.#fanned.add(first);
    yield callsFor('markFans', ctx, fresh, parts);
    yield callsFor('judgeRings', ctx, runs, parts);
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
