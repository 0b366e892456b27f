/** Defects of queries about two meshes, each with the input that showed it. */
import { expect, test } from 'vitest';
import { Mesh } from '../../src/mesh/mesh.js';
import { collide } from '../../src/query/pair/collide.js';
import { distance } from '../../src/query/pair/distance.js';
import { within } from '../../src/query/pair/within.js';
import { soup } from '../hierarchy/fixtures.js';
import { expectAllQueries, Truth } from '../query/support/brute-force.js';
import { scaled } from '../query/support/scenes.js';

// With a bound of 0 the search ended at the first pair of leaves, as if a crossing had been found there.
test('atMost 0 finds meshes that meet, wherever they do', () => {
  for (let seed = 0; seed < 20; seed++) {
    const a = soup(seed, 60, 0.3);
    const b = soup(seed + 100, 60, 0.3);
    for (const x of [0, 0.7, 0.95, 1.2]) {
      const pose = { translation: [x, 0, 0] };
      const { colliding } = collide(a, b, { pose });
      expect(distance(a, b, { pose, atMost: 0 }).distance).toBe(colliding ? 0 : Infinity);
    }
  }
});

// Beyond 4e9 a fourth power overflowed float32 and everything seemed infinitely far.
test.each([5, 9, 10, 12, 15, 17])('three times 1e%i apart', (exponent) => {
  const size = 10 ** exponent;
  const a = scaled(soup(1, 60, 0.3), size);
  const b = scaled(soup(2, 61, 0.3), size, [3 * size, 0, 0]);
  const truth = new Truth(a, b, {});
  expect(Math.abs(distance(a, b).distance - truth.nearest)).toBeLessThanOrEqual(truth.doubt);
  expect(collide(a, b).colliding).toBe(false);
});

test.each([19, 30, 37])('sizes of 1e%i are refused', (exponent) => {
  const a = scaled(soup(1, 60, 0.3), 10 ** exponent);
  for (const query of [() => collide(a, a), () => distance(a, a)])
    expect(query).toThrow(expect.objectContaining({ code: 'bad-input' }));
});

// A distance whose square overflowed float32 let lanes without a child into the walk, which then read beyond memory.
test.each([1e18, 1e19, 1e20, 1e150, 1.7e308])('everything is within %d', (distance) => {
  const a = soup(1, 30, 0.3);
  const b = soup(2, 31, 0.3);
  expect(within(a, b, { distance }).count).toBe(30 * 31);
});

// A limit of 2³² or more was cut to its low 32 bits.
test.each([2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER])(
  'limit %d finds everything',
  (limit) => {
    const a = soup(1, 100, 0.3);
    const b = soup(2, 100, 0.3);
    expect(collide(a, b, { limit })).toMatchObject({ pairs: collide(a, b).pairs, complete: true });
  },
);

// Nearly parallel edges were taken as parallel up to an angle of 1e-7, and a slab was trusted to the last bit.
const E = 2 ** -24;

test('crossing lines at a small angle, one above the other', () => {
  // edges along x that cross over x = 1/2 at a height of E / 4 above each other
  const a = Mesh.from({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0.5, 0, -1) });
  const b = Mesh.from({ positions: Float32Array.of(0, -E / 2, E / 4, 1, E / 2, E / 4, 0.5, 0, 1) });
  expect(distance(a, b).distance).toBe(E / 4);
  expect(distance(a, b, { atMost: (E / 4) * (1 + 1e-6) }).distance).toBe(E / 4);
  expect(within(a, b, { distance: (E / 4) * (1 + 1e-6) }).within).toBe(true);
});

// The kernel left the parameter along an edge at 0 when the other edge had no length: too large a distance.
const needle = Mesh.from({ positions: Float32Array.of(0, 0, 0, 4, 0, 0, 2, 0, -1) });
const point = Mesh.from({ positions: Float32Array.of(2, 0, 1, 2, 0, 1, 2, 0, 1) });

test('a point above the middle of an edge is as far as the middle', () => {
  for (const [a, b] of [
    [needle, point],
    [point, needle],
  ]) {
    expect(within(a, b, { distance: 1, mode: 'all' }).count).toBe(1);
    expect(distance(a, b, { atMost: 1 }).distance).toBe(1);
  }
});

// Corners posed to 1e6 are rounded to 1e-10; the coarse test of two leaves did not know and parted what then touched.
test('a speck posed onto a point far away', () => {
  const point = Mesh.from({ positions: Float32Array.of(1e6, 0, 0, 1e6, 0, 0, 1e6, 0, 0) });
  const x = 3e-11;
  const speck = Mesh.from({ positions: Float32Array.of(x, -1e-6, -1e-6, x, 1e-6, -1e-6, x, 0, 2e-6) });
  expectAllQueries(point, speck, { pose: { translation: [1e6, 0, 0] } });
});
