/** Violations and free places of a moved object, compared with brute force over all triangles. */
import { check } from '@impinge/model';
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { afterAll, describe, expect, test } from 'vitest';
import { FAST, full, runs } from '../../../test/budget.js';
import type { AskedCheck } from '../../cli/src/wire/report.js';
import { ExactModel } from '../src/exact/exact-model.js';
import { findFree } from '../src/exact/free-place.js';
import { rotationOf } from '../src/tools/turns.js';
import {
  apart,
  box,
  clutter,
  inside,
  modelOf,
  moved,
  type Triangles,
  trianglesOf,
  turned,
} from './small-model.js';

const things = [...clutter(11, 9, 4), { solid: box(0.2, 0.2, 0.2, 3), pose: moved(9, 9, 9) }];
const { model, triangles } = await modelOf(things);
const exact = new ExactModel(model);
afterAll(() => exact.dispose());

/** The violations of the object `taken` at `there`. */
function truth(taken: number, there: Triangles, clearance: number): Map<number, string> {
  const found = new Map<number, string>();
  triangles.forEach((other, i) => {
    if (i === taken) return;
    const distance = apart(there, other, 2);
    if (distance === 0) found.set(i, 'hard');
    else if (inside(other, first(there)) || inside(there, first(other))) found.set(i, 'inside');
    else if (distance <= clearance) found.set(i, 'clearance');
  });
  return found;
}

function first(of: Triangles): Vec3 {
  return [of[0], of[1], of[2]];
}

describe('violations', () => {
  test('of every kind, wherever the object is', async () => {
    const random = new Random(2);
    const kinds = new Set<string>();
    for (const taken of [0, 4, 9]) {
      await exact.take(taken, 0.2);
      for (let i = 0; i < runs(30); i++) {
        // in any orientation
        const pose = moved(4 * random.next(), 4 * random.next(), 2 * random.next());
        pose.set(rotationOf([360 * random.next(), 360 * random.next(), 360 * random.next()]));
        const { violations } = await exact.drag(pose, 0.2);
        const there = trianglesOf(things[taken].solid, pose);
        const expected = truth(taken, there, 0.2);
        expect(new Map(violations.map(({ object, kind }) => [object, kind]))).toEqual(expected);
        for (const { object, kind, distance, point, pointOther, curve } of violations) {
          kinds.add(kind);
          if (kind === 'clearance') expect(distance).toBeCloseTo(apart(there, triangles[object]), 6);
          else expect(distance).toBe(0);
          const gap = Math.hypot(...point.map((x, k) => x - pointOther[k]));
          expect(gap).toBeCloseTo(distance, 6);
          expect(curve.segments.length > 0).toBe(kind === 'hard');
        }
      }
    }
    expect(kinds).toContain('hard');
    exact.putBack();
  });

  test('an object inside another, and around another, is one', async () => {
    const nested = await modelOf([
      { solid: box(2, 2, 2, 3), pose: moved(0, 0, 0) },
      { solid: box(0.5, 0.5, 0.5), pose: moved(5, 0, 0) },
    ]);
    const two = new ExactModel(nested.model);
    await two.take(1);
    expect((await two.drag(moved(0, 0, 0), 0)).violations).toMatchObject([{ object: 0, kind: 'inside' }]);
    expect(await two.nearestFree(0)).toMatchObject({ length: expect.closeTo(1.25, 1) });
    await two.take(0);
    expect((await two.drag(moved(5, 0, 0), 0)).violations).toMatchObject([{ object: 1, kind: 'inside' }]);
    expect((await two.drag(moved(9, 0, 0), 0)).violations).toEqual([]);
    await two.dispose();
  });

  test('say whether they were there before', async () => {
    const row = await modelOf([0, 1.25, 2.2].map((x) => ({ solid: box(1, 1, 1), pose: moved(x, 0, 0) })));
    const three = new ExactModel(row.model);
    await three.take(1, 0.5);
    const { violations } = await three.drag(moved(1.25, 0, 0), 0.5);
    expect(violations.map(({ object, kind, before }) => [object, kind, before])).toEqual([
      [2, 'inside', true],
      [0, 'clearance', true],
    ]);
    // another clearance updates the earlier violations
    const nearer = (await three.drag(moved(1.125, 0, 0), 0.15)).violations;
    expect(nearer.map(({ object, before }) => [object, before])).toEqual([
      [2, true],
      [0, false],
    ]);
    three.putBack();
    await three.take(0);
    expect((await three.drag(moved(0.375, 0, 0), 0)).violations).toMatchObject([
      { object: 1, kind: 'inside' },
    ]);
    await three.dispose();
  });
});

