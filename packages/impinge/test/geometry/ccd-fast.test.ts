/** The fast continuous test at distance 0 against the exact one: what it decides is right, the rest it leaves open. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { exactEdgeEdge } from '../../src/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from '../../src/geometry/ccd/exact-vertex-face.js';
import { fastEdgeEdge, fastVertexFace } from '../../src/geometry/ccd/fast-contact.js';
import { DOUBT, HIT, MISS, type Verdict } from '../../src/geometry/ccd/verdict.js';
import { families, KINDS, type Kind, type Query, reordered } from './ccd-queries.js';

const out = new Float64Array(6);
const truth = new Float64Array(6);
const fast = (kind: Kind, p: Query): Verdict =>
  kind === 'vertex-face' ? fastVertexFace(p, 0, out) : fastEdgeEdge(p, 0, out);
const exact = (kind: Kind, p: Query): boolean =>
  kind === 'vertex-face' ? exactVertexFace(p, truth) : exactEdgeEdge(p, truth);

/** Elements that at a time of sixteenths pass each other at a vertex or edge, closer than 10^-exponent. */
const passing = fc
  .tuple(
    families('edge-edge').find(([name]) => name === 'floats')![1],
    fc.integer({ min: 0, max: 15 }),
    fc.integer({ min: 3, max: 18 }),
    fc.integer({ min: 0, max: 8 }),
  )
  .map(([xs, sixteenths, exponent, eighths]) => {
    const out = Float64Array.from(xs);
    const t = sixteenths / 16;
    for (let k = 0; k < 3; k++) {
      const place = (n: number) => (1 - t) * xs[3 * n + k] + t * xs[12 + 3 * n + k];
      const target = place(2) + (eighths / 8) * (place(3) - place(2)) + 10 ** -exponent * xs[(7 * k) % 24];
      out[k] = (target - t * xs[12 + k]) / (1 - t);
    }
    return out;
  });

/** A face that turns through the plane of a vertex, or hardly not: nearly double roots of the volume. */
const turning = fc
  .tuple(
    fc.integer({ min: -1000, max: 1000 }),
    fc.integer({ min: 1, max: 17 }),
    fc.integer({ min: -50, max: 50 }),
  )
  .map(([height, exponent, tilt]) => {
    const h = height * 10 ** -exponent;
    const z = tilt / 100;
    const still = [2, -1, 0, -1, 2, 0];
    return Float64Array.from([0.2, 0.2, h, -1, -1, z, ...still, 0.3, 0.3, h, -1, -1, -z, ...still]);
  });

const all = (kind: Kind) => [...families(kind), ['passing', passing] as const, ['turning', turning] as const];
/** Little in these is degenerate, so little may be left open. */
const CLEAR = ['floats', 'short steps in float32'];
/** All of these touch, or are too wild for any certainty. */
const WITHOUT_MISS = ['touching', 'any magnitude'];
/** Where these touch, it is in a plane or too close to a border. */
const WITHOUT_HIT = ['standing still', 'one plane', 'one line', 'slivers', 'any magnitude'];

describe.each(KINDS)('fast %s against exact (seed 61)', (kind) => {
  it.each(all(kind))('%s', (name, queries) => {
    const counts = [0, 0, 0];
    fc.assert(
      fc.property(queries, (p) => {
        const verdict = fast(kind, p);
        counts[verdict]++;
        const hit = exact(kind, p);
        if (verdict === DOUBT) return;
        expect(verdict).toBe(hit ? HIT : MISS);
        if (!hit) return;
        expect(out[0]).toBeLessThanOrEqual(truth[0]);
        expect(out[0]).toBeGreaterThanOrEqual(truth[0] - 1.1e-9);
        for (let i = 1; i < 6; i++) expect(Math.abs(out[i] - truth[i])).toBeLessThan(1e-5);
        expect(Math.hypot(out[3], out[4], out[5])).toBeCloseTo(1, 12);
      }),
      { seed: 61, numRuns: runs(name === 'any magnitude' ? 40 : 300) },
    );
    if (CLEAR.includes(name)) expect(counts[DOUBT]).toBeLessThan(10);
    if (!WITHOUT_MISS.includes(name)) expect(counts[MISS]).toBeGreaterThan(least(0));
    if (!WITHOUT_HIT.includes(name) && (name !== 'turning' || kind === 'vertex-face')) {
      expect(counts[HIT]).toBeGreaterThan(least(0));
    }
  });

  it('leaves open what touches in a plane, and only that (seed 62)', () => {
    const [, inPlane] = families(kind).find(([name]) => name === 'one plane')!;
    fc.assert(
      fc.property(inPlane, (p) => {
        expect(fast(kind, p)).toBe(exact(kind, p) ? DOUBT : MISS);
      }),
      { seed: 62, numRuns: runs(300) },
    );
  });

  it('gives the same answer at another scale (seed 63)', () => {
    const [, floats] = families(kind).find(([name]) => name === 'floats')!;
    fc.assert(
      fc.property(floats, fc.integer({ min: -60, max: 60 }), (p, exponent) => {
        const verdict = fast(kind, p);
        const first = out.slice();
        expect(fast(kind, p.map((x) => x * 2 ** exponent) as Query)).toBe(verdict);
        if (verdict === HIT) expect(out).toEqual(first);
      }),
      { seed: 63, numRuns: runs(300) },
    );
  });

  it('says of NaN and infinity only that it does not know', () => {
    for (let i = 0; i < 24; i++) {
      for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
        const p = Float64Array.from({ length: 24 }, (_, k) => Math.sin(7 * k));
        p[i] = bad;
        expect(fast(kind, p)).toBe(DOUBT);
      }
    }
  });
});

describe('fast edge-edge', () => {
  it('gives the same contact with the edges exchanged (seed 64)', () => {
    const [, floats] = families('edge-edge').find(([name]) => name === 'floats')!;
    let hits = 0;
    fc.assert(
      fc.property(floats, (p) => {
        const verdict = fast('edge-edge', p);
        const [t, u, v, ...normal] = out;
        expect(fast('edge-edge', reordered(p, [2, 3, 0, 1]))).toBe(verdict);
        if (verdict !== HIT) return;
        hits++;
        expect(Math.abs(out[0] - t)).toBeLessThan(2e-9);
        expect(out[1]).toBeCloseTo(v, 6);
        expect(out[2]).toBeCloseTo(u, 6);
        normal.forEach((x, k) => {
          expect(out[3 + k]).toBeCloseTo(-x, 6);
        });
      }),
      { seed: 64, numRuns: runs(300) },
    );
    expect(hits).toBeGreaterThan(least(20));
  });
});
