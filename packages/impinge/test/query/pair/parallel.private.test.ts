/**
 * A page without SharedArrayBuffer: one thread, private memory, kernels whose shared flag was cleared; same answers.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { every } from '../../../../../test/budget.js';
import type { RigidPose } from '../../../src/math/pose.js';
import type { Mesh } from '../../../src/mesh/mesh.js';

const real = globalThis.SharedArrayBuffer;
beforeAll(() => vi.stubGlobal('SharedArrayBuffer', undefined));
afterAll(() => vi.stubGlobal('SharedArrayBuffer', real));

test('every query equals brute force, and pools run on the caller', async () => {
  const { arena } = await import('../../../src/base/arena.js');
  expect(arena().shared).toBe(false);
  const { expectAllQueries, expectPairs, expectSelf, Truth } = await import('../support/brute-force.js');
  const { SCENES } = await import('../support/scenes.js');
  const { nodePool } = await import('../../../src/node.js');
  const parallel = await import('impinge/parallel');
  const { collide } = await import('../../../src/query/pair/collide.js');
  const pool = nodePool(3);
  expect(pool.size).toBe(0);
  const names = [
    'lazy sheet, small soup',
    'lazy soup, lazy soup',
    'coplanar overlapping grids',
    'mixed sizes',
  ];
  for (const name of every(names, 2)) {
    const { a: makeA, b: makeB, poses } = SCENES[name];
    for (const pose of poses) {
      const [a, b] = [makeA(), makeB()];
      expectAllQueries(a, b, pose, new Truth(a, b, pose));
      expectPairs((await parallel.collideParallel(a, b, { ...pose, pool })).pairs, collide(a, b, pose).pairs);
    }
    expectSelf(makeA());
  }
  const large = await soupOf(20_001);
  const tree = await parallel.buildHierarchyParallel(large, pool);
  expect(tree.blockCount).toBeGreaterThan(1000);
  const { expectUnmoved } = await growing(large);
  expectUnmoved();
  await growingUnder(large);
});

/** A lazy tree of a kind that is walked without kernels, whose own growth makes the memory grow. */
async function growingUnder(mesh: Mesh): Promise<void> {
  const { arena } = await import('../../../src/base/arena.js');
  const { buildHierarchy } = await import('../../../src/hierarchy/build.js');
  const { useHierarchy } = await import('../../../src/query/pair/hierarchy-of.js');
  const { collide } = await import('../../../src/query/pair/collide.js');
  const { PairReader } = await import('../../../src/mesh/pair-reader.js');
  const { IDENTITY } = await import('../../../src/math/pose.js');
  const pose = { translation: [0.5, 0.1, 0] };
  const expected = collide(mesh, mesh, { pose }).pairs;
  const reader = new PairReader(mesh, mesh, IDENTITY as RigidPose);
  const corners = Float64Array.from(reader.read(0, 1));
  useHierarchy(buildHierarchy(mesh, { volume: 'aabb', lazy: true }));
  const size = arena().memory.buffer.byteLength;
  for (let bytes = 1 << 24; bytes >= 1 << 10; bytes /= 2)
    while (arena().fits(bytes, size)) arena().alloc(bytes);
  expect(collide(mesh, mesh, { pose }).pairs).toEqual(expected);
  expect(arena().memory.buffer.byteLength).toBeGreaterThan(size);
  expect(reader.read(0, 1)).toEqual(corners);
}

async function soupOf(count: number): Promise<Mesh> {
  const { Mesh } = await import('../../../src/mesh/mesh.js');
  const random = seededRandom(111);
  const positions = new Float32Array(9 * count);
  for (let t = 0; t < count; t++) {
    const middle = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[9 * t + i] = middle[i % 3] + 0.02 * (random() - 0.5);
  }
  return Mesh.from({ positions });
}

/** Queries on lazy trees while the memory grows under them. */
async function growing(mesh: Mesh) {
  const { arena } = await import('../../../src/base/arena.js');
  const { collide } = await import('../../../src/query/pair/collide.js');
  const { distance } = await import('../../../src/query/pair/distance.js');
  const expected = collide(mesh, mesh, { pose: { translation: [0.5, 0.1, 0] } }).pairs;
  const size = arena().memory.buffer.byteLength;
  let fresh = await soupOf(mesh.triangleCount);
  for (let i = 0; arena().memory.buffer.byteLength === size && i < 50; i++)
    fresh = await soupOf(mesh.triangleCount);
  expect(arena().memory.buffer.byteLength).toBeGreaterThan(size);
  expect(collide(fresh, fresh, { mode: 'any', pose: { translation: [0.9, 0, 0] } }).colliding).toBe(true);
  expect(distance(fresh, fresh, { pose: { translation: [2, 0, 0] } }).distance).toBeGreaterThan(0.9);
  return {
    expectUnmoved: () =>
      expect(collide(fresh, fresh, { pose: { translation: [0.5, 0.1, 0] } }).pairs).toEqual(expected),
  };
}
