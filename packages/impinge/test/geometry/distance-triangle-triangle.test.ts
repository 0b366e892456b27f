import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { distanceSqTriangleTriangle, FACE } from '../../src/geometry/index.js';
import { FAMILIES, type Pair, thinAndClose } from './arbitraries.js';
import { extentOf, magnitudeOf } from './measures.js';
import { exactPointTriangle, exactTriangleTriangle } from './oracle.js';

/** How far off a point is from the feature of the triangle that it should lie on. */
function offFeature(point: Float64Array, triangle: Float64Array, feature: number): number {
  const corner = (i: number) => triangle.subarray(3 * (i % 3), 3 * (i % 3) + 3);
  let part: Float64Array[];
  if (feature === FACE) part = [corner(0), corner(1), corner(2)];
  else if (feature >= 3) part = [corner(feature - 3), corner(feature - 2), corner(feature - 2)];
  else part = [corner(feature), corner(feature), corner(feature)];
  return Math.sqrt(
    exactPointTriangle(
      point,
      part.flatMap((x) => [...x]),
    ),
  );
}

function swapped(pair: Pair): Pair {
  const out = new Float64Array(18);
  out.set(pair.subarray(9), 0);
  out.set(pair.subarray(0, 9), 9);
  return out;
}

describe('distanceSqTriangleTriangle', () => {
  for (const [name, pairs] of [...FAMILIES, ['thin and close', thinAndClose] as const]) {
    it(`is within 1e-13 of the exact distance, with true witnesses: ${name} (seed 11)`, () => {
      const features = new Set<number>();
      fc.assert(
        fc.property(pairs, (pair) => {
          const exact = exactTriangleTriangle(pair, 0, pair, 9);
          const extent = extentOf(pair);
          const out = new Float64Array(8);
          const found = distanceSqTriangleTriangle(pair, 0, pair, 9, out);
          expect(found === 0).toBe(exact.intersects);
          expect(Math.abs(Math.sqrt(found) - Math.sqrt(exact.distanceSq))).toBeLessThanOrEqual(
            1e-13 * extent,
          );
          expect(distanceSqTriangleTriangle(pair, 0, pair, 9)).toBe(found);
          // the witness points realise it and lie on the features they are said to lie on
          const tolerance = 1e-13 * extent + 1e-15 * magnitudeOf(pair);
          const gap = Math.hypot(out[0] - out[3], out[1] - out[4], out[2] - out[5]);
          expect(Math.abs(gap - Math.sqrt(found))).toBeLessThanOrEqual(2 * tolerance);
          expect(offFeature(out.subarray(0, 3), pair.subarray(0, 9), out[6])).toBeLessThanOrEqual(tolerance);
          expect(offFeature(out.subarray(3, 6), pair.subarray(9, 18), out[7])).toBeLessThanOrEqual(tolerance);
          if (found > 0) features.add(out[6]).add(out[7]);
          // sides swapped
          const other = swapped(pair);
          const back = distanceSqTriangleTriangle(other, 0, other, 9);
          expect(Math.abs(Math.sqrt(back) - Math.sqrt(found))).toBeLessThanOrEqual(1e-13 * extent);
        }),
        { seed: 11, numRuns: runs(600) },
      );
      expect(features.size).toBeGreaterThan(least(3));
    });
  }

  it('reports vertex, edge and face where each is the only answer', () => {
    const out = new Float64Array(8);
    const floor = [0, 0, 0, 4, 0, 0, 0, 4, 0];
    const overFace = Float64Array.of(...floor, 1, 1, 2, 1, 1, 9, 2, 1, 9);
    expect(distanceSqTriangleTriangle(overFace, 0, overFace, 9, out)).toBe(4);
    expect([...out]).toEqual([1, 1, 0, 1, 1, 2, FACE, 0]);
    const acrossEdge = Float64Array.of(...floor, 1, -3, -5, 1, -3, 5, 1, -9, 0);
    expect(distanceSqTriangleTriangle(acrossEdge, 0, acrossEdge, 9, out)).toBe(9);
    expect([...out]).toEqual([1, 0, 0, 1, -3, 0, 3, 3]);
    const beyondVertex = Float64Array.of(...floor, -1, -1, 0, -5, -1, 1, -1, -5, 1);
    expect(distanceSqTriangleTriangle(beyondVertex, 0, beyondVertex, 9, out)).toBe(2);
    expect([...out]).toEqual([0, 0, 0, -1, -1, 0, 0, 0]);
  });

  it('gives a common point when the triangles cross', () => {
    const out = new Float64Array(8);
    const pair = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0, 1, 1, -1, 1, 1, 3, 9, 9, 3);
    expect(distanceSqTriangleTriangle(pair, 0, pair, 9, out)).toBe(0);
    expect([...out.subarray(0, 3)]).toEqual([...out.subarray(3, 6)]);
    expect([out[6], out[7]]).toEqual([FACE, FACE]);
  });
});
