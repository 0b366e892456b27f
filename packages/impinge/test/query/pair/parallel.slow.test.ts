/** The same answers, byte for byte, on any number of threads. */
import { afterAll, describe, expect, test } from 'vitest';
import { foldedSheet, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { arena } from '../../../src/base/arena.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { BUILDERS } from '../../../src/hierarchy/layout.js';
import { hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import { validateHierarchy } from '../../../src/hierarchy/validate.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { nodePool } from '../../../src/node.js';
import { buildHierarchyParallel } from '../../../src/parallel/build-parallel.js';
import {
  collideParallel,
  selfIntersectParallel,
  withinParallel,
} from '../../../src/parallel/query-parallel.js';
import type { WorkerPool } from '../../../src/parallel/worker-pool.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { hierarchyOf, useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { grid, randomPose, soup } from '../../hierarchy/fixtures.js';

const SIZES = [0, 1, 2, 4];
const pools = new Map<number, WorkerPool>(SIZES.map((size) => [size, nodePool(size)]));
afterAll(async () => {
  for (const pool of pools.values()) await pool.dispose();
});

const p = randomPose(seededRandom(81), 0.3, [0.1, 0.05, 0]);
const pose = { rotation: p.slice(0, 9), translation: p.slice(9) };
const PAIRS: Record<string, [() => Mesh, () => Mesh]> = {
  'large soups': [() => soup(82, 9000, 0.05), () => soup(83, 7000, 0.05)],
  'coplanar grids': [() => grid(24), () => grid(21)],
  'three triangles and two': [() => soup(84, 3, 1), () => soup(85, 2, 1)],
  'a large one and a single triangle': [() => soup(86, 5000, 0.1), () => soup(87, 1, 1)],
};

describe.each(Object.entries(PAIRS))('%s', (_, [makeA, makeB]) => {
  test.each([{}, { pose }])('all pairs, %o', async (options) => {
    const a = makeA();
    const b = makeB();
    for (const mesh of [a, b]) hierarchyOf(mesh); // also of small ones: threads walk trees
    const expected = collide(a, b, options);
    const near = within(a, b, { ...options, distance: 0.004, mode: 'all' });
    const own = selfIntersect(a);
    const [freshA, freshB] = [makeA(), makeB()];
    for (const pool of pools.values()) {
      expect(pool.size).toBe([...pools].find(([, q]) => q === pool)![0]);
      const found = await collideParallel(freshA, freshB, { ...options, pool });
      expect(found).toMatchObject({ pairs: expected.pairs, complete: true, count: expected.count });
      expect(found.colliding).toBe(expected.colliding);
      // how many depends on whether trees were there before
      expect(found.stats.exactTests > 0).toBe(expected.stats.exactTests > 0);
      const close = await withinParallel(freshA, freshB, { ...options, distance: 0.004, pool });
      expect(close).toMatchObject({ pairs: near.pairs, within: near.within, complete: true });
      const touching = await withinParallel(freshA, freshB, { ...options, distance: 0, pool });
      expect(touching.pairs).toEqual(expected.pairs);
      expect((await selfIntersectParallel(freshA, { pool })).pairs).toEqual(own.pairs);
    }
  });
});

test.each(BUILDERS)('%s: trees built on any number of threads are the same bytes', async (builder) => {
  for (const mesh of [soup(88, 6001, 0.05), grid(50), Mesh.from(foldedSheet(60)), soup(89, 7, 1)]) {
    const bytes: Buffer[] = [];
    for (const pool of pools.values()) {
      const dirty = arena().alloc(1 << 22);
      arena()
        .u8()
        .fill(bytes.length + 1, dirty, dirty + (1 << 22));
      arena().free(dirty);
      const tree = await buildHierarchyParallel(mesh, pool, { builder });
      validateHierarchy(arena(), tree.block, tree.byteLength, mesh);
      expect(tree.builder).toBe(builder);
      bytes.push(Buffer.from(hierarchyToBytes(tree)));
      useHierarchy(tree);
      const expected = collide(soup(90, 500, 0.1), mesh).pairs;
      const plain = buildHierarchy(mesh, { builder });
      useHierarchy(plain);
      expect(collide(soup(90, 500, 0.1), mesh).pairs).toEqual(expected);
    }
    for (const other of bytes) expect(other.equals(bytes[0])).toBe(true);
  }
});

test('many at once on one pool, with other queries between', async () => {
  const pool = pools.get(2)!;
  const meshes = [soup(91, 3000, 0.06), soup(92, 2500, 0.06), soup(93, 2000, 0.06)];
  const jobs = meshes.flatMap((a) => meshes.map((b) => [a, b] as const));
  const promises = jobs.map(([a, b]) => collideParallel(a, b, { pool, pose }));
  const expected = jobs.map(([a, b]) => collide(a, b, { pose }).pairs);
  for (const [a, b] of jobs)
    expect(distance(a, b, { pose: { translation: [3, 0, 0] } }).distance).toBeGreaterThan(1);
  const results = await Promise.all(promises);
  for (const [i, { pairs }] of results.entries()) expect(pairs).toEqual(expected[i]);
});

test('progress counts up to the total', async () => {
  const steps: { done: number; total: number }[] = [];
  await collideParallel(soup(94, 2000, 0.05), soup(95, 2000, 0.05), {
    pool: pools.get(4)!,
    onProgress: (progress) => steps.push(progress),
  });
  const { total } = steps[0];
  expect(steps).toEqual(Array.from({ length: total }, (_, i) => ({ done: i + 1, total })));
});

test.each(SIZES)('aborting, %i threads', async (size) => {
  const pool = pools.get(size)!;
  const [a, b] = [soup(96, 6000, 0.1), soup(97, 6000, 0.1)];
  const aborted = expect.objectContaining({ code: 'aborted' });
  await expect(collideParallel(a, b, { pool, signal: AbortSignal.abort() })).rejects.toEqual(aborted);
  const controller = new AbortController();
  const running = collideParallel(a, b, {
    pool,
    signal: controller.signal,
    onProgress: ({ done }) => done === 3 && controller.abort(),
  });
  await expect(running).rejects.toEqual(aborted);
  const used = arena().usedBytes;
  expect((await collideParallel(a, b, { pool })).pairs).toEqual(collide(a, b).pairs);
  expect(arena().usedBytes).toBeLessThanOrEqual(used); // less when the collector came by
});

test('bad options are rejections, not exceptions', async () => {
  const [a, b] = [soup(98, 10, 0.1), soup(99, 10, 0.1)];
  const pool = pools.get(1)!;
  const bad = { translation: [Number.NaN, 0, 0] };
  await expect(collideParallel(a, b, { pool, pose: bad })).rejects.toMatchObject({ code: 'non-finite' });
  await expect(withinParallel(a, b, { pool, pose: bad, distance: 1 })).rejects.toMatchObject({
    code: 'non-finite',
  });
  await expect(withinParallel(a, b, { pool, distance: -1 })).rejects.toMatchObject({
    code: 'bad-option',
  });
  const builder = 'quick' as 'fast';
  await expect(buildHierarchyParallel(a, pool, { builder })).rejects.toMatchObject({ code: 'bad-option' });
  a.dispose();
  await expect(collideParallel(a, b, { pool })).rejects.toMatchObject({ code: 'disposed' });
  await expect(selfIntersectParallel(a, { pool })).rejects.toMatchObject({ code: 'disposed' });
  expect(() => nodePool(-1)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => nodePool(1.5)).toThrow(expect.objectContaining({ code: 'bad-option' }));
});

test('a disposed pool rejects what waits and what comes, and nothing is left behind', async () => {
  const [a, b] = [soup(100, 4000, 0.1), soup(101, 4000, 0.1)];
  const expected = collide(a, b).pairs;
  await collideParallel(a, b, { pool: pools.get(4)! });
  const used = arena().usedBytes;
  const pool = nodePool(2);
  const closed = { code: 'aborted' };
  const outcomes = [
    collideParallel(a, b, { pool }),
    buildHierarchyParallel(a, pool),
    buildHierarchyParallel(b, pool, { builder: 'fast' }),
  ];
  const expectations = outcomes.map((outcome) => expect(outcome).rejects.toMatchObject(closed));
  await Promise.all([pool.dispose(), pool.dispose()]);
  await Promise.all(expectations);
  const disposed = { code: 'disposed' };
  await expect(collideParallel(a, b, { pool })).rejects.toMatchObject(disposed);
  await expect(buildHierarchyParallel(a, pool)).rejects.toMatchObject(disposed);
  await pool.dispose();
  expect(arena().usedBytes).toBeLessThanOrEqual(used); // less when the collector came by
  expect(collide(a, b).pairs).toEqual(expected);
});
