/** PLY headers: what contradicts itself harmlessly is read; a long one takes steps in proportion to its length. */
import { expect, test } from 'vitest';
import { leftOutLines } from '../../src/formats/left-out.js';
import { corners, Files, TETRAHEDRON, TETRAHEDRON_CORNERS } from '../files.js';

const files = new Files();
const VERTEX = ['element vertex 4', 'property float x', 'property float y', 'property float z'];
const FACE = ['element face 4', 'property list uchar int vertex_indices'];
const VERTICES = [0, 3, 6, 9].map((at) => TETRAHEDRON.positions.slice(at, at + 3).join(' '));
const FACES = [0, 3, 6, 9].map((at) => `3 ${TETRAHEDRON.indices.slice(at, at + 3).join(' ')}`);

function ply(header: readonly string[], rows: readonly string[]): string {
  return ['ply', 'format ascii 1.0', ...header, 'end_header', ...rows, ''].join('\n');
}

test.each<[string, string[], string[]]>([
  ['the same format twice', ['format ascii 1.0', ...VERTEX, ...FACE], [...VERTICES, ...FACES]],
  ['an element without rows and properties', [...VERTEX, 'element face 0', ...FACE], [...VERTICES, ...FACES]],
  [
    'vertices twice, of which one has none',
    ['element vertex 0', ...VERTEX, ...FACE],
    [...VERTICES, ...FACES],
  ],
  [
    'a property twice',
    [...VERTEX, 'property float x', ...FACE],
    [...VERTICES.map((row) => `${row} 9`), ...FACES],
  ],
  [
    'an unknown element twice',
    ['element a 1', 'property int b', 'element a 1', 'property int b', ...VERTEX, ...FACE],
    ['1', '2', ...VERTICES, ...FACES],
  ],
  [
    'faces in two portions',
    [...VERTEX, 'element face 1', FACE[1], 'element face 3', FACE[1]],
    [...VERTICES, ...FACES],
  ],
])('%s', async (_, header, rows) => {
  const text = ply(header, rows);
  expect(corners(await files.read('odd.ply', text))).toEqual(TETRAHEDRON_CORNERS);
});

test('faces without a list of vertices are passed over, and counted', async () => {
  const text = ply(
    [...VERTEX, 'element face 2', 'property int flags', ...FACE],
    [...VERTICES, '7', '8', ...FACES],
  );
  const model = await files.read('odd.ply', text);
  expect(corners(model)).toEqual(TETRAHEDRON_CORNERS);
  expect(leftOutLines(model.leftOut)).toEqual([
    'left out, because without a list of vertices: 2 rows of "face"',
  ]);
});

test('a header of 60,000 elements is read', async () => {
  const many = Array.from({ length: 60_000 }, (_, i) => `element e${i} 0`);
  const model = await files.read('many.ply', ply([...many, ...VERTEX, ...FACE], [...VERTICES, ...FACES]));
  expect(corners(model)).toEqual(TETRAHEDRON_CORNERS);
});
