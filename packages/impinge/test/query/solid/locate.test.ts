/** Points inside, outside and on objects of several parts, against exact predicates on every triangle. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { FAST, full, runs } from '../../../../../test/budget.js';
import { distanceTo, locatePoint } from '../../../src/query/solid/locate.js';
import { inPieces, slowDistance, slowLocation, trianglesOf, whole } from '../support/parts.js';
import { ball, cellSurface, cube, cylinder, gridBox, mesh, moved, torus, united } from './solids.js';

const solids = {
  box: () => mesh(gridBox([0, 0, 0], [2, 3, 1])),
  torus: () => mesh(torus(1, 0.4, 24, 12)),
  cylinder: () => mesh(cylinder(0.5, 3, 17)),
  'two balls, one in the other': () => mesh(united(ballArrays(1), ballArrays(0.5))),
  'cells that touch along an edge': () =>
    mesh(
      cellSurface([
        [0, 0, 0],
        [1, 1, 0],
        [1, 1, 1],
      ]),
    ),
};
const ballArrays = (radius: number) => {
  const { positions, indices } = ball(radius, 5);
  return { positions: positions.slice(), indices: indices.slice() };
};

describe('locatePoint equals all triangles by exact predicates', () => {
  for (const [name, make] of Object.entries(solids)) {
    test(`${name}: points at random, on the grid, at corners and on edges (seed 7)`, () => {
      const solid = make();
      const parts = inPieces(solid, 3, (t) => t % 3);
      const triangles = trianglesOf(parts);
      const random = seededRandom(7);
      const points: Float64Array[] = [];
      for (let i = 0; i < (FAST ? 40 : 150); i++) {
        points.push(Float64Array.from([0, 0, 0], () => 4 * random() - 1.5));
        points.push(Float64Array.from([0, 0, 0], () => Math.round(8 * (4 * random() - 1.5)) / 8));
        const t = 9 * Math.floor((random() * triangles.length) / 9);
        const corner = triangles.slice(t, t + 3);
        points.push(
          corner,
          corner.map((x, k) => (x + triangles[t + 3 + k]) / 2),
        );
      }
      const seen = new Set<string>();
      for (const p of points) {
        const expected = slowLocation(triangles, p);
        seen.add(expected);
        expect([...p, locatePoint(parts, p)]).toEqual([...p, expected]);
      }
      expect(seen.size).toBe(3);
    });
  }
});

describe('locatePoint', () => {
  test('moves with its object: any size, far away, stored about an origin (seed 11)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2 ** 30 }),
        fc.constantFrom(1e-6, 1, 1e6),
        fc.constantFrom(0, 1e6, 3e7),
        (seed, scale, away) => {
          const random = seededRandom(seed);
          const { positions, indices } = torus(scale, 0.3 * scale, 12, 7);
          const solid = mesh(moved({ positions, indices }, away * scale, -away * scale, 0));
          const parts = whole(solid);
          const triangles = trianglesOf(parts);
          for (let i = 0; i < 8; i++) {
            const p = Float64Array.from([0, 0, 0], () => (2.8 * random() - 1.4) * scale);
            p[2] *= 0.3;
            expect(locatePoint(parts, p)).toBe(slowLocation(triangles, p));
          }
        },
      ),
      { seed: 11, numRuns: runs(40) },
    );
  });

  full('equals all triangles where a tree is built on the way (seed 5)', () => {
    const solid = whole(mesh(torus(1, 0.4, 90, 45)));
    const triangles = trianglesOf(solid);
    const random = seededRandom(5);
    for (let i = 0; i < 60; i++) {
      const p = Float64Array.of(3 * random() - 1.5, 3 * random() - 1.5, random() - 0.5);
      expect(locatePoint(solid, p)).toBe(slowLocation(triangles, p));
    }
  });

  test('pieces that are not closed by themselves count together', () => {
    const solid = cube(2);
    const halves = inPieces(solid, 2, (t) => (t < 5 ? 0 : 1));
    expect(locatePoint(halves, Float64Array.of(0.1, 0.2, 0.3))).toBe('inside');
    expect(locatePoint(halves, Float64Array.of(0.1, 0.2, 1))).toBe('on');
    expect(locatePoint(halves, Float64Array.of(0.1, 0.2, 1.0000001))).toBe('outside');
    expect(locatePoint(halves, Float64Array.of(Number.NaN, 0, 0))).toBe('outside');
  });

  test('a fan of more triangles around a corner than rounding can leave open', () => {
    const fan = mesh(cylinder(1, 1, 400));
    expect(locatePoint(whole(fan), Float64Array.of(0, 0, 0.5))).toBe('on');
    expect(locatePoint(whole(fan), Float64Array.of(0, 0, 0.5 - 1e-15))).toBe('inside');
    expect(locatePoint(whole(fan), Float64Array.of(0, 0, 0))).toBe('inside');
  });
});

test('distanceTo equals all triangles, in pieces and about an origin (seed 3)', () => {
  const random = seededRandom(3);
  for (const away of [0, 1e6]) {
    const parts = inPieces(mesh(moved(torus(1, 0.4, 20, 10), away)), 3, (t) => t % 3);
    const triangles = trianglesOf(parts);
    for (let i = 0; i < 60; i++) {
      const p = Float64Array.of(3 * random() - 1, 10 * random(), 2 * random() - 1);
      expect(Math.abs(distanceTo(parts, p) - slowDistance(triangles, p))).toBeLessThan(1e-12);
    }
  }
});