describe('what a clash is', () => {
  const asked: AskedCheck = {
    ...{ rules: [], sets: {}, exclusions: true, clearance: 0.1, tolerance: 0.15 },
    kinds: ['hard', 'inside', 'duplicate', 'clearance'],
  };

  /** The clashes that a check finds for an object at a pose. */
  async function checked(taken: number, pose: Float64Array): Promise<Map<number, string>> {
    const there = await modelOf(things.map((thing, i) => (i === taken ? { ...thing, pose } : thing)));
    const found = new Map<number, string>();
    for await (const { a, b, kind } of check(there.model, asked)) {
      const numbers = [a, b].map(({ id }) => Number(id));
      if (numbers.includes(taken)) found.set(numbers[0] === taken ? numbers[1] : numbers[0], kind);
    }
    return found;
  }

  full('is what the check was asked: tolerance, clearance and kinds, seed 5', async () => {
    const random = new Random(5);
    const ruled = new ExactModel(model);
    let free = 0;
    for (const taken of [0, 4, 9]) {
      await ruled.take(taken, 0, asked);
      for (let i = 0; i < runs(12); i++) {
        const pose = turned(6 * random.next(), 4 * random.next(), 4 * random.next(), 2 * random.next());
        const { violations } = await ruled.drag(pose, 0);
        const expected = await checked(taken, pose);
        expect(new Map(violations.map(({ object, kind }) => [object, kind]))).toEqual(expected);
        if (expected.size === 0 || i % 4 > 0) continue;
        const place = await ruled.nearestFree(0);
        if (!place) continue;
        const there = pose.slice();
        for (let k = 0; k < 3; k++) there[9 + k] += place.move[k];
        expect(await checked(taken, there)).toEqual(new Map());
        free++;
      }
    }
    if (!FAST) expect(free).toBeGreaterThan(0);
    await ruled.dispose();
  });

  test('touching, and overlapping by no more than the tolerance, are none', async () => {
    const pair = await modelOf([0, 3].map((x) => ({ solid: box(1, 1, 1), pose: moved(x, 0, 0) })));
    const two = new ExactModel(pair.model);
    await two.take(1, 0, { ...asked, clearance: 0 });
    expect((await two.drag(moved(1, 0, 0), 0)).violations).toEqual([]);
    expect((await two.drag(moved(0.875, 0, 0), 0)).violations).toEqual([]);
    expect((await two.drag(moved(0.75, 0, 0), 0)).violations).toMatchObject([
      { object: 0, kind: 'inside', depth: 0.25 },
    ]);
    // up to the tolerance, not beyond
    expect((await two.nearestFree(0))?.length).toBeCloseTo(0.1, 2);
    await two.dispose();
  });
});

describe('the nearest free place', () => {
  test('is free by brute force', async () => {
    const random = new Random(8);
    let moves = 0;
    for (const taken of [1, 6]) {
      await exact.take(taken, 0.1);
      for (let i = 0; i < runs(10); i++) {
        const pose = turned(6 * random.next(), 4 * random.next(), 4 * random.next(), 1);
        await exact.drag(pose, 0.1);
        const free = await exact.nearestFree(0.1);
        const here = truth(taken, trianglesOf(things[taken].solid, pose), 0.1);
        if (!free) throw new Error('a free place is always near here');
        expect(free.length === 0).toBe(here.size === 0);
        expect(Math.hypot(...free.move)).toBeCloseTo(free.length, 9);
        const there = pose.slice();
        for (let k = 0; k < 3; k++) there[9 + k] += free.move[k];
        expect(truth(taken, trianglesOf(things[taken].solid, there), 0.1)).toEqual(new Map());
        if (free.length > 0) moves++;
      }
    }
    expect(moves).toBeGreaterThan(0);
    exact.putBack();
  });

  test('of a box before a wall is as far as the clearance misses', async () => {
    const wall = await modelOf([
      { solid: box(0.1, 20, 20), pose: moved(0, 0, 0) },
      { solid: box(1, 1, 1), pose: moved(3, 0, 0) },
    ]);
    const two = new ExactModel(wall.model);
    await two.take(1);
    await two.drag(turned(0.3, 0.9, 0, 0), 0.3);
    const gap = 0.9 - 0.05 - 0.5 * (Math.cos(0.3) + Math.sin(0.3));
    const free = await two.nearestFree(0.3);
    expect(free?.length).toBeCloseTo(0.3 - gap, 4);
    expect(free?.move[0]).toBeGreaterThan(0.99 * free!.length);
    await two.dispose();
  });

  test('a search that found nothing says so, and one that is stopped does, too', async () => {
    const directions = [{ way: [1, 0, 0] as const, start: 0 }];
    const never = async () => false;
    expect(await findFree(async () => false, directions, 4, never)).toBeNull();
    expect(
      await findFree(
        async () => false,
        directions,
        4,
        async () => true,
      ),
    ).toBeUndefined();
    const from = async ([x]: Vec3) => x > 1.5;
    const found = await findFree(from, directions, 4, never);
    expect(found!.length).toBeGreaterThan(1.5);
    expect(found!.length).toBeLessThan(1.52);
  });
});
