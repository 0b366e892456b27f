/** What the WebGPU backend plans on the host: batches of images, the order of triangles. No device is needed. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { KEPT_BIT } from '../src/webgpu/layout.js';
import { colourCountOf, Generations, imageBytesOf, planBatches, spread } from '../src/webgpu/split-tree.js';
import { orderTriangles } from '../src/webgpu/triangle-order.js';

describe('batches', () => {
  const LIMITS = [2 ** 27, 2 ** 28, 2 ** 31];
  test.each(LIMITS)('every colour has every view, within %d bytes', (limit) => {
    for (const objects of [2, 3, 7, 100]) {
      for (const views of [3, 4, 11, 28]) {
        const colours = colourCountOf(objects, views);
        for (const resolution of [1, 64, 800, 1500, 2800]) {
          const batches = planBatches(colours, views, resolution, limit);
          const seen: string[] = [];
          let open = false;
          for (const { firstColour, colourCount, firstView, viewCount, complete } of batches) {
            for (let c = firstColour; c < firstColour + colourCount; c++) {
              for (let v = firstView; v < firstView + viewCount; v++) seen.push(`${c} ${v}`);
            }
            // the words hold the views of colours that are not complete: one colour at a time
            if (open || !complete) expect(colourCount).toBe(1);
            expect(colours + colourCount * views).toBeLessThanOrEqual(KEPT_BIT);
            open = !complete;
          }
          expect(open).toBe(false);
          expect(seen.length).toBe(colours * views);
          expect(new Set(seen).size).toBe(colours * views);
          expect(imageBytesOf(batches, resolution)).toBeLessThanOrEqual(limit);
        }
      }
    }
  });

  test('colours of n objects', () => {
    expect([0, 1, 2, 5, 7, 8, 10_000].map((n) => colourCountOf(n, 3))).toEqual([0, 0, 2, 5, 7, 7, 7]);
    expect([23, 24, 28].map((views) => colourCountOf(100, views))).toEqual([7, 6, 2]);
  });

  test('no generation comes twice between two wipes', () => {
    const generations = new Generations();
    let seen = new Set<number>([0]);
    let wipes = 0;
    for (let i = 0; i < 600; i++) {
      const generation = generations.next(() => {
        seen = new Set([0]);
        wipes++;
      });
      expect(generation).toBeGreaterThan(Math.max(...seen));
      expect(generation).toBeLessThan(256);
      seen.add(generation);
    }
    expect(wipes).toBe(2);
  });

  test('too many workgroups for x go on in y', () => {
    for (const count of [1, 65535, 65536, 70000, 10_000_000]) {
      const [x, y] = spread(count);
      expect(x * y).toBeGreaterThanOrEqual(count);
      expect(Math.max(x, y)).toBeLessThanOrEqual(65535);
    }
  });
});

test('triangles in order: each once, runs of them compact, seed 1', () => {
  const random = seededRandom(1);
  const count = 5000;
  // small triangles on a sphere, in any order
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const p = [0, 1, 2].map(() => random() - 0.5);
    const length = Math.hypot(...p);
    for (let i = 0; i < 9; i++) positions[9 * t + i] = p[i % 3] / length + 0.01 * random();
  }
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  const order = orderTriangles(positions, indices);
  expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: count }, (_, t) => t));
  let volume = 0;
  for (let first = 0; first < count; first += 64) {
    const size = [0, 1, 2].map((k) => {
      const x = [...order.subarray(first, first + 64)].map((t) => positions[9 * t + k]);
      return Math.max(...x) - Math.min(...x);
    });
    volume += size[0] * size[1] * size[2];
  }
  expect(volume / (count / 64)).toBeLessThan(0.4); // of 8, if they were left as they came
  expect([...orderTriangles(new Float32Array(9), Uint32Array.of(0, 1, 2, 0, 1, 2))]).toEqual([0, 1]);
});
