/** Pages on another thread: the store is the same to the byte, and nothing is left behind when the thread fails. */

import { arena } from 'impinge/internal/base/arena.js';
import type { KernelCall } from 'impinge/internal/kernel/kernel-set.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { afterAll, describe, expect, test } from 'vitest';
import { torusKnot } from '../../../../lab/scenes/index.mjs';
import { FAST, full } from '../../../../test/budget.js';
import { modelPool } from '../../src/node/index.js';
import { MemorySink } from '../../src/store/page-source.js';
import type { ShapeArrays, SourceShape } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { cornersOf, META, memorySpill, named, storeBytes, streamOf } from './fixtures.js';

/** With 48 triangles per segment. */
const knot = (around: number) => torusKnot(2, 3, 1, 0.25, around) as ShapeArrays;
const KNOT = knot(FAST ? 500 : 2000);
const STREAM = streamOf(cornersOf(KNOT), 1000);

const GEOMETRIES: Record<string, SourceShape['geometry']> = {
  arrays: KNOT,
  'a mesh': Mesh.from(KNOT),
  'a stream': STREAM,
};

const pool = modelPool(1);
afterAll(() => pool.dispose());

full.each(Object.keys(GEOMETRIES))('%s: the same bytes, whoever makes the pages', async (kind) => {
  const geometry = GEOMETRIES[kind];
  const shapes = [{ geometry, objects: [named('knot')] }];
  let calls = 0;
  const counting = {
    ...pool,
    call: <R>(call: KernelCall<R>) => {
      calls++;
      return pool.call(call);
    },
  };
  // pieces of 500 triangles: many more than are in the line at once
  const options = { pieceTriangles: 500, spill: memorySpill(5000) };
  const expected = Buffer.from(await storeBytes(shapes, options));
  await storeBytes(shapes, { ...options, pool });
  const before = arena().usedBytes;
  expect(Buffer.from(await storeBytes(shapes, { ...options, pool: counting })).equals(expected)).toBe(true);
  expect(calls).toBeGreaterThan(1);
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

full.each([
  ['arrays', KNOT, 2],
  // of a stream, the thread is asked first for the pieces of a chunk
  ['a stream, at its first chunk', STREAM, 1],
  ['a stream, at its second chunk or at pages of the first', STREAM, 2],
  ['a stream', STREAM, 5],
])(
  '%s: a thread that fails is an error of the shape, which leaves nothing behind',
  async (_, geometry, at) => {
    const before = arena().usedBytes;
    let calls = 0;
    const failing = {
      ...pool,
      call: <R>(call: KernelCall<R>) =>
        ++calls < at ? pool.call(call) : Promise.reject(new Error('out of order')),
    };
    const options = { pieceTriangles: 500, pool: failing, spill: memorySpill(5000) };
    const writer = new StoreWriter(new MemorySink(), options);
    const adding = writer.add({ geometry, objects: [named('knot')] });
    await expect(adding).rejects.toThrow('out of order');
    expect(writer.pieceCount).toBe(0);
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  },
);

/** Of 144 to 3 600 triangles, the last in two pieces. */
const SMALL = Array.from({ length: 150 }, (_, i) => ({
  geometry: knot(i % 30 === 29 ? 75 : 3 + (i % 8)),
  objects: [{ ...named(`knot ${i}`), properties: { number: String(i) } }],
}));

describe('small shapes', () => {
  const adding = async (writer: StoreWriter) => {
    for (const shape of SMALL) await writer.add(shape);
  };

  test('are counted when they are added', async () => {
    const writers = [{}, { pool }].map(
      (more) => new StoreWriter(new MemorySink(), { pieceTriangles: 2500, ...more }),
    );
    for (const shape of SMALL) {
      const counts: number[][] = [];
      for (const writer of writers) {
        await writer.add(shape);
        counts.push([writer.objectCount, writer.pieceCount]);
      }
      expect(counts[1]).toEqual(counts[0]);
    }
    for (const writer of writers) await writer.finish(META);
  });

  test('the same bytes, whoever makes the pages', async () => {
    let calls = 0;
    const call: typeof pool.call = (...args) => {
      calls++;
      return pool.call(...args);
    };
    const options = { pieceTriangles: 2500 };
    const expected = Buffer.from(await storeBytes(SMALL, options));
    const before = arena().usedBytes;
    const made = await storeBytes(SMALL, { ...options, pool: { ...pool, call } });
    expect(Buffer.from(made).equals(expected)).toBe(true);
    expect(calls).toBeGreaterThan(1);
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  test('one that is refused leaves those before and after it', async () => {
    const bad = {
      geometry: { ...SMALL[8].geometry, indices: Uint32Array.of(0, 1, 1e6) },
      objects: [named('bad')],
    };
    const sink = new MemorySink();
    const writer = new StoreWriter(sink, { pool });
    for (const [i, shape] of SMALL.entries()) {
      if (i % 50 === 20) await expect(writer.add(bad)).rejects.toThrow('"bad"');
      await writer.add(shape);
    }
    await writer.finish(META);
    expect(Buffer.from(sink.bytes()).equals(Buffer.from(await storeBytes(SMALL)))).toBe(true);
  });

  test('when a thread fails, the store cannot be finished, and nothing is left behind', async () => {
    const before = arena().usedBytes;
    let calls = 0;
    const call: typeof pool.call = (...args) =>
      ++calls < 2 ? pool.call(...args) : Promise.reject(new Error('out of order'));
    const writer = new StoreWriter(new MemorySink(), { pool: { ...pool, call } });
    const finish = () => writer.finish(META);
    await expect(adding(writer).then(finish)).rejects.toThrow('out of order');
    await expect(finish()).rejects.toThrow('finished');
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
  });

  test('what waits is freed when the store is abandoned', async () => {
    const before = arena().usedBytes;
    const writer = new StoreWriter(new MemorySink(), { pool });
    await writer.add(SMALL[1]);
    expect(arena().usedBytes).toBeGreaterThan(before);
    await writer.abandon();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    await expect(writer.add(SMALL[1])).rejects.toThrow('finished');
  });
});
