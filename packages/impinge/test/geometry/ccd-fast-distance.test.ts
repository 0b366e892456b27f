/** The fast continuous test within a distance, against distances sampled over time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { least, runs } from '../../../../test/budget.js';
import { closestOnPatch } from '../../src/geometry/ccd/closest-on-patch.js';
import { EDGE_EDGE_PATCH, VERTEX_FACE_PATCH } from '../../src/geometry/ccd/difference-patch.js';
import { fastEdgeEdge, fastVertexFace } from '../../src/geometry/ccd/fast-contact.js';
import { HIT, MISS, type Verdict } from '../../src/geometry/ccd/verdict.js';
import { distanceSqPointTriangle } from '../../src/geometry/distance/point-triangle.js';
import { distanceSqSegmentSegment } from '../../src/geometry/distance/segment-segment.js';
import { families, KINDS, type Kind, magnitudeOf, type Query, relativeAt } from './ccd-queries.js';
import { exactPointTriangle, exactSegmentSegment } from './oracle.js';

const SAMPLES = 256;
const out = new Float64Array(6);
const fast = (kind: Kind, p: Query, asked: number): Verdict =>
  kind === 'vertex-face' ? fastVertexFace(p, asked, out) : fastEdgeEdge(p, asked, out);

/** The four points at time t. */
const at = (p: Query, t: number) => p.subarray(0, 12).map((x, i) => (1 - t) * x + t * p[12 + i]);

/** By the distance functions of the library, which do not know of patches. */
function distanceAt(kind: Kind, p: Query, t: number): number {
  const q = at(p, t);
  return Math.sqrt(
    kind === 'vertex-face' ? distanceSqPointTriangle(q, 0, q, 3) : distanceSqSegmentSegment(q, 0, 3, q, 6, 9),
  );
}

/** The least distance, and a time of it: the best sample, refined by golden sections around it. */
function leastDistance(kind: Kind, p: Query): { least: number; time: number } {
  let time = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= SAMPLES; i++) {
    const distance = distanceAt(kind, p, i / SAMPLES);
    if (distance < least) [least, time] = [distance, i / SAMPLES];
  }
  let low = Math.max(0, time - 1 / SAMPLES);
  let high = Math.min(1, time + 1 / SAMPLES);
  for (let i = 0; i < 60; i++) {
    const [x, y] = [low + 0.382 * (high - low), low + 0.618 * (high - low)];
    if (distanceAt(kind, p, x) < distanceAt(kind, p, y)) high = y;
    else low = x;
  }
  const refined = distanceAt(kind, p, low);
  return refined < least ? { least: refined, time: low } : { least, time };
}

const DISTANCES = fc.constantFrom(1e-6, 1e-3, 0.02, 0.1, 0.4);
const GENTLE = families('edge-edge').filter(([name]) => name !== 'any magnitude');

/** Close to each other, sliding along and a little towards or away from each other: distances hardly change. */
const sliding = fc
  .tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: -100, max: 100 }), fc.boolean())
  .map(([tilt, drift, across]) => {
    const z = 0.1 + 1e-4 * tilt;
    const dz = drift * 1e-9;
    const edge = across ? [0.5, -1, 0, 0.5, 1, 0] : [-1, 0.01, 0, 2, 0.01, 0];
    return Float64Array.from([0, 0, z, 1, 0, 0.1, ...edge, 0.3, 0.2, z - dz, 1.3, 0.2, 0.1 - dz, ...edge]);
  });

describe.each(KINDS)('fast %s within a distance (seed 65)', (kind) => {
  it.each([...GENTLE, ['sliding', sliding] as const])('%s', (_, queries) => {
    const counts = [0, 0, 0];
    fc.assert(
      fc.property(queries, DISTANCES, (p, share) => {
        const scale = magnitudeOf(p);
        const asked = share * Math.max(scale, 1e-3);
        const { least, time } = leastDistance(kind, p);
        const verdict = fast(kind, p, asked);
        counts[verdict]++;
        if (verdict === MISS) {
          expect(least).toBeGreaterThan(asked - 1e-13 * scale);
          return;
        }
        expect(verdict).toBe(HIT);
        // it is that close at the time found, at the place found, along the normal, and was not before
        const [t, , , nx, ny, nz] = out as unknown as [number, number, number, number, number, number];
        const distance = distanceAt(kind, p, t);
        expect(distance).toBeLessThan(asked + 1e-8 * scale);
        for (let i = 0; i <= SAMPLES && i / SAMPLES < t; i++) {
          expect(distanceAt(kind, p, i / SAMPLES)).toBeGreaterThan(asked - 1e-12 * scale);
        }
        if (time < t) expect(least).toBeGreaterThan(asked - 1e-12 * scale);
        const { position } = relativeAt(kind, p, out);
        expect(Math.hypot(...position)).toBeCloseTo(distance, 9);
        expect(Math.hypot(nx, ny, nz)).toBeCloseTo(1, 12);
        expect(position[0] * nx + position[1] * ny + position[2] * nz).toBeGreaterThan(
          distance - 1e-7 * scale,
        );
      }),
      { seed: 65, numRuns: runs(150) },
    );
    expect(counts[HIT]).toBeGreaterThan(least(0));
  });

  it('finds a wider distance no later, and a touch within all (seed 66)', () => {
    const [, floats] = families(kind).find(([name]) => name === 'floats')!;
    let touches = 0;
    fc.assert(
      fc.property(floats, (p) => {
        if (fast(kind, p, 0) !== HIT) return;
        touches++;
        let before = out[0];
        for (const asked of [1e-9, 1e-6, 1e-3, 0.1, 1]) {
          expect(fast(kind, p, asked)).toBe(HIT);
          expect(out[0]).toBeLessThanOrEqual(before + 1e-9);
          before = out[0];
        }
      }),
      { seed: 66, numRuns: runs(400) },
    );
    expect(touches).toBeGreaterThan(least(20));
  });
});

describe('the closest point of a patch (seed 67)', () => {
  it.each(KINDS.flatMap((kind) => GENTLE.map(([name, queries]) => [kind, name, queries] as const)))(
    '%s, %s',
    (kind, _, queries) => {
      const patch = kind === 'vertex-face' ? VERTEX_FACE_PATCH : EDGE_EDGE_PATCH;
      fc.assert(
        fc.property(queries, (p) => {
          const distance = closestOnPatch(p, patch, 0, out);
          const q = p.subarray(0, 12);
          const truth =
            kind === 'vertex-face'
              ? exactPointTriangle(q.subarray(0, 3), q.subarray(3))
              : exactSegmentSegment(q.subarray(0, 6), q.subarray(6));
          expect(Math.abs(distance - Math.sqrt(truth))).toBeLessThan(1e-12 * magnitudeOf(p) + 1e-300);
        }),
        { seed: 67, numRuns: runs(60) },
      );
    },
  );
});
