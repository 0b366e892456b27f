/** Culling on WebGL2 in headless Chromium: nothing that meets is dropped; what is well apart is. */
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { SeededRandom } from '../../src/base/seeded-random.js';
import { LONG } from '../budget.js';
import { describeInBrowser } from './browser-page.js';
import { HALF, type Level, meeting, places, pointsOf, soup, triangles, within } from './level-items.js';
import type { How } from './webgl2-page.js';

const page = fileURLToPath(new URL('./webgl2-page.ts', import.meta.url));
const METHODS = ['split-tree', 'queries'] as const;
const RESOLUTIONS = [1, 7, 64, 256, 800];

const how = (over: Partial<How> = {}): How => ({
  method: 'split-tree',
  resolution: 64,
  rounds: 4,
  randomDirections: 0,
  ...over,
});

describeInBrowser('WebGL2', page, (browser) => {
  describe.each(METHODS)('%s', (method) => {
    test.each(RESOLUTIONS)(
      'a point of an enlarged triangle is in its cover, at %i pixels',
      async (resolution) => {
        const random = new SeededRandom(resolution);
        const levels = Array.from({ length: LONG ? 9 : 3 }, (_, i) =>
          pointsOf(random, i % 3 === 0 ? 0.03 : i % 3 === 1 ? 1e-4 : 0),
        );
        const left = await browser.run<number[][]>(
          'cull',
          levels,
          how({ method, resolution, randomDirections: 1 }),
        );
        for (const [i, kept] of left.entries()) expect(kept, `triangle ${i}`).toEqual(kept.map(() => 1));
      },
    );

    test.each(RESOLUTIONS)('triangles that meet are kept, at %i pixels', async (resolution) => {
      const random = new SeededRandom(100 + resolution);
      const levels = Array.from({ length: LONG ? 12 : 4 }, (_, i) =>
        soup(random, 3 + (i % 6), 6, i % 2 ? 0.8 : 0.3),
      );
      const expected = levels.map(meeting);
      expect(expected.flat().filter((m) => m).length).toBeGreaterThan(20);
      const left = await browser.run<number[][]>('cull', levels, how({ method, resolution }));
      for (const [i, kept] of left.entries()) {
        expect(
          expected[i].filter((m, item) => m && !kept[item]),
          `soup ${i}`,
        ).toEqual([]);
      }
    });

    test('touching in a point, along an edge, in a plane', async () => {
      const floor = [-0.5, -0.5, 0, 0.5, -0.5, 0, 0, 0.5, 0];
      const cases: Record<string, number[]> = {
        'a corner on a face': [0, 0, 0, 0.25, 0, 0.5, -0.25, 0, 0.5],
        'corner to corner': [0.5, -0.5, 0, 0.75, -0.5, 0.25, 0.75, -0.25, 0.25],
        'edge to edge': [0, -0.5, -0.25, 0, -0.5, 0.25, 0, -0.75, 0],
        'in a plane, sharing an edge': [-0.5, -0.5, 0, 0.5, -0.5, 0, 0, -0.75, 0],
        'in a plane, overlapping': [-0.25, -0.25, 0, 0.25, -0.25, 0, 0, 0.75, 0],
        'the same': floor,
        'edge-on through it': [0, 0, -0.5, 0, 0, 0.5, 0, 0.25, 0],
        'a point': [0, 0, 0, 0, 0, 0, 0, 0, 0],
        'smaller than a pixel': [0, 0, -1e-6, 1e-6, 0, 1e-6, 0, 1e-6, 1e-6],
      };
      const levels = Object.values(cases).map((other) => triangles([...floor, ...other], [0, 1], 0));
      for (const level of levels) expect(meeting(level)).toEqual([1, 1]);
      for (const resolution of RESOLUTIONS) {
        const left = await browser.run<number[][]>('cull', levels, how({ method, resolution }));
        expect(Object.fromEntries(Object.keys(cases).map((name, i) => [name, left[i]]))).toEqual(
          Object.fromEntries(Object.keys(cases).map((name) => [name, [1, 1]])),
        );
      }
    });

    test('a flat frame and one that is far longer than wide', async () => {
      const random = new SeededRandom(7);
      for (const half of [
        [1, 1, 1e-5],
        [1, 1e-3, 1e-3],
        [2 ** -20, 1, 2 ** -10],
      ] as const) {
        const levels = Array.from({ length: LONG ? 10 : 2 }, () => {
          const level = soup(random, 4, 5, 0.9);
          return { ...level, half, data: level.data.map((x, i) => Math.fround(x * half[i % 3])) };
        });
        const left = await browser.run<number[][]>('cull', levels, how({ method }));
        for (const [i, kept] of left.entries()) {
          expect(meeting(levels[i]).filter((m, item) => m && !kept[item])).toEqual([]);
        }
      }
    });

    test('boxes: those that meet are kept, those that are apart are dropped', async () => {
      // 5 × 5 × 5 boxes of a side of 0.2, 0.3 apart, and two more that touch a corner of one
      const data: number[] = [];
      for (let i = 0; i < 125; i++) {
        const low = [i % 5, Math.floor(i / 5) % 5, Math.floor(i / 25)].map((k) =>
          Math.fround(-0.75 + 0.3 * k),
        );
        data.push(...low, ...low.map((x) => Math.fround(x + 0.2)));
      }
      const corner = data.slice(3, 6);
      data.push(...corner, ...corner.map((x) => x + 0.0625));
      const objects = [...Array(126).keys()];
      const level: Level = {
        kind: 'boxes',
        data,
        objects,
        groups: objects,
        margins: objects.map(() => 0),
        half: HALF,
      };
      const [kept] = await browser.run<number[][]>(
        'cull',
        [level],
        how({ method, rounds: 8, resolution: 128 }),
      );
      expect(places(kept).filter((i) => kept[i])).toEqual([0, 125]);
    });

    test('triangles well apart are dropped, at a fine resolution from a few more directions', async () => {
      const random = new SeededRandom(5);
      const data: number[] = [];
      const objects: number[] = [];
      for (let o = 0; o < 27; o++) {
        const at = [o % 3, Math.floor(o / 3) % 3, Math.floor(o / 9)].map((k) => 0.6 * (k - 1));
        for (let t = 0; t < 8; t++) {
          for (let c = 0; c < 3; c++) data.push(...at.map((x) => within(x + 0.4 * (random.next() - 0.5))));
          objects.push(o);
        }
      }
      const [kept] = await browser.run<number[][]>(
        'cull',
        [triangles(data, objects)],
        how({ method, rounds: 8, resolution: 256 }),
      );
      expect(kept).toEqual(objects.map(() => 0));
    });

    test('a group is kept as a whole, and dropped as a whole', async () => {
      // object 0 meets object 1 with one of its two triangles; object 2 is by itself
      const data = [
        [0, 0, 0, 0.1, 0, 0, 0, 0.1, 0],
        [-0.9, 0, 0, -0.8, 0, 0, -0.9, 0.1, 0],
        [0, 0, -0.1, 0.1, 0, 0.1, 0, 0.1, 0.1],
        [0.5, 0.5, 0.5, 0.6, 0.5, 0.5, 0.5, 0.6, 0.5],
        [0.5, 0.5, 0.6, 0.6, 0.5, 0.6, 0.5, 0.6, 0.6],
      ].flat();
      const level = { ...triangles(data, [0, 0, 1, 2, 2]), groups: [0, 0, 1, 2, 2] };
      const left = await browser.run<number[][]>('cull', [level], how({ method, resolution: 256 }));
      expect(left).toEqual([[1, 1, 0]]);
    });

    test('one object alone meets nothing', async () => {
      const left = await browser.run<number[][]>(
        'cull',
        [triangles([0, 0, 0, 1, 0, 0, 0, 1, 0], [0])],
        how({ method }),
      );
      expect(left).toEqual([[0]]);
    });

    test('more views than a texel has flags, more bits than an image has tiles', async () => {
      // nine bits of two tiles of 1 500 × 1 500 are more than 16 M pixels
      const random = new SeededRandom(3);
      const data: number[] = [];
      const count = 300;
      for (let o = 0; o < count; o++) {
        const at = [0, 1, 2].map(() => 1.8 * random.next() - 0.9);
        for (let c = 0; c < 3; c++) data.push(...at.map((x) => within(x + 0.15 * (random.next() - 0.5))));
      }
      const level = triangles(data, [...Array(count).keys()]);
      const [kept] = await browser.run<number[][]>(
        'cull',
        [level],
        how({ method, resolution: 1500, randomDirections: 2, rounds: 1 }),
      );
      expect(meeting(level).filter((m, i) => m && !kept[i])).toEqual([]);
      expect(kept.filter((k) => k).length).toBeLessThan(count / 2);
    });

    test.each(['before', 'meanwhile'])('a context lost %s', async (when) => {
      const level = soup(new SeededRandom(1), 4, 5, 0.8);
      expect(await browser.run('cullAndLose', level, how({ method }), when)).toBe('device-lost');
    });
  });

  test('images too large for the context', async () => {
    const level = soup(new SeededRandom(1), 4, 5, 0.8);
    expect(await browser.run('cullOnSmall', level, how({ resolution: 800 }), 512)).toEqual([
      'unsupported',
      expect.stringMatching(/512 pixels.*800/),
    ]);
  });
});
