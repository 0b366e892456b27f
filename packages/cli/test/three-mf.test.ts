/** 3MF: placements, components, units; and archives that are damaged or meant to do harm. */
import { crc32, deflateRawSync } from 'node:zlib';
import type { ShapeArrays } from '@impinge/model';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { full } from '../../../test/budget.js';
import type { ModelSource, SourceOptions } from '../src/formats/model-source.js';
import type { LoadedShape } from '../src/formats/read-model.js';
import { placeOf } from '../src/formats/source-object.js';
import { threeMfSource } from '../src/formats/three-mf/three-mf.js';
import { ByteWriter, Files, TETRAHEDRON_CORNERS } from './files.js';
import { MODEL_3MF, meshOf3mf, threeMf } from './model-files.js';
import { shapesOf, sourceFailure } from './source-triangles.js';

const files = new Files();
const PRODUCTION = 'http://schemas.microsoft.com/3dmanufacturing/production/2015/06';

function model(objects: string, items: string, attributes = ''): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<model ${MODEL_3MF} xmlns:p="${PRODUCTION}" ${attributes}>\n` +
    `<resources>\n${objects}\n</resources>\n<build>\n${items}\n</build>\n</model>\n`
  );
}

const TETRA = `<object id="1" name="tetra">${meshOf3mf()}</object>`;
const WHOLE = model(TETRA, '<item objectid="1"/>');

async function read(
  bytes: Uint8Array,
  options: Partial<SourceOptions> = {},
): Promise<[ModelSource, LoadedShape[]]> {
  const source = await threeMfSource(files.write('part.3mf', bytes), { memoryBytes: 64e6, ...options });
  return [source, await shapesOf(source)];
}

const failure = (bytes: Uint8Array) => sourceFailure(files, 'part.3mf', bytes);

function corners({ positions, indices }: ShapeArrays): number[] {
  return [...indices].flatMap((v) => [...positions.slice(3 * v, 3 * v + 3)]);
}

describe('whole files', () => {
  test('a mesh in millimetres', async () => {
    const [source, shapes] = await read(threeMf(WHOLE));
    expect(source.format).toBe('3MF');
    expect(source.metresPerUnit).toBe(1e-3);
    expect(shapes).toHaveLength(1);
    expect(shapes[0].geometry.positions).toBeInstanceOf(Float32Array);
    expect(corners(shapes[0].geometry)).toEqual(TETRAHEDRON_CORNERS);
    expect(shapes[0].objects).toEqual([
      {
        id: 'part/tetra',
        name: 'tetra',
        path: 'part/tetra',
        type: 'model',
        discipline: 'part',
        file: 'part.3mf',
        storey: '',
        pose: undefined,
      },
    ]);
  });

  test.each([
    ['micron', 1e-6],
    ['millimeter', 1e-3],
    ['centimeter', 1e-2],
    ['inch', 0.0254],
    ['foot', 0.3048],
    ['meter', 1],
  ])('unit %s', async (unit, metres) => {
    const [source] = await read(threeMf(model(TETRA, '<item objectid="1"/>', `unit="${unit}"`)));
    expect(source.metresPerUnit).toBe(metres);
  });

  test('rigid items share a shape; a mirrored one gets its own, with its outside outside', async () => {
    const items =
      '<item objectid="1" partnumber="A-1"/>' +
      '<item objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 20 30"/>' +
      '<item objectid="1" transform="-2 0 0 0 2 0 0 0 2 0 0 0"/>';
    const [, shapes] = await read(threeMf(model(TETRA, items)));
    expect(shapes.map(({ objects }) => objects.map(({ path }) => path))).toEqual([
      ['part/A-1', 'part/tetra'],
      ['part/tetra'],
    ]);
    expect(shapes.flatMap(({ objects }) => objects.map(({ id }) => id))).toEqual([
      'part/A-1',
      'part/tetra',
      'part/tetra#2',
    ]);
    // row vectors: x goes to y, y to −x
    expect([...placeOf(shapes[0].objects[1])!]).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1, 10, 20, 30]);
    const mirrored = shapes[1].geometry;
    expect(mirrored.positions).toBeInstanceOf(Float64Array);
    const c = TETRAHEDRON_CORNERS;
    expect(corners(mirrored).slice(0, 9)).toEqual(
      [0, 2, 1].flatMap((k) => [-2 * c[3 * k] + 0, 2 * c[3 * k + 1], 2 * c[3 * k + 2]]).map((x) => x + 0),
    );
  });

  test('components become a folder, with their places multiplied', async () => {
    const objects =
      `${TETRA}<object id="2" name="pair"><components>` +
      '<component objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/><component objectid="1"/></components></object>';
    const [, shapes] = await read(
      threeMf(model(objects, '<item objectid="2" transform="0 1 0 -1 0 0 0 0 1 0 0 7"/>')),
    );
    expect(shapes).toHaveLength(1);
    expect(shapes[0].objects.map(({ path }) => path)).toEqual(['part/pair/tetra', 'part/pair/tetra']);
    expect([...placeOf(shapes[0].objects[0])!]).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 5, 7]);
    expect([...placeOf(shapes[0].objects[1])!]).toEqual([0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 7]);
  });

  test('parts of the production extension', async () => {
    const other = model('<object id="1" name="far">'.concat(meshOf3mf(), '</object>'), '');
    const objects =
      '<object id="1" name="near"><components><component p:path="/3D/Other.model" objectid="1"/></components></object>';
    const [, shapes] = await read(
      threeMf(model(objects, '<item objectid="1"/>', 'requiredextensions="p"'), {
        '3D/other.model': strToU8(other),
      }),
    );
    expect(shapes[0].objects[0].path).toBe('part/near/far');
  });

  test('Y up on request, to the bit', async () => {
    const [, shapes] = await read(threeMf(WHOLE), { up: 'y' });
    expect([...placeOf(shapes[0].objects[0])!]).toEqual([1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0]);
  });

  test('numbers beyond float32 stay as they are', async () => {
    const [, shapes] = await read(threeMf(WHOLE.replace('x="1.5"', 'x="1.1"')));
    expect(shapes[0].geometry.positions[3]).toBe(1.1);
  });

  test('little memory, a prefixed core, no relations, stored entries', async () => {
    const prefixed = WHOLE.replace('xmlns=', 'xmlns:c=').replace(/<(\/?)(?=[a-z])/g, '<$1c:');
    const bytes = zipSync({ '3D/3dmodel.model': [strToU8(prefixed), { level: 0 }] });
    const [, shapes] = await read(bytes, { memoryBytes: 4 });
    expect(corners(shapes[0].geometry)).toEqual(TETRAHEDRON_CORNERS);
  });
});

describe('refused', () => {
  const chain = (length: number) =>
    TETRA +
    Array.from(
      { length },
      (_, i) => `<object id="${i + 2}"><components><component objectid="${i + 1}"/></components></object>`,
    ).join('');
  const doubling = Array.from({ length: 40 }, (_, i) => {
    const component = `<component objectid="${i + 1}"/>`;
    return `<object id="${i + 2}"><components>${component}${component}</components></object>`;
  }).join('');

  test.each<[name: string, text: string, message: RegExp]>([
    ['empty', '', /document must contain a root element/],
    ['cut off', WHOLE.slice(0, 400), /"\/3D\/3dmodel.model" line \d+: unclosed tag/],
    ['another root', '<svg/>', /<model> expected, not <svg>/],
    ['unknown unit', WHOLE.replace('<model', '<model unit="furlong"'), /unknown unit "furlong"/],
    ['NaN', WHOLE.replace('x="1.5"', 'x="NaN"'), /line \d+: x is "NaN", not a number/],
    ['infinity', WHOLE.replace('x="1.5"', 'x="1e999"'), /x is "1e999", not a number/],
    ['missing coordinate', WHOLE.replace('x="1.5"', ''), /x is "", not a number/],
    [
      'index out of range',
      WHOLE.replace('v1="2"', 'v1="4"'),
      /triangle \d+ refers to vertex 4, but there are 4/,
    ],
    ['negative index', WHOLE.replace('v1="2"', 'v1="-1"'), /v1 is "-1", not a number from 0 to 4294967295/],
    ['huge index', WHOLE.replace('v1="2"', 'v1="4294967296"'), /not a number from 0 to 4294967295/],
    ['object twice', model(TETRA + TETRA, '<item objectid="1"/>'), /object .* is defined twice/],
    ['no such object', model(TETRA, '<item objectid="9"/>'), /there is no object "3d\/3dmodel.model#9"/],
    ['nothing built', model(TETRA, ''), /no triangles in its build/],
    ['short transform', model(TETRA, '<item objectid="1" transform="1 0 0"/>'), /a transform of 3 numbers/],
    [
      'transform of NaN',
      model(TETRA, '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 x"/>'),
      /not a number/,
    ],
    [
      'transform too large',
      model(TETRA, '<item objectid="1" transform="1e200 0 0 0 1e308 0 0 0 1e308 0 0 0"/>'),
      /its place is not finite/,
    ],
    [
      'a cycle',
      model(
        '<object id="1"><components><component objectid="2"/></components></object>' +
          '<object id="2"><components><component objectid="1"/></components></object>',
        '<item objectid="1"/>',
      ),
      /object "object 1" contains itself/,
    ],
    [
      'deep components',
      model(chain(5000), '<item objectid="5001"/>'),
      /components nested more than 100 deep/,
    ],
    ['rabbits', model(TETRA + doubling, '<item objectid="41"/>'), /more than \d+ objects from \d+ bytes/],
    [
      'missing part',
      model('<object id="1"><components><component p:path="/no" objectid="1"/></components></object>', ''),
      /it refers to "\/no", which is not in it/,
    ],
    [
      'unknown extension',
      WHOLE.replace('<model', '<model xmlns:b="http://example.org/beams" requiredextensions="b"'),
      /it needs "http:\/\/example.org\/beams", which is not supported/,
    ],
    [
      'entities',
      `<!DOCTYPE model [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${WHOLE.slice(WHOLE.indexOf('<model'))}`,
      /a document type is not allowed/,
    ],
    ['unknown entity', WHOLE.replace('name="tetra"', 'name="&lol;"'), /undefined entity/],
  ])('%s', async (_, text, message) => {
    expect(await failure(threeMf(text))).toMatch(message);
  });

  test('not UTF-8', async () => {
    const bytes = strToU8(WHOLE);
    bytes[WHOLE.indexOf('tetra')] = 0xff;
    expect(await failure(zipSync({ '3D/3dmodel.model': bytes }))).toMatch(/it is not UTF-8/);
  });

  test('an archive without a model', async () => {
    expect(await failure(zipSync({ 'a.txt': strToU8('hello') }))).toMatch(
      /not a 3MF file: there is no "3D\/3dmodel.model" in it/,
    );
  });
});

/** A zip with one entry, whose header says what it is told to. */
function lyingZip(data: Uint8Array, declared: number, flags = 0, method = 8): Uint8Array {
  const name = '3D/3dmodel.model';
  const fields = (writer: ByteWriter) =>
    writer
      .number('u2', 20, flags, method, 0, 0)
      .number('u4', crc32(WHOLE), data.length, declared)
      .number('u2', name.length, 0);
  const local = fields(new ByteWriter().number('u4', 0x04034b50)).text(name).bytes(data).done();
  const entry = fields(new ByteWriter().number('u4', 0x02014b50).number('u2', 20))
    .number('u2', 0, 0, 0)
    .number('u4', 0, 0)
    .text(name)
    .done();
  return new ByteWriter()
    .bytes(local)
    .bytes(entry)
    .number('u4', 0x06054b50)
    .number('u2', 0, 0, 1, 1)
    .number('u4', entry.length, local.length)
    .number('u2', 0)
    .done();
}

describe('archives meant to do harm', () => {
  test('an honest one, written the same way', async () => {
    const [, shapes] = await read(lyingZip(deflateRawSync(WHOLE), WHOLE.length));
    expect(shapes).toHaveLength(1);
  });

  const packed = deflateRawSync(WHOLE);
  test.each([
    ['more in it than it declares', lyingZip(packed, 100), /it holds more than the 100 bytes it declares/],
    ['less in it than it declares', lyingZip(packed, 2000), /cut off: \d+ of 2000 bytes/],
    ['declares more than it may', lyingZip(packed, 0xfffffff0), /it would grow to more than 67108864/],
    ['encrypted', lyingZip(packed, WHOLE.length, 1), /it is encrypted/],
    ['an unknown method', lyingZip(packed, WHOLE.length, 0, 12), /method 12/],
    ['damaged', lyingZip(new Uint8Array(50).fill(0xff), WHOLE.length), /its compressed data is damaged/],
    [
      'the same name twice',
      zipSync({ '3D/3dmodel.model': strToU8(WHOLE), '3d/3DMODEL.model': strToU8(WHOLE) }),
      /is in it twice/,
    ],
  ])('%s', async (_, bytes, message) => {
    expect(await failure(bytes)).toMatch(message);
  });

  full('a hundred megabytes of blanks in a hundred kilobytes', async () => {
    const blanks = deflateRawSync(Buffer.alloc(100 << 20, 0x20));
    expect(blanks.length).toBeLessThan(200_000);
    expect(await failure(lyingZip(blanks, 100 << 20))).toMatch(/archives may hold 200 times their size/);
  });
});
