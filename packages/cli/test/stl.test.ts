import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { asciiStl, binaryStl, corners, Files, TETRAHEDRON_CORNERS } from './files.js';
import { expectRefused, expectTetrahedron } from './source-triangles.js';

const files = new Files();
/** How much is read at a time: whatever it is, the result is the same. */
const CHUNKS = [{ chunkBytes: 1 }, { chunkBytes: 50 }, {}];

describe('every encoding gives the same mesh, welded', () => {
  const variants: [string, string | Uint8Array, string][] = [
    ['text.stl', asciiStl(), 'STL, ASCII'],
    ['shouting.stl', asciiStl().toUpperCase(), 'STL, ASCII'],
    ['crlf.stl', asciiStl().replaceAll('\n', '\r\n'), 'STL, ASCII'],
    ['one-space.stl', asciiStl().replace(/\n\s+(?!\s*facet)/g, ' '), 'STL, ASCII'],
    ['no-last-newline.stl', asciiStl().trimEnd(), 'STL, ASCII'],
    ['binary.stl', binaryStl(), 'STL, binary'],
    ['binary-solid.stl', binaryStl('solid but binary'), 'STL, binary'],
    ['binary-solid-spaces.stl', binaryStl('solid'.padEnd(80)), 'STL, binary'],
    ['binary-solid-lines.stl', binaryStl('solid x\nfacet normal'), 'STL, binary'],
    ['binary.stl.gz', gzipSync(binaryStl('solid binary').slice()), 'STL, binary'],
    ['text.stl.gz', gzipSync(asciiStl()), 'STL, ASCII'],
    ['text.txt', asciiStl(), 'STL, ASCII'],
  ];
  test.each(variants)('%s', async (name, content, format) => {
    for (const options of CHUNKS) {
      const model = await files.read(name, content, options);
      expect(model.format).toBe(format);
      expect(corners(model)).toEqual(TETRAHEDRON_CORNERS);
      expect(model.shapes[0].geometry.positions.length).toBe(12);
    }
    for (const { file } of await expectTetrahedron(files, name, content)) expect(file).toBe(name);
  });
});

test('a triangle count that is followed by more is believed', async () => {
  const longer = Buffer.concat([binaryStl(), Buffer.from('made by someone who adds a note')]);
  expect(corners(await files.read('longer.stl', longer))).toEqual(TETRAHEDRON_CORNERS);
});

describe('wrong files say what and where', () => {
  const infinite = binaryStl();
  new DataView(infinite.buffer).setFloat32(84 + 50 + 12, Number.POSITIVE_INFINITY, true);
  const cases: [string, string | Uint8Array, string][] = [
    ['short', 'not a model', 'not an STL file: neither "solid" nor a header of 84 bytes'],
    ['no triangles', 'solid x\nendsolid x\n', 'no triangles'],
    ['binary none', binaryStl().fill(0, 80).slice(0, 84), 'no triangles'],
    ['cut', binaryStl().slice(0, 84 + 120), 'cut off: the header declares 4 triangles, the file holds 2'],
    ['unknown', asciiStl().replace('outer', 'inner'), 'line 3: "inner" instead of "outer" or "endfacet"'],
    [
      'word',
      asciiStl().replace('vertex 0 0 0', 'vertex 0 zero 0'),
      'line 4: a coordinate is not a number: "zero"',
    ],
    [
      'overflow',
      asciiStl().replace('vertex 0 0 0', 'vertex 0 1e999 0'),
      'line 4: a coordinate is too large: "1e999"',
    ],
    [
      'four',
      asciiStl().replace('vertex 0 0 0', 'vertex 0 0 0\nvertex 0 0 0'),
      'line 7: "vertex" instead of "endloop"',
    ],
    ['two', asciiStl().replace('vertex 0 0 0', ''), 'line 7: "endloop" instead of "vertex"'],
    ['place', asciiStl().replace('outer loop', ''), 'line 4: "vertex" instead of "outer" or "endfacet"'],
    ['order', asciiStl().replace('endloop', 'endfacet'), 'line 7: "endfacet" instead of "endloop"'],
    ['end', asciiStl().replace(/endsolid.*/, ''), 'cut off: there is no "endsolid"'],
    ['infinite', infinite, 'byte 134: triangle 1 has a coordinate that is not finite'],
    ['empty', '', 'is empty'],
  ];
  test.each(cases)('%s', async (name, content, message) => {
    await expectRefused(files, `${name}.stl`, content, message);
  });
});
