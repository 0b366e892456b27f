/**
 * One step through all stages: sweep, grid, primitives, elements, exact tests, order.
 *
 * Each stage is work for schedule.ts, cut into about `parts` tasks and joined at its end; the resulting lists, one task
 * after the other, do not depend on the number of tasks.
 */
import type { Work } from 'impinge/internal/kernel/schedule.js';
import { ContactTests } from './contact-tests.js';
import { findClose, type PairList } from './discrete.js';
import { ElementCulling } from './element-culling.js';
import { type EventColumns, EventOrder } from './event-order.js';
import { Grid } from './grid.js';
import { LEAVE_OUT_NEIGHBOURS } from './layout.generated.js';
import { PrimitiveCulling, type TrianglePairList } from './primitive-culling.js';
import { Stopwatch } from './stopwatch.js';
import type { SurfaceTable } from './surface-table.js';
import { VertexSweep } from './sweep.js';
import type { DeformStats } from './types.js';

export interface StepContacts {
  readonly columns: EventColumns;
  readonly stats: DeformStats;
}

/** Counts of a step that found nothing to do. */
export const NO_STATS: DeformStats = {
  triangles: 0,
  activeTriangles: 0,
  candidates: 0,
  boxPairs: 0,
  dopPairs: 0,
  primitivePairs: 0,
  elementPairs: 0,
  testedPairs: 0,
  exactPairs: 0,
  events: 0,
};

export class Stages {
  readonly #sweep = new VertexSweep();
  readonly #grid = new Grid();
  readonly #primitives = new PrimitiveCulling();
  readonly #elements = new ElementCulling();
  readonly #tests: ContactTests;
  readonly #order = new EventOrder();

  /** `round`: the number of pairs tested before hits are closed up. */
  constructor(round?: number) {
    this.#tests = new ContactTests(round);
  }

  /** All contacts of the step within `thickness`. */
  *contacts(table: SurfaceTable, thickness: number, parts: number, now?: () => number): Work<StepContacts> {
    const clock = new Stopwatch(now);
    const pairs = yield* this.#cull(table.block, thickness, 0, parts, clock);
    const elements = yield* this.#elements.run(table.block, pairs, parts);
    clock.lap('elements');
    const segments = yield* this.#tests.run(table, thickness, elements, parts);
    clock.lap('exact');
    const columns = yield* this.#order.run(table, segments, parts);
    clock.lap('sort');
    const stats = {
      ...this.#pairStats(table),
      ...this.#elements.counts(),
      exactPairs: this.#tests.exactPairs,
      events: columns.vertexFaceCount + columns.edgeEdgeCount,
    };
    return { columns, stats: clock.stamp(stats) };
  }

  /** Adds the pairs of triangles without a common vertex within `distance` at the end of the step, in order. */
  *closePairs(
    table: SurfaceTable,
    distance: number,
    found: PairList,
    parts: number,
    now?: () => number,
  ): Work<DeformStats> {
    const clock = new Stopwatch(now);
    const lists = yield* this.#cull(table.endBlock, distance, LEAVE_OUT_NEIGHBOURS, parts, clock);
    findClose(table, distance, lists, found);
    clock.lap('exact');
    found.sort();
    clock.lap('sort');
    const stats = this.#pairStats(table);
    return clock.stamp({ ...stats, testedPairs: stats.primitivePairs });
  }

  dispose(): void {
    this.#sweep.dispose();
    this.#grid.dispose();
    this.#primitives.dispose();
    this.#elements.dispose();
    this.#tests.dispose();
    this.#order.dispose();
  }

  *#cull(
    ctx: number,
    distance: number,
    options: number,
    parts: number,
    clock: Stopwatch,
  ): Work<TrianglePairList[]> {
    yield* this.#sweep.run(ctx, distance, options, parts);
    clock.lap('sweep');
    yield* this.#grid.fill(ctx, parts);
    yield* this.#sweep.finish(ctx, parts);
    clock.lap('grid');
    const pairs = yield* this.#primitives.run(ctx, this.#grid, parts);
    clock.lap('primitives');
    return pairs;
  }

  #pairStats(table: SurfaceTable): DeformStats {
    const { triangleCount: activeTriangles } = this.#grid;
    return { ...NO_STATS, triangles: table.triangleCount, activeTriangles, ...this.#primitives.counts() };
  }
}
