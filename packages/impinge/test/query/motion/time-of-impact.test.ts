/** Cases whose answer is known on paper; motions of all kinds are in time-of-impact-oracle.test.ts. */
import { describe, expect, test } from 'vitest';
import { box, wavySheet } from '../../../../../lab/scenes/index.mjs';
import { ImpingeError } from '../../../src/base/errors.js';
import { type Motion, poseAt } from '../../../src/math/motion.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { type TimeOfImpactOptions, timeOfImpact } from '../../../src/query/motion/time-of-impact.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';

const cube = Mesh.from(box(1), { name: 'cube' });

function shift(from: readonly number[], to: readonly number[]): Motion {
  return { from: { translation: from }, to: { translation: to } };
}

/** x, y, z, w of a turn about an axis that need not be of unit length. */
function turn(axis: readonly number[], angle: number): number[] {
  const s = Math.sin(angle / 2) / Math.hypot(...axis);
  return [...axis.map((x) => x * s), Math.cos(angle / 2)];
}

/** The time must lie within `early` before the expected one, and not after it. */
function expectTime(a: Mesh, b: Mesh, options: TimeOfImpactOptions, expected: number, early = 1e-5) {
  const result = timeOfImpact(a, b, options);
  expect(result.time).toBeLessThanOrEqual(expected + 1e-12);
  expect(result.time).toBeGreaterThan(expected - early);
  return result;
}

describe('moving straight', () => {
  test('a cube into a cube: time, points, normal, triangles', () => {
    const motionB = shift([4, 0.2, 0.1], [0, 0.2, 0.1]);
    const result = expectTime(cube, cube, { motionB }, 0.75);
    expect(result.distance).toBeGreaterThan(0);
    expect(result.distance).toBeLessThan(2e-6);
    for (const [k, n] of [1, 0, 0].entries()) expect(result.normal![k]).toBeCloseTo(n, 9);
    expect(result.pointA![0]).toBeCloseTo(0.5, 9);
    expect(result.pointB![0]).toBeCloseTo(0.5, 5);
    const poseB = poseAt(motionB, result.time);
    const again = distance(cube, cube, { poseB });
    expect(again.distance).toBeCloseTo(result.distance, 12);
    expect(result.stats.volumeTests).toBeGreaterThan(0);
  });

  test('sliding past at a hand’s breadth, a hair’s, and touching', () => {
    const past = (gap: number) => shift([-5, 1 + gap, 0.3], [5, 1 + gap, 0.3]);
    expect(timeOfImpact(cube, cube, { motionB: past(0.1) }).time).toBe(Infinity);
    expect(timeOfImpact(cube, cube, { motionB: past(1e-9) }).time).toBe(Infinity);
    expectTime(cube, cube, { motionB: past(0) }, 0.4);
  });

  test('distance', () => {
    const motionB = shift([4, 0, 0], [0, 0, 0]);
    const { distance: kept } = expectTime(cube, cube, { motionB, distance: 0.5 }, 0.625);
    expect(kept).toBeGreaterThanOrEqual(0.5);
    expect(kept).toBeLessThan(0.5 + 2e-6);
    const past = shift([-5, 1.25, 0], [5, 1.25, 0]);
    expect(timeOfImpact(cube, cube, { motionB: past, distance: 0.2499 }).time).toBe(Infinity);
    // 0.3 away along a diagonal of 0.25 and √(0.09 − 0.0625)
    expectTime(cube, cube, { motionB: past, distance: 0.3 }, (4 - Math.sqrt(0.09 - 0.0625)) / 10);
  });

  test('accuracy: a coarser one stops earlier, none at all is as fine as rounding allows', () => {
    const motionB = shift([4, 0, 0], [0, 0, 0]);
    const coarse = timeOfImpact(cube, cube, { motionB, accuracy: 0.1 });
    expect(coarse.distance).toBeLessThanOrEqual(0.1);
    expectTime(cube, cube, { motionB, accuracy: 0 }, 0.75, 1e-11);
  });

  test('the end of the motion belongs to it', () => {
    expect(timeOfImpact(cube, cube, { motionB: shift([2, 0, 0], [1, 0, 0]) }).time).toBeLessThanOrEqual(1);
    expect(timeOfImpact(cube, cube, { motionB: shift([2, 0, 0], [1.001, 0, 0]) }).time).toBe(Infinity);
  });
});

describe('from the start', () => {
  test('surfaces that meet do so at time 0, whatever follows', () => {
    const apart = shift([0.5, 0, 0], [9, 0, 0]);
    const result = timeOfImpact(cube, cube, { motionB: apart });
    expect(result.time).toBe(0);
    expect(result.distance).toBe(0);
    expect(result.normal).toEqual([0, 0, 0]);
    expect(collide(cube, cube, { poseB: { translation: [0.5, 0, 0] } }).pairs).toContain(result.triangleA);
    const within = timeOfImpact(cube, cube, { motionB: shift([1.5, 0, 0], [9, 0, 0]), distance: 0.5 });
    expect(within.time).toBe(0);
    expect(within.normal).toEqual([1, 0, 0]);
  });

  test('near, within the accuracy, and on the way out is no contact', () => {
    const motionB = shift([1 + 1e-7, 0, 0], [9, 0, 0]);
    expect(timeOfImpact(cube, cube, { motionB }).time).toBe(Infinity);
    expect(timeOfImpact(cube, cube, { motionB: shift([1 + 1e-7, 0, 0], [0, 0, 0]) }).time).toBe(0);
  });

  test('a solid inside another meets its wall from within', () => {
    const small = Mesh.from(box(0.2));
    expect(timeOfImpact(cube, small, {}).time).toBe(Infinity);
    expectTime(cube, small, { motionB: shift([0, 0, 0], [1, 0, 0]) }, 0.4);
  });

  test('nothing moves', () => {
    const none = timeOfImpact(cube, cube, { motionB: { from: { translation: [3, 0, 0] } } });
    expect(none).toMatchObject({ time: Infinity, distance: Infinity, triangleA: -1, triangleB: -1 });
    expect(none.pointA).toBeUndefined();
    expect(none.normal).toBeUndefined();
  });
});

