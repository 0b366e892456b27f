import { expect, test } from 'vitest';
import { countEdges } from '../src/topology.js';
import { TETRAHEDRON, TETRAHEDRON_CORNERS } from './files.js';

const positions = Float64Array.from(TETRAHEDRON.positions);
const indices = Uint32Array.from(TETRAHEDRON.indices);

test('a closed mesh, joined or not', () => {
  expect(countEdges({ positions, indices })).toEqual({ boundary: 0, nonManifold: 0 });
  const soup = {
    positions: Float32Array.from(TETRAHEDRON_CORNERS),
    indices: Uint32Array.from({ length: 12 }, (_, i) => i),
  };
  expect(countEdges(soup)).toEqual({ boundary: 0, nonManifold: 0 });
});

test('a missing triangle, a doubled one, a collapsed one', () => {
  expect(countEdges({ positions, indices: indices.slice(3) })).toEqual({ boundary: 3, nonManifold: 0 });
  const doubled = Uint32Array.of(...indices, 0, 1, 2);
  expect(countEdges({ positions, indices: doubled })).toEqual({ boundary: 0, nonManifold: 3 });
  const collapsed = Uint32Array.of(...indices, 0, 0, 2);
  expect(countEdges({ positions, indices: collapsed })).toEqual({ boundary: 0, nonManifold: 0 });
});
