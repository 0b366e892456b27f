/** A writer that is called in a wrong order, or is given something wrong, still makes a sound store. */
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/open.js';
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { META, named } from './fixtures.js';

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
