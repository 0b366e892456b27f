/** The order of a check: every pair once, tasks that fit, little read twice; when pieces are needed; which are near. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { full, runs } from '../../../../test/budget.js';
import { type Candidates, findCandidates } from '../../src/check/candidates.js';
import { type ClashMeasure, clashOf } from '../../src/check/clash.js';
import { clashId, keysOf } from '../../src/check/clash-id.js';
import { batchesOf, joinedMeasure } from '../../src/check/out-of-core-batches.js';
import { nearPieces, neededPieces } from '../../src/check/pair-pieces.js';
import { type CheckPlan, type PlannedTask, planCheck } from '../../src/check/plan.js';
import type { CheckRule } from '../../src/check/rules/rule.js';
import type { RuleTable } from '../../src/check/rules/rule-table.js';
import { TaskUses } from '../../src/check/task-uses.js';
import type { StoredModel } from '../../src/store/model.js';
import { openStore } from '../../src/store/open.js';
import { memoryBytes } from '../../src/store/page-layout.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';
import { DEFAULTS, modelOf, tableOf } from './rule-models.js';
import { recipes, shapesOf } from './scenes.js';

const NONE_EXCLUDED = { of: () => undefined };

function rulesOf(model: StoredModel, rules?: readonly CheckRule[], clearance = 0): RuleTable {
  const objects = Array.from({ length: model.objectCount }, (_, i) => model.object(i));
  return tableOf(rules, modelOf(objects), {}, { ...DEFAULTS, clearance });
}

/** The pieces that a pair needs, as the plan counts them. */
function piecesOf(model: StoredModel, { triples }: Candidates, pair: number, distance: number): Set<number> {
  const [a, b] = [triples[3 * pair], triples[3 * pair + 1]];
  const near = nearPieces(model, a, b, distance);
  if (near.length === 0) return new Set([model.firstPiece(a), model.firstPiece(b)]);
  return new Set(
    [...near].map((piece, i) => (i % 2 === 0 ? model.firstPiece(a) : model.firstPiece(b)) + piece),
  );
}

function bytesOf(model: StoredModel, pieces: Iterable<number>): number {
  let sum = 0;
  for (const piece of pieces) {
    sum += memoryBytes(model.directory, piece);
  }
  return sum;
}

/** A block of balls, each near its neighbours. */
async function block(side: number, shuffle: boolean): Promise<StoredModel> {
  const places = Array.from({ length: side ** 3 }, (_, i) => i);
  // a fixed disorder: steps of a number that shares no divisor with the count
  const order = shuffle ? places.map((i) => (i * 389 + 17) % places.length) : places;
  const geometry = icosphere(6) as ShapeArrays;
  return openStore(
    await storeOf(
      order.map((i) => {
        const at = moved(2 * (i % side), 2 * (Math.floor(i / side) % side), 2 * Math.floor(i / side ** 2));
        return { geometry, objects: [named(`ball ${i}`, at)] };
      }),
    ),
  );
}

describe('candidates', () => {
  test('are the pairs whose boxes are within the clearance of their rule, sorted, seed 71', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, fc.constantFrom(0, 0.25, 1), async (recipe, clearance) => {
        const model = await openStore(await storeOf(shapesOf(recipe)));
        const rules = rulesOf(model, [
          { a: 'group 0/**', b: 'group 1/**', ignore: true },
          { a: 'group 2/**', b: 'group 2/**', clearance: clearance / 2 },
          { clearance },
        ]);
        const { triples, count } = findCandidates(model.directory, rules, NONE_EXCLUDED);
        const expected: number[][] = [];
        for (let a = 0; a < model.objectCount; a++) {
          for (let b = a + 1; b < model.objectCount; b++) {
            const groups = [a, b].map((i) => model.object(i).discipline).sort();
            if (groups.join() === 'group 0,group 1') continue;
            const rule = groups.join() === 'group 2,group 2' ? 1 : 2;
            const reach = (rule === 1 ? clearance / 2 : clearance) + 1e-9;
            const apart = [0, 1, 2].some(
              (k) =>
                model.box(a)[k] - model.box(b)[3 + k] > reach ||
                model.box(b)[k] - model.box(a)[3 + k] > reach,
            );
            if (!apart) expected.push([a, b, rule]);
          }
        }
        expect(count).toBe(expected.length);
        expect([...triples]).toEqual(expected.flat());
      }),
      { seed: 71, numRuns: runs(40) },
    );
  });
});

