/** Stores with levels: what is refused when they are opened, what odd input gives, and that others are as they were. */
import { grid, torus } from '@impinge/scenes';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { describe, expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { readPieces } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { frontOf } from '../../src/store/front.js';
import { NONE } from '../../src/store/layout.js';
import type { Directory, StoredModel } from '../../src/store/model.js';
import { openStore } from '../../src/store/open.js';
import { MemorySink, MemorySource } from '../../src/store/page-source.js';
import { type LevelsProgress, StoreWriter } from '../../src/store/writer.js';
import { altered, META, moved, named, storeBytes } from './fixtures.js';

const RING = torus(1, 0.4, 40, 20);
const SHEET = grid(16);
const SHAPES = [
  { geometry: RING, objects: [named('a'), named('b', moved(5, 0, 0))] },
  { geometry: SHEET, objects: [named('c')] },
];
const bytes = await storeBytes(SHAPES, { levels: true, pieceTriangles: 128 });

describe('a store whose directory was altered is refused', () => {
  /** A piece on the way to the end of its group. */
  const between = (d: Directory) =>
    d.pieceInto.findIndex((into, i) => into === d.pieceGroup[i] && into !== NONE);
  const coarser = (d: Directory) => d.pieceLevel.findIndex((level) => level > 0);
  test.each<[string, (d: Directory) => void, RegExp]>([
    ['an error below 0', (d) => (d.pieceOut[coarser(d)] = -1), /no valid error/],
    ['an error that is none', (d) => (d.pieceIn[coarser(d)] = Number.NaN), /no valid error/],
    ['an error without end', (d) => (d.pieceOut[coarser(d)] = Infinity), /no valid error/],
    ['an error of originals', (d) => (d.pieceOut[0] = 1e-30), /larger error|has an error/],
    ['no error of what is coarser', (d) => d.pieceOut.fill(0, coarser(d)) && d.pieceIn.fill(0), /./],
    ['a next error below its own', (d) => (d.pieceNext[between(d)] = 0), /larger error/],
    ['a next error that is none', (d) => (d.pieceNext[0] = Number.NaN), /larger error/],
    ['a next error of nothing', (d) => (d.pieceNext[0] *= 2), /goes out where nothing comes in/],
    ['no next error', (d) => (d.pieceNext[0] = Infinity), /goes out where nothing comes in/],
    ['a group that does not exist', (d) => (d.pieceInto[0] = 12_345), /does not exist/],
    ['a group of another shape', (d) => (d.pieceInto[0] = d.pieceGroup.at(-1)!), /does not exist/],
    ['no group', (d) => (d.pieceInto[0] = NONE), /goes out where nothing comes in/],
    ['a group out of order', (d) => (d.pieceGroup[coarser(d)] = 7), /out of order/],
    ['a coarser piece without a group', (d) => (d.pieceGroup[d.pieceGroup.length - 1] = NONE), /wrong group/],
    ['a wrong level', (d) => (d.pieceLevel[coarser(d)] = 0), /wrong level/],
    ['a step that is not coarser', (d) => (d.pieceLevel[between(d) + 1] = 1), /not where the others/],
    [
      'an end that is on the way',
      (d) => (d.pieceInto[between(d) + 1] = d.pieceGroup[between(d)]),
      /goes out where nothing comes in/,
    ],
    [
      'a step that nothing follows',
      (d) => {
        const piece = between(d);
        d.pieceInto[piece] = NONE;
        d.pieceNext[piece] = Infinity;
      },
      /apart from its group/,
    ],
    ['a box that ends before it begins', (d) => (d.pieceBox[0] = 1e9), /no valid box/],
    ['a box without end', (d) => (d.pieceBox[3] = Infinity), /no valid box/],
    ['fewer exact pieces', (d) => d.shapeExactPieces[0]--, /is coarser without an error/],
    ['more exact pieces than pieces', (d) => (d.shapeExactPieces[0] = 1e6), /more exact pieces/],
    // nothing would be found in these
    ['an object whose box is inside out', (d) => d.objectBox.subarray(0, 6).reverse(), /a box ends before/],
    ['a placed piece whose box is', (d) => d.placedBox.subarray(0, 6).reverse(), /a box ends before/],
  ])('%s', async (_, change, why) => {
    const opened = openStore(await altered(bytes, change));
    await expect(opened).rejects.toThrow(why);
    await expect(opened).rejects.toMatchObject({ code: 'bad-buffer' });
  });

  test('but not as it is', async () => {
    const model = await openStore(await altered(bytes, () => {}));
    expect(model.hasLevels).toBe(true);
    expect(model.pieceCountOf(0)).toBe(model.directory.shapeExactPieces[0]);
    expect(model.pieceCountOf(1)).toBe(model.pieceCountOf(0));
    expect(model.pieceCount).toBeGreaterThan(2 * (model.pieceCountOf(0) + model.pieceCountOf(2)));
    expect(model.triangleCount).toBe((2 * RING.indices.length + SHEET.indices.length) / 3);
  });
});

test('a store without levels has no more than exact pieces', async () => {
  const model = await openStore(new MemorySource(await storeBytes(SHAPES, { pieceTriangles: 128 })));
  const { shapeExactPieces, shapeFirstPiece, pieceLevel, pieceBox } = model.directory;
  expect([model.hasLevels, pieceLevel.length, pieceBox.length]).toEqual([false, 0, 0]);
  expect([...shapeExactPieces]).toEqual([shapeFirstPiece[1], shapeFirstPiece[2] - shapeFirstPiece[1]]);
  for (const error of [0, 1, Infinity]) {
    expect(frontOf(model, 1, error)).toEqual(
      Uint32Array.from({ length: shapeExactPieces[1] }, (_, i) => shapeFirstPiece[1] + i),
    );
  }
});

test('a shape that is refused leaves the groups of others in order', async () => {
  const sink = new MemorySink();
  const writer = new StoreWriter(sink, { levels: true, pieceTriangles: 128 });
  await writer.add(SHAPES[0]);
  const before = writer.byteLength;
  let asked = 0;
  const toJSON = () => {
    if (asked++ > 0) throw new Error('too late'); // when its pieces are written
    return {};
  };
  const odd = { geometry: SHEET, objects: [{ ...named('c'), properties: { toJSON } as never }] };
  await expect(writer.add(odd)).rejects.toThrow('too late');
  expect(writer.byteLength).toBeGreaterThan(before);
  await writer.add(SHAPES[1]);
  await writer.finish(META);
  const { pieceGroup } = (await openStore(new MemorySource(sink.bytes()))).directory;
  expect(pieceGroup).toEqual((await openStore(new MemorySource(bytes))).directory.pieceGroup);
});

describe('odd input', () => {
  const top = (model: StoredModel, shape: number) =>
    frontOf(model, shape, Infinity).reduce((sum, i) => sum + model.directory.pieceTriangles[i], 0);

  test('one triangle', async () => {
    const mesh = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], name: 'one' });
    const model = await buildLevels(mesh);
    expect([model.pieceCount, model.hasLevels, top(model, 0)]).toEqual([1, true, 1]);
    expect(model.object(0).name).toBe('one');
  });

  test('all triangles in one point', async () => {
    const positions = new Float32Array(9 * 10_000).fill(3);
    const model = await buildLevels(Mesh.from({ positions }));
    expect(frontOf(model, 0, 0).length).toBe(model.pieceCount);
    expect(top(model, 0)).toBe(10_000);
  });

  test('objects of one mesh share its levels, where they are', async () => {
    const mesh = Mesh.from({ ...RING, name: 'ring' });
    const objects = [0, 7].map((x) => ({ mesh, pose: { translation: [x, 0, 0] as const } }));
    const model = await buildLevels(objects, { pieceTriangles: 512 });
    expect([model.objectCount, model.shapeCount]).toEqual([2, 1]);
    expect(model.box(1)[0]).toBeCloseTo(model.box(0)[0] + 7, 12);
    expect(model.object(1).name).toBe('ring');
    expect(top(model, 0)).toBeLessThan(100);
  });

  test('a mesh far from zero keeps its float32 numbers and its origin', async () => {
    const far = Float64Array.from(RING.positions, (x, i) => x + [6e5, 5e6, 0][i % 3]);
    const mesh = Mesh.from({ positions: far, indices: RING.indices });
    expect(mesh.origin[0]).toBeGreaterThan(1e5);
    const { directory } = await buildLevels(mesh);
    const { min, max } = mesh.box;
    [...min, ...max].forEach((x, k) => {
      expect(Math.abs(directory.pieceBox[k] - x)).toBeLessThan(1e-8);
      expect(k < 3 ? directory.pieceBox[k] <= x : directory.pieceBox[k] >= x).toBe(true);
    });
    mesh.dispose();
  });

  test('nothing, or what is no mesh, is refused', async () => {
    await expect(buildLevels([])).rejects.toMatchObject({ code: 'bad-input' });
    await expect(buildLevels([{ mesh: RING as never }])).rejects.toMatchObject({ code: 'bad-input' });
    const mesh = Mesh.from(RING);
    const much = buildLevels(mesh, { pieceTriangles: 8193 });
    await expect(much).rejects.toMatchObject({ code: 'bad-option' });
    const model = await buildLevels(mesh);
    expect(() => frontOf(model, 0, Number.NaN)).toThrow(/error must be a number of at least 0/);
    expect(() => frontOf(model, 1, 0)).toThrow(/there is no shape 1/);
  });
});

