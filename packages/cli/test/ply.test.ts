import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  asciiPly,
  ByteWriter,
  binaryPly,
  corners,
  Files,
  TETRAHEDRON,
  TETRAHEDRON_CORNERS,
} from './files.js';
import { expectRefused, expectTetrahedron, NOTHING, readSource } from './source-triangles.js';

const files = new Files();
/** How much is read at a time: whatever it is, the result is the same. */
const CHUNKS = [{ chunkBytes: 1 }, { chunkBytes: 7 }, { chunkBytes: 64 }, {}];

describe('every encoding gives the same mesh', () => {
  const variants: [string, string | Uint8Array, string][] = [
    ['ascii.ply', asciiPly(), 'PLY, ASCII'],
    ['crlf.ply', asciiPly().replaceAll('\n', '\r\n'), 'PLY, ASCII'],
    ['no-last-newline.ply', asciiPly().trimEnd(), 'PLY, ASCII'],
    ['little.ply', binaryPly(true), 'PLY, binary little endian'],
    ['big.ply', binaryPly(false), 'PLY, binary big endian'],
    ['ascii.ply.gz', gzipSync(asciiPly()), 'PLY, ASCII'],
    ['little.ply.gz', gzipSync(binaryPly(true)), 'PLY, binary little endian'],
    ['misnamed.stl', binaryPly(true), 'PLY, binary little endian'],
  ];
  test.each(variants)('%s', async (name, content, format) => {
    for (const options of CHUNKS) {
      const model = await files.read(name, content, options);
      expect(model.format).toBe(format);
      expect([...model.shapes[0].geometry.positions]).toEqual([...TETRAHEDRON.positions]);
      expect([...model.shapes[0].geometry.indices]).toEqual([...TETRAHEDRON.indices]);
      expect(model.shapes[0].geometry.positions).toBeInstanceOf(Float32Array);
    }
    for (const object of await expectTetrahedron(files, name, content)) {
      expect(object).toMatchObject({ id: name.split('.')[0], file: name, type: '', pose: undefined });
    }
  });
});

test.each([true, false])(
  'any properties in any order, lists among them, elements to pass over (little endian: %s)',
  async (little) => {
    const { positions, indices } = TETRAHEDRON;
    const writer = new ByteWriter(little).text(
      `ply\r\nformat binary_${little ? 'little' : 'big'}_endian 1.0\r\nobj_info nothing\r\nelement camera 2\r\n` +
        'property float64 fov\r\nproperty list ushort char tags\r\nelement vertex 4\r\nproperty uchar red\r\n' +
        'property double z\r\nproperty list uint8 int16 extra\r\nproperty double y\r\nproperty short s\r\n' +
        'property double x\r\nelement material 3\r\nproperty int a\r\nproperty uchar b\r\nelement empty 5\r\n' +
        'element face 4\r\nproperty list uchar float uv\r\nproperty list ushort uint vertex_index\r\n' +
        'property ushort flags\r\nend_header\r\n',
    );
    for (let i = 0; i < 2; i++) writer.number('f8', 1).number('u2', 2).number('i1', -1, 5);
    for (let v = 0; v < 4; v++) {
      writer
        .number('u1', 200)
        .number('f8', positions[3 * v + 2])
        .number('u1', v);
      for (let i = 0; i < v; i++) writer.number('i2', -i);
      writer
        .number('f8', positions[3 * v + 1])
        .number('i2', 3)
        .number('f8', positions[3 * v]);
    }
    for (let i = 0; i < 3; i++) writer.number('i4', 7).number('u1', 8);
    for (let t = 0; t < 4; t++) {
      writer.number('u1', 1).number('f4', 0.5).number('u2', 3);
      writer.number('u4', ...indices.slice(3 * t, 3 * t + 3)).number('u2', 9);
    }
    for (const options of CHUNKS) {
      const model = await files.read('rich.ply', writer.done(), options);
      expect(corners(model)).toEqual(TETRAHEDRON_CORNERS);
      expect(model.shapes[0].geometry.positions).toBeInstanceOf(Float64Array);
    }
  },
);

