/** The step on several threads: the same answer, bit for bit, for any number of them. */
import { arena } from 'impinge/internal/base/arena.js';
import type { WorkerPool } from 'impinge/internal/parallel/worker-pool.js';
import { nodePool } from 'impinge/node';
import { afterAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { some } from '../../../../test/budget.js';
import { Deformables } from '../../src/index.js';
import {
  crumpled,
  detectorOf,
  expectEqualAnswers,
  folding,
  type Moving,
  plain,
  soup,
  translated,
} from './surfaces.js';

const pools = [0, 1, 2, 4].map((size) => nodePool(size));
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.dispose()));
});

const random = seededRandom(51);
const { end: _, ...ground } = crumpled(random, 24, 0.2, 0);
const scenes: [string, Moving[]][] = [
  ['a crumpling cloth', [crumpled(random, 60, 0.5, 0.7)]],
  ['a folding cloth', [folding(50, 0.1)]],
  [
    'surfaces of all kinds',
    [
      crumpled(random, 30, 0.4, 0.5),
      { ...ground, kind: 'static' },
      { ...soup(random, 400, 0.1, 0.1), kind: 'rigid' },
      translated(crumpled(random, 30, 0.4, 0.5), [0, 0, 0.05]),
    ],
  ],
  ['a single triangle', [{ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] }]],
];

describe.each(some(scenes))('%s, seed 51', (name, surfaces) => {
  test.each([0, 0.01])('thickness %d', async (thickness) => {
    const detector = detectorOf(surfaces, { thickness });
    const alone = detector.continuous();
    const { stats } = alone;
    const expected = plain(alone);
    if (name !== 'a single triangle') expect(alone.count).toBeGreaterThan(100);
    for (const pool of pools) {
      const events = await detector.continuousParallel({ pool });
      expectEqualAnswers(plain(events), expected, `${pool.size} threads`);
      expect(events.stats, `${pool.size} threads`).toEqual(stats);
    }
    expectEqualAnswers(plain(detector.continuous()), expected);
    detector.dispose();
  });
});

test('a detector without surfaces', async () => {
  const detector = new Deformables();
  expect((await detector.continuousParallel({ pool: pools[2] })).count).toBe(0);
  detector.dispose();
});

test('nothing may change while a step is under way, and everything afterwards', async () => {
  const detector = detectorOf(scenes[0][1], {});
  const surface = detector.add(ground);
  const step = detector.continuousParallel({ pool: pools[2] });
  for (const use of [
    () => detector.continuous(),
    () => detector.add(ground),
    () => detector.dispose(),
    () => surface.moveTo(ground.positions),
    () => surface.remove(),
  ]) {
    expect(use).toThrow(
      expect.objectContaining({ code: 'busy', message: 'the detector is busy with a parallel step' }),
    );
  }
  await expect(detector.continuousParallel({ pool: pools[2] })).rejects.toThrow(/parallel step/);
  const { count } = await step;
  expect(detector.continuous().count).toBe(count);
  surface.remove();
  detector.dispose();
});

test('an abort at any stage rejects, and leaves nothing half done', async () => {
  const used = arena().usedBytes;
  const surfaces: Moving[] = [
    crumpled(seededRandom(52), 12, 0.4, 0.5),
    { ...ground, kind: 'static' },
    { ...soup(seededRandom(53), 40, 0.2, 0.2), kind: 'rigid' },
  ];
  const whole = detectorOf(surfaces, { thickness: 0.01 });
  const expected = plain(whole.continuous());
  whole.dispose();
  const already = detectorOf(surfaces, {});
  const aborted = { pool: pools[2], signal: AbortSignal.abort() };
  await expect(already.continuousParallel(aborted)).rejects.toMatchObject({ code: 'aborted' });
  already.dispose();
  let stages = 0;
  for (let at = 1; ; at++) {
    const detector = detectorOf(surfaces, { thickness: 0.01 });
    const controller = new AbortController();
    let batches = 0;
    let inFlight = 0;
    const pool: WorkerPool = {
      ...pools[2],
      call: async (call) => {
        if (inFlight++ === 0 && ++batches === at) controller.abort();
        const result = await pools[2].call(call);
        inFlight--;
        return result;
      },
    };
    const step = detector.continuousParallel({ pool, signal: controller.signal });
    const outcome = await step.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
    expectEqualAnswers(plain(await detector.continuousParallel({ pool: pools[2] })), expected, `${at}`);
    detector.dispose();
    if (outcome === 'done') break;
    expect(outcome).toBe('aborted');
    stages++;
  }
  expect(stages).toBeGreaterThan(8);
  expect(arena().usedBytes).toBeLessThanOrEqual(used);
});

test('a thread that fails rejects the step, and the next one works', async () => {
  const detector = detectorOf(scenes[0][1], {});
  const broken: WorkerPool = {
    size: 2,
    call: () => Promise.reject(new Error('gone')),
    dispose: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  await expect(detector.continuousParallel({ pool: broken })).rejects.toThrow('gone');
  expect((await detector.continuousParallel({ pool: pools[1] })).count).toBe(detector.continuous().count);
  detector.dispose();
});
