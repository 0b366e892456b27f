/** Rays in the planes of triangles, and nearly so, against fractions of big integers. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { runs } from '../../../../../test/budget.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import { toCommonIntegers } from '../../../src/math/dyadic.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { raycast } from '../../../src/query/ray/raycast.js';

type Triple = [number, number, number];
type Integers = readonly bigint[];
/** Numerator and denominator, which is positive. */
type Fraction = readonly [bigint, bigint];

const minus = (a: Integers, b: Integers) => a.map((x, k) => x - b[k]);
const dot = (a: Integers, b: Integers) => a.reduce((sum, x, k) => sum + x * b[k], 0n);
const cross = (a: Integers, b: Integers) =>
  [1, 2, 0].map((k) => a[k] * b[(k + 1) % 3] - a[(k + 1) % 3] * b[k]);
const fraction = (x: bigint, y: bigint): Fraction => (y < 0n ? [-x, -y] : [x, y]);
const less = (a: Fraction, b: Fraction) => a[0] * b[1] < b[0] * a[1];

/** To 80 bits, then rounded. */
function toNumber([x, y]: Fraction): number {
  const bits = BigInt(Math.max(0, 80 + y.toString(2).length - (x < 0n ? -x : x).toString(2).length));
  return Number((x << bits) / y) / 2 ** Number(bits);
}

/** All numbers as integers of one scale: the corners, the origin, the direction. */
function integersOf(corners: readonly Triple[], origin: Triple, d: Triple): Integers[] {
  const n = toCommonIntegers(Float64Array.from([...corners.flat(), ...origin, ...d]));
  return [0, 3, 6, 9, 12].map((at) => [...n.slice(at, at + 3)]);
}

/**
 * When a ray in the plane of a triangle is first in it: where none of the three weights, which are linear in time, is
 * negative. Undefined where it never is.
 */
function entersAt(corners: readonly Triple[], from: Triple, toward: Triple): Fraction | undefined {
  const [a, b, c, origin, d] = integersOf(corners, from, toward);
  const n = cross(minus(b, a), minus(c, a));
  let begin: Fraction = [0n, 1n];
  let end: Fraction | undefined;
  for (const [p, q] of [
    [a, b],
    [b, c],
    [c, a],
  ]) {
    const edge = minus(q, p);
    const [weight, rate] = [dot(cross(edge, minus(origin, p)), n), dot(cross(edge, d), n)];
    if (rate === 0n && weight < 0n) return undefined;
    if (rate === 0n) continue;
    const time = fraction(-weight, rate);
    if (rate > 0n && less(begin, time)) begin = time;
    if (rate < 0n && (!end || less(time, end))) end = time;
  }
  return end && less(end, begin) ? undefined : begin;
}

const few = fc.integer({ min: -3, max: 3 });
const some = fc.integer({ min: -(2 ** 18), max: 2 ** 18 });
const pair = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one);
const triple = <T>(one: fc.Arbitrary<T>) => fc.tuple(one, one, one);

describe('rays in the plane of a triangle', () => {
  /**
   * Corners, direction and origin on a grid in a plane; from far away through a corner, or past it by a few steps of
   * the grid.
   */
  const lying = fc.record({
    grid: pair(triple(few)),
    corners: triple(pair(some)),
    along: pair(some),
    at: fc.integer({ min: 0, max: 2 }),
    back: fc.integer({ min: -3, max: 2 ** 24 }),
    // the way to the corner is no number of float64
    stretch: fc.integer({ min: 1, max: 99 }),
    beside: pair(few),
    scale: fc.constantFrom(1, 2 ** -30, 2 ** 30),
  });

  test.each(['with', 'without'])('enter it when its weights say, %s kernels (seed 1741)', (how) => {
    if (how === 'without') vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    let met = 0;
    fc.assert(
      fc.property(lying, ({ grid: [p, q], corners, along, at, back, stretch, beside, scale }) => {
        const place = ([i, j]: readonly number[]) => p.map((x, k) => i * x + j * q[k]) as Triple;
        const direction = place(along).map((x) => stretch * x) as Triple;
        const triangle = corners.map((corner) => place(corner).map((x) => x * scale) as Triple);
        const edges = [1, 2].map((c) => place(corners[c]).map((x, k) => BigInt(x - place(corners[0])[k])));
        if (cross(edges[0], edges[1]).every((x) => x === 0n) || direction.every((x) => x === 0)) return;
        const origin = place(corners[at].map((x, k) => x - back * along[k] + beside[k])).map(
          (x) => x * scale,
        ) as Triple;
        const mesh = Mesh.from({ positions: triangle.flat() });
        const expected = entersAt(triangle, origin, direction);
        const hit = raycast(mesh, { origin, direction });
        expect(hit !== undefined).toBe(expected !== undefined);
        if (hit && expected) {
          met++;
          const distance = toNumber(expected) * Math.hypot(...direction);
          expect(Math.abs(hit.distance - distance)).toBeLessThanOrEqual(1e-15 * distance);
        }
        mesh.dispose();
      }),
      { numRuns: runs(how === 'with' ? 3000 : 1000), seed: 1741 },
    );
    vi.restoreAllMocks();
    expect(met).toBeGreaterThan(0);
  });
});

describe('rays that graze a triangle', () => {
  /** From the plane's normal times a cosine, towards a point of the triangle. */
  test.each([1, 1e-2, 1e-4, 1e-6, 1e-8, 1e-9, 1e-11, 1e-13])(
    'are as exact as others at a cosine of %d (seed 1742)',
    (cosine) => {
      const random = seededRandom(1742);
      const between = () => 2 * random() - 1;
      for (let i = 0; i < runs(400); i++) {
        const size = 10 ** (6 * between());
        // what rounding leaves of zeros is a part of many models
        const coordinate = () => Math.fround(random() < 0.1 ? 6e-17 * between() : size * between());
        const place = (): Triple => [coordinate(), coordinate(), coordinate()];
        const corners = [place(), place(), place()];
        const [p, q] = [1, 2].map((c) => corners[c].map((x, k) => x - corners[0][k]));
        const normal = [1, 2, 0].map((k) => p[k] * q[(k + 1) % 3] - p[(k + 1) % 3] * q[k]);
        const length = Math.hypot(...normal);
        const [s, t] = [between(), between()];
        const flat = p.map((x, k) => s * x + t * q[k]);
        const width = Math.hypot(...flat);
        if (length < 1e-3 * Math.hypot(...p) * Math.hypot(...q)) continue;
        const [u, v] = [random(), random()].map((w) => 0.1 + 0.35 * w);
        const direction = flat.map((x, k) => x / width + (cosine * normal[k]) / length) as Triple;
        const way = size * 10 ** (3 * between());
        const origin = corners[0].map((x, k) => x + u * p[k] + v * q[k] - way * direction[k]) as Triple;
        const mesh = Mesh.from({ positions: corners.flat() });
        const hit = raycast(mesh, { origin, direction });
        if (hit) {
          const [a, b, c, o, d] = integersOf(corners, origin, direction);
          const n = cross(minus(b, a), minus(c, a));
          const exact = toNumber(fraction(dot(minus(a, o), n), dot(d, n))) * Math.hypot(...direction);
          const largest = Math.max(size, exact);
          expect(Math.abs(hit.distance - exact) / largest).toBeLessThan(1e-13);
          const onRay = origin.map((x, k) => x + (exact * direction[k]) / Math.hypot(...direction));
          for (let k = 0; k < 3; k++) {
            expect(Math.abs(hit.point[k] - onRay[k]) / largest).toBeLessThan(1e-12);
          }
        }
        mesh.dispose();
      }
    },
  );
});
