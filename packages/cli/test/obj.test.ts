import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { corners, Files, obj, objectsOf, TETRAHEDRON, TETRAHEDRON_CORNERS } from './files.js';
import { expectRefused } from './source-triangles.js';

const files = new Files();
/** How much is read at a time: whatever it is, the result is the same. */
const CHUNKS = [{ chunkBytes: 1 }, { chunkBytes: 33 }, {}];

describe('every spelling gives the same mesh', () => {
  const negative = obj().replace(
    /^f (.*)$/gm,
    (_, list: string) =>
      `f ${list
        .split(' ')
        .map((i) => Number(i) - 5)
        .join(' ')}`,
  );
  const slashes = obj().replace(/^f (\d) (\d) (\d)$/gm, 'f $1/7/9 $2//3 $3/1');
  const variants: [string, string | Uint8Array][] = [
    ['plain', obj()],
    ['crlf', obj().replaceAll('\n', '\r\n')],
    ['cr', obj().replaceAll('\n', '\r')],
    ['no last newline', obj().trimEnd()],
    ['blanks', obj().replaceAll(' ', ' \t ').replaceAll('\n', ' \n  ')],
    ['negative', negative],
    ['slashes', slashes],
    ['continued', obj().replace(/^(f \d) /gm, '$1 \\\n ')],
    ['colours and weights', obj().replace(/^(v .*)$/gm, '$1 1 0.5 0.25')],
    [
      'faces first',
      obj().split('\n').reverse().join('\n').replace('o tetra\n', '').replace('# a', 'o tetra\n# a'),
    ],
    ['unknown lines', `${obj()}vn 0 0 1\nvt 0 0\nl 1 2\ns off\nfoo bar\n\n6540 2180\n`],
    ['zipped', gzipSync(obj())],
  ];
  test.each(variants)('%s', async (name, content) => {
    const suffix = name === 'zipped' ? 'obj.gz' : 'obj';
    for (const options of CHUNKS) {
      const model = await files.read(`file.${suffix}`, content, options);
      expect(objectsOf(model)).toHaveLength(1);
      if (name === 'faces first') {
        expect(corners(model)).toHaveLength(TETRAHEDRON_CORNERS.length);
      } else {
        expect([...model.shapes[0].geometry.positions]).toEqual([...TETRAHEDRON.positions]);
        expect([...model.shapes[0].geometry.indices]).toEqual([...TETRAHEDRON.indices]);
        expect(objectsOf(model)[0].name).toBe('tetra');
      }
    }
  });
});

describe('wrong files say what and where', () => {
  const v = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  const cases: [string, string, string][] = [
    ['nothing', 'hello\n', 'not an OBJ file, or an empty one: no vertices'],
    ['no faces', v, 'no triangles, only 3 vertices'],
    ['two corners', `${v}f 1 2\n`, 'line 4: a face needs 3 corners, this one has 2'],
    ['no corners', `${v}f \n`, 'line 4: a face needs 3 corners, this one has 0'],
    ['short vertex', `v 1 2\n`, 'line 1: a vertex needs 3 coordinates'],
    ['word', `v 1 2 x\n`, 'line 1: a coordinate is not a number: "x"'],
    ['nan', `${v}v 1 nan 2\n`, 'line 4: a coordinate is not a number: "nan"'],
    ['infinite', `${v}v 1 1e400 2\n`, 'line 4: a coordinate is too large: "1e400"'],
    ['zero', `${v}f 0 1 2\n`, 'line 4: a face refers to vertex 0, but there are 3 so far'],
    ['far back', `${v}f -4 -1 -2\n`, 'line 4: a face refers to vertex -4, but there are 3 so far'],
    ['far ahead', `${v}f 1 2 4\nf 1 2 3\n`, 'line 4: a face refers to vertex 4, but there are 3'],
    [
      'absurd',
      `${v}f 1 2 99999999999\n`,
      'line 4: a face refers to vertex 99999999999, but there are 3 so far',
    ],
    ['corner', `${v}f 1 2 3x\n`, 'line 4: a corner of a face is "3x"'],
    ['slash', `${v}f 1 2 /3\n`, 'line 4: a corner of a face is "/3"'],
    ['late', `${v}f 1 2 4\no a\nf 1 2 9\n`, 'line 6: a face refers to vertex 9, but there are 3'],
    // continued lines count
    ['joined', `v 0 \\\n0 \\\n0\nv 1 0\n`, 'line 4: a vertex needs 3 coordinates'],
  ];
  test.each(cases)('%s', async (name, content, message) => {
    await expectRefused(files, `${name}.obj`, content, message);
  });
});
