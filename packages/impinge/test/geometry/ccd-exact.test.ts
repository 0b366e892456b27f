import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { exactEdgeEdge } from '../../src/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from '../../src/geometry/ccd/exact-vertex-face.js';
import { DEPTH, meetsByInclusion } from './ccd-inclusion.js';
import {
  families,
  integerFamilies,
  KINDS,
  type Kind,
  magnitudeOf,
  type Query,
  relativeAt,
  reordered,
  reversed,
  touching,
} from './ccd-queries.js';

const out = new Float64Array(6);
const test = (kind: Kind, p: Query) =>
  kind === 'vertex-face' ? exactVertexFace(p, out) : exactEdgeEdge(p, out);
/** Numbers of any magnitude make integers of thousands of bits: fewer of those. */
const settings = (seed: number, numRuns: number, name = '') => ({
  seed,
  numRuns: runs(name === 'any magnitude' ? 25 : numRuns),
});

for (const kind of KINDS) {
  describe(`exact ${kind} against inclusion (seed 41)`, () => {
    it.each(integerFamilies(kind))('%s', (_, queries) => {
      let hits = 0;
      let sharp = 0;
      fc.assert(
        fc.property(queries, (p) => {
          const hit = test(kind, p);
          expect(hit).toBe(meetsByInclusion(kind, p));
          if (!hit) return;
          hits++;
          // not before the time found; where they graze, the gap grows slowly with the distance in time
          const cells = Math.floor(out[0] * 2 ** DEPTH);
          const isFree = (before: number) =>
            cells < before || !meetsByInclusion(kind, p, (cells - before) * 2 ** -DEPTH);
          expect(isFree(2 ** (DEPTH - 5))).toBe(true);
          if (isFree(2 ** (DEPTH - 11))) sharp++;
        }),
        settings(41, 250),
      );
      expect(hits).toBeGreaterThan(0);
      expect(sharp / hits).toBeGreaterThan(0.9);
    });
  });

  describe(`exact ${kind}: what a contact looks like (seed 42)`, () => {
    it.each(families(kind))('%s', (name, queries) => {
      let contacts = 0;
      fc.assert(
        fc.property(queries, (p) => {
          if (!test(kind, p)) return;
          contacts++;
          const [t, u, v, nx, ny, nz] = out as unknown as [number, number, number, number, number, number];
          for (const x of [t, u, v]) expect(x >= 0 && x <= 1).toBe(true);
          if (kind === 'vertex-face') expect(u + v).toBeLessThanOrEqual(1);
          expect(Math.abs(Math.hypot(nx, ny, nz) - 1)).toBeLessThan(1e-14);
          if (magnitudeOf(p) > 1e150) return;
          const { position, velocity } = relativeAt(kind, p, out);
          const scale = magnitudeOf(p);
          expect(Math.hypot(...position)).toBeLessThanOrEqual(1e-13 * scale);
          // never away from where the first element comes from
          expect(nx * velocity[0] + ny * velocity[1] + nz * velocity[2]).toBeLessThanOrEqual(1e-13 * scale);
        }),
        settings(42, 300, name),
      );
      expect(contacts).toBeGreaterThan(least(0));
    });
  });

  describe(`exact ${kind}: symmetries (seed 43)`, () => {
    const orders =
      kind === 'vertex-face'
        ? [
            [0, 2, 3, 1],
            [0, 1, 3, 2],
          ]
        : [
            [2, 3, 0, 1],
            [1, 0, 2, 3],
            [0, 1, 3, 2],
          ];
    it.each(families(kind))('%s', (name, queries) => {
      fc.assert(
        fc.property(queries, (p) => {
          const hit = test(kind, p);
          const t = out[0];
          for (const order of orders) {
            expect(test(kind, reordered(p, order))).toBe(hit);
            if (hit) expect(out[0]).toBe(t);
          }
          expect(test(kind, reversed(p))).toBe(hit);
          // the last contact is not before the first
          if (hit) expect(1 - out[0]).toBeGreaterThanOrEqual(t - 1e-15);
          const axes = p.map((_, i) => p[3 * Math.trunc(i / 3) + ((i + 1) % 3)]);
          expect(test(kind, axes)).toBe(hit);
          if (hit) expect(out[0]).toBe(t);
        }),
        settings(43, 200, name),
      );
    });

    it('scales by powers of two and moves by integers', () => {
      const moves = fc.tuple(fc.integer({ min: -900, max: 900 }), fc.integer({ min: -1e9, max: 1e9 }));
      for (const [, queries] of integerFamilies(kind))
        fc.assert(
          fc.property(queries, moves, (p, [exponent, offset]) => {
            const hit = test(kind, p);
            const answer = [...out];
            expect(
              test(
                kind,
                p.map((x) => x * 2 ** exponent),
              ),
            ).toBe(hit);
            if (hit) expect([...out]).toEqual(answer);
            expect(
              test(
                kind,
                p.map((x) => x + offset),
              ),
            ).toBe(hit);
            if (hit) expect([...out]).toEqual(answer);
          }),
          settings(43, 60),
        );
    });
  });
}

describe('exact continuous tests: contact at a known time (seed 44)', () => {
  it.each(KINDS)('%s: not later', (kind) => {
    let earlier = 0;
    fc.assert(
      fc.property(touching(kind), ([p, time]) => {
        expect(test(kind, p)).toBe(true);
        expect(out[0]).toBeLessThanOrEqual(time);
        if (out[0] < time) earlier++;
      }),
      settings(44, 1000),
    );
    expect(earlier).toBeLessThan(500);
  });
});
