/**
 * Who measures which pairs: each is measured once, and nobody is idle for long, by workers whose time is only counted.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { Distribution } from '../../src/check/distribute.js';
import type { CheckWorkers } from '../../src/check/executor.js';
import { PairRunner } from '../../src/check/pair-runner.js';
import type { PlannedTask } from '../../src/check/plan.js';
import { openStore } from '../../src/store/open.js';
import { sumOfStats } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';
import { ask } from './support.js';

const NO_CACHE = sumOfStats([]);

/** Pair p has the pieces p … 2p of a model that nobody needs. */
const piecesOf = (pair: number) => Array.from({ length: pair + 1 }, (_, i) => pair + i);

/** Tasks of so many pairs each, which are numbered in the order of the plan. */
function tasksOf(sizes: readonly number[]): PlannedTask[] {
  let next = 0;
  return sizes.map((size) => {
    const pairs = Uint32Array.from({ length: size }, () => next++);
    const first = [0];
    for (const pair of pairs) first.push(first.at(-1)! + pair + 1);
    return {
      pairs,
      pieces: {
        first: Uint32Array.from(first),
        pieces: Uint32Array.from([...pairs].flatMap(piecesOf)),
        nearCount: pairs.map((pair) => pair % 2),
      },
    };
  });
}

/** Workers that measure pair p in `cost(p)`, and look up between pairs. */
function pretended(count: number, cost: (pair: number) => number) {
  const wishes = Array.from({ length: count }, (): ((from: number | undefined) => void)[] => []);
  const states = Array.from({ length: count }, () => ({ pair: 0, end: 0 }));
  const time = new Float64Array(count);
  const resumes: (() => void)[] = [];
  const workers: CheckWorkers = {
    run: async (worker, { triples, pieces }, onPart) => {
      const state = states[worker];
      state.end = triples.length;
      for (state.pair = 0; state.pair < state.end; state.pair++) {
        const pair = triples[state.pair];
        expect([...pieces.pieces.subarray(pieces.first[state.pair], pieces.first[state.pair + 1])]).toEqual(
          piecesOf(pair),
        );
        expect(pieces.nearCount[state.pair]).toBe(pair % 2);
        time[worker] += cost(pair);
        await new Promise<void>((resolve) => (resumes[worker] = resolve));
        onPart({ from: state.pair, to: state.pair + 1, found: [], touches: 0, cache: NO_CACHE });
        for (const answer of wishes[worker].splice(0)) {
          const given = Math.max(0, Math.floor((state.end - state.pair - 1) / 2));
          state.end -= given;
          answer(given === 0 ? undefined : state.end);
        }
      }
      for (const answer of wishes[worker].splice(0)) answer(undefined);
    },
    divide: (worker) => new Promise((resolve) => wishes[worker].push(resolve)),
    dispose: async () => {},
  };
  /** Lets the worker that is behind the others go on, until all are idle; those that wait come along with it. */
  async function pass(): Promise<void> {
    for (;;) {
      await new Promise((resolve) => setImmediate(resolve));
      const busy = [...resumes.keys()].filter((worker) => resumes[worker]);
      if (busy.length === 0) return;
      const first = busy.reduce((p, q) => (time[q] < time[p] ? q : p));
      for (let worker = 0; worker < count; worker++) {
        if (!resumes[worker]) time[worker] = Math.max(time[worker], time[first]);
      }
      const resume = resumes[first];
      delete resumes[first];
      resume();
    }
  }
  return { workers, time, pass };
}

async function distributed(sizes: readonly number[], count: number, cost: (pair: number) => number) {
  const { workers, time, pass } = pretended(count, cost);
  const measured: number[] = [];
  const distribution = new Distribution(
    workers,
    tasksOf(sizes),
    (pairs) => pairs.slice(),
    ({ at, pairs, part }) => {
      expect(pairs).toHaveLength(part.to - part.from);
      // their numbers are their places in the plan
      expect([...pairs]).toEqual([...pairs].map((_, i) => at + i));
      measured.push(...pairs);
    },
  );
  const work = Promise.all(Array.from({ length: count }, (_, worker) => distribution.work(worker)));
  await pass();
  await work;
  return { measured: measured.sort((p, q) => p - q), longest: Math.max(...time) };
}

test('every pair is measured once, with its pieces, seed 75', async () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 });
  const costs = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(sizes, fc.integer({ min: 1, max: 4 }), costs, async (sizes, count, costs) => {
      const total = sizes.reduce((sum, size) => sum + size, 0);
      const { measured } = await distributed(sizes, count, (pair) => costs[pair % costs.length]);
      expect(measured).toEqual(Array.from({ length: total }, (_, i) => i));
    }),
    { seed: 75, numRuns: runs(40) },
  );
});

test('half of the time in the last of many tasks, and yet all are busy to the end', async () => {
  const cost = (pair: number) => (pair < 100 ? 1 : 10);
  const { longest } = await distributed([20, 20, 20, 20, 30], 2, cost);
  expect(longest).toBeLessThanOrEqual((100 + 10 * 10) / 2 + 10);
});

test('a runner gives up the end of its task, and measures what it keeps', async () => {
  const geometry = box(1, 1, 1) as ShapeArrays;
  const objects = Array.from({ length: 61 }, (_, i) => named(`row/${i}`, moved(0.9 * i, 0, 0)));
  const model = await openStore(await storeOf([{ geometry, objects }]));
  const triples = Uint32Array.from(
    { length: 180 },
    (_, i) => [Math.floor(i / 3), Math.floor(i / 3) + 1, 0][i % 3],
  );
  const first = Uint32Array.from({ length: 61 }, (_, i) => 2 * i);
  const pieces = { first, pieces: new Uint32Array(120), nearCount: new Uint32Array(60).fill(2) };
  const runner = new PairRunner(model, [ask], 2 ** 30);
  expect(runner.divide()).toBeUndefined();
  const found: number[] = [];
  let end = 0;
  const running = runner.run({ triples, pieces }, (part) => {
    found.push(...part.found.map(({ pair }) => pair));
    end = part.to;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const given = [runner.divide()!, runner.divide()!];
  await running;
  expect(given[0]).toBeGreaterThan(given[1]);
  expect(given[0]).toBeLessThan(60);
  expect(end).toBe(given[1]);
  expect(found).toEqual(Array.from({ length: end }, (_, i) => i));
  expect(runner.divide()).toBeUndefined();
  await runner.dispose();
});
