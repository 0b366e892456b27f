import { expect, test } from 'vitest';
import { check } from '../../src/check/check.js';
import { openStore } from '../../src/store/open.js';
import { MemorySink } from '../../src/store/page-source.js';
import type { ShapeStream } from '../../src/store/source.js';
import { StoreWriter } from '../../src/store/writer.js';
import { META, moved, named, storeOf } from '../store/fixtures.js';

const TRIANGLE = { positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), indices: Uint32Array.of(0, 1, 2) };
const CROSSING = { positions: Float32Array.of(0, 0, -1, 1, 0, 1, 0, 1, 1), indices: Uint32Array.of(0, 1, 2) };

function stretched(size: number): ShapeStream {
  return {
    triangleCount: 1,
    async *batches() {
      yield Float64Array.of(-size, 0, 0, size, 0, 0, 0, size, 0);
    },
  };
}

test('an object that reaches too far is refused by its name, and nothing of it is in the store', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink);
  const far = { geometry: TRIANGLE, objects: [named('near'), named('plant/far', moved(1e18, 0, 0))] };
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
        geometry: TRIANGLE,
        objects: [named('a'), named('away', moved(-1e30, 0, 0)), named('too', moved(0, 6e17, 0))],
      },
      { geometry: stretched(1e19), objects: [named('streamed')] },
      { geometry: CROSSING, objects: [named('b')] },
      // as far out as is allowed: every pair of what is kept can be compared
      {
        geometry: { ...TRIANGLE, positions: Float32Array.from(TRIANGLE.positions, (x) => 2e17 * x) },
        objects: [named('c')],
      },
      { geometry: TRIANGLE, objects: [named('d', moved(0, 0, -4.8e17))] },
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
