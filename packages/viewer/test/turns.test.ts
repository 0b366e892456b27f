/** Turned objects: poses as rotations are known to be, and what is exactly true of them against brute force. */
import { Random } from '@impinge/scenes/random';
import { afterAll, describe, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import type { ExactClient } from '../src/exact/exact-client.js';
import { ExactModel } from '../src/exact/exact-model.js';
import type { Picture, Point } from '../src/picture/types.js';
import { Dragging } from '../src/tools/dragging.js';
import { angleBetween, rotationOf, shortAngle, turnedBox, turnedPose } from '../src/tools/turns.js';
import { apart, clutter, inside, modelOf, trianglesOf } from './small-model.js';

const things = clutter(11, 12, 4);
const small = await modelOf(things);
const exact = new ExactModel(small.model);
afterAll(() => exact.dispose());

const STORED = Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, 5, 6, 7);

describe('a turn', () => {
  test('goes about X, then Y, then Z, exactly by quarters', () => {
    expect([...rotationOf([90, 0, 0])].map((x) => x + 0)).toEqual([1, 0, 0, 0, 0, -1, 0, 1, 0]);
    expect([...rotationOf([0, 90, 0])].map((x) => x + 0)).toEqual([0, 0, 1, 0, 1, 0, -1, 0, 0]);
    expect([...rotationOf([0, 0, 270])].map((x) => x + 0)).toEqual([0, 1, 0, -1, 0, 0, 0, 0, 1]);
    // z is up; about X it lies along -y, about Y it stays, about Z it comes to lie along x
    const [, , x, , , y, , , z] = rotationOf([90, -180, 90]);
    expect([x, y, z].map((part) => part + 0)).toEqual([1, 0, 0]);
  });

  test('keeps the middle where it is, and lengths as they are, seed 4', () => {
    const random = new Random(4);
    for (let i = 0; i < 50; i++) {
      const degrees = [0, 1, 2].map(() => 720 * random.next() - 360) as unknown as Point;
      const turn = rotationOf(degrees);
      for (let p = 0; p < 3; p++) {
        for (let q = 0; q < 3; q++) {
          const dot = [0, 1, 2].reduce((sum, k) => sum + turn[3 * p + k] * turn[3 * q + k], 0);
          expect(dot).toBeCloseTo(p === q ? 1 : 0, 14);
        }
      }
      const middle: Point = [random.next(), random.next(), random.next()];
      const pose = turnedPose(STORED, middle, degrees, [1, 2, 3]);
      // where the stored pose puts the middle
      const way = middle.map((x, k) => x - STORED[9 + k]);
      const own = [0, 1, 2].map((k) => STORED[k] * way[0] + STORED[3 + k] * way[1] + STORED[6 + k] * way[2]);
      for (let k = 0; k < 3; k++) {
        const at = own.reduce((sum, x, j) => sum + pose[3 * k + j] * x, pose[9 + k]);
        expect(at).toBeCloseTo(middle[k] + k + 1, 12);
      }
    }
    expect([...turnedPose(STORED, [9, 9, 9], [0, 0, 0], [0, 0, 0])]).toEqual([...STORED]);
  });

  test('angles are short; what is grabbed is followed around the middle', () => {
    expect([0, 180, -180, 190, -190, 725].map(shortAngle)).toEqual([0, 180, 180, -170, 170, 5]);
    expect(angleBetween([1, 1, 0], [3, 1, 5], [1, 4, 5])).toBeCloseTo(90, 12);
    expect(angleBetween([0, 0, 0], [-1, 0.1, 0], [-1, -0.1, 0])).toBeCloseTo(2 * 5.7105931, 6);
  });

  test('of a box has everything in it', () => {
    const box = { min: [0, 0, 0], max: [4, 2, 1] } as const;
    const { min, max } = turnedBox(box, [0, 0, 90], [10, 0, 0]);
    expect([...min, ...max].map((x) => x + 0)).toEqual([11, -1, 0, 13, 3, 1]);
  });
});

test('a turned object violates what brute force says, seed 12', async () => {
  const random = new Random(12);
  const boxOf = (object: number) => {
    const box = small.model.box(object);
    return { min: [...box.slice(0, 3)], max: [...box.slice(3)] } as unknown as { min: Point; max: Point };
  };
  const asked: Float64Array[] = [];
  const watched = new Proxy(exact, {
    get: (of, name: keyof ExactModel) =>
      name === 'drag'
        ? (pose: Float64Array, clearance: number) => {
            asked.push(pose.slice());
            return of.drag(pose, clearance);
          }
        : typeof of[name] === 'function'
          ? (of[name] as () => unknown).bind(of)
          : of[name],
  }) as unknown as ExactClient;
  const dragging = new Dragging({
    picture: () => ({ boxOf, move: () => {} }) as unknown as Picture,
    exact: () => watched,
    metresPerUnit: () => 1,
    asked: () => undefined,
    fail: (what, error) => {
      throw new Error(what, { cause: error });
    },
  });
  const found = new Set<string>();
  for (const taken of [0, 5]) {
    await dragging.take(taken);
    for (let i = 0; i < runs(15); i++) {
      const some = (size: number) => size * (random.next() - 0.5);
      await dragging.moveTo([some(3), some(3), some(2)]);
      await dragging.turnTo([some(360), some(360), some(360)]);
      const pose = asked.at(-1)!;
      const there = trianglesOf(things[taken].solid, pose);
      const expected = small.triangles.flatMap((other, object) => {
        if (object === taken) return [];
        const first = (of: Float64Array): Point => [of[0], of[1], of[2]];
        const gap = apart(there, other, 1);
        if (gap > 0 && (inside(other, first(there)) || inside(there, first(other))))
          return [`${object} inside`];
        return gap === 0 ? [`${object} hard`] : gap <= 0.05 ? [`${object} clearance`] : [];
      });
      const told = dragging.violations.peek()!.map(({ object, kind }) => `${object} ${kind}`);
      expect(told.sort()).toEqual(expected.sort());
      for (const one of told) found.add(one.replace(/\d+ /, ''));
      // it stays around its middle
      const { min, max } = dragging.box!;
      for (let t = 0; t < there.length; t++) {
        expect(there[t]).toBeGreaterThan(min[t % 3] - 1e-6);
        expect(there[t]).toBeLessThan(max[t % 3] + 1e-6);
      }
    }
    await dragging.putBack();
    expect(dragging.turn.peek()).toEqual([0, 0, 0]);
  }
  expect(found).toContain('hard');
});
