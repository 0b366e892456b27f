/** Nearly parallel edges were taken as parallel up to an angle of 1e-7, and a slab was trusted to the last bit. */
import { expect, test } from 'vitest';
import { Mesh } from '../../src/mesh/mesh.js';
import { distance } from '../../src/query/pair/distance.js';
import { within } from '../../src/query/pair/within.js';

const E = 2 ** -24;

test('crossing lines at a small angle, one above the other', () => {
  // edges along x that cross over x = 1/2 at a height of E / 4 above each other
  const a = Mesh.from({ positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0.5, 0, -1) });
  const b = Mesh.from({ positions: Float32Array.of(0, -E / 2, E / 4, 1, E / 2, E / 4, 0.5, 0, 1) });
  expect(distance(a, b).distance).toBe(E / 4);
  expect(distance(a, b, { atMost: (E / 4) * (1 + 1e-6) }).distance).toBe(E / 4);
  expect(within(a, b, { distance: (E / 4) * (1 + 1e-6) }).within).toBe(true);
});
