/** Pieces of meshes: the same triangles, and of a soup the same bytes as of the mesh it was made from. */
import fc from 'fast-check';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { expect, test } from 'vitest';
import { torusKnot } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { splitMesh, splitSoup } from '../../src/store/split.js';
import { cornersOf, triangleTexts } from './fixtures.js';

const KNOT = torusKnot(400, 24) as ShapeArrays;

const CORNERS = cornersOf(KNOT);

/** Equal corners as one vertex, found the slow way. */
function weldedKnot(): Mesh {
  const numbers = new Map<string, number>();
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < CORNERS.length; i += 3) {
    const point = CORNERS.subarray(i, i + 3).map((x) => x + 0);
    const known = numbers.get(`${point}`);
    if (known === undefined) positions.push(...point);
    indices.push(known ?? numbers.size);
    numbers.set(`${point}`, indices[indices.length - 1]);
  }
  return Mesh.from({ positions: Float32Array.from(positions), indices });
}

function textsOf(pieces: Iterable<Mesh>): string[] {
  return Array.from(pieces, (piece) => {
    const text = Buffer.from(piece.toBytes()).toString('base64');
    piece.dispose();
    return text;
  });
}

full.each([64, 1000, 8192])('a soup in pieces of %i triangles is, to the byte, the welded mesh', (most) => {
  const soup = Mesh.from({ positions: CORNERS });
  const found = textsOf(splitSoup(soup, most));
  const expected = textsOf(splitMesh(weldedKnot(), most));
  expect(found.length).toBeGreaterThan(CORNERS.length / 9 / most);
  expect(found.length).toBe(expected.length);
  expect(found.findIndex((text, i) => text !== expected[i])).toBe(-1);
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

test('a soup of which no two corners are equal keeps them all', () => {
  const corners = Float32Array.from({ length: 9 * 2000 }, (_, i) => i + 1);
  const mesh = Mesh.from({ positions: corners });
  const [piece] = splitSoup(mesh, 8192);
  expect(piece.vertexCount).toBe(6000);
  expect([...piece.positions]).toEqual([...corners]);
  piece.dispose();
  mesh.dispose();
});
