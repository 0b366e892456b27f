/**
 * A distance whose square overflowed float32 let lanes without a child into the walk, which then read beyond memory.
 */
import { expect, test } from 'vitest';
import { within } from '../../src/query/pair/within.js';
import { soup } from '../hierarchy/fixtures.js';

test.each([1e18, 1e19, 1e20, 1e150, 1.7e308])('everything is within %d', (distance) => {
  const a = soup(1, 30, 0.3);
  const b = soup(2, 31, 0.3);
  expect(within(a, b, { distance }).count).toBe(30 * 31);
});
