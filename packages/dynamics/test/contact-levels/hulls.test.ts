import { describe, expect, test } from 'vitest';
import { buildContactLevels } from '../../src/index.js';
import { expectConvex, expectCovers, expectTightHausdorff, expectWithin, hullOf } from './hull-checks.js';
import { type Arrays, both, box, corner, meshOf, torus } from './models.js';

const moved = ({ positions, indices }: Arrays, by: number): Arrays => ({
  positions: positions.map((x, i) => (i % 3 === 0 ? x + by : x)),
  indices,
});

describe.each([
  ['torus', torus(6, 4)],
  ['L-shaped prism', corner()],
  ['two solids', both(torus(4, 3), moved(corner(), 4))],
  [
    'hollow cube',
    both(box(0, 0, 0, 4), { ...box(1, 1, 1, 2), indices: [...box(1, 1, 1, 2).indices].reverse() }),
  ],
  [
    'tetrahedron',
    { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3] },
  ],
] as const)('hulls of a %s', (_, arrays) => {
  const mesh = meshOf(arrays);
  const levels = buildContactLevels(mesh);

  test('are patches with convex edges, none of which sticks out of the surface', () => {
    for (let level = 0; level < levels.usableLevels; level++) {
      expectConvex(levels, level);
      expectWithin(levels, level);
    }
  });

  test('have h as brute force finds it, and every point within it', () => {
    expectTightHausdorff(levels, 8);
    expectCovers(levels, mesh, 2);
  });

  test('have sizes', () => {
    for (const r of levels.array('r')) expect(r).toBeGreaterThan(0);
    for (const area of levels.array('supportAreas')) expect(area).toBeGreaterThan(0);
    expect(levels.array('s')[0]).toBe(0);
    expect(levels.nodesOf(levels.levelCount - 1)).toEqual({
      start: levels.nodeCount - 1,
      end: levels.nodeCount,
    });
  });
});

test('a convex solid is one hull', () => {
  const levels = buildContactLevels(meshOf(box(0, 0, 0, 1)));
  expect(levels.nodeCount).toBe(1);
  const { points, faces } = hullOf(levels, 0);
  expect([points.length, faces.length]).toEqual([24, 12]);
  expect([...levels.array('h'), ...levels.array('s')]).toEqual([0, 0]);
});

test('triangles without area are below a hull like others', () => {
  // one side of the cube is a fan about a vertex on an edge; corners of others coincide
  const cube = box(0, 0, 0, 2);
  const indices = [...cube.indices.slice(6), 0, 2, 3, 0, 3, 8, 8, 3, 1, 0, 8, 1, 0, 0, 1, 2, 2, 2];
  const mesh = meshOf({ positions: [...cube.positions, 1, 0, 0], indices });
  const levels = buildContactLevels(mesh);
  expectCovers(levels, mesh, 3);
  expectConvex(levels, 0);
});

test('equal meshes give equal bytes', () => {
  const arrays = corner();
  expect(buildContactLevels(meshOf(arrays)).toBytes()).toEqual(buildContactLevels(meshOf(arrays)).toBytes());
});
