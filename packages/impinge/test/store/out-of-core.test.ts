/** Shapes larger than memory: kernels take what is float32, and do what is done with numbers of any precision. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../scenes/index.mjs';
import { arena } from '../../src/base/arena.js';
import { chunksOf } from '../../src/store/out-of-core.js';
import type { ShapeStream } from '../../src/store/source.js';
import { survey } from '../../src/store/survey.js';

import { memorySpill } from './fixtures.js';

const random = seededRandom(7);
const CORNERS = Float32Array.from({ length: 9 * 3001 }, () => 2 * random() - 1);
const OPTIONS = { label: 'soup', about: [0, 0, 0] as [number, number, number], chunkTriangles: 300 };

/** In batches of different lengths, of which none is a multiple of what kernels take at once. */
function streamOf(corners: Float32Array | Float64Array): ShapeStream {
  return {
    triangleCount: corners.length / 9,
    batches: async function* () {
      for (let from = 0, size = 9; from < corners.length; from += size, size = size === 9 ? 9009 : 9) {
        yield corners.slice(from, from + size);
      }
    },
  };
}

async function chunkTexts(corners: Float32Array | Float64Array): Promise<string[]> {
  const stream = streamOf(corners);
  const texts: string[] = [];
  for await (const mesh of chunksOf(stream, await survey(stream, 'soup'), memorySpill(400), OPTIONS)) {
    texts.push(Buffer.from(mesh.toBytes()).toString('base64'));
    mesh.dispose();
  }
  return texts;
}

test('the same triangles in float32 and in float64 make the same survey and the same chunks', async () => {
  const texts = await chunkTexts(CORNERS);
  const before = arena().usedBytes; // with the work space of the kernels
  const narrow = await survey(streamOf(CORNERS), 'soup');
  const wide = await survey(streamOf(Float64Array.from(CORNERS)), 'soup');
  expect({ ...narrow, single: false }).toEqual(wide);
  const box = [0, 1, 2].map((k) => CORNERS.filter((_, i) => i % 3 === k));
  expect([...narrow.box.subarray(0, 3)]).toEqual(box.map((xs) => Math.min(...xs)));
  expect([...narrow.box.subarray(3)]).toEqual(box.map((xs) => Math.max(...xs)));
  expect(texts.length).toBeGreaterThan(10);
  expect(texts).toEqual(await chunkTexts(Float64Array.from(CORNERS)));
  expect(arena().usedBytes).toBe(before);
});

test.each([0, 5, 11, 12, 47, 48, 9008, 9012, 27008])('number %i is not finite', async (at) => {
  for (const bad of [Number.NaN, Infinity, -Infinity]) {
    const corners = CORNERS.slice();
    corners[at] = bad;
    await expect(survey(streamOf(corners), 'soup')).rejects.toMatchObject({
      code: 'non-finite',
      detail: { triangle: Math.floor(at / 9) },
    });
  }
});
