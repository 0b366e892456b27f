import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { placeOf } from '../src/formats/source-object.js';
import { stlSource } from '../src/formats/stl/stl.js';
import { WeldedShape } from '../src/formats/weld.js';
import { binaryStl, Files, TETRAHEDRON_CORNERS } from './files.js';
import {
  expectClose,
  expectRefused,
  NOTHING,
  PLENTY,
  readSource,
  sourceFailure,
  turnedUp,
} from './source-triangles.js';

const files = new Files();

/** The corners of `count` triangles of a bumpy grid, every number exact in float32. */
function gridCorners(count: number): number[] {
  const corners: number[] = [];
  for (let t = 0; t < count; t++) {
    const cell = t >> 1;
    for (const corner of t % 2 === 0 ? [0, 1, 2] : [2, 1, 3]) {
      const x = (cell % 100) + (corner & 1);
      const y = Math.floor(cell / 100) + (corner >> 1);
      corners.push(x, y, (7 * x + 13 * y) % 32);
    }
  }
  return corners;
}

/** The same as a binary file. */
function gridStl(count: number): Uint8Array {
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, count, true);
  gridCorners(count).forEach((x, i) => {
    view.setFloat32(84 + 50 * Math.floor(i / 9) + 12 + 4 * (i % 9), x, true);
  });
  return bytes;
}

test('what is known of the object, and the turn of what is Y up', async () => {
  const path = files.write('valve.stl', binaryStl());
  const [z] = await readSource(files, path);
  expect(z.object).toEqual({
    id: 'valve',
    name: 'valve',
    path: 'valve',
    type: '',
    discipline: 'valve',
    file: 'valve.stl',
    storey: '',
    pose: undefined,
  });
  const [y] = await readSource(files, path, { up: 'y' });
  expect([...placeOf(y.object)!]).toEqual([1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0]);
  expect(y.corners).toEqual(turnedUp(TETRAHEDRON_CORNERS));
  const source = await stlSource(path, { memoryBytes: PLENTY, metresPerUnit: 0.001 });
  expect([source.metresPerUnit, source.format, source.byteLength]).toEqual([0.001, 'STL, binary', 284]);
  await source.close();
});

full('more triangles than a batch: vertices are shared, and streams come in batches', async () => {
  const count = 30_000;
  const path = files.write('grid.stl', gridStl(count));
  const expected = gridCorners(count);
  for (const memoryBytes of [PLENTY, NOTHING]) {
    const [found] = await readSource(files, path, { memoryBytes });
    expectClose(found.corners, expected, 0);
  }
  const source = await stlSource(path, { memoryBytes: PLENTY });
  for await (const { geometry } of source.shapes()) {
    expect('indices' in geometry && geometry.positions.length / 3).toBe(101 * 151);
  }
  await source.close();
});

test('solids of a text file are objects of their own; empty ones are left out, equal names get numbers', async () => {
  const solid = (name: string, x: number) =>
    `solid ${name}\nfacet normal 0 0 0\nouter loop\nvertex ${x} 0 0\nvertex ${x} 1 0\nvertex ${x} 0 1\nendloop\nendfacet\n` +
    `endsolid ${name}\n`;
  const content = `${solid('a', 1)}solid none\nendsolid\n${solid('a', 2)}${solid('', 3)}${solid('Körper 2', 4)}`;
  const path = files.write('several.stl', content);
  for (const memoryBytes of [PLENTY, NOTHING]) {
    const found = await readSource(files, path, { memoryBytes });
    expect(found.map(({ object, corners }) => [object.id, object.name, object.path, corners[0]])).toEqual([
      ['a', 'a', 'several/a', 1],
      ['a#2', 'a', 'several/a', 2],
      ['several', 'several', 'several', 3],
      ['Körper 2', 'Körper 2', 'several/Körper 2', 4],
    ]);
    expect(found.every(({ isStream }) => isStream === (memoryBytes === NOTHING))).toBe(true);
  }
  await expectRefused(files, 'late.stl', `${solid('a', 1)}solid b\nfacet`, 'cut off: there is no "endsolid"');
  const wrong = solid('b', 2).replace('vertex 2 1 0', 'vertex 2 x 0');
  await expectRefused(
    files,
    'wrong.stl',
    solid('a', 1) + wrong,
    'line 14: a coordinate is not a number: "x"',
  );
});

test('without a place for temporary files, what is zipped is refused', async () => {
  const noFolder = { memoryBytes: PLENTY, tempDir: `${files.folder}/none` };
  const zipped = files.write('zipped.stl.gz', gzipSync(binaryStl()));
  await expect(stlSource(zipped, noFolder)).rejects.toThrow(/needs a temporary file in .*none: ENOENT/);
});

full('a gzip file that grows beyond measure is refused', async () => {
  const bomb = gzipSync(new Uint8Array(66 << 20), { level: 1 });
  expect(await sourceFailure(files, 'bomb.stl.gz', bomb)).toBe(
    'grows to more than 200 times its size when decompressed',
  );
});

test('progress goes forward to the end, and a signal stops the reading', async () => {
  const path = files.write('long.stl', gridStl(60_000));
  const steps: number[] = [];
  await readSource(files, path, {
    memoryBytes: NOTHING,
    chunkBytes: 1 << 20,
    onProgress: ({ done, total }) => {
      expect(total).toBe(84 + 50 * 60_000);
      steps.push(done);
    },
  });
  expect(steps.length).toBeGreaterThan(2);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
  expect(steps.at(-1)).toBe(84 + 50 * 60_000);

  const stop = new AbortController();
  const reading = readSource(files, path, { signal: stop.signal, onProgress: () => stop.abort() });
  await expect(reading).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await expect(readSource(files, path, { signal: stop.signal })).rejects.toThrow(
    expect.objectContaining({ name: 'AbortError' }),
  );
});

test.each([
  ['float32', Float32Array],
  ['float64', Float64Array],
])('welding numbers positions by first appearance, in %s, whatever the batches (seed 5)', (_, Numbers) => {
  const coordinate = fc.constantFrom(0, -0, 1, -1, 0.5, 1e-30, 1.0000001, 1.0000000000000002);
  const triangle = fc.array(coordinate, { minLength: 9, maxLength: 9 });
  const batch = fc.array(triangle, { maxLength: 40 });
  fc.assert(
    fc.property(fc.array(batch, { minLength: 1, maxLength: 5 }), (batches) => {
      const shape = new WeldedShape();
      const numberOf = new Map<string, number>();
      const expected: number[] = [];
      for (const corners of batches) {
        const numbers = Numbers.from(corners.flat());
        for (let o = 0; o < numbers.length; o += 3) {
          // + 0 makes 0 of −0, and the text tells all other numbers apart
          const key = [...numbers.subarray(o, o + 3)].map((x) => x + 0).join(' ');
          if (!numberOf.has(key)) numberOf.set(key, numberOf.size);
          expected.push(numberOf.get(key)!);
        }
        shape.add(numbers);
      }
      const { positions, indices } = shape.geometry();
      expect([...indices]).toEqual(expected);
      expect(positions).toBeInstanceOf(Numbers);
      const keys = [...numberOf.keys()];
      expect([...positions].join(' ')).toBe(keys.join(' '));
    }),
    { seed: 5, numRuns: runs(60) },
  );
});