describe('what is asked', () => {
  const sheet = Mesh.from(wavySheet(40));
  const motionB: Motion = {
    from: { translation: [0.1, 0, 2], rotation: turn([1, 1, 0], 0.5) },
    to: { translation: [0, 0.1, -2], rotation: turn([1, 0, 1], 2.5) },
  };

  test('the same query has the same answer, sides swapped within the accuracy', () => {
    const first = timeOfImpact(sheet, cube, { motionB });
    expect(first.time).toBeLessThan(1);
    const { stats, ...answer } = timeOfImpact(sheet, cube, { motionB });
    expect(first).toMatchObject(answer);
    const swapped = timeOfImpact(cube, sheet, { motionA: motionB });
    expect(Math.abs(swapped.time - first.time)).toBeLessThan(1e-5);
    for (let k = 0; k < 3; k++) expect(swapped.normal![k]).toBeCloseTo(-first.normal![k], 3);
  });

  test('far from the origin, and at other sizes', () => {
    const at = [5e6, -3e6, 120];
    const place = (p: Motion['from']) => {
      const { rotation, translation } = p as { rotation: number[]; translation: number[] };
      return { rotation, translation: translation.map((t, k) => t + at[k]) };
    };
    const here = timeOfImpact(sheet, cube, { motionB });
    const there = timeOfImpact(sheet, cube, {
      motionA: { from: { translation: at } },
      motionB: { from: place(motionB.from), to: place(motionB.to) },
    });
    expect(there.time).toBeCloseTo(here.time, 5);
    for (let k = 0; k < 3; k++) expect(there.pointA![k] - at[k]).toBeCloseTo(here.pointA![k], 4);
    for (const scale of [1e-6, 1e6]) {
      const enlarge = (mesh: Mesh) =>
        mesh.transformed([scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, 1]);
      const grown = (p: Motion['from']) => {
        const { rotation, translation } = p as { rotation: number[]; translation: number[] };
        return { rotation, translation: translation.map((t) => t * scale) };
      };
      const scaled = timeOfImpact(enlarge(sheet), enlarge(cube), {
        motionB: { from: grown(motionB.from), to: grown(motionB.to) },
      });
      expect(scaled.time).toBeCloseTo(here.time, 5);
    }
  });

  test('a triangle a million times larger than what hits it', () => {
    const floor = Mesh.from({ positions: [-1e6, -1e6, 0, 2e6, -1e6, 0, 0, 2e6, 0] });
    const { distance: d } = expectTime(floor, cube, { motionB: shift([7, 3, 2.5], [8, 4, -1.5]) }, 0.5);
    expect(d).toBeLessThan(2e-6);
    const corner: Motion = {
      from: { translation: [7, 3, 2.5], rotation: turn([1, 2, 0.5], 0.7) },
      to: { translation: [8, 4, -1.5], rotation: turn([2, 1, 0.5], 2.7) },
    };
    expect(timeOfImpact(floor, cube, { motionB: corner }).distance).toBeLessThan(2e-6);
  });

  test('points and segments', () => {
    const point = Mesh.from({ positions: [0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expectTime(point, point, { motionB: shift([0, 0, 4], [0, 0, -4]), accuracy: 1e-6 }, 0.5);
    expectTime(point, point, { motionB: shift([0.1, 0.2, 4], [-0.1, -0.2, -4]) }, 0.5);
    expect(timeOfImpact(point, point, { motionB: shift([0, 1e-3, 4], [0, 1e-3, -4]) }).time).toBe(Infinity);
    const needle = Mesh.from({ positions: [-1, 0, 0, 1, 0, 0, 1, 0, 0] });
    const crossing = shift([0, 0.5, 0], [0, -0.5, 0]);
    const turned = { from: { rotation: turn([0, 1, 0], 1) } };
    expectTime(needle, needle, { motionA: turned, motionB: crossing }, 0.5);
    expect(timeOfImpact(needle, point, { motionB: shift([0.3, 4, 0], [0.3, -4, 0]) }).time).toBeCloseTo(
      0.5,
      9,
    );
  });

  test('bad options name what is wrong', () => {
    const bad = (options: TimeOfImpactOptions) => {
      try {
        timeOfImpact(cube, cube, options);
      } catch (error) {
        expect(error).toBeInstanceOf(ImpingeError);
        return `${(error as ImpingeError).code}: ${(error as ImpingeError).message}`;
      }
      throw new Error('no error');
    };
    expect(bad({ distance: -1 })).toBe('bad-option: distance must be a finite number of at least 0, got -1');
    expect(bad({ accuracy: Number.NaN })).toMatch(/bad-option: accuracy/);
    expect(bad({ motionA: { kind: 'spline' as 'linear' } })).toMatch(
      /kind of motionA must be one of linear, screw, got spline/,
    );
    expect(bad({ motionB: { centre: [0, 0] } })).toMatch(/motionB: centre must be 3 finite numbers/);
    expect(bad({ motionB: { to: { translation: [0, Number.NaN, 0] } } })).toMatch(/^non-finite/);
    const gone = Mesh.from(box(1), { name: 'gone' });
    gone.dispose();
    expect(() => timeOfImpact(cube, gone, {})).toThrow(/"gone" was disposed/);
    expect(() => poseAt({}, 1.5)).toThrow(/time must be from 0 to 1/);
  });
});
