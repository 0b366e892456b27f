/**
 * Corners posed to 1e6 are rounded to 1e-10; the coarse test of two leaves did not know and parted what then touched.
 */
import { test } from 'vitest';
import { Mesh } from '../../src/mesh/mesh.js';
import { expectAllQueries } from '../query/support/brute-force.js';

test('a speck posed onto a point far away', () => {
  const point = Mesh.from({ positions: Float32Array.of(1e6, 0, 0, 1e6, 0, 0, 1e6, 0, 0) });
  const x = 3e-11;
  const speck = Mesh.from({ positions: Float32Array.of(x, -1e-6, -1e-6, x, 1e-6, -1e-6, x, 0, 2e-6) });
  expectAllQueries(point, speck, { pose: { translation: [1e6, 0, 0] } });
});