describe('a plan', () => {
  function expectWhole(plan: CheckPlan, pending: readonly number[]): void {
    expect(plan.tasks.every(({ pairs }) => pairs.length > 0)).toBe(true);
    expect(plan.tasks.flatMap(({ pairs }) => [...pairs]).sort((p, q) => p - q)).toEqual(pending);
  }

  /** A task brings along what each of its pairs needs. */
  function expectPieces(
    model: StoredModel,
    { triples }: Candidates,
    { rules }: RuleTable,
    task: PlannedTask,
  ) {
    const { first, pieces, nearCount } = task.pieces;
    task.pairs.forEach((pair, i) => {
      const [a, b, rule] = triples.subarray(3 * pair, 3 * pair + 3);
      const needed = neededPieces(model, a, b, rules[rule]);
      expect([...pieces.subarray(first[i], first[i + 1])]).toEqual(needed.pieces);
      expect(nearCount[i]).toBe(needed.nearCount);
    });
  }

  test('has every pair once, whatever the capacity, what is done and who reads, seed 72', async () => {
    await fc.assert(
      fc.asyncProperty(
        recipes,
        fc.integer({ min: 1, max: 200_000 }),
        fc.nat(3),
        fc.constantFrom(1, 100),
        async (recipe, capacity, m, workers) => {
          const model = await openStore(await storeOf(shapesOf(recipe), { pieceTriangles: 64 }));
          const rules = rulesOf(model, undefined, 0.1);
          const candidates = findCandidates(model.directory, rules, NONE_EXCLUDED);
          const done = (pair: number) => m > 0 && pair % (m + 1) === 0;
          const pending = Array.from({ length: candidates.count }, (_, i) => i).filter((i) => !done(i));
          const plan = planCheck(model, candidates, rules, capacity, 1e9, done, workers);
          expectWhole(plan, pending);
          for (const task of plan.tasks) expectPieces(model, candidates, rules, task);
        },
      ),
      { seed: 72, numRuns: runs(40) },
    );
  });

  full.each([false, true])('its tasks fit and little is read twice; in disorder: %s', async (shuffle) => {
    const n = 8;
    const model = await block(n, shuffle);
    const rules = rulesOf(model);
    const candidates = findCandidates(model.directory, rules, NONE_EXCLUDED);
    expect(candidates.count).toBe(3 * (n - 1) * n * n + 6 * (n - 1) ** 2 * n + 4 * (n - 1) ** 3);
    const all = Array.from({ length: candidates.count }, (_, i) => i);
    const needed = bytesOf(
      model,
      Array.from({ length: model.pieceCount }, (_, i) => i),
    );
    for (const [share, reads] of [
      [1.5, 1],
      [0.25, 2],
      [0.06, 4],
    ]) {
      const plan = planCheck(model, candidates, rules, share * needed, 1e9);
      expectWhole(plan, all);
      let read = 0;
      for (const task of plan.tasks) {
        const pieces = new Set([...task.pairs].flatMap((pair) => [...piecesOf(model, candidates, pair, 0)]));
        const bytes = bytesOf(model, pieces);
        expect(bytes).toBeLessThanOrEqual(share * needed);
        read += bytes;
      }
      expect(read / needed).toBeLessThanOrEqual(reads);
    }
  });

  full('is the same every time', async () => {
    const model = await block(5, true);
    const rules = rulesOf(model);
    const candidates = findCandidates(model.directory, rules, NONE_EXCLUDED);
    const plans = [0, 1].map(() => planCheck(model, candidates, rules, 200_000, 1e9));
    expect(plans[0]).toEqual(plans[1]);
    expect(plans[0].tasks.length).toBeGreaterThan(3);
  });

  test('of nothing is empty', async () => {
    const model = await block(1, false);
    const rules = rulesOf(model);
    const candidates = findCandidates(model.directory, rules, NONE_EXCLUDED);
    expect(planCheck(model, candidates, rules, 1e6, 1e9).tasks).toEqual([]);
  });
});

test('near pieces are those whose boxes are, few or many, seed 73', async () => {
  const geometry = icosphere(12) as ShapeArrays;
  for (const pieceTriangles of [64, 700]) {
    const model = await openStore(
      await storeOf([{ geometry, objects: [named('a'), named('b', moved(1.2, 0.4, 0))] }], {
        pieceTriangles,
      }),
    );
    const { placedBox, objectFirstPlaced } = model.directory;
    for (const distance of [0, 0.05, 0.5]) {
      const expected: number[] = [];
      for (let i = 0; i < model.pieceCountOf(0); i++) {
        for (let j = 0; j < model.pieceCountOf(1); j++) {
          const p = 6 * (objectFirstPlaced[0] + i);
          const q = 6 * (objectFirstPlaced[1] + j);
          const near = [0, 1, 2].every(
            (k) =>
              placedBox[p + k] - placedBox[q + 3 + k] <= distance &&
              placedBox[q + k] - placedBox[p + 3 + k] <= distance,
          );
          if (near) expected.push(1000 * i + j);
        }
      }
      const near = nearPieces(model, 0, 1, distance);
      const found = Array.from({ length: near.length / 2 }, (_, k) => 1000 * near[2 * k] + near[2 * k + 1]);
      expect(found.sort((p, q) => p - q)).toEqual(expected);
    }
  }
});

