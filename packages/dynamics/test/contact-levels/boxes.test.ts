/** Boxes over coarser and coarser surfaces of meshes that are not closed. */
import { expect, test } from 'vitest';
import { buildContactLevels } from '../../src/index.js';
import { expectCovers, expectDeviation, expectTightHausdorff, patchesOf } from './hull-checks.js';
import { meshOf, torus } from './models.js';

test('a torus with a hole has surfaces with half the triangles, each below one box', () => {
  const { positions, indices } = torus(8, 4, 2);
  const mesh = meshOf({ positions, indices: indices.slice(0, -24) });
  const levels = buildContactLevels(mesh, { volumes: 'boxes' });
  const triangles = Array.from({ length: levels.levelCount }, (_, level) =>
    patchesOf(levels, level).reduce((sum, patch) => sum + patch.length, 0),
  );
  expect(triangles[0]).toBe(56);
  expect(triangles[1]).toBeGreaterThan(0);
  for (let level = 1; triangles[level] > 0; level++)
    expect(triangles[level]).toBeLessThanOrEqual((1.3 * 56) / 2 ** level);
  // what is a surface deviates by less than boxes would
  const [s, { start, end }] = [levels.array('s'), levels.nodesOf(1)];
  expect(Math.max(...s.subarray(0, start))).toBe(0);
  expect(Math.max(...s.subarray(start, end))).toBeGreaterThan(0);
  expectCovers(levels, mesh, 2);
  expectTightHausdorff(levels, 3);
  expectDeviation(levels, mesh, 3, 2);
});

test('triangles that share no corner are boxes all the way up', () => {
  const positions = Array.from({ length: 12 }, (_, i) => [
    5 * i,
    0,
    0,
    5 * i + 1,
    0,
    1,
    5 * i,
    2,
    i % 3,
  ]).flat();
  const mesh = meshOf({ positions, indices: Array.from({ length: 36 }, (_, i) => i) });
  const levels = buildContactLevels(mesh, { volumes: 'boxes' });
  expect(levels.usableLevels).toBe(levels.levelCount);
  expectCovers(levels, mesh, 2);
  expectDeviation(levels, mesh, 6, 2);
});
