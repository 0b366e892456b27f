/** Files that are damaged or meant to do harm, through `pack`: one line, exit code 2, nothing left behind. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { asciiStl, ByteWriter, binaryPly, binaryStl, glb, gltfParts, obj, temporaryFolder } from './files.js';
import { glbFile, ifcWall, MODEL_FILES, threeMf } from './model-files.js';
import { impinge } from './run-impinge.js';

const folder = temporaryFolder();
let serial = 0;

/** Packs a file with this content; says what was printed. */
async function failure(name: string, content: string | Uint8Array): Promise<string> {
  const own = join(folder, `case ${serial++}`);
  mkdirSync(join(own, 'out'), { recursive: true });
  const path = join(own, name);
  writeFileSync(path, content);
  const { code, out, err } = await impinge(
    'pack',
    path,
    '-o',
    join(own, 'out', 'x.impinge'),
    '--memory',
    '64MB',
  );
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err.startsWith(`impinge: ${path}: `)).toBe(true);
  expect(err).toMatch(/^impinge: (?!internal error)[^\n]*\n$/);
  expect(readdirSync(join(own, 'out'))).toEqual([]);
  return err.slice(`impinge: ${path}: `.length).trimEnd();
}

describe('cut off in the middle', () => {
  test.each(MODEL_FILES)('%s', async (name, bytes) => {
    // text formats without counts cannot tell an end from an end: cut inside the last number of a face or header
    const at = name.endsWith('.obj') ? bytes.length - 4 : Math.floor(0.6 * bytes.length);
    expect(await failure(name, bytes.subarray(0, at))).not.toBe('');
  });

  test.each(MODEL_FILES)('%s with nothing in it', async (name) => {
    expect(await failure(name, '')).not.toBe('');
  });
});

describe('numbers that are none', () => {
  const withNaN = (bytes: Uint8Array, at: number) => {
    const copy = bytes.slice();
    new DataView(copy.buffer, copy.byteOffset).setFloat32(at, Number.NaN, true);
    return copy;
  };
  const plyBody = Buffer.from(binaryPly(true)).indexOf('end_header\n') + 'end_header\n'.length;
  test.each([
    ['a.stl', withNaN(binaryStl(), 84 + 12), /triangle 0|NaN|finite/],
    ['b.stl', asciiStl().replace('vertex 1.5 0 0', 'vertex nan 0 0'), /line \d+|nan/],
    ['c.ply', withNaN(binaryPly(true), plyBody + 4), /vertex 0|NaN|finite/],
    ['d.obj', obj().replace('v 1.5 0 0', 'v 1.5 NaN 0'), /line \d+|NaN/],
    ['e.obj', obj().replace('v 1.5 0 0', 'v 1e400 0 0'), /line \d+|finite/],
    ['f.glb', glb(gltfParts().json, withNaN(gltfParts().binary, 16)), /accessor 0|NaN|finite/],
    ['g.3mf', threeMf(modelText('<vertex x="NaN" y="0" z="0"/>')), /NaN|finite|number/],
  ])('%s', async (name, content, message) => {
    expect(await failure(name, content)).toMatch(message);
  });
});

function modelText(vertex: string, objects = '', build = '<item objectid="1"/>'): string {
  return (
    '<?xml version="1.0"?><model unit="meter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02">' +
    `<resources><object id="1"><mesh><vertices>${vertex}<vertex x="0" y="1" z="0"/><vertex x="1" y="0" z="0"/>` +
    '</vertices><triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh></object>' +
    `${objects}</resources><build>${build}</build></model>`
  );
}

describe('counts and indices that promise too much', () => {
  const hugePly = Buffer.from(binaryPly(true))
    .toString('latin1')
    .replace('element vertex 4', 'element vertex 4000000000');
  const hugeStl = binaryStl();
  new DataView(hugeStl.buffer, hugeStl.byteOffset).setUint32(80, 0xfffffff0, true);
  const accessor = gltfParts();
  accessor.json.accessors[0]['count'] = 2 ** 40;
  const index = gltfParts();
  new DataView(index.binary.buffer, index.binary.byteOffset).setUint16(48, 60_000, true);
  test.each([
    ['a.ply', Buffer.from(hugePly, 'latin1'), /cut off|4,?000,?000,?000|vertices/],
    ['b.stl', hugeStl, /cut off/],
    ['c.obj', obj().replace('f 1 3 2', 'f 1 3 99999999999'), /line \d+/],
    ['d.glb', glb(accessor.json, accessor.binary), /accessor 0/],
    ['e.glb', glb(index.json, index.binary), /60,?000|accessor 1|index/],
    ['f.glb', new ByteWriter().text('glTF').number('u4', 2, 0xffffffff, 0xfffffff0, 0x4e4f534a).done(), /./],
    [
      'g.3mf',
      threeMf(modelText('<vertex x="0" y="0" z="0"/>').replace('v3="2"', 'v3="4000000000"')),
      /4000000000|vertex/,
    ],
    ['h.ifc', ifcWall().replace('(#12),#2)', '(#4000000000),#2)').replace('#36=', '#36000000000='), /./],
  ])('%s', async (name, content, message) => {
    expect(await failure(name, content)).toMatch(message);
  });
});