describe('pages of coarser pieces', () => {
  const shapes = Array.from({ length: 12 }, (_, i) => ({
    geometry: torus(1, 0.2 + 0.01 * i, 16, 10),
    objects: [named(`ring ${i}`)],
  }));

  test('lie together by level, the coarsest last but for those of large models', async () => {
    const { directory } = await openStore(new MemorySource(await storeBytes(shapes, { levels: true })));
    const { pieceLevel, pieceByteOffset } = directory;
    const inFile = [...pieceLevel.keys()].sort((a, b) => pieceByteOffset[a] - pieceByteOffset[b]);
    const levels = inFile.map((piece) => pieceLevel[piece]);
    const changes = levels.filter((level, i) => level !== levels[i - 1]);
    expect(Math.max(...levels)).toBeGreaterThan(1);
    expect(changes).toEqual([0, ...[...new Set(levels)].filter((level) => level > 0).sort((a, b) => b - a)]);
  });

  full('of a shape that fails are nowhere, and those of others are whole', async () => {
    const sink = new MemorySink();
    let number = 0;
    const onLevels = ({ done, total }: LevelsProgress) => {
      if (number === 5 && done > 0.8 * total) throw new Error('not this one');
    };
    const writer = new StoreWriter(sink, { levels: true, pieceTriangles: 64, onLevels });
    for (; number < shapes.length; number++) {
      const adding = writer.add(number === 5 ? { ...shapes[number], geometry: RING } : shapes[number]);
      if (number === 5) await expect(adding).rejects.toThrow('not this one');
      else await adding;
    }
    await writer.finish(META);
    const without = await storeBytes(
      shapes.filter((_, i) => i !== 5),
      { levels: true, pieceTriangles: 64 },
    );
    const [model, expected] = [
      await openStore(new MemorySource(sink.bytes())),
      await openStore(new MemorySource(without)),
    ];
    const all = [...expected.directory.pieceLevel.keys()];
    expect(model.pieceCount).toBe(all.length);
    expect(await readPieces(model, all)).toEqual(await readPieces(expected, all)); // their checksums are right
  });
});
