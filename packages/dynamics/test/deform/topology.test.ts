/** Owners and rings of surfaces, against definitions spelled out over all triangles. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { topologyOf } from '../../src/deform/topology.js';

/** Owned elements by their definition: the lowest triangle that has them, its first corner or side that names them. */
function ownersByDefinition(indices: ArrayLike<number>): { owned: number[]; edges: number } {
  const owned = new Array<number>(indices.length / 3).fill(0);
  const seen = new Set<string>();
  let edges = 0;
  for (let i = 0; i < indices.length; i++) {
    const triangle = Math.floor(i / 3);
    const corner = i % 3;
    const a = indices[i];
    const b = indices[3 * triangle + ((corner + 1) % 3)];
    if (!seen.has(`${a}`)) owned[triangle] |= 1 << corner;
    seen.add(`${a}`);
    if (a === b) continue;
    const name = `${Math.min(a, b)} ${Math.max(a, b)}`;
    if (!seen.has(name)) {
      owned[triangle] |= 8 << corner;
      edges++;
    }
    seen.add(name);
  }
  return { owned, edges };
}

describe('the topology of a surface', () => {
  test('owners and rings as defined, seed 41', () => {
    const soups = fc.integer({ min: 1, max: 8 }).chain((vertices) =>
      fc.array(fc.integer({ min: 0, max: vertices - 1 }), { minLength: 3, maxLength: 60 }).map((list) => ({
        vertices,
        indices: Uint32Array.from(list.slice(0, list.length - (list.length % 3))),
      })),
    );
    fc.assert(
      fc.property(soups, ({ vertices, indices }) => {
        const topology = topologyOf(vertices, indices);
        const { owned, edges } = ownersByDefinition(indices);
        expect([...topology.owned]).toEqual(owned);
        expect(topology.edgeCount).toBe(edges);
        for (let v = 0; v < vertices; v++) {
          const around = Array.from(indices, (x, i) => (x === v ? Math.floor(i / 3) : -1)).filter(
            (t) => t >= 0,
          );
          const ring = topology.rings.subarray(topology.ringStart[v], topology.ringStart[v + 1]);
          expect([...ring]).toEqual([...new Set(around)]);
        }
      }),
      { seed: 41, numRuns: runs(300) },
    );
  });

  test('takes linear time at a vertex of very many triangles', () => {
    const spokes = 200_000;
    const indices = new Uint32Array(3 * spokes);
    for (let i = 0; i < spokes; i++) indices.set([0, 1 + i, 1 + ((i + 1) % spokes)], 3 * i);
    const { edgeCount, ringStart } = topologyOf(spokes + 1, indices);
    expect(edgeCount).toBe(2 * spokes);
    expect(ringStart[1]).toBe(spokes);
  });
});