test('uses come in the order of the task, and only the coming ones count', async () => {
  const model = await block(3, false);
  const rules = rulesOf(model);
  const candidates = findCandidates(model.directory, rules, NONE_EXCLUDED);
  const { pairs, pieces } = planCheck(model, candidates, rules, 1e9, 1e9).tasks[0];
  const { triples, count } = candidates;
  expect([...pairs]).toEqual(Array.from({ length: count }, (_, i) => i));
  const uses = new TaskUses(pieces, model.pieceCount);
  for (let position = 0; position < count; position += 7) {
    uses.position = position;
    for (let piece = 0; piece < model.pieceCount; piece++) {
      let next = position;
      const needs = (pair: number) => [0, 1].some((k) => model.firstPiece(triples[3 * pair + k]) === piece);
      while (next < count && !needs(next)) next++;
      if (uses.nextUse(piece) !== (next < count ? next : Infinity))
        expect.fail(`piece ${piece} at ${position}`);
    }
  }
});

full('ids: sixteen digits, the same for either order, no two alike among 100,000, and pinned', async () => {
  expect(clashId('b', 'a', 'r')).toBe(clashId('a', 'b', 'r'));
  expect(clashId('b', 'a', 's')).not.toBe(clashId('a', 'b', 'r'));
  expect(clashId('pump 1', 'wall 7', 'default')).toMatch(/^[0-9a-f]{16}$/);
  const ids = new Set<string>();
  for (let i = 0; i < 100_000; i++)
    ids.add(clashId(`object ${i % 317}`, `thing ${Math.floor(i / 317)}`, 'default'));
  expect(ids.size).toBe(100_000);
  const twins = ['x.ifc', 'y.ifc'].map((file) => ({ ...named('twin'), file }));
  const model = await openStore(
    await storeOf([{ geometry: icosphere(1) as ShapeArrays, objects: [...twins, named('single')] }]),
  );
  const keys = keysOf(model);
  expect([0, 1, 2].map(keys)).toEqual(['x.ifc:twin:twin', 'y.ifc:twin:twin', 'single']);
});

describe('batches', () => {
  test('have every pair once, in order, and fit where a pair does, seed 74', () => {
    const pairs = fc.array(fc.tuple(fc.nat(6), fc.nat(6)), { maxLength: 60 });
    fc.assert(
      fc.property(pairs, fc.integer({ min: 1, max: 100 }), (list, capacity) => {
        const near = Uint32Array.from(list.flat());
        const bytesOf = (side: 0 | 1, piece: number) => 1 + piece + 3 * side;
        const batches = [...batchesOf(near, bytesOf, capacity)];
        expect(batches.flatMap((batch) => [...batch])).toEqual([...near]);
        for (const batch of batches) {
          expect(batch.length).toBeGreaterThan(0);
          const held = new Map(
            [...batch].map((piece, i) => [`${i % 2} ${piece}`, bytesOf((i % 2) as 0 | 1, piece)]),
          );
          const bytes = [...held.values()].reduce((sum, each) => sum + each, 0);
          if (batch.length > 2) expect(bytes).toBeLessThanOrEqual(capacity);
        }
      }),
      { seed: 74, numRuns: runs(300) },
    );
  });

  test('join to the same, whatever comes first', () => {
    const measure = (kind: ClashMeasure['kind'], more: Partial<ClashMeasure>) =>
      clashOf(kind, { point: [0, 0, 0], box: { min: [0, 0, 0], max: [1, 1, 1] }, ...more });
    const far = measure('clearance', { distance: 0.3 });
    const close = measure('clearance', { distance: 0.1 });
    const touch = measure('touch', { trianglePairs: 2, box: { min: [-1, 0, 0], max: [0, 0, 0] } });
    const hard = measure('hard', { form: 'protruding', trianglePairs: 5, depth: 0.2, depthBound: 0.21 });
    for (const swap of [false, true]) {
      const join = (p: ClashMeasure | undefined, q: ClashMeasure | undefined) =>
        swap ? joinedMeasure(q, p) : joinedMeasure(p, q);
      expect(join(undefined, undefined)).toBeUndefined();
      expect(join(far, undefined)).toBe(far);
      expect(join(far, close)).toBe(close);
      expect(join(touch, close)).toBe(touch);
      expect(join(hard, touch)).toMatchObject({
        kind: 'hard',
        depth: 0.2,
        trianglePairs: 7,
        box: { min: [-1, 0, 0], max: [1, 1, 1] },
      });
      const through = measure('hard', { form: 'piercing', depth: 0.1, depthBound: 0.3, trianglePairs: 1 });
      expect(join(hard, through)).toMatchObject({
        form: 'piercing',
        depth: 0.2,
        depthBound: 0.3,
        trianglePairs: 6,
      });
    }
  });
});
