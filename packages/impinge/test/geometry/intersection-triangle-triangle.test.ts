import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/budget.js';
import {
  intersectionPolygonCoplanar,
  intersectionTriangleTriangle,
  intersectsTriangleTriangle,
} from '../../src/geometry/index.js';
import { FAMILIES, thinAndClose, tiltedPlane } from './arbitraries.js';
import { extentOf, magnitudeOf } from './measures.js';
import { exactPointTriangle } from './oracle.js';

describe('intersectionTriangleTriangle', () => {
  for (const [name, pairs] of [...FAMILIES, ['thin and close', thinAndClose] as const]) {
    it(`agrees with the predicate and lies on both triangles: ${name} (seed 31)`, () => {
      fc.assert(
        fc.property(pairs, (pair) => {
          const out = new Float64Array(20).fill(NaN);
          const count = intersectionTriangleTriangle(pair, 0, pair, 9, out, 1);
          expect(count > 0).toBe(intersectsTriangleTriangle(pair, 0, pair, 9));
          expect(intersectionTriangleTriangle(pair, 9, pair, 0, new Float64Array(18), 0)).toBe(count);
          const tolerance = 1e-14 * extentOf(pair) + 1e-15 * magnitudeOf(pair);
          for (let i = 0; i < count; i++) {
            const corner = out.subarray(1 + 3 * i, 4 + 3 * i);
            for (const at of [0, 9]) {
              const triangle = pair.subarray(at, at + 9);
              expect(Math.sqrt(exactPointTriangle(corner, triangle))).toBeLessThanOrEqual(tolerance);
              for (let k = 0; k < 3; k++) {
                const side = [triangle[k], triangle[3 + k], triangle[6 + k]];
                expect(corner[k]).toBeGreaterThanOrEqual(Math.min(...side));
                expect(corner[k]).toBeLessThanOrEqual(Math.max(...side));
              }
            }
          }
          // nothing is written before, nor after the corners
          expect(out[0]).toBeNaN();
          expect(out[1 + 3 * count]).toBeNaN();
        }),
        { seed: 31, numRuns: runs(500) },
      );
    });
  }

  const cases: readonly (readonly [string, readonly number[], readonly number[][]])[] = [
    [
      'a segment inside both',
      [1, 1, -1, 1, 1, 1, 1, 9, 0],
      [
        [1, 1, 0],
        [1, 3, 0],
      ],
    ],
    ['a vertex on the face', [1, 1, 0, 1, 1, 1, 2, 1, 1], [[1, 1, 0]]],
    ['a vertex on a vertex', [0, 0, 0, -1, 0, 1, 0, -1, 1], [[0, 0, 0]]],
    [
      'a shared edge',
      [0, 0, 0, 4, 0, 0, 0, 0, 4],
      [
        [0, 0, 0],
        [4, 0, 0],
      ],
    ],
    ['edges that cross', [1, 0, -1, 1, 0, 1, 1, -4, 0], [[1, 0, 0]]],
    ['a point', [1, 1, 0, 1, 1, 0, 1, 1, 0], [[1, 1, 0]]],
    ['a segment through it', [1, 1, -1, 1, 1, 1, 1, 1, 0.5], [[1, 1, 0]]],
    [
      'a segment in its plane',
      [-1, 1, 0, 9, 1, 0, 1, 1, 0],
      [
        [0, 1, 0],
        [3, 1, 0],
      ],
    ],
    [
      'coplanar, touching in a segment',
      [0, -4, 0, 1, 0, 0, 3, 0, 0],
      [
        [1, 0, 0],
        [3, 0, 0],
      ],
    ],
    [
      'coplanar, contained',
      [1, 1, 0, 2, 1, 0, 1, 2, 0],
      [
        [1, 1, 0],
        [1, 2, 0],
        [2, 1, 0],
      ],
    ],
  ];
  for (const [name, b, corners] of cases) {
    it(name, () => {
      const pair = Float64Array.of(0, 0, 0, 4, 0, 0, 0, 4, 0, ...b);
      const out = new Float64Array(18);
      const count = intersectionTriangleTriangle(pair, 0, pair, 9, out, 0);
      const found = Array.from({ length: count }, (_, i) => [...out.subarray(3 * i, 3 * i + 3)]);
      const order = (x: number[][]) => x.map((p) => p.join(' ')).sort();
      expect(order(found)).toEqual(order([...corners]));
    });
  }
});

describe('intersectionPolygonCoplanar', () => {
  it('finds the hexagon of a star', () => {
    const pair = Float64Array.of(-3, -2, 5, 3, -2, 5, 0, 4, 5, -3, 2, 5, 3, 2, 5, 0, -4, 5);
    const out = new Float64Array(18);
    expect(intersectionPolygonCoplanar(pair, 0, pair, 9, out, 0)).toBe(6);
    expect(areaOf(out, 6)).toBeCloseTo(12, 12);
  });

  it('has the area of the clipped triangle (seed 32)', () => {
    fc.assert(
      fc.property(tiltedPlane, (pair) => {
        const out = new Float64Array(18);
        const count = intersectionPolygonCoplanar(pair, 0, pair, 9, out, 0);
        expect(count > 0).toBe(intersectsTriangleTriangle(pair, 0, pair, 9));
        const area = count > 2 ? areaOf(out, count) : 0;
        expect(Math.abs(area - clippedArea(pair))).toBeLessThanOrEqual(1e-9);
      }),
      { seed: 32, numRuns: runs(2000) },
    );
  });
});

/** Of a convex polygon in order; a wrong order would cross itself and lose area. */
function areaOf(points: ArrayLike<number>, count: number): number {
  const n = [0, 0, 0];
  for (let i = 1; i + 1 < count; i++) {
    const u = [0, 1, 2].map((k) => points[3 * i + k] - points[k]);
    const v = [0, 1, 2].map((k) => points[3 * i + 3 + k] - points[k]);
    for (let k = 0; k < 3; k++)
      n[k] = n[k] + u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
  }
  return Math.hypot(...n) / 2;
}

/** Sutherland and Hodgman's clipping of a by the three half-spaces over b's edges, in float64. */
function clippedArea(pair: ArrayLike<number>): number {
  const vertex = (i: number) => [pair[3 * i], pair[3 * i + 1], pair[3 * i + 2]];
  const minus = (p: number[], q: number[]) => p.map((x, k) => x - q[k]);
  const times = (p: number[], q: number[]) => p.reduce((sum, x, k) => sum + x * q[k], 0);
  let polygon = [vertex(0), vertex(1), vertex(2)];
  if (areaOf(polygon.flat(), 3) === 0) return 0;
  for (let i = 0; i < 3; i++) {
    const from = vertex(3 + i);
    const edge = minus(vertex(3 + ((i + 1) % 3)), from);
    const inward = minus(vertex(3 + ((i + 2) % 3)), from);
    // the part of `inward` across the edge
    const length = times(edge, edge);
    if (length === 0) return 0;
    const across = minus(
      inward,
      edge.map((x) => (x * times(edge, inward)) / length),
    );
    if (times(across, across) < 1e-12) return 0;
    const clipped: number[][] = [];
    polygon.forEach((p, k) => {
      const q = polygon[(k + 1) % polygon.length];
      const dp = times(minus(p, from), across);
      const dq = times(minus(q, from), across);
      if (dp >= 0) clipped.push(p);
      if (dp * dq < 0) clipped.push(p.map((x, c) => x + (dp / (dp - dq)) * (q[c] - x)));
    });
    polygon = clipped;
  }
  return polygon.length > 2 ? areaOf(polygon.flat(), polygon.length) : 0;
}
