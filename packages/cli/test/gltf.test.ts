import { gzipSync } from 'node:zlib';
import { NodeIO } from '@gltf-transform/core';
import { EXTMeshGPUInstancing, KHRMeshQuantization } from '@gltf-transform/extensions';
import { describe, expect, test } from 'vitest';
import { placeOf } from '../src/formats/source-object.js';
import {
  alteredGlb,
  ByteWriter,
  corners,
  Files,
  type GltfParts,
  glb,
  gltfParts,
  objectsOf,
  TETRAHEDRON,
  TETRAHEDRON_CORNERS,
} from './files.js';
import { compressedGlb, tetrahedronDocument } from './gltf-document.js';
import { NOTHING, PLENTY, readSource, sourceFailure, turnedUp } from './source-triangles.js';

const files = new Files();
/** The pose of what is not moved: Y up becomes Z up. */
const Y_UP = [1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0];

describe('containers', () => {
  test('binary, zipped binary, text with a data URI, text with a file beside it', async () => {
    const { json, binary } = gltfParts();
    const withUri = (uri: string) => JSON.stringify({ ...json, buffers: [{ byteLength: 72, uri }] }, null, 2);
    files.write('the data.bin', binary);
    const variants: [string, string | Uint8Array][] = [
      ['a.glb', glb(json, binary)],
      ['a.glb.gz', gzipSync(glb(json, binary))],
      ['a.gltf', withUri(`data:application/octet-stream;base64,${Buffer.from(binary).toString('base64')}`)],
      ['b.gltf', `\ufeff${withUri('the%20data.bin')}`],
      ['misnamed.ply', glb(json, binary)],
    ];
    for (const [name, content] of variants) {
      const path = files.write(name, content);
      for (const options of [{ chunkBytes: 5 }, {}, { memoryBytes: NOTHING }]) {
        const [found, ...others] = await readSource(files, path, options);
        expect(others).toEqual([]);
        expect(found.corners).toEqual(turnedUp(TETRAHEDRON_CORNERS));
        expect(found.isStream).toBe('memoryBytes' in options);
        expect(found.object).toMatchObject({ name: 'tetra', path: `${name.split('.')[0]}/tetra` });
        expect([...placeOf(found.object)!]).toEqual(Y_UP);
      }
    }
  });

  test('buffers outside of the folder are not read', async () => {
    const { json } = gltfParts();
    const failure = (uri: string) =>
      files.failure('c.gltf', JSON.stringify({ ...json, buffers: [{ byteLength: 72, uri }] }));
    for (const uri of [
      '../secret.bin',
      '/etc/hostname',
      'http://example.com/a.bin',
      'file:///etc/hostname',
      '%2e%2e/x',
      '',
    ]) {
      expect(await failure(uri)).toMatch(/is not a file in the model's folder/);
    }
    expect(await failure('absent.bin')).toBe('buffer 0: "absent.bin" cannot be opened');
    expect(await failure('%zz')).toBe('buffer 0: its uri is malformed');
    expect(await failure('data:text/plain,hello')).toBe('buffer 0: its data URI is not base64');
    expect(await failure('data:;base64,AAAA')).toBe(
      'buffer 0: cut off: 72 bytes are declared, 3 are present',
    );
    files.write('short.bin', new Uint8Array(10));
    expect(await failure('short.bin')).toBe('buffer 0: cut off: 72 bytes are declared, 10 are present');
  });
});

describe('geometry', () => {
  test('strips, fans and triangles without indices; points and lines are left out', async () => {
    const content = alteredGlb(({ json }) => {
      const attributes = { POSITION: 0 };
      json.accessors.push({ bufferView: 0, componentType: 5126, type: 'VEC3', count: 3 });
      json.meshes[0]['primitives'] = [
        { attributes, mode: 5 },
        { attributes, mode: 6 },
        { attributes: { POSITION: 2 } },
        { attributes, mode: 0 },
        { attributes, mode: 1, indices: 1 },
      ];
    });
    const model = await files.read('modes.glb', content);
    const { positions, indices } = model.shapes[0].geometry;
    expect([...indices]).toEqual([0, 1, 2, 2, 1, 3, 0, 1, 2, 0, 2, 3, 4, 5, 6]);
    expect(positions.length).toBe(3 * 7);
  });

  test('interleaved, offset and sparse accessors', async () => {
    const { positions, indices } = TETRAHEDRON;
    const writer = new ByteWriter().number('u4', 0xdeadbeef);
    for (let v = 0; v < 4; v++)
      writer.number('f4', ...positions.slice(3 * v, 3 * v + 3)).number('f4', Number.NaN);
    writer
      .number('u1', ...indices)
      .number('u1', 3, 1, 0, 0)
      .number('f4', 7, 8, 9, 4, 5, 6);
    const binary = writer.done();
    const { json } = gltfParts();
    json.bufferViews = [
      { buffer: 0, byteOffset: 0, byteLength: 68, byteStride: 16 },
      { buffer: 0, byteOffset: 68, byteLength: 12 },
      { buffer: 0, byteOffset: 80, byteLength: 2 },
      { buffer: 0, byteOffset: 84, byteLength: 24 },
    ];
    json.buffers = [{ byteLength: binary.length }];
    const sparse = { count: 2, indices: { bufferView: 2, componentType: 5121 }, values: { bufferView: 3 } };
    json.accessors = [
      { bufferView: 0, byteOffset: 4, componentType: 5126, type: 'VEC3', count: 4, sparse },
      { bufferView: 1, componentType: 5121, type: 'SCALAR', count: 12 },
    ];
    const model = await files.read('sparse.glb', glb(json, binary));
    expect([...model.shapes[0].geometry.positions]).toEqual([0, 0, 0, 4, 5, 6, 0, 2.25, 0, 7, 8, 9]);
    expect([...model.shapes[0].geometry.indices]).toEqual([...indices]);
    delete json.accessors[0]['bufferView'];
    const baseless = await files.read('baseless.glb', glb(json, binary));
    expect([...baseless.shapes[0].geometry.positions]).toEqual([0, 0, 0, 4, 5, 6, 0, 0, 0, 7, 8, 9]);
  });

  test.each(['plain', 'normalised'])('quantised positions, %s', async (kind) => {
    const document = tetrahedronDocument();
    document.createExtension(KHRMeshQuantization).setRequired(true);
    const position = document.getRoot().listMeshes()[0].listPrimitives()[0].getAttribute('POSITION')!;
    const integers = [0, 0, 0, 127, 0, 0, 0, -127, 0, 64, -128, 1];
    position.setArray(Int8Array.from(integers)).setNormalized(kind === 'normalised');
    const bytes = await new NodeIO().registerExtensions([KHRMeshQuantization]).writeBinary(document);
    const model = await files.read('quantised.glb', bytes);
    const expected = integers.map((i) => (kind === 'plain' ? i : Math.fround(Math.max(i / 127, -1))));
    expect([...model.shapes[0].geometry.positions]).toEqual(expected);
    // whole numbers that nothing scales are meant; else half a step may be missing
    expect(model.shapes[0].objects[0].rounding).toBe(kind === 'plain' ? 0 : 0.5 / 127);
  });

  test('Draco compression', async () => {
    const bytes = await compressedGlb('draco');
    expect(Buffer.from(bytes).includes('KHR_draco_mesh_compression')).toBe(true);
    const found = corners(await files.read('draco.glb', bytes));
    expect(found).toHaveLength(TETRAHEDRON_CORNERS.length);
    for (const [i, x] of found.entries()) expect(x).toBeCloseTo(TETRAHEDRON_CORNERS[i], 3);
  });
});

describe('scenes', () => {
  test('instances share geometry', async () => {
    const document = tetrahedronDocument();
    const buffer = document.getRoot().listBuffers()[0];
    const accessor = (type: 'VEC3' | 'VEC4', array: Float32Array | Int16Array) =>
      document.createAccessor().setType(type).setBuffer(buffer).setArray(array);
    const instancing = document.createExtension(EXTMeshGPUInstancing).setRequired(true);
    const batch = instancing
      .createInstancedMesh()
      .setAttribute('TRANSLATION', accessor('VEC3', Float32Array.of(0, 0, 0, 10, 0, 0, 0, 0, 0)))
      .setAttribute(
        'ROTATION',
        accessor('VEC4', Int16Array.of(0, 0, 0, 32767, 32767, 0, 0, 0, 0, 0, 0, 32767)).setNormalized(true),
      )
      .setAttribute('SCALE', accessor('VEC3', Float32Array.of(1, 1, 1, 1, 1, 1, 2, 2, 2)));
    document
      .getRoot()
      .listNodes()[0]
      .setExtension('EXT_mesh_gpu_instancing', batch)
      .setTranslation([0, 1, 0]);
    const bytes = await new NodeIO().registerExtensions([EXTMeshGPUInstancing]).writeBinary(document);
    const { shapes } = await files.read('instances.glb', bytes);
    // one that is scaled has a shape of its own
    expect(shapes.map(({ objects }) => objects.map(({ name }) => name))).toEqual([
      ['tetra#1', 'tetra#2'],
      ['tetra#3'],
    ]);
    const [first, second] = shapes[0].objects;
    expect([...placeOf(first)!]).toEqual([...Y_UP.slice(0, 9), 0, 0, 1]);
    // half a turn about x, then up
    expect([...placeOf(second)!].map((x) => x + 0)).toEqual([1, 0, 0, 0, 0, 1, 0, -1, 0, 10, 0, 1]);
    const [third] = await readSource(files, `${files.folder}/instances.glb`).then((all) => all.slice(2));
    expect(third.corners).toEqual(turnedUp(TETRAHEDRON_CORNERS.map((x, i) => 2 * x + (i % 3 === 1 ? 1 : 0))));
  });

  test('without scenes, every root node counts', async () => {
    const content = alteredGlb(({ json }) => {
      json.nodes = [{ mesh: 0, name: 'a', children: [1] }, { mesh: 0, name: 'b' }, { mesh: 0 }];
      json.scenes = [];
      delete json['scene'];
    });
    expect(objectsOf(await files.read('roots.glb', content)).map(({ path }) => path)).toEqual([
      'roots/a',
      'roots/a/b',
      'roots/node 2',
    ]);
  });
});

/** Sets something in the JSON, or takes it away. */
function at(place: string, value?: unknown): (parts: GltfParts) => void {
  const path = place.split('/');
  const last = path.pop()!;
  return ({ json }) => {
    const owner = path.reduce((of: Record<string, unknown>, key) => Object(of[key]), json);
    if (value === undefined) delete owner[last];
    else owner[last] = value;
  };
}

/** What streams say otherwise: they know the primitive, not the accessor. */
const AS_STREAMS: Readonly<Record<string, string>> = {
  'float indices': 'mesh 0: primitive 0: componentType 5126 is not an unsigned integer',
  nan: 'mesh 0: primitive 0: vertex 1 is not finite',
};

describe('wrong files say what and where', () => {
  const cases: [string, (parts: GltfParts) => void, string | RegExp][] = [
    [
      'own ancestor',
      at('nodes', [{ children: [1] }, { mesh: 0, children: [0] }]),
      'node 0: it is its own ancestor, or has two parents',
    ],
    ['own child', at('nodes/0/children', [0]), 'node 0: it is its own ancestor, or has two parents'],
    [
      'two parents',
      at('nodes', [{ children: [1, 2] }, { children: [2] }, { mesh: 0 }]),
      'node 2: it is its own ancestor, or has two parents',
    ],
    [
      'only cycles',
      ({ json }) => {
        json.nodes = [{ children: [1] }, { children: [0], mesh: 0 }];
        json.scenes = [];
      },
      'no triangles in its scene',
    ],
    [
      'deep',
      ({ json }) => {
        json.nodes = Array.from({ length: 5000 }, (_, i) => ({ children: [i + 1] }));
        json.nodes.push({ mesh: 0 });
      },
      'node 1001: nodes nested more than 1000 deep',
    ],
    ['no node', at('scenes', [{ nodes: [7] }]), 'scene: it refers to node 7, but there are 1'],
    ['no mesh', at('nodes/0/mesh', 3), 'node 0: it refers to mesh 3, but there are 1'],
    ['fractional mesh', at('nodes/0/mesh', 0.5), 'node 0: it refers to mesh 0.5, but there are 1'],
    ['prototype', at('nodes/0/mesh', '__proto__'), 'node 0: it refers to mesh "__proto__", but there are 1'],
    [
      'no accessor',
      at('accessors/length', 1),
      'mesh 0: primitive 0: it refers to accessor 1, but there are 1',
    ],
    [
      'no positions',
      at('meshes/0/primitives', [{ attributes: {} }]),
      /^mesh 0: primitive 0: it refers to accessor undefined/,
    ],
    [
      'accessor count',
      at('accessors/0/count', 5),
      'accessor 0: it reaches to byte 60 of bufferView 0, which has 48',
    ],
    [
      'absurd count',
      at('accessors/0/count', 2 ** 52),
      /^accessor 0: it reaches to byte \d+ of bufferView 0, which has 48/,
    ],
    ['negative count', at('accessors/0/count', -1), 'accessor 0: count is -1'],
    [
      'accessor offset',
      at('accessors/1/byteOffset', 2),
      'accessor 1: it reaches to byte 26 of bufferView 1, which has 24',
    ],
    ['type', at('accessors/0/type', 'VEC2'), 'accessor 0: its type is "VEC2", not VEC3'],
    ['component', at('accessors/0/componentType', 1), 'accessor 0: unknown componentType 1'],
    [
      'float indices',
      ({ json }) => {
        json.accessors[1]['componentType'] = 5126;
        json.accessors[1]['count'] = 6;
      },
      'accessor 1: componentType 5126 is not an unsigned integer',
    ],
    ['no data', at('accessors/0/bufferView'), 'accessor 0: it has no data'],
    [
      'view',
      at('bufferViews/0/byteLength', 100),
      'bufferView 0: it reaches to byte 100 of buffer 0, which has 72',
    ],
    ['buffer', at('buffers/0/byteLength', 99), 'buffer 0: cut off: 99 bytes are declared, 72 are present'],
    ['no buffer', at('buffers', []), 'bufferView 0: it refers to buffer 0, but there are 0'],
    [
      'index',
      ({ binary }) => {
        binary[48] = 9;
      },
      'mesh 0: primitive 0: index 0 refers to vertex 9, but there are 4',
    ],
    [
      'nan',
      ({ binary }) => {
        new DataView(binary.buffer, binary.byteOffset).setFloat32(16, Number.NaN, true);
      },
      'accessor 0: element 1 is not finite',
    ],
    ['corners', at('accessors/1/count', 11), 'mesh 0: primitive 0: 11 corners are not a multiple of 3'],
    ['matrix', at('nodes/0/matrix', [1, 2, 3]), 'node 0: matrix is not 16 finite numbers'],
    [
      'matrix row',
      at('nodes/0/matrix', new Array(16).fill(1)),
      'node 0: the last row of its matrix is not 0 0 0 1',
    ],
    ['rotation', at('nodes/0/rotation', [0, 0, 0, 0]), 'node 0: its rotation is a quaternion of length 0'],
    [
      'scale',
      ({ json }) => {
        json.nodes[0]['scale'] = [1e200, 1, 1];
        json.nodes.push({ scale: [1e200, 1, 1], children: [0] });
        json.scenes = [{ nodes: [1] }];
      },
      'node 0: its matrix is not finite',
    ],
    ['version', at('asset', { version: '1.0' }), 'asset: glTF version "1.0"; only version 2 is supported'],
    ['asset', at('asset'), 'asset: an object is missing'],
    [
      'extension',
      at('extensionsRequired', ['KHR_materials_unlit', 'EXT_wonder']),
      'extensionsRequired: "EXT_wonder" is not supported',
    ],
    ['nodes', at('nodes', 'none'), 'nodes: not an array'],
    ['null node', at('nodes', [null]), 'node 0: an object is missing'],
    [
      'no triangles',
      at('meshes/0/primitives', []),
      'no triangles in its scene; left out, because without triangles: no triangles/tetra',
    ],
    [
      'meshopt count',
      at('bufferViews/0/extensions', {
        EXT_meshopt_compression: {
          buffer: 0,
          byteLength: 8,
          byteStride: 12,
          count: 2 ** 40,
          mode: 'ATTRIBUTES',
        },
      }),
      'bufferView 0: 1099511627776 elements cannot come from 8 compressed bytes',
    ],
    [
      'meshopt mode',
      at('bufferViews/0/extensions', {
        EXT_meshopt_compression: { buffer: 0, byteLength: 48, byteStride: 12, count: 4, mode: 'MAGIC' },
      }),
      'bufferView 0: byteStride 12 does not fit mode MAGIC',
    ],
    [
      'meshopt bytes',
      at('bufferViews/0/extensions', {
        EXT_meshopt_compression: {
          buffer: 0,
          byteLength: 48,
          byteStride: 12,
          count: 4,
          mode: 'ATTRIBUTES',
        },
      }),
      'bufferView 0: the meshopt data is damaged',
    ],
    [
      'instances',
      at('nodes/0/extensions', { EXT_mesh_gpu_instancing: { attributes: {} } }),
      'node 0: its instances have attributes of different counts',
    ],
    [
      'sparse',
      ({ json }) => {
        delete json.accessors[0]['bufferView'];
        json.accessors[0]['count'] = 2 ** 31;
        json.accessors[0]['sparse'] = {};
      },
      /^mesh 0: compressed and sparse data must fit in memory/,
    ],
    ['no child', at('nodes/0/children', [7]), 'node 0: it refers to node 7, but there are 1'],
    [
      'a matrix that makes numbers too large',
      at('nodes/0/matrix', [1e308, 0, 0, 0, 0, 1e308, 0, 0, 0, 0, 1e308, 0, 0, 0, 0, 1]),
      'mesh 0: the matrix of a node makes it too large',
    ],
    ['nothing in its scene', at('scenes', [{}]), 'no triangles in its scene'],
  ];
  test.each(cases)('%s', async (name, change, message) => {
    for (const memoryBytes of [PLENTY, NOTHING]) {
      const found = await sourceFailure(files, `${name}.glb`, alteredGlb(change), { memoryBytes });
      const other = memoryBytes === NOTHING ? AS_STREAMS[name] : undefined;
      expect(found).toEqual(
        other ?? (typeof message === 'string' ? message : expect.stringMatching(message)),
      );
    }
  });

  test('containers', async () => {
    const good = glb(gltfParts().json, gltfParts().binary);
    const wrong = (at: number, value: number) => {
      const bytes = good.slice();
      new DataView(bytes.buffer).setUint32(at, value, true);
      return bytes;
    };
    expect(await files.failure('version.glb', wrong(4, 1))).toBe(
      'glTF version 1; only version 2 is supported',
    );
    expect(await files.failure('chunk.glb', wrong(12, 0xffffffff))).toBe(
      'byte 20: a chunk reaches past the end',
    );
    expect(await files.failure('type.glb', wrong(16, 7))).toBe('byte 20: the first chunk is not JSON');
    expect(await files.failure('none.glb', wrong(8, 12))).toBe('there is no JSON chunk');
    expect(await files.failure('json.gltf', '{ "asset": ')).toMatch(/^its JSON is damaged or cut off/);
    // its text is quoted, without its line ends: `failure` wants one line
    expect(await files.failure('line.gltf', '{"a":"x"\r\n[1]\u2028}')).toMatch(/^its JSON is damaged/);
    expect(await files.failure('nested.gltf', `{"asset":${'['.repeat(200_000)}`)).toMatch(
      /^its JSON is nested more than 100 deep/,
    );
    expect(await files.failure('list.glb', glb([1]))).toBe('JSON: an object is missing');
    expect(await files.failure('else.glb', 'hello, hello')).toMatch(/^not a glTF file/);
  });
});
