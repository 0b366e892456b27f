/**
 * Tasks measured elsewhere: a thread that goes from one check to the next finds what measuring every pair
 * does.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { full, runs } from '../../../../test/budget.js';
import type { ClashMeasure } from '../../src/check/clash.js';
import { CLASH_KINDS } from '../../src/check/clash-kinds.js';
import { check } from '../../src/index.js';
import { openStoreFile, startTaskWorker, type TaskWorker, taskPool } from '../../src/node/index.js';
import { taskSize } from '../../src/node/pair-tasks.js';
import { storeBytes } from '../store/fixtures.js';
import { bruteForce, pairKey, recipes, shapesOf } from './scenes.js';
import { ask } from './support.js';

const SEED = 7;
const folder = mkdtempSync(join(tmpdir(), 'impinge-tasks-'));
let worker: TaskWorker | undefined;
afterAll(async () => {
  await worker?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

full(`one thread for many checks, seed ${SEED}`, async () => {
  let checks = 0;
  let turns = 0;
  await fc.assert(
    fc.asyncProperty(recipes, fc.constantFrom(0, 0.125), async (recipe, clearance) => {
      const shapes = shapesOf(recipe);
      const path = join(folder, `${checks++}.impinge`);
      writeFileSync(path, await storeBytes(shapes));
      const model = await openStoreFile(path);
      let turned: Promise<TaskWorker> | undefined;
      const turn = async (settings: Parameters<typeof startTaskWorker>[1]) => {
        if (!worker) worker = await startTaskWorker(model, settings);
        else worker.turnTo(model, settings);
        turns++;
        return worker;
      };
      const pool = taskPool(async (triples, settings) =>
        (await (turned ??= turn(settings))).measure(triples),
      );
      const found = new Map<string, ClashMeasure>();
      for await (const { a, b, id: _, rule: __, ...measure } of check(model, {
        clearance,
        kinds: CLASH_KINDS,
        pool,
      }))
        found.set(pairKey(a.id, b.id), measure);
      const expected = bruteForce(model, shapes, { ...ask, clearance });
      expect([...found.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [pair, { kind, depth, distance }] of found)
        expect({ kind, depth, distance }).toEqual({
          kind: expected.get(pair)!.kind,
          depth: expected.get(pair)!.depth,
          distance: expected.get(pair)!.distance,
        });
      await model.dispose();
    }),
    { numRuns: runs(40), seed: SEED },
  );
  expect(turns).toBeGreaterThan(0);
});

full('what is wrong with the next check is told, and the one before goes on', async () => {
  const shapes = shapesOf([
    {
      geometry: { kind: 'ball', frequency: 3, radius: 1 },
      poses: [
        { shift: [0, 0, 0], axis: [1, 0, 0], angle: 0 },
        { shift: [1, 0, 0], axis: [1, 0, 0], angle: 0 },
      ],
      twice: 1,
    },
  ]);
  const path = join(folder, 'balls.impinge');
  writeFileSync(path, await storeBytes(shapes));
  const model = await openStoreFile(path);
  const settings = { rules: [ask], memory: 40e6 };
  const own = await startTaskWorker(model, settings);
  try {
    const pair = Uint32Array.of(0, 1, 0);
    const before = await own.measure(pair);
    expect(() => own.turnTo(model, { ...settings, memory: -1 })).toThrow('memory');
    expect(() => own.turnTo({} as never, settings)).toThrow();
    expect((await own.measure(pair)).found).toEqual(before.found);
    expect(before.found).toHaveLength(1);
    own.turnTo(model, { ...settings, rules: [...settings.rules, ...settings.rules] });
    const again = await own.measure(Uint32Array.of(0, 1, 1));
    expect(again.found).toEqual(before.found);
    expect(again.cache.loads).toBe(before.cache.loads); // nothing is left of what was read before
  } finally {
    await own.dispose();
    await model.dispose();
  }
});

test('tasks are larger where there would be too many for a queue, and never larger than a job', () => {
  expect(taskSize(15e6)).toEqual({ triangles: 150_000, pairs: 256 });
  const billion = taskSize(1e9);
  expect(1e9 / billion.triangles).toBeCloseTo(1000);
  expect(billion.pairs).toBe(1707);
  expect(taskSize(1e12).pairs).toBe(65_536);
});
