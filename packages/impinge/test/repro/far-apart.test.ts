/** Beyond 4e9 a fourth power overflowed float32 and everything seemed infinitely far. */
import { expect, test } from 'vitest';
import { collide } from '../../src/query/pair/collide.js';
import { distance } from '../../src/query/pair/distance.js';
import { soup } from '../hierarchy/fixtures.js';
import { Truth } from '../query/support/brute-force.js';
import { scaled } from '../query/support/scenes.js';

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
