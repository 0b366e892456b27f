/** Puts the hits of the kernels in order: host of kernels/deform/events.ts, which describes the method. */
import { arena } from 'impinge/internal/base/arena.js';
import { ArenaBuffer } from 'impinge/internal/base/arena-buffer.js';
import type { Work } from 'impinge/internal/kernel/schedule.js';
import type { HitSegment } from './contact-tests.js';
import { deformKernels } from './kernels.generated.js';
import {
  Ctx,
  EDGE_EDGE,
  ENTRY_BYTES,
  ORDER_BYTES,
  Order,
  SEGMENT_BYTES,
  VERTEX_FACE,
} from './layout.generated.js';
import type { SurfaceTable } from './surface-table.js';

/** Bytes per event of surfaces, vertices, faces, times, weights, normals. */
export const COLUMN_BYTES = [8, 16, 4, 8, 16, 24] as const;
const KINDS = [VERTEX_FACE, EDGE_EDGE] as const;

/** Events in order, in the arena. */
export interface EventColumns {
  readonly vertexFaceCount: number;
  readonly edgeEdgeCount: number;
  /** Of surfaces, vertices, faces, times, weights, normals. */
  readonly addresses: readonly number[];
}

/** Data to put one kind in order. */
interface Kind {
  readonly block: ArenaBuffer;
  readonly segments: ArenaBuffer;
  readonly runs: ArenaBuffer;
  readonly entries: ArenaBuffer;
}

export class EventOrder {
  readonly #kinds: readonly Kind[] = KINDS.map(() => ({
    block: new ArenaBuffer(),
    segments: new ArenaBuffer(),
    runs: new ArenaBuffer(),
    entries: new ArenaBuffer(),
  }));
  readonly #columns = COLUMN_BYTES.map(() => new ArenaBuffer());

  /** Orders all hits, in about `parts` tasks. The columns hold until the next run. */
  *run(table: SurfaceTable, segments: readonly HitSegment[], parts: number): Work<EventColumns> {
    const countOf = (kind: number) =>
      segments.reduce((sum, segment) => (segment.kind === kind ? sum + segment.hitCount : sum), 0);
    const counts = KINDS.map(countOf) as [number, number];
    const total = counts[0] + counts[1];
    const columns = this.#columns.map((column, i) => column.reserve(COLUMN_BYTES[i] * total));
    const present = KINDS.filter((kind) => counts[kind] > 0);
    for (const kind of present) {
      const own = segments.filter((segment) => segment.kind === kind);
      this.#prepare(table, kind, own, counts[kind], kind === EDGE_EDGE ? counts[0] : 0, columns);
    }
    yield present.map((kind) => deformKernels.call('gatherHits', this.#kinds[kind].block.at));
    yield present.flatMap((kind) =>
      this.#slices(kind, counts[kind], Math.max(1024, Math.ceil(total / parts))),
    );
    return { vertexFaceCount: counts[0], edgeEdgeCount: counts[1], addresses: columns };
  }

  dispose(): void {
    for (const column of this.#columns) column.dispose();
    for (const kind of this.#kinds) for (const buffer of Object.values(kind)) buffer.dispose();
  }

  #prepare(
    table: SurfaceTable,
    kind: number,
    segments: readonly HitSegment[],
    count: number,
    first: number,
    columns: readonly number[],
  ): void {
    const own = this.#kinds[kind];
    let shift = 0;
    while (table.vertexCount >>> shift > 2 * count) shift++;
    const buckets = ((table.vertexCount - 1) >>> shift) + 1;
    const listed = own.segments.reserve(SEGMENT_BYTES * segments.length);
    const runs = own.runs.reserve(4 * (buckets + 1));
    const entries = own.entries.reserve(ENTRY_BYTES * count);
    const block = own.block.reserve(ORDER_BYTES);
    const words = arena().u32();
    segments.forEach(({ hits, hitCount, pairs, faces }, i) => {
      words.set([hits, hitCount, pairs, faces], (listed >>> 2) + 4 * i);
    });
    const write = (field: number, value: number) => {
      words[(block >>> 2) + field] = value;
    };
    write(Order.segments, listed);
    write(Order.segmentCount, segments.length);
    write(Order.shift, shift);
    write(Order.buckets, buckets);
    write(Order.runs, runs);
    write(Order.entries, entries);
    write(Order.surfaceOfVertex, table.surfaceOfVertexAt);
    write(Order.surfaces, table.recordsAt);
    write(Order.vertexOf, table.word(Ctx.vertexOf));
    write(Order.triangleOf, table.word(Ctx.triangleOf));
    write(Order.first, first);
    columns.forEach((column, i) => {
      write(Order.outSurfaces + i, column);
    });
  }

  /** Calls for ranges of buckets with about `share` hits each. */
  #slices(kind: number, count: number, share: number) {
    const { block, runs } = this.#kinds[kind];
    const ends = arena()
      .u32()
      .subarray(runs.at >>> 2);
    const buckets = arena().u32()[(block.at >>> 2) + Order.buckets];
    const calls = [];
    for (let from = 0, done = 0; done < count; ) {
      const to = firstAtLeast(ends, from, buckets, Math.min(done + share, count)) + 1;
      calls.push(deformKernels.call('writeEvents', block.at, from, to));
      done = ends[to - 1];
      from = to;
    }
    return calls;
  }
}

/** The first of the rising ends[from .. to) that is not below `wanted`. */
function firstAtLeast(ends: Uint32Array, from: number, to: number, wanted: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