describe('archives that swell', () => {
  test('a 3MF whose model claims little and holds much', async () => {
    // the directory says 100 bytes; what comes out has no end for this memory
    const text = Buffer.alloc(300 * 2 ** 20, ' ');
    const packed = deflateRawSync(text, { level: 9 });
    const name = '3D/3dmodel.model';
    const local = new ByteWriter()
      .number('u4', 0x04034b50)
      .number('u2', 20, 0, 8, 0, 0)
      .number('u4', 0, packed.length, 100)
      .number('u2', name.length, 0)
      .text(name)
      .bytes(packed)
      .done();
    const central = new ByteWriter()
      .number('u4', 0x02014b50)
      .number('u2', 20, 20, 0, 8, 0, 0)
      .number('u4', 0, packed.length, 100)
      .number('u2', name.length, 0, 0, 0, 0)
      .number('u4', 0, 0)
      .text(name)
      .done();
    const end = new ByteWriter()
      .number('u4', 0x06054b50)
      .number('u2', 0, 0, 1, 1)
      .number('u4', central.length, local.length)
      .number('u2', 0)
      .done();
    expect(await failure('bomb.3mf', Buffer.concat([local, central, end]))).not.toBe('');
  });

  test('a gzipped STL that ends in the middle', async () => {
    const packed = gzipSync(binaryStl());
    expect(await failure('half.stl.gz', packed.subarray(0, packed.length - 20))).toMatch(/cut off|gzip|end/i);
  });
});

describe('graphs that never end', () => {
  test('glTF nodes in a circle, and a node that is its own child', async () => {
    const circle = gltfParts();
    circle.json.nodes = [
      { name: 'a', children: [1] },
      { name: 'b', children: [0], mesh: 0 },
    ];
    expect(await failure('circle.glb', glb(circle.json, circle.binary))).toMatch(/node [01]/);
    const own = gltfParts();
    own.json.nodes = [{ name: 'a', children: [0], mesh: 0 }];
    expect(await failure('own.glb', glb(own.json, own.binary))).toMatch(/node 0/);
  });

  test('glTF nodes that double at every level', async () => {
    const tree = gltfParts();
    tree.json.nodes = Array.from({ length: 60 }, (_, i) =>
      i < 59 ? { children: [i + 1, i + 1] } : { mesh: 0 },
    );
    expect(await failure('tree.glb', glb(tree.json, tree.binary))).toMatch(/node \d+/);
  });

  test('3MF components in a circle', async () => {
    const objects =
      '<object id="2"><components><component objectid="3"/></components></object>' +
      '<object id="3"><components><component objectid="2"/></components></object>';
    const text = modelText('<vertex x="0" y="0" z="0"/>', objects, '<item objectid="2"/>');
    expect(await failure('circle.3mf', threeMf(text))).toMatch(/circle|itself|2|3/);
  });
});

test('what is no model at all', async () => {
  for (const name of ['x.glb', 'x.ifc', 'x.3mf', 'x.stl', 'x.ply', 'x.obj', 'x.xyz']) {
    expect(await failure(name, 'Dear reader,\nthis is a letter.\n')).not.toBe('');
  }
});

test('one bad file among good ones is the one that is named', async () => {
  const own = join(folder, 'among');
  mkdirSync(own);
  writeFileSync(join(own, 'a.glb'), glbFile());
  writeFileSync(join(own, 'b.stl'), binaryStl().subarray(0, 200));
  writeFileSync(join(own, 'c.glb'), glbFile());
  const { code, err } = await impinge('pack', own, '-o', join(folder, 'among.impinge'));
  expect(code).toBe(2);
  expect(err).toBe(
    `impinge: ${join(own, 'b.stl')}: cut off: the header declares 4 triangles, the file holds 2\n`,
  );
});
