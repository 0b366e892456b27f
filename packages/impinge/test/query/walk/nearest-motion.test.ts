/** Motions nearest to a wish: closed cases, and no motion of many that is allowed is nearer. */
import { expect, test } from 'vitest';
import { randomDirection, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import type { Vec3 } from '../../../src/math/pose.js';
import { nearestMotion, type SidePlane } from '../../../src/query/walk/nearest-motion.js';
import { dot } from '../../../src/query/walk/vectors.js';

const UP: Vec3 = [0, 1, 0];
const X = { normal: [1, 0, 0] as Vec3, least: 0.1 };
const Y = { normal: [0, 1, 0] as Vec3, least: 0.2 };
const Z = { normal: [0, 0, 1] as Vec3, least: 0.3 };

test('is the wish, or in a plane, on a line, in a corner', () => {
  const wish: Vec3 = [-1, -2, -3];
  expect(nearestMotion(wish, [], UP, 1)).toEqual(wish);
  expect(nearestMotion([1, 2, 3], [X, Y, Z], UP, 1)).toEqual([1, 2, 3]);
  const near = (planes: SidePlane[], ...expected: number[]) =>
    nearestMotion(wish, planes, UP, 1)!.forEach((x, k) => {
      expect(x).toBeCloseTo(expected[k], 12);
    });
  near([X], 0.1, -2, -3);
  near([X, Y], 0.1, 0.2, -3);
  near([Z, X, Y], 0.1, 0.2, 0.3);
  // a plane at 45°: aside and up alike, or with little weight on rising, up alone
  const slope = { normal: [-Math.SQRT1_2, Math.SQRT1_2, 0] as Vec3, least: 0 };
  expect(nearestMotion([1, 0, 0], [slope], UP, 1)![0]).toBeCloseTo(0.5, 12);
  expect(nearestMotion([1, 0, 0], [slope], UP, 2 ** -10)![0]).toBeCloseTo(1, 5);
  expect(nearestMotion(wish, [X, { normal: [-1, 0, 0], least: 0 }], UP, 1)).toBeUndefined();
});

test('is not farther than any that is allowed (seed 3450)', () => {
  const random = seededRandom(3450);
  const vector = (size: number): Vec3 => [0, 1, 2].map(() => size * (2 * random() - 1)) as unknown as Vec3;
  let found = 0;
  for (let round = 0; round < runs(400); round++) {
    const wish = vector(1);
    const planes = Array.from({ length: 1 + (round % 6) }, () => ({
      normal: randomDirection(random) as unknown as Vec3,
      least: 0.4 * (random() - 0.5),
    }));
    const motion = nearestMotion(wish, planes, UP, 1);
    const farness = (v: Vec3) => Math.hypot(...v.map((x, k) => x - wish[k]));
    const allowed = (v: Vec3, slack: number) =>
      planes.every(({ normal, least }) => dot(normal, v) >= least + slack);
    if (motion) expect(allowed(motion, -1e-9)).toBe(true);
    for (let i = 0; i < 400; i++) {
      // around the answer, too
      const other =
        motion && i % 2 ? (vector(0.1).map((x, k) => x + motion[k]) as unknown as Vec3) : vector(2);
      if (!allowed(other, 0)) continue;
      expect(motion).toBeDefined();
      expect(farness(motion!)).toBeLessThanOrEqual(farness(other) + 1e-9);
      found++;
    }
  }
  expect(found).toBeGreaterThan(10 * runs(400));
});
