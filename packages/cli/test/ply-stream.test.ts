import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { full, runs } from '../../../test/budget.js';
import { ByteWriter, Files } from './files.js';
import { expectClose, NOTHING, PLENTY, readSource } from './source-triangles.js';

const files = new Files();

interface Shape {
  readonly points: number[];
  readonly faces: number[][];
}

/** Few vertices, polygons of 3 to 6 corners; every coordinate is exact in float32 and in text. */
const shapes: fc.Arbitrary<Shape> = fc.integer({ min: 3, max: 40 }).chain((count) =>
  fc.record({
    points: fc.array(fc.integer({ min: -4096, max: 4096 }), { minLength: 3 * count, maxLength: 3 * count }),
    faces: fc.array(fc.array(fc.nat(count - 1), { minLength: 3, maxLength: 6 }), {
      minLength: 1,
      maxLength: 60,
    }),
  }),
);

type Encoding = 'ascii' | 'binary_little_endian' | 'binary_big_endian';

/** A file with elements that are passed over before, between and behind, and the faces first if asked for. */
function plyOf(
  { points, faces }: Shape,
  encoding: Encoding,
  isWide: boolean,
  facesFirst: boolean,
): Uint8Array {
  const coordinate = isWide ? 'f8' : 'f4';
  const name = isWide ? 'double' : 'float';
  const head = [
    `element vertex ${points.length / 3}\nproperty uchar red\nproperty ${name} z\nproperty ${name} x\nproperty ${name} y\n`,
    `element face ${faces.length}\nproperty list uchar ushort vertex_indices\nproperty float quality\n`,
  ];
  const writer = new ByteWriter(encoding !== 'binary_big_endian').text(
    `ply\nformat ${encoding} 1.0\nelement camera 2\nproperty list uchar int ids\n` +
      `${facesFirst ? head.reverse().join('') : head.join('')}element tail 3\nproperty short n\nend_header\n`,
  );
  const put = (type: 'u1' | 'i2' | 'u2' | 'i4' | 'f4' | 'f8', ...values: number[]) =>
    encoding === 'ascii' ? writer.text(`${values.join(' ')} `) : writer.number(type, ...values);
  put('u1', 1);
  put('i4', 5);
  put('u1', 0);
  const vertices = () => {
    for (let v = 0; v < points.length; v += 3) {
      put('u1', 200);
      put(coordinate, points[v + 2], points[v], points[v + 1]);
    }
  };
  const polygons = () => {
    for (const face of faces) {
      put('u1', face.length);
      put('u2', ...face);
      put('f4', 0.5);
    }
  };
  if (facesFirst) polygons();
  vertices();
  if (!facesFirst) polygons();
  put('i2', 1, 2, 3);
  return writer.done();
}

describe.each<Encoding>(['ascii', 'binary_little_endian', 'binary_big_endian'])('%s', (encoding) => {
  full.each([false, true])('any polygons as a stream, faces first: %s (seed 7)', async (facesFirst) => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.boolean(), async (shape, isWide) => {
        const path = files.write('any.ply', plyOf(shape, encoding, isWide, facesFirst));
        const expected = shape.faces.flatMap((face) =>
          face
            .slice(2)
            .flatMap((_, i) =>
              [face[0], face[i + 1], face[i + 2]].flatMap((v) => shape.points.slice(3 * v, 3 * v + 3)),
            ),
        );
        // a shape may take a quarter: of the second, all vertices in float32 and nothing else
        const vertexMemory = 16 * shape.points.length;
        for (const memoryBytes of [PLENTY, vertexMemory, NOTHING]) {
          const [found] = await readSource(files, path, { memoryBytes });
          expect(found.corners).toEqual(expected);
          expect(found.isStream).toBe(memoryBytes !== PLENTY);
          expect(found.isIndexed).toBe(memoryBytes === vertexMemory && !isWide);
        }
      }),
      { seed: 7, numRuns: runs(25) },
    );
  });
});