test('polygons are fanned, faces of two corners dropped, doubles kept', async () => {
  const text =
    'ply\nformat ascii 1.0\nelement vertex 5\nproperty double x\nproperty double y\nproperty double z\n' +
    'element face 3\nproperty list uchar int vertex_indices\nend_header\n' +
    '5000000.001 0 0\n1 0 0\n1 1 0\n0 1 0\n0 2 0\n5 0 1 2 3 4\n2 0 1\n4 4 3 2 1\n';
  const { positions, indices } = (await files.read('fan.ply', text)).shapes[0].geometry;
  expect([...indices]).toEqual([0, 1, 2, 0, 2, 3, 0, 3, 4, 4, 3, 2, 4, 2, 1]);
  expect(positions[0]).toBe(5000000.001);
});

test('triangle strips turn every other triangle and restart at −1', async () => {
  const header = (format: string) =>
    `ply\nformat ${format} 1.0\nelement vertex 6\nproperty float x\nproperty float y\nproperty float z\n` +
    'element tristrips 1\nproperty list int int vertex_indices\nend_header\n';
  const list = [9, 0, 1, 2, 3, -1, 3, 4, 5, 0];
  const expected = [0, 1, 2, 2, 1, 3, 3, 4, 5, 5, 4, 0];
  const points = [0, 1, 2, 3, 4, 5].flatMap((v) => [v, 0, 0]);
  const ascii = `${header('ascii')}${points.join(' ')}\n${list.join(' ')}\n`;
  const binary = new ByteWriter()
    .text(header('binary_little_endian'))
    .number('f4', ...points)
    .number('i4', ...list)
    .done();
  for (const content of [ascii, binary]) {
    for (const options of CHUNKS) {
      const model = await files.read('strip.ply', content, options);
      expect([...model.shapes[0].geometry.indices]).toEqual(expected);
    }
    const [streamed] = await readSource(files, files.write('strip.ply', content), { memoryBytes: NOTHING });
    expect(streamed.corners).toEqual(expected.flatMap((v) => [v, 0, 0]));
  }
});

