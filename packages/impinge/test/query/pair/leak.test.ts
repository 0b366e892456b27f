/** Memory comes back: when things are disposed, when queries fail, and when the collector finds them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { full, runs } from '../../../../../test/budget.js';
import { arena } from '../../../src/base/arena.js';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { nodePool } from '../../../src/node.js';
import { buildHierarchyParallel } from '../../../src/parallel/build-parallel.js';
import { collideParallel, selfIntersectParallel } from '../../../src/parallel/query-parallel.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { selfIntersect } from '../../../src/query/pair/self-intersect.js';
import { within } from '../../../src/query/pair/within.js';
import { soup } from '../../hierarchy/fixtures.js';

function askEverything(a: Mesh, b: Mesh): void {
  collide(a, b);
  collide(a, b, { mode: 'any' });
  distance(a, b, { pose: { translation: [2, 0, 0] } });
  within(a, b, { distance: 0.05, mode: 'all' });
  selfIntersect(a);
}

test('meshes and their trees go with dispose', () => {
  askEverything(soup(141, 20, 0.2), soup(142, 20, 0.2)); // makes what is made once
  const used = arena().usedBytes;
  let size = 0;
  const settled = runs(200); // by then there is room for the largest, whatever was there before
  for (let i = 0; i < settled + runs(1300); i++) {
    if (i === settled) size = arena().memory.buffer.byteLength;
    const a = soup(i, 1 + (i % 60), 0.2);
    const b = soup(i + 1, i % 100 === 0 ? 1500 : 20, 0.2);
    askEverything(a, b);
    a.setPositions(a.positions.map((x) => x + 0.01));
    askEverything(a, b);
    a.dispose();
    b.dispose();
    a.dispose();
  }
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
  expect(arena().memory.buffer.byteLength).toBeLessThanOrEqual(size + (1 << 20));
});

test('trees of the caller go with their own dispose', () => {
  const a = soup(143, 700, 0.1);
  const b = soup(144, 600, 0.1);
  askEverything(a, b);
  let used = 0;
  for (let i = 0; i < runs(300); i++) {
    if (i === 1) used = arena().usedBytes; // b has a tree of either kind by now
    const volume = i % 20 === 0 ? 'aabb' : 'obb';
    const tree = buildHierarchy(a, { volume, lazy: i % 2 === 0, builder: i % 3 === 0 ? 'fast' : 'sah' });
    const loaded = hierarchyFromBytes(a, hierarchyToBytes(tree));
    useHierarchy(i % 5 === 0 ? tree : loaded);
    askEverything(a, b);
    tree.dispose();
    loaded.dispose();
    tree.dispose();
  }
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});

test('what is refused leaves nothing behind', () => {
  const a = soup(145, 100, 0.1);
  const b = soup(146, 100, 0.1);
  askEverything(a, b);
  const bytes = hierarchyToBytes(buildHierarchy(a));
  const used = arena().usedBytes;
  const attempts = [
    () => collide(a, b, { pose: { translation: [Number.NaN, 0, 0] } }),
    () => collide(a, b, { limit: -1 }),
    () => distance(a, b, { atMost: -1 }),
    () => distance(a, b, { pose: { translation: [1e30, 0, 0] } }),
    () => within(a, b, { distance: Number.NaN }),
    () => hierarchyFromBytes(b, bytes),
    () => hierarchyFromBytes(a, bytes.subarray(0, bytes.length - 4)),
    () =>
      hierarchyFromBytes(
        a,
        bytes.map((x, i) => (i === 200 ? x ^ 1 : x)),
      ),
    () => Mesh.from({ positions: [0, 0, 0, 1, 0, Number.NaN, 0, 1, 0] }),
  ];
  for (let i = 0; i < runs(100); i++) for (const attempt of attempts) expect(attempt).toThrow();
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});

full('threads give back their memory', async () => {
  const a = soup(147, 3000, 0.05);
  const b = soup(148, 3000, 0.05);
  const once = nodePool(2);
  await collideParallel(a, b, { pool: once });
  await selfIntersectParallel(a, { pool: once });
  await once.dispose();
  const used = arena().usedBytes;
  for (let i = 0; i < runs(5); i++) {
    const pool = nodePool(1 + (i % 2));
    (await buildHierarchyParallel(a, pool)).dispose();
    await collideParallel(a, b, { pool });
    await pool.dispose();
  }
  expect(arena().usedBytes).toBeLessThanOrEqual(used); // less when the collector came by
});

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;
const witnesses = new FinalizationRegistry<() => void>((tell) => tell());

/** The collector has been by, and has told of what was unreachable. */
async function collected(): Promise<void> {
  let told = false;
  (() => witnesses.register({}, () => (told = true)))();
  while (!told) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

// the collector goes through all that the tests of this process have made
full('what nobody disposes is found by the collector', async () => {
  await collected();
  const used = arena().usedBytes;
  for (let i = 0; i < 60; i++) {
    const a = soup(i, 600, 0.1);
    const b = soup(i + 1, 40, 0.2);
    collide(a, b);
    distance(a, b);
    hierarchyFromBytes(a, hierarchyToBytes(buildHierarchy(a)));
    useHierarchy(buildHierarchy(b));
  }
  const peak = arena().usedBytes;
  for (let i = 0; i < 20 && arena().usedBytes > used + (peak - used) / 50; i++) await collected();
  expect(peak).toBeGreaterThan(used + 1e6);
  expect(arena().usedBytes).toBeLessThanOrEqual(used + (peak - used) / 50);
});
