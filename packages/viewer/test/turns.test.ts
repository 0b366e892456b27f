/** Turned objects: poses compared with known rotations. */
import { Random } from '@impinge/scenes/random';
import { describe, expect, test } from 'vitest';
import type { Point } from '../src/picture/types.js';
import { angleBetween, rotationOf, shortAngle, turnedBox, turnedPose } from '../src/tools/turns.js';

const STORED = Float64Array.of(0, -1, 0, 1, 0, 0, 0, 0, 1, 5, 6, 7);

describe('a turn', () => {
  test('goes about X, then Y, then Z, exactly by quarters', () => {
    expect([...rotationOf([90, 0, 0])].map((x) => x + 0)).toEqual([1, 0, 0, 0, 0, -1, 0, 1, 0]);
    expect([...rotationOf([0, 90, 0])].map((x) => x + 0)).toEqual([0, 0, 1, 0, 1, 0, -1, 0, 0]);
    expect([...rotationOf([0, 0, 270])].map((x) => x + 0)).toEqual([0, 1, 0, -1, 0, 0, 0, 0, 1]);
    // the z axis: about X it turns to -y, about Y it stays, about Z it turns to x
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
      // the stored coordinates of the centre
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
