import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { full, least, runs } from '../../../../test/budget.js';
import { exactEdgeEdge } from '../../src/geometry/ccd/exact-edge-edge.js';
import { exactVertexFace } from '../../src/geometry/ccd/exact-vertex-face.js';
import {
  closestPointOnTriangle,
  distanceSqSegmentSegment,
  type ElementImpactOptions,
  timeOfImpactEdgeEdge,
  timeOfImpactVertexFace,
} from '../../src/geometry/index.js';
import { families, KINDS, type Kind, magnitudeOf, type Query } from './ccd-queries.js';

const impact = (kind: Kind, p: Query, options?: ElementImpactOptions) =>
  kind === 'vertex-face' ? timeOfImpactVertexFace(p, options) : timeOfImpactEdgeEdge(p, options);

describe.each(KINDS)('timeOfImpact of %s at distance 0 (seed 61)', (kind) => {
  it.each(families(kind))('%s: decides exactly, with a time that is not late', (name, queries) => {
    const out = new Float64Array(6);
    fc.assert(
      fc.property(queries, (p) => {
        const found = impact(kind, p);
        const hit = kind === 'vertex-face' ? exactVertexFace(p, out) : exactEdgeEdge(p, out);
        expect(found !== undefined).toBe(hit);
        if (found === undefined) return;
        expect(found.time).toBeLessThanOrEqual(out[0]);
        expect(found.time).toBeGreaterThanOrEqual(out[0] - 1e-8);
        expect(Math.abs(Math.hypot(...found.normal) - 1)).toBeLessThan(1e-12);
      }),
      { seed: 61, numRuns: runs(name === 'any magnitude' ? 25 : 200) },
    );
  });
});

/** The points of the query at time t, and their distance with the direction of the shortest way, second to first. */
function distanceAt(kind: Kind, p: Query, t: number): { distance: number; direction: number[] } {
  const x = p.slice(0, 12).map((x0, i) => x0 * (1 - t) + p[12 + i] * t);
  const witness = new Float64Array(8);
  if (kind === 'vertex-face') {
    witness.set(x.subarray(0, 3));
    closestPointOnTriangle(x, 0, x, 3, witness, 3);
  } else distanceSqSegmentSegment(x, 0, 3, x, 6, 9, witness);
  const way = [0, 1, 2].map((k) => witness[k] - witness[3 + k]);
  const distance = Math.hypot(...way);
  return { distance, direction: way.map((w) => w / distance) };
}

/** The differences, first minus second element, of all vertices at time t. */
function differencesAt(kind: Kind, p: Query, t: number): number[][] {
  const pairs = kind === 'vertex-face' ? ['01', '02', '03'] : ['02', '03', '12', '13'];
  const at = (i: number) => p[i] * (1 - t) + p[12 + i] * t;
  return pairs.map((pair) => [0, 1, 2].map((k) => at(3 * Number(pair[0]) + k) - at(3 * Number(pair[1]) + k)));
}

/**
 * Bounds of the least distance over the step: sampled from above; from below, over an interval, by how far all
 * differences of vertices reach along a direction that turns from the shortest way at its start to that at its end.
 * The reach is a quadratic in time, not less than its least Bernstein coefficient; the direction is not longer than 1.
 */
function leastDistance(kind: Kind, p: Query): { lower: number; upper: number } {
  const closeEnough = 1e-10 * magnitudeOf(p);
  const sample = (t: number) => ({ t, ...distanceAt(kind, p, t), corners: differencesAt(kind, p, t) });
  type Sample = ReturnType<typeof sample>;
  let upper = Number.POSITIVE_INFINITY;
  for (let i = 0; i <= 200; i++) upper = Math.min(upper, distanceAt(kind, p, i / 200).distance);
  const along = (x: readonly number[], y: readonly number[]) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const between = (a: Sample, b: Sample): number => {
    upper = Math.min(upper, a.distance, b.distance);
    if (upper === 0) return 0;
    const reach = a.corners.map((from, i) => {
      const to = b.corners[i];
      const middle = (along(from, b.direction) + along(to, a.direction)) / 2;
      return Math.min(along(from, a.direction), middle, along(to, b.direction));
    });
    const least = Math.min(...reach);
    if (least >= upper - closeEnough || b.t - a.t < 2 ** -14) return least;
    const half = sample((a.t + b.t) / 2);
    return Math.min(between(a, half), between(half, b));
  };
  return { lower: between(sample(0), sample(1)), upper };
}

/**
 * Times the largest coordinate: elements that stay this much farther apart than the distance asked are not reported,
 * and at the time found they are this close to it. In slivers the direction of the shortest way loses digits.
 */
const slackOf = (name: string) => (name === 'slivers' ? 1e-5 : 1e-7);
const separate = ['grid of 9', 'floats', 'short steps in float32', 'slivers'];

describe.each(KINDS)('timeOfImpact of %s at a distance (seed 62)', (kind) => {
  full.each(families(kind).filter(([name]) => separate.includes(name)))('%s', (name, queries) => {
    let apart = 0;
    fc.assert(
      fc.property(queries, (p) => {
        const { lower, upper } = leastDistance(kind, p);
        const rounding = 1e-9 * magnitudeOf(p);
        const slack = slackOf(name) * magnitudeOf(p);
        // whatever comes as close as the distance asked is found
        for (const asked of [upper, upper * (1 + 1e-9), upper * 1.5]) {
          if (!(asked > 0)) continue;
          const found = impact(kind, p, { distance: asked });
          expect(found).toBeDefined();
          expect(found!.exact).toBe(false);
          const time = found!.time;
          if (time === 0) continue;
          // at the time found they are about as far apart as the distance asked, and were not nearer before
          const { distance } = distanceAt(kind, p, time);
          expect(Math.abs(distance - asked)).toBeLessThan(slack);
          const before = Array.from({ length: 50 }, (_, i) => distanceAt(kind, p, (time * i) / 50).distance);
          expect(Math.min(...before)).toBeGreaterThan(asked - rounding);
        }
        // what stays farther apart is not
        const asked = lower / (1 + 1e-6) - slack;
        if (asked > 0) {
          apart++;
          expect(impact(kind, p, { distance: asked })).toBeUndefined();
        }
      }),
      { seed: 62, numRuns: runs(60) },
    );
    expect(apart).toBeGreaterThan(least(5));
  });
});

describe('timeOfImpact of bad input', () => {
  const still = new Float64Array(24);
  it.each([
    [4, Number.NaN, 'vertex 1 of the elements has a coordinate NaN at T0'],
    [23, Number.POSITIVE_INFINITY, 'vertex 3 of the elements has a coordinate Infinity at T1'],
  ])('names the vertex of number %i', (at, value, message) => {
    const p = still.map((x, i) => (i === at ? value : x));
    for (const kind of KINDS)
      expect(() => impact(kind, p)).toThrow(expect.objectContaining({ code: 'non-finite', message }));
  });
  it('refuses other lengths and distances', () => {
    expect(() => timeOfImpactVertexFace(new Float64Array(12))).toThrow(
      expect.objectContaining({ code: 'bad-input' }),
    );
    for (const asked of [-1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => timeOfImpactEdgeEdge(still, { distance: asked })).toThrow(
        expect.objectContaining({ code: 'bad-option' }),
      );
  });
  it('says when exact arithmetic decided', () => {
    expect(timeOfImpactVertexFace(still)).toMatchObject({ time: 0, exact: true });
  });
});
