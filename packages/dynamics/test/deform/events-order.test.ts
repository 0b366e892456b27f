/** The order of hits by the kernels against the one written in TypeScript. */
import { arena } from 'impinge/internal/base/arena.js';
import { runHere } from 'impinge/internal/kernel/schedule.js';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import type { HitSegment } from '../../src/deform/contact-tests.js';
import { EventOrder } from '../../src/deform/event-order.js';
import { EventBuffers } from '../../src/deform/events.js';
import { HitList } from '../../src/deform/hit-list.js';
import { Ctx, NO_FACE } from '../../src/deform/layout.generated.js';
import { NO_STATS } from '../../src/deform/stages.js';
import { DeformableSurface } from '../../src/deform/surface.js';
import { SurfaceTable } from '../../src/deform/surface-table.js';
import { EDGE_EDGE, VERTEX_FACE } from '../../src/index.js';
import { expectEqualAnswers, patch, plain } from './surfaces.js';

type Quad = readonly [number, number, number, number];

/** A table of two surfaces, the second of which stands still and so comes first. */
function tableOf(n: number): SurfaceTable {
  const host = { beforeChange: () => {}, layOutAgain: () => {}, drop: () => {} };
  const input = patch(n, (u, v) => [u, v, 0]);
  const table = new SurfaceTable([
    new DeformableSurface(3, input, host),
    new DeformableSurface(7, { ...input, kind: 'static' }, host),
  ]);
  table.adopt();
  return table;
}

/** Puts pairs, by inner numbers, and their hits into the arena, in two segments per kind; every second is a hit. */
function segmentsOf(
  table: SurfaceTable,
  kind: typeof VERTEX_FACE | typeof EDGE_EDGE,
  quads: readonly Quad[],
  faces: readonly number[],
) {
  const blocks: number[] = [];
  const alloc = (bytes: number) => {
    blocks.push(arena().alloc(bytes));
    return blocks.at(-1)!;
  };
  const half = quads.length >> 1;
  const innerVertex = inverse(table.word(Ctx.vertexOf), table.vertexCount);
  const innerTriangle = inverse(table.word(Ctx.triangleOf), table.triangleCount);
  const segments = [quads.slice(0, half), quads.slice(half)].map((part, s): HitSegment => {
    const pairs = alloc(32 * part.length);
    const facesAt = kind === VERTEX_FACE ? alloc(8 * part.length) : 0;
    const hits = alloc(64 * part.length);
    part.forEach((quad, i) => {
      const number = 2 * i + 1;
      arena()
        .u32()
        .set(
          quad.map((v) => innerVertex[v]),
          (pairs >>> 2) + 4 * number,
        );
      if (facesAt > 0) arena().u32()[(facesAt >>> 2) + number] = innerTriangle[faces[s * half + i]];
      arena()
        .u32()
        .set([number, kind], (hits + 64 * i) >>> 2);
      for (let k = 0; k < 6; k++) arena().f64()[((hits + 64 * i) >>> 3) + 1 + k] = s * half + i + k / 8;
    });
    return { kind, pairs, faces: facesAt, count: 2 * part.length, hits, hitCount: part.length };
  });
  return { segments, blocks };
}

/** By the numbers in the arena: their places. */
function inverse(at: number, count: number): Uint32Array {
  const places = new Uint32Array(count);
  for (let i = 0; i < count; i++) places[arena().u32()[(at >>> 2) + i]] = i;
  return places;
}

const random = seededRandom(71);
const vertices = 2 * 30 * 30;
const triangles = 4 * 29 * 29;
const some = (below: number) => Math.floor(random() * below);
const scattered = Array.from(
  { length: 3000 },
  (): Quad => [some(vertices), some(900), some(900), some(vertices)],
);
const hub = Array.from({ length: 3000 }, (_, i): Quad => [5, 6, some(900), 900 + (i % 900)]);
const rising = hub.map((_, i): Quad => [5, 6, 7, 10 + (i % 1790)]);
const organPipe = hub.map((_, i): Quad => [5, 6, Math.min(i, 2999 - i) % 900, 900 + (i >> 2)]);

/** An order in which the middle of three is always among the least: splitting leads nowhere. */
const killer = Array.from({ length: 1500 }, (_, i): Quad => {
  const key = i < 750 ? (i % 2 === 0 ? i + 1 : 750 + i) : 2 * (i - 749);
  return [5, 6, 7, key];
});

describe.each([
  ['scattered', scattered],
  ['at one vertex', hub],
  ['at one vertex, in order', rising],
  ['at one vertex, rising and falling', organPipe],
  ['at one vertex, against splitting', killer],
  ['a few', scattered.slice(0, 6)],
  ['one', scattered.slice(0, 2)],
  ['none', []],
])('hits %s, seed 71', (_, list) => {
  test.each([1, 5])('in %d parts', (parts) => {
    const unique = [...new Map(list.map((quad) => [quad.join(), quad])).values()];
    const even = unique.slice(0, unique.length & ~1);
    const faces = even.map((quad, i) => (list === killer ? quad[3] : (i * 7919) % triangles));
    const table = tableOf(30);
    const expected = { vertexFace: new HitList(), edgeEdge: new HitList() };
    even.forEach((quad, i) => {
      const values = Float64Array.from({ length: 6 }, (_, k) => i + k / 8);
      expected.vertexFace.push(...quad, faces[i], values);
      expected.edgeEdge.push(...quad, NO_FACE, values);
    });
    const vertexFace = segmentsOf(table, VERTEX_FACE, even, faces);
    const edgeEdge = segmentsOf(table, EDGE_EDGE, even, faces);
    const order = new EventOrder();
    const columns = runHere(order.run(table, [...edgeEdge.segments, ...vertexFace.segments], parts));
    const events = plain(new EventBuffers().copy(columns, NO_STATS));
    const written = new EventBuffers().write(table, expected.vertexFace, expected.edgeEdge, NO_STATS);
    expectEqualAnswers(events, plain(written));
    expect(events['kinds'].length).toBe(2 * even.length);
    for (const owner of [order, table]) owner.dispose();
    for (const block of [...vertexFace.blocks, ...edgeEdge.blocks]) arena().free(block);
  });
});
