/** Shapes larger than memory: kernels take what is float32, and do what is done with numbers of any precision. */
import { arena } from 'impinge/internal/base/arena.js';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { chunksOf } from '../../src/store/out-of-core.js';
import type { ShapeStream } from '../../src/store/source.js';
import { survey } from '../../src/store/survey.js';
import { cornersOf, memorySpill, streamOf } from './fixtures.js';

const random = seededRandom(7);
const CORNERS = Float32Array.from({ length: 9 * 3001 }, () => 2 * random() - 1);
const OPTIONS = { label: 'soup', about: [0, 0, 0] as [number, number, number], chunkTriangles: 300 };

/** In batches of different lengths, of which none is a multiple of what kernels take at once. */
const soupOf = (corners: Float32Array | Float64Array) => streamOf(corners, 1, 1001);

const VERTICES = Float32Array.from({ length: 3 * 700 }, () => 2 * random() - 1);
const INDICES = Uint32Array.from({ length: 3 * 9001 }, () => Math.floor(700 * random()));

/** Triangles by their vertices, in batches of different lengths; by corners, it is another shape. */
function indexedStream(vertices: Float32Array, indices: Uint32Array): ShapeStream {
  return {
    ...soupOf(CORNERS),
    indexed: {
      vertexCount: vertices.length / 3,
      readVertices: async (into) => into.set(vertices),
      indices: async function* () {
        for (let from = 0, size = 3; from < indices.length; from += size, size = size === 3 ? 25_002 : 3) {
          yield indices.slice(from, from + size);
        }
      },
    },
  };
}

async function chunkTexts(stream: ShapeStream): Promise<string[]> {
  const texts: string[] = [];
  for await (const mesh of chunksOf(stream, await survey(stream, 'soup'), memorySpill(400), OPTIONS)) {
    texts.push(Buffer.from(mesh.toBytes()).toString('base64'));
    mesh.dispose();
  }
  return texts;
}

test('the same triangles in float32 and in float64 make the same survey and the same chunks', async () => {
  const texts = await chunkTexts(soupOf(CORNERS));
  const before = arena().usedBytes; // with the work space of the kernels
  const narrow = await survey(soupOf(CORNERS), 'soup');
  const wide = await survey(soupOf(Float64Array.from(CORNERS)), 'soup');
  expect({ ...narrow, single: false }).toEqual(wide);
  const box = [0, 1, 2].map((k) => CORNERS.filter((_, i) => i % 3 === k));
  expect([...narrow.box.subarray(0, 3)]).toEqual(box.map((xs) => Math.min(...xs)));
  expect([...narrow.box.subarray(3)]).toEqual(box.map((xs) => Math.max(...xs)));
  expect(texts.length).toBeGreaterThan(10);
  expect(texts).toEqual(await chunkTexts(soupOf(Float64Array.from(CORNERS))));
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

test.each([0, 5, 11, 12, 47, 48, 9008, 9012, 27008])('number %i is not finite', async (at) => {
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    const corners = CORNERS.slice();
    corners[at] = bad;
    await expect(survey(soupOf(corners), 'soup')).rejects.toMatchObject({
      code: 'non-finite',
      detail: { triangle: Math.floor(at / 9) },
    });
  }
});

full('triangles by their vertices make the survey and the chunks of their corners', async () => {
  const corners = soupOf(cornersOf({ positions: VERTICES, indices: INDICES }));
  const indexed = indexedStream(VERTICES, INDICES);
  const texts = await chunkTexts(corners);
  const before = arena().usedBytes;
  expect(await survey(indexed, 'soup')).toEqual(await survey(corners, 'soup'));
  expect(texts.length).toBeGreaterThan(10);
  expect(await chunkTexts(indexed)).toEqual(texts);
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

test('what is wrong with triangles by their vertices is told', async () => {
  const before = arena().usedBytes;
  for (const at of [0, 17, 24_999, 27_002]) {
    const indices = INDICES.slice();
    indices[at] = 700;
    await expect(survey(indexedStream(VERTICES, indices), 'soup')).rejects.toMatchObject({
      code: 'index-out-of-range',
      detail: { object: 'soup', triangle: Math.floor(at / 3) },
    });
  }
  await expect(survey(indexedStream(VERTICES, INDICES.slice(0, 8)), 'soup')).rejects.toMatchObject({
    code: 'bad-input',
  });
  const vertices = VERTICES.slice();
  vertices[3 * INDICES[30]] = Number.NaN;
  const first = INDICES.indexOf(INDICES[30]);
  await expect(survey(indexedStream(vertices, INDICES), 'soup')).rejects.toMatchObject({
    code: 'non-finite',
    detail: { triangle: Math.floor(first / 3) },
  });
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});