describe('wrong files say what and where', () => {
  const header = (...lines: string[]) => `ply\nformat ascii 1.0\n${lines.join('\n')}\nend_header\n`;
  const vertex = ['element vertex 3', 'property float x', 'property float y', 'property float z'];
  const face = ['element face 1', 'property list uchar int vertex_indices'];
  const points = '0 0 0\n1 0 0\n0 1 0\n';
  const notFinite = binaryPly(true);
  new DataView(notFinite.buffer).setFloat32(notFinite.length - 52 - 12, Number.NaN, true);
  const wrongIndex = binaryPly(false);
  new DataView(wrongIndex.buffer).setInt32(wrongIndex.length - 4, -1, false);
  const cases: [string, string | Uint8Array, string | RegExp][] = [
    ['magic', 'plx\nformat ascii 1.0\n', 'line 1: not a PLY file: it does not begin with "ply"'],
    ['no end', 'ply\nformat ascii 1.0\n', 'cut off: the header has no "end_header"'],
    ['no format', 'ply\nelement vertex 1\nend_header\n', 'the header has no "format" line'],
    ['format', 'ply\nformat ebcdic 1.0\nend_header\n', 'line 2: unknown format "ebcdic"'],
    ['type', header('element vertex 3', 'property int128 x'), 'line 4: unknown property type "int128"'],
    [
      'prototype type',
      header('element vertex 3', 'property toString x'),
      'line 4: unknown property type "toString"',
    ],
    ['negative count', header('element vertex -3'), 'line 3: the count of element "vertex" is "-3"'],
    ['absurd count', header('element vertex 1e30'), 'line 3: the count of element "vertex" is "1e30"'],
    [
      'too many',
      header('element vertex 99999999999', ...vertex.slice(1), ...face),
      /99999999999 vertices are more than fit/,
    ],
    ['twice', header(...vertex, ...vertex), 'line 7: element "vertex" is declared twice'],
    ['early property', header('property float x'), 'line 3: a property before any element'],
    ['unknown line', header('elephant 3'), 'line 3: unknown header line "elephant 3"'],
    ['no vertices', header(...face), 'header: there is no element "vertex"'],
    [
      'no y',
      header(vertex[0], vertex[1], vertex[3], ...face),
      'header: element "vertex" has no property "y"',
    ],
    [
      'no list',
      header(...vertex, 'element face 1', 'property int a'),
      'header: element "face" has no list "vertex_indices"',
    ],
    ['cloud', `${header(...vertex)}${points}`, 'no triangles, only a cloud of 3 points'],
    [
      'index',
      `${header(...vertex, ...face)}${points}3 0 1 3\n`,
      'line 13: face 0 refers to vertex 3, but there are 3',
    ],
    [
      'negative index',
      `${header(...vertex, ...face)}${points}3 0 1 -1\n`,
      'line 13: face 0 refers to vertex -1, but there are 3',
    ],
    [
      'fraction',
      `${header(...vertex, ...face)}${points}3 0 1 1.5\n`,
      'line 13: face 0 refers to vertex 1.5, but there are 3',
    ],
    [
      'list length',
      `${header(...vertex, ...face)}${points}-3 0 1 2\n`,
      'line 13: face 0: the length of "vertex_indices" is -3',
    ],
    ['word', `${header(...vertex, ...face)}0 zero 0\n`, 'line 10: vertex 0: y is not a number: "zero"'],
    ['nan', `${header(...vertex, ...face)}0 0 0\n0 nan 0\n`, 'line 11: vertex 1: y is not a number: "nan"'],
    ['overflow', `${header(...vertex, ...face)}0 1e39 0\n`, 'line 10: vertex 0: y is too large: "1e39"'],
    ['few vertices', `${header(...vertex, ...face)}0 0 0\n`, 'cut off in vertex 1 of 3'],
    ['huge list', `${header(...vertex, ...face)}${points}4000000000 0 1 2\n`, 'cut off in face 0 of 1'],
    ['empty', '', 'is empty'],
    ['binary NaN', notFinite, /^byte \d+: vertex 3 has a coordinate that is not finite$/],
    ['binary index', wrongIndex, /^byte \d+: face 3 refers to vertex -1, but there are 4$/],
    ['binary, cut in the vertices', binaryPly(true).slice(0, -60), /cut off in vertex 3 of 4$/],
    ['binary, cut in the faces', binaryPly(true).slice(0, -5), /cut off in face 3 of 4$/],
    ['two formats', header('format binary_little_endian 1.0'), 'line 3: a second, different format'],
  ];
  test.each(cases)('%s', async (name, content, message) => {
    await expectRefused(files, `${name}.ply`, content, message);
  });

  test('binary: list length, a header that promises the moon', async () => {
    const promises = Buffer.from(binaryPly(true)).toString('latin1').replace('vertex 4', 'vertex 4000000000');
    expect(await files.failure('moon.ply', Buffer.from(promises, 'latin1'))).toMatch(
      /cut off in vertex \d of 4000000000/,
    );
    expect(await files.failure('moon.ply.gz', gzipSync(Buffer.from(promises, 'latin1')))).toMatch(
      /cut off in vertex/,
    );
    const list = new ByteWriter()
      .text(
        'ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n' +
          'element face 1\nproperty list uint int vertex_indices\nend_header\n',
      )
      .number('f4', 0, 0, 0)
      .number('u4', 0xffffffff, 0)
      .done();
    expect(await files.failure('list.ply', list)).toMatch(/cut off in face 0 of 1/);
  });

  test('an endless header', async () => {
    expect(await files.failure('endless.ply', `ply\n${'comment x\n'.repeat(200_000)}`)).toBe(
      'the header is longer than 1 MiB',
    );
    expect(await files.failure('line.ply', `ply\n${'x'.repeat(3 << 20)}`)).toBe(
      'the header is longer than 1 MiB',
    );
  });
});
