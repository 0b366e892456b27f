/** Pieces of meshes: the same triangles, and of a soup the same bytes as of the mesh it was made from. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { torusKnot } from '../../../../scenes/index.mjs';
import { Mesh } from '../../src/mesh/mesh.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { splitMesh, splitSoup } from '../../src/store/split.js';
import { triangleTexts } from './fixtures.js';

const KNOT = torusKnot(400, 24) as ShapeArrays;

/** Every corner a vertex of its own. */
function soupOf({ positions, indices }: ShapeArrays): Mesh {
  const soup = new Float32Array(3 * indices.length);
  indices.forEach((v, i) => {
    soup.set(positions.subarray(3 * v, 3 * v + 3), 3 * i);
  });
  return Mesh.from({ positions: soup });
}

function bytesOf(pieces: Iterable<Mesh>): Uint8Array[] {
  return Array.from(pieces, (piece) => {
    const bytes = piece.toBytes();
    piece.dispose();
    return bytes;
  });
}

test.each([64, 1000, 8192])('a soup in pieces of %i triangles is what the mesh is', (most) => {
  const soup = bytesOf(splitSoup(soupOf(KNOT), most));
  expect(soup).toEqual(bytesOf(splitMesh(Mesh.from(KNOT), most)));
  expect(soup.length).toBeGreaterThan(KNOT.indices.length / 3 / most);
});

test('corners become one vertex if and only if they are equal (seed 31)', () => {
  // few values, so that corners meet, and −0 among them
  const coordinate = fc.constantFrom(-0, 0, 1, -1, 2 ** -140, 1 + 2 ** -23, 3e38);
  fc.assert(
    fc.property(fc.array(fc.array(coordinate, { minLength: 9, maxLength: 9 }), { minLength: 1 }), (rows) => {
      const corners = Float32Array.from(rows.flat());
      const mesh = Mesh.from({ positions: corners });
      const [piece] = splitSoup(mesh, 8192);
      const points = new Set<string>();
      for (let i = 0; i < corners.length; i += 3)
        points.add(`${corners.subarray(i, i + 3).map((x) => x + 0)}`);
      expect(piece.vertexCount).toBe(points.size);
      expect(triangleTexts(piece.positions, piece.indices)).toEqual(triangleTexts(corners, mesh.indices));
      expect(piece.positions.some((x) => Object.is(x, -0))).toBe(false);
      piece.dispose();
      mesh.dispose();
    }),
    { seed: 31 },
  );
});
