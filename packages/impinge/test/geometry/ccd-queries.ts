/**
 * Continuous queries that provoke: 24 numbers, four points at T0, then at T1 (v f0 f1 f2, or a0 a1 b0 b1), and what
 * can be said of an answer without knowing how it was found.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sharedData } from '../../../../test/shared-data.js';

export type Kind = 'vertex-face' | 'edge-edge';
export const KINDS: readonly Kind[] = ['vertex-face', 'edge-edge'];
export type Query = Float64Array<ArrayBuffer>;

const numbers = (coordinate: fc.Arbitrary<number>, count: number) =>
  fc.array(coordinate, { minLength: count, maxLength: count });
const queryOf = (coordinate: fc.Arbitrary<number>): fc.Arbitrary<Query> =>
  numbers(coordinate, 24).map((xs) => Float64Array.from(xs));
const small = (limit: number) => fc.integer({ min: -limit, max: limit });

/** Small integers: much is degenerate, touching or coplanar. */
const grid = (limit: number) => queryOf(small(limit));

/** Points at T0 that stand still. */
const still = numbers(small(2), 12).map((xs) => Float64Array.from([...xs, ...xs]));

/** Points in one plane throughout, at small integer places of it. */
const inPlane = fc.tuple(numbers(small(3), 16), numbers(small(2), 9)).map(([uv, frame]) => {
  const out = new Float64Array(24);
  for (let i = 0; i < 8; i++)
    for (let k = 0; k < 3; k++)
      out[3 * i + k] = uv[2 * i] * frame[k] + uv[2 * i + 1] * frame[3 + k] + frame[6 + k];
  return out;
});

/** Points on one line throughout. */
const onLine = fc.tuple(numbers(small(5), 8), numbers(small(2), 6)).map(([along, line]) => {
  const out = new Float64Array(24);
  for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) out[3 * i + k] = along[i] * line[k] + line[3 + k];
  return out;
});

/** Elements that touch at a time of k/8, at weights of quarters, and move anywhere before and after: the time, too. */
export const touching = (kind: Kind): fc.Arbitrary<readonly [Query, time: number]> =>
  fc
    .tuple(numbers(small(3), 9), numbers(small(6), 12), fc.integer({ min: 0, max: 8 }), small(4), small(4))
    .map(([corners, velocity, k, i, j]) => {
      const out = new Float64Array(24);
      for (let axis = 0; axis < 3; axis++) {
        const [x, y, z] = [4 * corners[axis], 4 * corners[3 + axis], 4 * corners[6 + axis]];
        const u = Math.abs(i);
        const v = kind === 'edge-edge' ? Math.abs(j) : Math.min(Math.abs(j), 4 - u);
        const face = [(x * (4 - u - v) + y * u + z * v) / 4, x, y, z];
        // x is the common point of the edges, y and z a quarter of each
        const edge = [x - u * y, x + (4 - u) * y, x - v * z, x + (4 - v) * z];
        const places = kind === 'edge-edge' ? edge : face;
        for (let n = 0; n < 4; n++) {
          out[3 * n + axis] = places[n] - k * velocity[3 * n + axis];
          out[12 + 3 * n + axis] = places[n] + (8 - k) * velocity[3 * n + axis];
        }
      }
      return [out, k / 8];
    });

/** Spread evenly over [−1, 1], all 53 bits in use. */
const floats = queryOf(fc.maxSafeInteger().map((x) => x / 2 ** 53));

/** A short step of elements of about the same size, on the float32 grid. */
const shortStep = floats.map((xs) => {
  const out = Float64Array.from(xs);
  for (let i = 0; i < 12; i++) {
    out[i] = Math.fround(xs[i] + (i % 3 === 0 ? 100 : 0));
    out[12 + i] = Math.fround(out[i] + 0.3 * xs[12 + i]);
  }
  return out;
});

/** All points near one line, widths down to rounding. */
const slivers = fc.tuple(floats, fc.integer({ min: 1, max: 16 })).map(([xs, width]) => {
  const out = Float64Array.from(xs);
  for (let i = 0; i < 8; i++)
    for (let k = 0; k < 3; k++) out[3 * i + k] = xs[3 * i] * (k + 1) + 10 ** -width * xs[3 * i + k];
  return out;
});

/** Numbers of all magnitudes, subnormals among them. */
const anyMagnitude = queryOf(fc.double({ noNaN: true, noDefaultInfinity: true }));

export const families = (kind: Kind): readonly (readonly [string, fc.Arbitrary<Query>])[] => [
  ['grid of 3', grid(1)],
  ['grid of 5', grid(2)],
  ['grid of 9', grid(4)],
  ['standing still', still],
  ['one plane', inPlane],
  ['one line', onLine],
  ['touching', touching(kind).map(([p]) => p)],
  ['floats', floats],
  ['short steps in float32', shortStep],
  ['slivers', slivers],
  ['any magnitude', anyMagnitude],
];

/** The families whose numbers are small integers. */
export const integerFamilies = (kind: Kind) => families(kind).slice(0, 7);

/** The query with its four points reordered, at both ends of the step. */
export function reordered(p: Query, order: readonly number[]): Query {
  return p.map((_, i) => p[(i >= 12 ? 12 : 0) + 3 * order[Math.trunc((i % 12) / 3)] + (i % 3)]);
}

/** The query with time running backwards. */
export function reversed(p: Query): Query {
  return p.map((_, i) => p[(i + 12) % 24]);
}

/** The largest coordinate. */
export function magnitudeOf(p: Query): number {
  return p.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
}

/** Relative position and velocity, first minus second element, of the points named by [t, u, v]. */
export function relativeAt(kind: Kind, p: Query, [t, u, v]: ArrayLike<number> & Iterable<number>) {
  const weights = kind === 'vertex-face' ? [1, u + v - 1, -u, -v] : [1 - u, u, v - 1, -v];
  const start = [0, 0, 0];
  const velocity = [0, 0, 0];
  for (let n = 0; n < 4; n++)
    for (let k = 0; k < 3; k++) {
      start[k] += weights[n] * p[3 * n + k];
      velocity[k] += weights[n] * (p[12 + 3 * n + k] - p[3 * n + k]);
    }
  return { position: start.map((x, k) => x + t * velocity[k]), velocity };
}

export interface ReferenceQuery {
  readonly kind: Kind;
  readonly p: Query;
  readonly hit: boolean;
  readonly name: string;
}

const SCENES = ['unit-tests'].concat(
  ['cube-cliff-edges', 'sliding-spike', 'spike-hole', 'spikes', 'wedge-crack'].map((x) => `erleben-${x}`),
);

/** The reference queries with their symbolic truth; undefined where the data is not at hand. */
export function referenceQueries(): ReferenceQuery[] | undefined {
  if (sharedData('ccd') === undefined) return undefined;
  const queries: ReferenceQuery[] = [];
  for (const scene of SCENES)
    for (const kind of KINDS)
      for (const part of ['data_0_0.csv', 'data_0_1.csv']) {
        if (scene === 'erleben-spike-hole' && part === 'data_0_1.csv') continue;
        const path = `${scene}/${kind}/${part}`;
        const rows = readFileSync(sharedData(`ccd/${path}`)!, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split(',').map(Number));
        for (let i = 0; i < rows.length; i += 8) {
          const points = rows.slice(i, i + 8);
          const p = Float64Array.from(points.flatMap((c) => [c[0] / c[1], c[2] / c[3], c[4] / c[5]]));
          queries.push({ kind, p, hit: points[0][6] === 1, name: `${path} #${i / 8}` });
        }
      }
  return queries;
}
