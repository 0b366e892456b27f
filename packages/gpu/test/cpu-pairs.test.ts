/** Pairs of triangles on the CPU: none is missed or invented, on any number of threads, in any order of triangles. */
import { arena } from 'impinge/internal/base/arena.js';
import { nodePool } from 'impinge/node';
import { afterAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../lab/scenes/index.mjs';
import { every, FAST, full, LONG, least, runs } from '../../../test/budget.js';
import { type CullingDevice, VisibilityCuller } from '../src/index.js';
import { FAMILY_NAMES } from './configurations.js';
import { Examiner, summaryOf } from './examiner.js';
import { type Row, rowsOf } from './oracle.js';
import { integer, type Random, type Shape, sheet } from './shapes.js';

const pools = every([0, 1, 2, 4], 2).map((size) => nodePool(size));
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.dispose()));
});

describe('against brute force', () => {
  test('configurations of all families', async () => {
    const first = new Examiner('cpu'); // kernels keep some scratch for good
    await first.meeting(0);
    first.dispose();
    const before = arena().usedBytes;
    const examiner = new Examiner('cpu');
    for (let number = 0; number < (LONG ? 9600 : runs(960)); number++) await examiner.meeting(number);
    process.stdout.write(`cpu: ${summaryOf(examiner.findings)}\n`);
    examiner.dispose();
    expect(arena().usedBytes).toBeLessThanOrEqual(before);
    const { wrong, configurations, meeting, kept, objects, colliding } = examiner.findings;
    expect(wrong.slice(0, 5)).toEqual([]);
    expect(meeting / configurations).toBeGreaterThan(0.3);
    expect(meeting / configurations).toBeLessThan(0.7);
    expect(kept).toBeGreaterThanOrEqual(colliding);
    expect(kept).toBeLessThan(objects); // it does cull
  });

  test('on threads', async () => {
    const examiner = new Examiner(pools.at(-1)!);
    for (let n = 0; n < (LONG ? 600 : runs(60)); n++) await examiner.meeting(20_000 + 7 * n);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
    examiner.dispose();
  });

  test('within a distance, and the closest', async () => {
    const examiner = new Examiner('cpu');
    for (let n = 0; n < (LONG ? 240 : runs(24)); n++) await examiner.near(30_000 + 13 * n);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
    examiner.dispose();
  });

  test('objects that pass through themselves', async () => {
    const examiner = new Examiner('cpu');
    for (let n = 0; n < (LONG ? 48 : runs(14)); n++) await examiner.folded(FAMILY_NAMES.length * n, n % 2);
    expect(examiner.findings.wrong.slice(0, 5)).toEqual([]);
    expect(examiner.findings.pairs).toBeGreaterThan(least(1000));
    examiner.dispose();
  });
});

/** The pairs of some shapes, all at the same place. */
async function pairsOf(device: CullingDevice, shapes: readonly Shape[]): Promise<Row[]> {
  const culler = new VisibilityCuller(device);
  for (const shape of shapes) culler.add(shape, { self: true });
  const found = await culler.collide();
  expect((await culler.collide()).triangles).toEqual(found.triangles);
  culler.dispose();
  return rowsOf(found);
}

const crossing = () => [
  sheet(FAST ? 40 : 70, (x, y) => 0.2 * Math.sin(5 * x) * Math.cos(4 * y)),
  sheet(FAST ? 45 : 80, (x, y) => 0.2 * Math.cos(6 * x + y)),
  sheet(3, (x) => 0.3 * x),
];

test('the same for any number of threads', async () => {
  const alone = await pairsOf('cpu', crossing());
  expect(alone.length).toBeGreaterThan(FAST ? 150 : 500);
  for (const pool of pools) expect(await pairsOf(pool, crossing())).toEqual(alone);
});

full('more pairs than lists have room for', async () => {
  const fan = (turn: boolean): Shape => ({
    positions: Array.from({ length: 300 }, (_, i) => {
      const a = 1e-6 * i;
      return turn ? [a, -0.5, -0.5, a, 0.5, 0.1, a, -0.5, 0.5] : [-0.5, a, -0.5, 0.5, a, 0.1, -0.5, a, 0.5];
    }).flat(),
  });
  const rows = await pairsOf('cpu', [fan(false), fan(true)]);
  expect(new Set(rows.map((row) => row.join())).size).toBe(300 * 300);
});

/** The same triangles in another order: the one numbered t is now at places[t]. */
function shuffled({ positions, indices }: Shape, random: Random): { shape: Shape; places: number[] } {
  const order = Array.from({ length: indices!.length / 3 }, (_, t) => t);
  for (let i = order.length - 1; i > 0; i--) {
    const j = integer(random, 0, i);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  const places: number[] = [];
  order.forEach((t, place) => {
    places[t] = place;
  });
  return {
    shape: { positions, indices: order.flatMap((t) => indices!.slice(3 * t, 3 * t + 3)) },
    places,
  };
}

test('triangles in no order are put in order, and keep their numbers, seed 54', async () => {
  const random = seededRandom(54);
  const shapes = crossing();
  const shuffles = shapes.map((shape) => shuffled(shape, random));
  const expected = (await pairsOf('cpu', shapes)).map(([a, i, b, j]): Row => {
    const [s, t] = [shuffles[a]!.places[i]!, shuffles[b]!.places[j]!];
    return a === b ? [a, Math.min(s, t), b, Math.max(s, t)] : [a, s, b, t];
  });
  expected.sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2] || p[3] - q[3]);
  const found = await pairsOf(
    'cpu',
    shuffles.map(({ shape }) => shape),
  );
  expect(found).toEqual(expected);
});
