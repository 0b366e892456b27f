/**
 * The last stage before the order: element pairs that survived culling go through the exact continuous test.
 *
 * The kernels decide nearly all; doubtful pairs are decided here, in exact arithmetic. With a thickness, contacts of
 * neighbours are tested again without it.
 * Layout: tasks of a round have one place for a hit and a doubt per pair, behind the hits of the rounds before;
 * unfilled places are closed up before the next round, so that memory is bounded by hits, not by pairs.
 */
import { arena } from 'impinge/internal/base/arena.js';
import type { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import { results, type Work } from 'impinge/internal/kernel/schedule.js';
import { arenaBuffers, disposeAll } from './arena-buffers.js';
import { decideExactly, gatherPoints } from './element-test.js';
import { VALUES } from './hit-list.js';
import { deformKernels } from './kernels.generated.js';
import { Ctx, EDGE_EDGE, ELEMENT_PAIR_BYTES, HIT_BYTES, VERTEX_FACE } from './layout.generated.js';
import type { SurfaceTable } from './surface-table.js';

/** Pairs tested in one round: 64 MiB of places for hits. */
const ROUND = 2 ** 20;
/** Minimum number of pairs for a separate task. */
const LEAST_TASK = 1024;

/** Element pairs of one kind in the arena: four u32 vertices each, and their faces (0 for edges). */
export interface ElementPairs {
  readonly kind: typeof VERTEX_FACE | typeof EDGE_EDGE;
  readonly pairs: number;
  readonly faces: number;
  readonly count: number;
}

/** Hits as the kernels write them, and the pairs their numbers mean. */
export interface HitSegment extends ElementPairs {
  hits: number;
  hitCount: number;
}

export class ContactTests {
  /** Pairs of the last run that floating point could not decide. */
  exactPairs = 0;
  readonly #round: number;
  readonly #buffers = arenaBuffers(
    'hits',
    'neighbourHits',
    'doubts',
    'counts',
    'neighbourPairs',
    'neighbourFaces',
  );
  readonly #quad = new Uint32Array(4);
  readonly #points = new Float64Array(24);
  readonly #values = new Float64Array(VALUES);

  /** `round`: the number of pairs tested before hits are closed up. */
  constructor(round: number = ROUND) {
    this.#round = round;
  }

  /** Tests all pairs, in about `parts` tasks. The result is valid until the next run. */
  *run(
    table: SurfaceTable,
    thickness: number,
    lists: readonly ElementPairs[],
    parts: number,
  ): Work<HitSegment[]> {
    this.exactPairs = 0;
    const segments = yield* this.#test(table, thickness, lists, parts, this.#buffers.hits);
    if (thickness === 0) return segments;
    const neighbours = yield* this.#splitNeighbours(table, segments);
    return [...segments, ...(yield* this.#test(table, 0, neighbours, parts, this.#buffers.neighbourHits))];
  }

  dispose(): void {
    disposeAll(this.#buffers);
  }

  *#test(
    table: SurfaceTable,
    distance: number,
    lists: readonly ElementPairs[],
    parts: number,
    buffer: ArenaBuffer,
  ): Work<HitSegment[]> {
    const done: HitSegment[] = [];
    let used = 0;
    const all = rounds(cut(lists, parts, this.#round), this.#round);
    for (const [i, tasks] of all.entries()) {
      for (const segment of done) segment.hits -= buffer.at; // the buffer may move
      const total = pairsIn(tasks);
      buffer.reserve(HIT_BYTES * (used + total), HIT_BYTES * used);
      for (const segment of done) segment.hits += buffer.at;
      const segments = yield* this.#testRound(table, distance, tasks, buffer.at + HIT_BYTES * used);
      done.push(...segments);
      if (i + 1 < all.length) used = closeUp(segments, buffer.at, used);
    }
    return done;
  }

  *#testRound(
    table: SurfaceTable,
    distance: number,
    tasks: readonly ElementPairs[],
    hits: number,
  ): Work<HitSegment[]> {
    const doubts = this.#buffers.doubts.reserve(4 * pairsIn(tasks));
    const counts = this.#buffers.counts.reserve(8 * tasks.length);
    const start = table.word(Ctx.start);
    const end = table.word(Ctx.end);
    const vertexOf = table.word(Ctx.vertexOf);
    const places = placesOf(tasks, ({ count }) => count);
    yield tasks.map(({ kind, pairs, count }, i) => {
      const name = kind === EDGE_EDGE ? 'testEdgeEdges' : 'testVertexFaces';
      const [hitsAt, doubtsAt] = [hits + HIT_BYTES * places[i], doubts + 4 * places[i]];
      const countsAt = counts + 8 * i;
      return deformKernels.call(
        name,
        start,
        end,
        vertexOf,
        pairs,
        count,
        distance,
        hitsAt,
        doubtsAt,
        countsAt,
      );
    });
    return tasks.map((task, i) => {
      const hitCount = arena().u32()[(counts >>> 2) + 2 * i];
      const doubtCount = arena().u32()[(counts >>> 2) + 2 * i + 1];
      const segment = { ...task, hits: hits + HIT_BYTES * places[i], hitCount };
      for (let k = 0; k < doubtCount; k++) {
        this.#decide(table, segment, arena().u32()[(doubts >>> 2) + places[i] + k]);
      }
      return segment;
    });
  }

  /** Decides a pair in doubt; a contact is added to the segment, which has room for all its pairs. */
  #decide(table: SurfaceTable, segment: HitSegment, pair: number): void {
    this.exactPairs++;
    const words = arena().u32();
    const vertexOf = table.word(Ctx.vertexOf) >>> 2;
    const from = (segment.pairs >>> 2) + 4 * pair;
    for (let k = 0; k < 4; k++) this.#quad[k] = words[vertexOf + words[from + k]];
    gatherPoints(table, this.#quad, this.#points);
    if (!decideExactly(segment.kind, this.#points, this.#values)) return;
    const at = segment.hits + HIT_BYTES * segment.hitCount++;
    arena().u32()[at >>> 2] = pair;
    arena().u32()[(at >>> 2) + 1] = segment.kind;
    arena()
      .f64()
      .set(this.#values, (at >>> 3) + 1);
  }

  /** Takes neighbours out of the segments, and returns them as pairs. */
  *#splitNeighbours(table: SurfaceTable, segments: readonly HitSegment[]): Work<ElementPairs[]> {
    const places = placesOf(segments, ({ hitCount }) => hitCount);
    const total = segments.reduce((sum, { hitCount }) => sum + hitCount, 0);
    const pairs = this.#buffers.neighbourPairs.reserve(ELEMENT_PAIR_BYTES * total);
    const faces = this.#buffers.neighbourFaces.reserve(4 * total);
    const pairsAt = (i: number) => pairs + ELEMENT_PAIR_BYTES * places[i];
    const facesAt = (i: number) => faces + 4 * places[i];
    const went = yield* results(
      segments.map((segment, i) =>
        deformKernels.call(
          'splitNeighbours',
          table.block,
          table.surfaceOfVertexAt,
          segment.hits,
          segment.hitCount,
          segment.pairs,
          segment.faces,
          pairsAt(i),
          facesAt(i),
        ),
      ),
    );
    segments.forEach((segment, i) => {
      segment.hitCount -= went[i];
    });
    return segments.map(({ kind }, i) => ({
      kind,
      pairs: pairsAt(i),
      faces: kind === VERTEX_FACE ? facesAt(i) : 0,
      count: went[i],
    }));
  }
}

function pairsIn(lists: readonly ElementPairs[]): number {
  return lists.reduce((sum, { count }) => sum + count, 0);
}

/** Where each part begins when they lie one behind the other. */
function placesOf<T>(parts: readonly T[], lengthOf: (part: T) => number): number[] {
  let end = 0;
  return parts.map((part) => {
    end += lengthOf(part);
    return end - lengthOf(part);
  });
}

/** Cuts lists into pieces of a fair share of all pairs. */
function cut(lists: readonly ElementPairs[], parts: number, most: number): ElementPairs[] {
  const share = Math.min(most, Math.max(LEAST_TASK, Math.ceil(pairsIn(lists) / parts)));
  return lists.flatMap((list) => {
    const pieces: ElementPairs[] = [];
    for (let from = 0; from < list.count; from += share) {
      const faces = list.faces === 0 ? 0 : list.faces + 4 * from;
      const count = Math.min(share, list.count - from);
      pieces.push({ kind: list.kind, pairs: list.pairs + ELEMENT_PAIR_BYTES * from, faces, count });
    }
    return pieces;
  });
}

function rounds(tasks: readonly ElementPairs[], round: number): ElementPairs[][] {
  const cutRounds: ElementPairs[][] = [];
  let current: ElementPairs[] = [];
  let room = 0;
  for (const task of tasks) {
    if (task.count > room) {
      current = [];
      cutRounds.push(current);
      room = round;
    }
    current.push(task);
    room -= task.count;
  }
  return cutRounds;
}

/** Moves hits down to where the ones before them end, and returns the total number. */
function closeUp(segments: readonly HitSegment[], from: number, used: number): number {
  let end = used;
  for (const segment of segments) {
    const to = from + HIT_BYTES * end;
    if (to !== segment.hits) {
      arena()
        .u8()
        .copyWithin(to, segment.hits, segment.hits + HIT_BYTES * segment.hitCount);
      segment.hits = to;
    }
    end += segment.hitCount;
  }
  return end;
}