full.each(['binary', 'ascii'])('more vertices than pages are kept, %s', async (kind) => {
  // 40,000 vertices are 40 pages, of which 16 stay; the faces jump between all of them
  const count = 40_000;
  const faces = 3_000;
  const vertex = (v: number) => [v % 211, v >> 4, (v * 7919) % 1024];
  const index = (i: number) => (i * 7_654_321 + (i >> 3)) % count;
  const types = kind === 'binary' ? 'binary_little_endian' : 'ascii';
  const header =
    `ply\nformat ${types} 1.0\nelement vertex ${count}\nproperty float x\nproperty float y\nproperty float z\n` +
    `element face ${faces}\nproperty list uchar uint vertex_index\nend_header\n`;
  let content: Uint8Array;
  const expected: number[] = [];
  for (let i = 0; i < 3 * faces; i++) expected.push(...vertex(index(i)));
  if (kind === 'binary') {
    const body = new DataView(new ArrayBuffer(12 * count + 13 * faces));
    for (let v = 0; v < count; v++)
      vertex(v).forEach((x, a) => void body.setFloat32(12 * v + 4 * a, x, true));
    for (let f = 0; f < faces; f++) {
      const at = 12 * count + 13 * f;
      body.setUint8(at, 3);
      for (let c = 0; c < 3; c++) body.setUint32(at + 1 + 4 * c, index(3 * f + c), true);
    }
    content = new Uint8Array(Buffer.concat([Buffer.from(header), Buffer.from(body.buffer)]));
  } else {
    const rows: string[] = [];
    for (let v = 0; v < count; v++) rows.push(vertex(v).join(' '));
    for (let f = 0; f < faces; f++) rows.push(`3 ${index(3 * f)} ${index(3 * f + 1)} ${index(3 * f + 2)}`);
    content = new Uint8Array(Buffer.from(`${header}${rows.join('\n')}\n`));
  }
  const [found] = await readSource(files, files.write(`pages-${kind}.ply`, content), {
    memoryBytes: NOTHING,
  });
  expect(found.isStream).toBe(true);
  expectClose(found.corners, expected, 0);
});

test('lists longer than what is read at once, of any type (seed 12)', async () => {
  const CHUNK_BYTES = 61;
  const row = fc.record({
    list: fc.array(fc.nat(9), { minLength: 3, maxLength: 300 }),
    other: fc.array(fc.nat(9), { maxLength: 90 }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom<Encoding>('ascii', 'binary_little_endian', 'binary_big_endian'),
      fc.constantFrom(['uchar', 'u1'] as const, ['ushort', 'u2'] as const, ['int', 'i4'] as const),
      fc.boolean(),
      async (rows, encoding, [typeName, type], isStrip) => {
        const points = Array.from({ length: 30 }, (_, i) => (i * i) % 17);
        const writer = new ByteWriter(encoding !== 'binary_big_endian').text(
          `ply\nformat ${encoding} 1.0\nelement vertex 10\nproperty float x\nproperty float y\nproperty float z\n` +
            `element ${isStrip ? 'tristrips' : 'face'} ${rows.length}\nproperty list ushort uchar others\n` +
            `property list int ${typeName} vertex_indices\nproperty float quality\nend_header\n`,
        );
        const put = (as: 'u1' | 'u2' | 'i4' | 'f4', ...values: number[]) =>
          encoding === 'ascii' ? writer.text(`${values.join(' ')}\n`) : writer.number(as, ...values);
        put('f4', ...points);
        for (const { list, other } of rows) {
          put('u2', other.length);
          put('u1', ...other);
          put('i4', list.length);
          put(type, ...list);
          put('f4', 0.5);
        }
        const triangle = (list: readonly number[], i: number) => {
          if (!isStrip) return [list[0], list[i + 1], list[i + 2]];
          return i % 2 === 1 ? [list[i + 1], list[i], list[i + 2]] : list.slice(i, i + 3);
        };
        const expected = rows.flatMap(({ list }) =>
          list.slice(2).flatMap((_, i) => triangle(list, i).flatMap((v) => points.slice(3 * v, 3 * v + 3))),
        );
        const path = files.write('lists.ply', writer.done());
        for (const memoryBytes of [PLENTY, NOTHING]) {
          const [found] = await readSource(files, path, { memoryBytes, chunkBytes: CHUNK_BYTES });
          expect(found.corners).toEqual(expected);
        }
      },
    ),
    { seed: 12, numRuns: runs(60) },
  );
});

test('a face of so many corners that its triangles do not fit becomes a stream', async () => {
  const corners = 3000;
  const writer = new ByteWriter().text(
    'ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n' +
      'element face 1\nproperty list int uchar vertex_indices\nend_header\n',
  );
  writer.number('f4', 0, 0, 0, 1, 0, 0, 0, 1, 0).number('i4', corners);
  writer.number('u1', ...Array.from({ length: corners }, (_, i) => i % 3));
  const path = files.write('fan.ply', writer.done());
  // by its header it is one triangle; its share is a quarter
  const [found] = await readSource(files, path, { memoryBytes: 4 * 12 * (corners - 3) });
  const [whole] = await readSource(files, path, { memoryBytes: 8 * 12 * corners });
  expect([found.isStream, whole.isStream]).toEqual([true, false]);
  expect(found.corners).toHaveLength(9 * (corners - 2));
  expect(found.corners).toEqual(whole.corners);
});
