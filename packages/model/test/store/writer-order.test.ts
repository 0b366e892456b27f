/** A writer that is called in a wrong order, or is given something wrong, still makes a sound store. */
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { check } from '../../src/check/check.js';
import { modelPool } from '../../src/node/index.js';
import { openStore } from '../../src/store/open.js';
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import type { ShapeArrays, SourceObject } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { META, moved, named, storeBytes, storeOf, streamOf } from './fixtures.js';

const triangle = (x: number): ShapeArrays => ({
  positions: Float32Array.of(x, 0, 0, x + 1, 0, 0, x, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
});
const shape = (name: string, x: number) => ({ geometry: triangle(x), objects: [named(name)] });

test('nothing can be added once it is finished', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  await writer.add(shape('a', 0));
  await writer.finish(META);
  const before = sink.bytes();
  await expect(writer.add(shape('b', 5))).rejects.toMatchObject({ code: 'disposed' });
  await expect(writer.finish(META)).rejects.toMatchObject({ code: 'disposed' });
  expect(sink.bytes()).toEqual(before);
  expect((await openStore(new MemorySource(before))).objectCount).toBe(1);
});

test('a shape is not added while another one is', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  const ends = await Promise.allSettled([
    writer.add(shape('a', 0)),
    writer.add(shape('b', 5)),
    writer.finish(META),
  ]);
  const busy = { status: 'rejected', reason: { code: 'busy' } };
  expect(ends).toMatchObject([{ status: 'fulfilled' }, busy, busy]);
  await writer.finish(META);
  expect((await openStore(new MemorySource(sink.bytes()))).object(0).path).toBe('a');
});

test('nothing of a shape that is refused is in the store', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  await writer.add(shape('a', 0));
  const stray = { ...triangle(3), indices: Uint32Array.of(0, 1, 9) };
  const refused = writer.add({ geometry: stray, objects: [named('b')] });
  await expect(refused).rejects.toMatchObject({ code: 'index-out-of-range' });
  const circle: Record<string, never> = {};
  circle['self'] = circle as never;
  const odd = writer.add({ geometry: triangle(3), objects: [{ ...named('c'), properties: circle }] });
  await expect(odd).rejects.toMatchObject({ code: 'bad-input' });
  await writer.add(shape('d', 7));
  await writer.finish(META);
  const model = await openStore(new MemorySource(sink.bytes()));
  expect([0, 1].map((i) => [model.object(i).path, model.box(i)[0], model.trianglesOf(i)])).toEqual([
    ['a', 0, 1],
    ['d', 7, 1],
  ]);
  expect(model.objectCount).toBe(2);
});

describe('objects that are made each time', () => {
  const geometry = triangle(0);
  const list = Array.from({ length: 3000 }, (_, i) => ({
    ...named(`row ${i % 7}/object ${i}`, i % 5 === 0 ? undefined : moved(i, i % 11, -i)),
    properties: { number: i },
    rounding: i % 3,
  }));
  const each = (objects: readonly SourceObject[]) => ({
    *[Symbol.iterator]() {
      for (const object of objects) yield { ...object };
    },
  });

  full('the same bytes as of a list', async () => {
    const around = [shape('before', -9), shape('after', -5)] as const;
    const bytes = async (objects: Iterable<SourceObject>, options = {}) =>
      Buffer.from(await storeBytes([around[0], { geometry, objects }, around[1]], options));
    const expected = await bytes(list);
    expect((await bytes(each(list))).equals(expected)).toBe(true);
    const pool = modelPool(1);
    // read before `add` returns, also where small shapes wait
    expect((await bytes(each(list), { pool })).equals(expected)).toBe(true);
    await pool.dispose();
  });

  full('those that are too far are told, and left out', async () => {
    const objects = list.map((object, i) => (i % 4 === 1 ? { ...object, pose: moved(1e18, 0, 0) } : object));
    const told = async (given: Iterable<SourceObject>) => {
      const paths: string[] = [];
      const onTooFar = ({ path }: SourceObject) => paths.push(path);
      const bytes = await storeBytes([{ geometry, objects: given }], { onTooFar });
      return { bytes: Buffer.from(bytes).toString('base64'), paths };
    };
    const expected = await told(objects);
    expect(expected.paths).toHaveLength(750);
    expect(await told(each(objects))).toEqual(expected);
  });

  test('what can be gone through once only, or is not the same again, is refused', async () => {
    const writer = new StoreWriter(new MemorySink());
    const once = writer.add({ geometry, objects: list.values() });
    await expect(once).rejects.toMatchObject({ code: 'bad-input' });
    for (const change of [-1, 1]) {
      let count = 10;
      const objects = {
        [Symbol.iterator]() {
          count += change;
          return list.slice(0, count).values();
        },
      };
      await expect(writer.add({ geometry, objects })).rejects.toMatchObject({ code: 'bad-input' });
      expect(writer.objectCount).toBe(0);
    }
    await expect(writer.add({ geometry, objects: 'ab' as never })).rejects.toMatchObject({
      code: 'bad-input',
    });
    await expect(writer.add({ geometry } as never)).rejects.toMatchObject({ code: 'bad-input' });
  });
});

const CROSSING = { positions: Float32Array.of(0, 0, -1, 1, 0, 1, 0, 1, 1), indices: Uint32Array.of(0, 1, 2) };

test('an object that reaches too far is refused by its name, and nothing of it is in the store', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  const far = { geometry: triangle(0), objects: [named('near'), named('plant/far', moved(1e18, 0, 0))] };
  await expect(writer.add(far)).rejects.toMatchObject({
    code: 'bad-input',
    message: 'object "plant/far" of test: it reaches farther than 4.9e+17 from zero',
    detail: { object: 'plant/far', file: 'test' },
  });
  expect([writer.objectCount, writer.pieceCount]).toEqual([0, 0]);
  await writer.finish(META);
});

test('or left out, so that the others can be checked', async () => {
  const told: string[] = [];
  const spill = { triangles: 100, open: () => Promise.reject(new Error('nothing is to be spilled')) };
  const options = { spill, onTooFar: ({ path }: { path: string }) => told.push(path) };
  const source = await storeOf(
    [
      {
        geometry: triangle(0),
        objects: [named('a'), named('away', moved(-1e30, 0, 0)), named('too', moved(0, 6e17, 0))],
      },
      {
        geometry: streamOf(Float64Array.of(-1e19, 0, 0, 1e19, 0, 0, 0, 1e19, 0), 1),
        objects: [named('streamed')],
      },
      { geometry: CROSSING, objects: [named('b')] },
      // as far out as is allowed: every pair of what is kept can be compared
      {
        geometry: { ...triangle(0), positions: triangle(0).positions.map((x) => 2e17 * x) },
        objects: [named('c')],
      },
      { geometry: triangle(0), objects: [named('d', moved(0, 0, -4.8e17))] },
    ],
    options,
  );
  expect(told).toEqual(['away', 'too', 'streamed']);
  const model = await openStore(source);
  const kinds: string[] = [];
  for await (const { clashes } of check(model, { clearance: 1e18 }).batches())
    for (const { a, b } of clashes) kinds.push(`${a.path} ${b.path}`);
  // a and c lie in one plane, and only touch
  expect(kinds.sort()).toEqual(['a b', 'a d', 'b c', 'b d', 'c d']);
});
