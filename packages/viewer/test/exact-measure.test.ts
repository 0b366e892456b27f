/** Measurements of stored objects, compared with brute force over all triangles. */
import { intersectionTriangleTriangle } from 'impinge/geometry';
import { afterAll, describe, expect, test } from 'vitest';
import { angleBetween, normalOf } from '../src/exact/angle.js';
import { ExactModel } from '../src/exact/exact-model.js';
import { apart, box, clutter, modelOf, moved, turned } from './small-model.js';

const { model, triangles } = await modelOf(clutter(5, 9, 4));
const exact = new ExactModel(model);
afterAll(() => exact.dispose());

test('distances and where they are', async () => {
  let meeting = 0;
  for (let a = 0; a < model.objectCount; a++) {
    for (let b = 0; b < a; b++) {
      const truth = apart(triangles[a], triangles[b]);
      const found = await exact.distance(a, b);
      expect(found.object).toBe(b);
      expect(found.distance).toBeCloseTo(truth, 6);
      const gap = Math.hypot(...found.pointA.map((x, k) => x - found.pointB[k]));
      expect(gap).toBeCloseTo(truth, 6);
      if (truth === 0) meeting++;
    }
  }
  expect(meeting).toBeGreaterThan(0);
});

test('everything within a clearance, the nearest first', async () => {
  for (const clearance of [0, 0.3, 1]) {
    for (let object = 0; object < model.objectCount; object++) {
      const found = await exact.around(object, clearance);
      const truth = triangles
        .map((other, i) => ({ object: i, distance: apart(triangles[object], other) }))
        .filter((one) => one.object !== object && one.distance <= clearance);
      expect(new Set(found.map((one) => one.object))).toEqual(new Set(truth.map((one) => one.object)));
      expect(found.map((one) => one.distance)).toEqual(
        found.map((one) => one.distance).sort((p, q) => p - q),
      );
    }
  }
});

describe('the curve in which two objects meet', () => {
  test('has the length that the triangles share', async () => {
    for (let a = 0; a < model.objectCount; a++) {
      for (let b = 0; b < a; b++) {
        const shared = new Float64Array(18);
        let truth = 0;
        for (let i = 0; i < triangles[a].length; i += 9) {
          for (let j = 0; j < triangles[b].length; j += 9) {
            const count = intersectionTriangleTriangle(triangles[a], i, triangles[b], j, shared, 0);
            if (count === 2) truth += Math.hypot(...[0, 1, 2].map((k) => shared[k] - shared[3 + k]));
          }
        }
        const { segments, complete } = await exact.contactCurve(a, b);
        expect(lengthOf(segments)).toBeCloseTo(truth, 4);
        expect(complete).toBe(true);
        if (segments.length <= 12) continue;
        const some = await exact.contactCurve(a, b, 2);
        expect(some.complete).toBe(false);
        expect(some.segments.length).toBeLessThanOrEqual(12);
      }
    }
  });

  test('around a shared area is its outline', async () => {
    const beside = await modelOf([
      { solid: box(1, 1, 1), pose: moved(0, 0, 0) },
      { solid: box(1, 1, 1), pose: moved(1, 0, 0) },
    ]);
    const two = new ExactModel(beside.model);
    const { segments } = await two.contactCurve(0, 1);
    expect(lengthOf(segments)).toBeCloseTo(4, 6);
    for (let i = 0; i < segments.length; i += 3) expect(segments[i]).toBeCloseTo(0.5, 6);
    await two.dispose();
  });
});

test('the surface nearest to a point, and angles between two', async () => {
  const pair = await modelOf([
    { solid: box(2, 2, 2, 3), pose: moved(0, 0, 0) },
    { solid: box(2, 2, 2, 3), pose: turned(Math.PI / 6, 5, 0, 0) },
  ]);
  const two = new ExactModel(pair.model);
  const top = await two.surface(0, [0.2, 0.3, 1.4]);
  expect(top.point.map((x) => Math.round(1e6 * x) / 1e6)).toEqual([0.2, 0.3, 1]);
  expect(top.normal.map(Math.round)).toEqual([0, 0, 1]);
  expect(normalOf(top.triangle)).toEqual(top.normal);
  const front = await two.surface(0, [1.1, 0.3, 0.2]);
  const turnedFront = await two.surface(1, [6.1, 0.6, 0.1]);
  expect(angleBetween(top.normal, front.normal)).toBeCloseTo(90, 9);
  expect(angleBetween(front.normal, turnedFront.normal)).toBeCloseTo(30, 4);
  expect(angleBetween([0, 0, 1], [0, 0, -1])).toBe(0);
  await two.dispose();
});

test('what cannot be measured is refused in one line', async () => {
  await expect(exact.distance(1, 1)).rejects.toThrowError('two different objects');
  await expect(exact.distance(1, 99)).rejects.toThrowError('the model has no object 99');
  await expect(exact.around(0, Number.NaN)).rejects.toThrowError(/distance/);
  await expect(exact.drag(moved(0, 0, 0), 0)).rejects.toThrowError('no object is being moved');
});

function lengthOf(segments: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < segments.length; i += 6) {
    sum += Math.hypot(...[0, 1, 2].map((k) => segments[i + k] - segments[i + 3 + k]));
  }
  return sum;
}
