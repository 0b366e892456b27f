/** Meshes that deform while a question about them is under way: it is refused, and the next one is answered as ever. */
import { Session } from '@impinge/model/internal/session/session.js';
import type { SessionBody } from '@impinge/model/internal/session/session-body.js';
import { StoredTarget } from '@impinge/model/internal/session/stored-target.js';
import { openStore } from '@impinge/model/internal/store/open.js';
import { arena } from 'impinge/internal/base/arena.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { distance } from 'impinge/internal/query/pair/distance.js';
import { hits } from 'impinge/internal/query/pair/hits.js';
import { within } from 'impinge/internal/query/pair/within.js';
import { nodePool } from 'impinge/node';
import {
  buildHierarchyParallel,
  collideParallel,
  selfIntersectParallel,
  type WorkerPool,
  withinParallel,
} from 'impinge/parallel';
import { afterAll, describe, expect, test } from 'vitest';
import { icosphere } from '../../lab/scenes/index.mjs';
import { named, storeOf } from '../../packages/model/test/store/fixtures.js';

const ball = icosphere(12, 1);
const still = Mesh.from(ball);
const model = await openStore(await storeOf([{ geometry: ball, objects: [named('ball')] }]));
const stored = new StoredTarget(model);
const session = new Session(model);
const pool = nodePool(1);
const POOLS: Record<string, WorkerPool> = { caller: nodePool(0), thread: pool };
afterAll(async () => {
  await pool.dispose();
  await stored.dispose();
  await session.dispose();
});

type Ask = (mesh: Mesh) => Promise<{ count: number } | { distance: number } | { blockCount: number }>;
const essence = (found: object) =>
  Object.entries(found).filter(([key]) => /^(count|distance|blockCount|pairs)$/.test(key));
const pose = { translation: [0.5, 0, 0] };
const onThreads = Object.entries(POOLS).flatMap(([where, threads]): [string, Ask][] => [
  [`collideParallel, ${where}`, (mesh) => collideParallel(mesh, still, { pose, pool: threads })],
  [`collideParallel as b, ${where}`, (mesh) => collideParallel(still, mesh, { pose, pool: threads })],
  [`withinParallel, ${where}`, (mesh) => withinParallel(mesh, still, { pose, distance: 0.1, pool: threads })],
  [`selfIntersectParallel, ${where}`, (mesh) => selfIntersectParallel(mesh, { pool: threads })],
  [
    `buildHierarchyParallel, ${where}`,
    async (mesh) => ({ blockCount: (await buildHierarchyParallel(mesh, threads)).blockCount }),
  ],
]);
const withBody = (mesh: Mesh, ask: (body: SessionBody) => ReturnType<Ask>) => {
  const body = session.add(mesh, { pose });
  return ask(body).finally(() => body.remove());
};
const ASKS: [string, Ask][] = [
  ...onThreads,
  ['collide with a stored model', (mesh) => collide(stored, mesh, { pose })],
  ['within of a stored model', (mesh) => within(mesh, stored, { pose, distance: 0.1 })],
  ['distance from a stored model', (mesh) => distance(stored, mesh, { pose })],
  ['hits of a stored model', (mesh) => hits(stored, mesh, { pose })],
  ['hits of a body', (mesh) => withBody(mesh, (body) => body.hits())],
  ['distance of a body', (mesh) => withBody(mesh, (body) => body.distance())],
];

describe('a mesh that is disposed of while it is asked about', () => {
  test.each(ASKS)('%s: its memory is there until then', async (_, ask) => {
    const soft = Mesh.from(ball, { name: 'soft' });
    await ask(soft); // trees are there, and whatever is used again
    const asked = ask(soft);
    const used = arena().usedBytes;
    soft.dispose();
    expect(arena().usedBytes).toBe(used);
    await expect(asked).rejects.toMatchObject({ code: 'disposed', message: 'mesh "soft" was disposed' });
    expect(arena().usedBytes).toBeLessThan(used - 12 * ball.positions.length);
  });
});

describe('a mesh that deforms while it is asked about', () => {
  test.each(ASKS)('%s: busy, then answered', async (_, ask) => {
    const soft = Mesh.from(ball, { name: 'soft' });
    const asked = ask(soft);
    soft.setPositions(soft.positions.map((x) => 0.9 * x));
    await expect(asked).rejects.toMatchObject({
      code: 'busy',
      message: 'mesh "soft": its vertices moved during a query about it',
    });
    const found = essence(await ask(soft));
    soft.setPositions(soft.positions); // at the same places, after the answer
    expect(essence(await ask(soft))).toEqual(found);
    soft.dispose();
  });
});
