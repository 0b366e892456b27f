import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/budget.js';
import {
  closestPointOnTriangle,
  distanceSqPointTriangle,
  distanceSqSegmentSegment,
  distanceSqSegmentTriangle,
  FACE,
} from '../../src/geometry/index.js';
import { FAMILIES, thinAndClose } from './arbitraries.js';
import { extentOf, magnitudeOf } from './measures.js';
import { exactPointTriangle, exactSegmentSegment, exactSegmentTriangle } from './oracle.js';

for (const [name, pairs] of [...FAMILIES, ['thin and close', thinAndClose] as const]) {
  describe(`distances on ${name} (seed 21)`, () => {
    const settings = { seed: 21, numRuns: runs(400) };

    it('segment–segment', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const out = new Float64Array(8);
          const found = distanceSqSegmentSegment(pair, 0, 3, pair, 9, 12, out);
          const p = pair.slice(0, 6);
          const q = pair.slice(9, 15);
          const tolerance = 1e-13 * extentOf([...p, ...q]) + 1e-15 * magnitudeOf(pair);
          expect(Math.abs(Math.sqrt(found) - Math.sqrt(exactSegmentSegment(p, q)))).toBeLessThanOrEqual(
            tolerance,
          );
          const gap = Math.hypot(out[0] - out[3], out[1] - out[4], out[2] - out[5]);
          expect(Math.abs(gap - Math.sqrt(found))).toBeLessThanOrEqual(2 * tolerance);
          if (out[6] !== 2)
            expect([...out.subarray(0, 3)]).toEqual([...p.subarray(3 * out[6], 3 * out[6] + 3)]);
          if (out[7] !== 2)
            expect([...out.subarray(3, 6)]).toEqual([...q.subarray(3 * out[7], 3 * out[7] + 3)]);
        }),
        settings,
      );
    });

    it('point–triangle', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const p = pair.slice(0, 3);
          const t = pair.slice(9, 18);
          const found = distanceSqPointTriangle(pair, 0, pair, 9);
          const tolerance = 1e-13 * extentOf([...p, ...t]) + 1e-15 * magnitudeOf(pair);
          expect(Math.abs(Math.sqrt(found) - Math.sqrt(exactPointTriangle(p, t)))).toBeLessThanOrEqual(
            tolerance,
          );
          const closest = new Float64Array(4);
          const feature = closestPointOnTriangle(pair, 0, pair, 9, closest, 1);
          expect(Math.sqrt(exactPointTriangle(closest.subarray(1), t))).toBeLessThanOrEqual(tolerance);
          if (feature < 3)
            expect([...closest.subarray(1)]).toEqual([...t.subarray(3 * feature, 3 * feature + 3)]);
        }),
        settings,
      );
    });

    it('segment–triangle', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const out = new Float64Array(8);
          const found = distanceSqSegmentTriangle(pair, 0, 3, pair, 9, out);
          const s = pair.slice(0, 6);
          const t = pair.slice(9, 18);
          const exact = exactSegmentTriangle(s, t);
          const tolerance = 1e-13 * extentOf([...s, ...t]) + 1e-15 * magnitudeOf(pair);
          expect(found === 0).toBe(exact === 0);
          expect(Math.abs(Math.sqrt(found) - Math.sqrt(exact))).toBeLessThanOrEqual(tolerance);
          expect(Math.sqrt(exactPointTriangle(out.subarray(3, 6), t))).toBeLessThanOrEqual(tolerance);
          const onSegment = Math.sqrt(exactSegmentSegment([...out.subarray(0, 3), ...out.subarray(0, 3)], s));
          expect(onSegment).toBeLessThanOrEqual(tolerance);
        }),
        settings,
      );
    });
  });
}

describe('features of the closest point', () => {
  const t = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0);
  for (const [where, point, feature] of [
    ['vertex 0', [-1, -1, 1], 0],
    ['vertex 1', [9, 0, 1], 1],
    ['vertex 2', [0, 9, 1], 2],
    ['edge 0', [1, -1, 1], 3],
    ['edge 1', [3, 3, 1], 4],
    ['edge 2', [-1, 1, 1], 5],
    ['the face', [1, 1, 1], FACE],
  ] as const) {
    it(where, () => {
      expect(closestPointOnTriangle(Float64Array.from(point), 0, t, 0, new Float64Array(3), 0)).toBe(feature);
    });
  }
});
