/** The kernel left the parameter along an edge at 0 when the other edge had no length: too large a distance. */
import { expect, test } from 'vitest';
import { Mesh } from '../../src/mesh/mesh.js';
import { distance } from '../../src/query/pair/distance.js';
import { within } from '../../src/query/pair/within.js';

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
