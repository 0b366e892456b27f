import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/budget.js';
import {
  crossingRayTriangle,
  intersectsSegmentSegment,
  intersectsSegmentTriangle,
  pointOnTriangle,
  RAY_DEGENERATE,
} from '../../src/geometry/index.js';
import { FAMILIES } from './arbitraries.js';
import { exactOrient3d, exactPointTriangle, exactSegmentSegment, exactSegmentTriangle } from './oracle.js';

for (const [name, pairs] of FAMILIES) {
  describe(`exact tests on ${name} (seed 41)`, () => {
    const settings = { seed: 41, numRuns: runs(500) };

    it('segment–segment', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const expected = exactSegmentSegment(pair.slice(0, 6), pair.slice(9, 15)) === 0;
          expect(intersectsSegmentSegment(pair, 0, 3, pair, 9, 12)).toBe(expected);
          expect(intersectsSegmentSegment(pair, 12, 9, pair, 0, 3)).toBe(expected);
        }),
        settings,
      );
    });

    it('segment–triangle and point–triangle', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const t = pair.slice(9);
          const expected = exactSegmentTriangle(pair.slice(0, 6), t) === 0;
          expect(intersectsSegmentTriangle(pair, 0, 3, pair, 9)).toBe(expected);
          expect(intersectsSegmentTriangle(pair, 3, 0, pair, 9)).toBe(expected);
          expect(pointOnTriangle(pair, 0, pair, 9)).toBe(exactPointTriangle(pair.slice(0, 3), t) === 0);
        }),
        settings,
      );
    });

    it('ray–triangle: crosses, misses or says it cannot tell', () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const t = pair.slice(9);
          const touches = exactSegmentTriangle(pair.slice(0, 6), t) === 0;
          const crossing = crossingRayTriangle(pair, 0, pair, 3, pair, 9);
          expect(crossing !== 0).toBe(touches);
          const reverse = crossingRayTriangle(pair, 3, pair, 0, pair, 9);
          if (crossing === RAY_DEGENERATE) expect(reverse).toBe(RAY_DEGENERATE);
          else {
            expect(reverse === -crossing || (reverse === 0 && crossing === 0)).toBe(true);
            if (crossing !== 0) expect(exactOrient3d([...t, ...pair.slice(3, 6)]).sign).toBe(crossing);
          }
          // a proper crossing keeps off the border
          const border = [0, 3, 6].some((i) => {
            const edge = [...t.slice(i, i + 3), ...t.slice((i + 3) % 9, ((i + 3) % 9) + 3)];
            return exactSegmentSegment(pair.slice(0, 6), edge) === 0;
          });
          if (border) expect(crossing).toBe(RAY_DEGENERATE);
        }),
        settings,
      );
    });
  });
}

describe('crossingRayTriangle', () => {
  it('counts the crossings of a cube from inside and from outside', () => {
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [i & 1, (i >> 1) & 1, i >> 2]);
    const faces = [
      [0, 2, 3, 1],
      [4, 5, 7, 6],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 4, 6, 2],
      [1, 3, 7, 5],
    ];
    const cube = Float64Array.from(
      faces.flatMap(([p, q, r, s]) => [p, q, r, p, r, s]).flatMap((i) => corners[i]),
    );
    const count = (point: number[], towards: number[]) => {
      const ray = Float64Array.of(...point, ...towards);
      let sum = 0;
      for (let at = 0; at < cube.length; at += 9) sum += crossingRayTriangle(ray, 0, ray, 3, cube, at);
      return sum;
    };
    expect(count([0.5, 0.4, 0.3], [5, 6, 7])).toBe(1);
    expect(count([-1, 0.4, 0.3], [5, 0.5, 0.6])).toBe(0);
    expect(count([0.5, 0.5, 2], [5, 6, 7])).toBe(0);
  });

  it('is degenerate on the surface, on edges and in the plane', () => {
    const t = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0);
    const ray = (...x: number[]) =>
      crossingRayTriangle(Float64Array.from(x), 0, Float64Array.from(x), 3, t, 0);
    expect(ray(1, 1, 0, 1, 1, 5)).toBe(RAY_DEGENERATE);
    expect(ray(1, 0, -1, 1, 0, 5)).toBe(RAY_DEGENERATE);
    expect(ray(-1, 1, 0, 9, 1, 0)).toBe(RAY_DEGENERATE);
    expect(ray(9, 9, 0, 9, 9, 5)).toBe(0);
    expect(ray(1, 1, -1, 1, 1, 5)).toBe(1);
    expect(ray(1, 1, 5, 1, 1, -1)).toBe(-1);
  });
});
