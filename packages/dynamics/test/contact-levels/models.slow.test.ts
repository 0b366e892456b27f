/** The models of the CLOD paper, beside its table. */
import { bowl, cup, numbers, spiralPeg, spoon, wrinkledTorus } from '@impinge/scenes/contact';
import { Mesh } from 'impinge';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../../test/budget.js';
import { buildContactLevels, type ContactLevels } from '../../src/index.js';
import {
  descendants,
  distanceFromHull,
  expectConvex,
  expectCovers,
  expectDeviation,
  expectTightHausdorff,
  expectWithin,
  hullAround,
  hullOf,
  patchesOf,
} from './hull-checks.js';
import { meshOf, torus } from './models.js';

function sizes(levels: ContactLevels, level: number): { hulls: number; triangles: number } {
  const { start, end } = levels.nodesOf(level);
  const starts = levels.array('triangleStart');
  return { hulls: end - start, triangles: starts[end] - starts[start] };
}

describe.each([
  ['bowl', () => [bowl()], 4336, 63, 634],
  ['numbers', () => numbers(), 161, 37, 306],
  ...(LONG
    ? ([
        ['cup', () => [cup()], 15_490, 241, 1532],
        ['spoon', () => [spoon()], 16_125, 61, 1074],
        ['spiral peg', () => [spiralPeg()], 6448, 100, 716],
        ['wrinkled torus', () => [wrinkledTorus()], 5919, 92, 644],
      ] as const)
    : []),
] as const)('%s', (_, make, firstHulls, lastHulls, lastTriangles) => {
  test('has no more hulls than published, and as coarse a level', () => {
    const all = make().map((model) => buildContactLevels(Mesh.from(model)));
    const mean = (value: (levels: ContactLevels) => number): number =>
      all.reduce((sum, levels) => sum + value(levels), 0) / all.length;
    expect(mean((levels) => sizes(levels, 0).hulls)).toBeLessThanOrEqual(firstHulls);
    expect(mean((levels) => sizes(levels, levels.usableLevels - 1).hulls)).toBeLessThanOrEqual(2 * lastHulls);
    expect(mean((levels) => sizes(levels, levels.usableLevels - 1).triangles)).toBeLessThanOrEqual(
      2 * lastTriangles,
    );
  });
});

/** Each so many hulls of level 0, and nodes per level: all of them would take hours. */
const EACH = 20;
const NODES = 8;
const LARGE_MS = 60 * 60_000;

test.runIf(LONG).each([
  ['bowl', bowl],
  ['wrinkled torus', wrinkledTorus],
  ['spiral peg', spiralPeg],
  ['cup', cup],
  ['spoon', spoon],
])(
  'every level of the %s is convex, within itself, h and s',
  (_, make) => {
    const mesh = Mesh.from(make());
    const levels = buildContactLevels(mesh);
    for (let level = 0; level < levels.usableLevels; level++) {
      expectConvex(levels, level);
      expectWithin(levels, level);
    }
    expectCovers(levels, mesh, 4, EACH);
    expectDeviation(levels, mesh, 4, 2, NODES);
  },
  LARGE_MS,
);

test('every level of a number is convex and within itself', () => {
  const mesh = Mesh.from(numbers()[6]);
  const levels = buildContactLevels(mesh);
  for (let level = 0; level < levels.usableLevels; level++) {
    expectConvex(levels, level);
    expectWithin(levels, level);
  }
  expectTightHausdorff(levels, 0.1);
  expectDeviation(levels, mesh, 3, 2, 4);
});

test('a wavy torus holds all its points within h at every level', () => {
  const mesh = meshOf(torus(20, 8, 4));
  const levels = buildContactLevels(mesh);
  expect(levels.usableLevels).toBeGreaterThan(1);
  const starts = levels.array('levelStart');
  for (let level = 1; level < levels.levelCount; level++) {
    expect(starts[level + 1] - starts[level]).toBeLessThan(starts[level] - starts[level - 1]);
  }
  for (let level = 0; level < levels.usableLevels; level++) {
    expectConvex(levels, level);
    expectWithin(levels, level);
  }
  expectTightHausdorff(levels, 2);
  expectCovers(levels, mesh, 3);
  expectDeviation(levels, mesh, 3, 2);
});

/** 8 000 triangles. */
const COARSENESS = 2;

test('hulls reach under their neighbours: less sticks out of them than of their patches', () => {
  const mesh = Mesh.from(wrinkledTorus(COARSENESS));
  const levels = buildContactLevels(mesh);
  expect(levels.usableLevels).toBeGreaterThan(2);
  for (let level = 1; level < levels.usableLevels; level++) {
    expectConvex(levels, level);
    expectWithin(levels, level);
    const { start } = levels.nodesOf(level);
    let [ofPatches, ofHulls] = [0, 0];
    patchesOf(levels, level).forEach((patch, n) => {
      const hull = hullAround(patch);
      let most = 0;
      for (const below of descendants(levels, start + n)) {
        const { points } = hullOf(levels, below);
        for (let i = 0; i < points.length; i += 3)
          most = Math.max(most, distanceFromHull(hull, points.subarray(i, i + 3)));
      }
      ofPatches += most;
      ofHulls += levels.array('h')[start + n];
    });
    expect(ofHulls).toBeLessThan(ofPatches * (level === 1 ? 0.5 : 0.75));
  }
  expectTightHausdorff(levels, 0.1);
  expectCovers(levels, mesh, 2);
  expectDeviation(levels, mesh, 3, 2, 4);
});
