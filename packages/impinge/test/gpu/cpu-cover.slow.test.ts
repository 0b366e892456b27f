/** The CPU's rasteriser keeps whatever meets, at any resolution, by either method, on every level; and it does cull. */
import { afterAll, describe, expect, test } from 'vitest';
import { SeededRandom } from '../../src/base/seeded-random.js';
import { CpuBackend } from '../../src/gpu/cpu/cpu-backend.js';
import type { CullingLevel, CullingMethod } from '../../src/gpu/types.js';
import { disposeWorld, meetingPairs, pairsOf, requestOf, worldOfLevel } from './cpu-world.js';
import { type Level, pointsOf, soup, triangles } from './level-items.js';

const METHODS: readonly CullingMethod[] = ['split-tree', 'queries'];
const LEVELS: readonly CullingLevel[] = ['boxes', 'objects', 'parts', 'triangles'];
const RESOLUTIONS = [1, 7, 64, 333];

const backend = new CpuBackend();
afterAll(() => backend.dispose());

/** Returns how many pairs there were to lose. */
async function expectNothingLost(level: Level, directions: number): Promise<number> {
  const world = worldOfLevel(level);
  const expected = meetingPairs(level);
  for (const method of METHODS) {
    for (const name of LEVELS) {
      for (const resolution of RESOLUTIONS) {
        const found = await backend.ask(
          world,
          requestOf({ method, resolution, levels: [name], directions, rounds: 2 }),
        );
        const pairs = new Set(pairsOf(found));
        for (const pair of expected) {
          if (!pairs.has(pair)) expect.fail(`${method}, ${name}, ${resolution} pixels: ${pair} is lost`);
        }
      }
    }
  }
  disposeWorld(world);
  return expected.length;
}

describe.each([0, 1e-6, 1e-3, 0.05])('points of a triangle, enlarged by %d', (margin) => {
  test.each(METHODS)('are in its cover by %s, seed 41', async (method) => {
    const random = new SeededRandom(41);
    for (let round = 0; round < 60; round++) {
      const level = pointsOf(random, margin);
      const world = worldOfLevel(level);
      const slots = Array.from({ length: 40 }, (_, i) => `0 ${16 * (i + 1)}`);
      for (const resolution of RESOLUTIONS) {
        // within distance nothing is decided: what was not culled comes back
        const request = requestOf({ method, resolution, distance: 1e-9, directions: round % 3 });
        const pairs = new Set(pairsOf(await backend.ask(world, request)));
        for (const slot of slots) {
          if (!pairs.has(slot)) expect.fail(`round ${round}, ${resolution} pixels: point ${slot} is lost`);
        }
      }
      disposeWorld(world);
    }
  });
});

test('soups of triangles of all shapes, seed 42', async () => {
  const random = new SeededRandom(42);
  let pairs = 0;
  for (let round = 0; round < 12; round++) {
    pairs += await expectNothingLost(soup(random, 2 + round, 9, [0.1, 0.7, 2][round % 3]), round % 2);
  }
  expect(pairs).toBeGreaterThan(100);
});

describe.each(METHODS)('by %s', (method) => {
  // two squares that are parallel, close, and slanted: their boxes meet, they do not
  const slanted = (z: number) => [-0.5, -0.5, z, 0.5, -0.5, z + 0.5, 0.5, 0.5, z + 1].map(Math.fround);
  const parallel = triangles([...slanted(-0.5), ...slanted(-0.4)], [0, 1]);

  test('what is in front is dropped', async () => {
    const world = worldOfLevel(parallel);
    const found = await backend.ask(world, requestOf({ method, levels: ['boxes', 'triangles'] }));
    expect(found.levels).toEqual([
      { level: 'boxes', kept: 2, of: 2 },
      { level: 'triangles', kept: 0, of: 2 },
    ]);
    expect(found.objects).toEqual(new Uint32Array(0));
    expect(found.candidates).toBe(0);
    disposeWorld(world);
  });

  test('pixels that are too coarse drop nothing', async () => {
    const world = worldOfLevel(parallel);
    const found = await backend.ask(world, requestOf({ method, resolution: 1 }));
    expect(found.levels).toEqual([{ level: 'triangles', kept: 2, of: 2 }]);
    expect(found.objects).toEqual(Uint32Array.of(0, 1));
    disposeWorld(world);
  });

  test('a level goes on until nothing is dropped, or the rounds are over', async () => {
    const random = new SeededRandom(43);
    const level = soup(random, 14, 12, 1.2);
    const world = worldOfLevel(level);
    const kept = [];
    for (const rounds of [1, 2, 8, 9]) {
      const found = await backend.ask(world, requestOf({ method, rounds, resolution: 256 }));
      kept.push(found.levels[0].kept);
    }
    expect(kept[0]).toBeLessThan(12 * 14);
    expect(kept[1]).toBeLessThanOrEqual(kept[0]);
    expect(kept[3]).toBe(kept[2]);
    disposeWorld(world);
  });

  test('more pixels and more directions drop more of a soup', async () => {
    const world = worldOfLevel(soup(new SeededRandom(44), 21, 8, 1.5));
    const keptAt = async (resolution: number, directions: number) =>
      (await backend.ask(world, requestOf({ method, resolution, directions }))).levels[0].kept;
    const coarse = await keptAt(8, 0);
    const fine = await keptAt(512, 0);
    const turned = await keptAt(512, 4);
    expect(fine).toBeLessThan(coarse);
    expect(turned).toBeLessThanOrEqual(fine);
    disposeWorld(world);
  });
});
