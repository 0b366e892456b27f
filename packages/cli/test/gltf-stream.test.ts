import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { every, full, runs } from '../../../test/budget.js';
import { gltfSource } from '../src/formats/gltf/gltf.js';
import { placeOf } from '../src/formats/source-object.js';
import { alteredGlb, ByteWriter, Files, glb, gltfParts } from './files.js';
import { compressedGlb } from './gltf-document.js';
import { gltfCorners } from './gltf-oracle.js';
import {
  expectClose,
  NOTHING,
  PLENTY,
  readSource,
  sourceFailure,
  type WorldObject,
} from './source-triangles.js';

const files = new Files();
const TURN = [1, 0, 0, 0, 0, -1, 0, 1, 0, 0, 0, 0];

/** Every object of the file has the triangles that the oracle gives it; objects go by their paths. */
async function expectSameAsOracle(
  path: string,
  found: readonly WorldObject[],
  relative?: number,
): Promise<void> {
  const expected = await gltfCorners(path);
  expect(found).toHaveLength(expected.size);
  for (const { object, corners } of found) {
    expectClose(corners, expected.get(object.path.replace(/^[^/]*\//, ''))!, relative);
  }
}

test('a file beside the model stays open only as long as the source', async () => {
  const { json, binary } = gltfParts();
  files.write('beside.bin', binary);
  const buffers = [{ byteLength: 72, uri: 'beside.bin' }];
  const path = files.write('c.gltf', JSON.stringify({ ...json, buffers }));
  const source = await gltfSource(path, { memoryBytes: PLENTY });
  for await (const { geometry } of source.shapes()) expect('indices' in geometry).toBe(true);
  await source.close();
  await source.close();
  expect(source).toMatchObject({ format: 'glTF', metresPerUnit: 1 });
});

describe('objects', () => {
  test('names, ids, disciplines and extras', async () => {
    const content = alteredGlb(({ json }) => {
      json.scenes = [{ nodes: [0, 5, 6] }];
      json.nodes = [
        { name: 'piping', children: [1, 2] },
        {
          name: 'valve',
          mesh: 0,
          extras: { type: 'IfcValve', storey: 'L1', dn: 50, list: [1], big: 12345, on: true },
        },
        { name: 'line', children: [3, 4] },
        { name: 'valve', mesh: 0, extras: { ifcType: 'IfcPipe' } },
        { mesh: 0, extras: 'text' },
        { name: 'valve#2', mesh: 0 },
        { children: [7] },
        { name: 'below', mesh: 0 },
      ];
    });
    // a number that is read as infinite is none
    const huge = Buffer.from(content);
    huge.write('1e400', huge.indexOf('12345'));
    const found = await readSource(files, files.write('plant.glb', huge));
    expect(found.map(({ object: o }) => [o.id, o.name, o.path, o.discipline, o.type, o.storey])).toEqual([
      ['valve', 'valve', 'plant/piping/valve', 'piping', 'IfcValve', 'L1'],
      ['valve#2', 'valve', 'plant/piping/line/valve', 'piping', 'IfcPipe', ''],
      ['node 4', 'node 4', 'plant/piping/line/node 4', 'piping', '', ''],
      ['valve#2#2', 'valve#2', 'plant/valve#2', 'plant', '', ''],
      ['below', 'below', 'plant/below', 'plant', '', ''],
    ]);
    expect(found[0].object.properties).toEqual({
      type: 'IfcValve',
      storey: 'L1',
      dn: 50,
      on: true,
    });
    expect(found[2].object.properties).toEqual({});
    expect(found.every(({ shape, object }) => shape === 0 && object.file === 'plant.glb')).toBe(true);
  });

  test('shapes come in order of first use, each with all that place it rigidly', async () => {
    const content = alteredGlb(({ json }) => {
      json.meshes = [...json.meshes, ...json.meshes, { primitives: [] }];
      json.nodes = [
        { name: 'a', mesh: 1, translation: [1, 2, 3] },
        { name: 'b', mesh: 0, rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] },
        { name: 'nothing', mesh: 2 },
        { name: 'c', mesh: 1 },
        { name: 'd', mesh: 0, scale: [1, 1, -1] },
      ];
      json.scenes = [{ nodes: [0, 1, 2, 3, 4] }];
    });
    const path = files.write('order.glb', content);
    const found = await readSource(files, path);
    expect(found.map(({ object, shape }) => [object.name, shape])).toEqual([
      ['a', 0],
      ['c', 0],
      ['b', 1],
      ['d', 2],
    ]);
    expect([...placeOf(found[0].object)!]).toEqual([...TURN.slice(0, 9), 1, -3, 2]);
    await expectSameAsOracle(path, found);
  });

  test('scaled, sheared and mirrored nodes: one shape for those that differ by a rigid motion', async () => {
    const turn = [0.5, 0.5, -0.5, 0.5];
    const content = alteredGlb(({ json }) => {
      json.scenes = [{ nodes: [0, 4, 5, 6, 7, 8] }];
      json.nodes = [
        { name: 'assembly', scale: [0.001, 0.001, 0.001], children: [1, 2, 3] },
        { name: 'plain', mesh: 0, translation: [100, 0, 0] },
        { name: 'turned', mesh: 0, rotation: turn, translation: [0, 5, 0] },
        { name: 'plain again', mesh: 0 },
        { name: 'stretched', mesh: 0, scale: [1, 2, 3] },
        { name: 'stretched and turned', mesh: 0, scale: [1, 2, 3], rotation: turn },
        { name: 'mirrored', mesh: 0, scale: [-1, 2, 3] },
        { name: 'sheared', mesh: 0, matrix: [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] },
        { name: 'flat', mesh: 0, scale: [1, 1, 0] },
      ];
    });
    const path = files.write('scaled.glb', content);
    for (const memoryBytes of [PLENTY, NOTHING]) {
      const found = await readSource(files, path, { memoryBytes });
      expect(found.map(({ object, shape }) => [object.name, shape])).toEqual([
        ['plain', 0],
        ['turned', 0],
        ['plain again', 0],
        ['stretched', 1],
        ['stretched and turned', 1],
        ['mirrored', 2],
        ['sheared', 3],
        ['flat', 4],
      ]);
      for (const { object } of found)
        if (object.name !== 'turned' && object.name !== 'stretched and turned') {
          expect([...placeOf(object)!].slice(0, 9)).toEqual(TURN.slice(0, 9));
        }
      await expectSameAsOracle(path, found);
    }
  });

  test('any chain of three nodes is where the oracle puts it (seed 23)', async () => {
    const number = fc.integer({ min: -8, max: 8 }).map((n) => n / 4);
    const triple = fc.tuple(number, number, number);
    const node = fc.record({
      translation: triple,
      rotation: fc.tuple(number, number, number, fc.constant(1)),
      scale: fc.oneof(fc.constant([1, 1, 1]), fc.constant([2, 2, 2]), triple),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(node, { minLength: 3, maxLength: 3 }), async (chain) => {
        const content = alteredGlb(({ json }) => {
          json.nodes = chain.map((n, i) => ({
            ...n,
            name: `n${i}`,
            mesh: 0,
            ...(i < 2 && { children: [i + 1] }),
          }));
        });
        const path = files.write('chain.glb', content);
        await expectSameAsOracle(path, await readSource(files, path), 1e-12);
      }),
      { seed: 23, numRuns: runs(40) },
    );
  });
});

/** One mesh of these primitives over 20,000 vertices with a stride, normalised int16 or float32. */
function largeGlb(
  primitives: { mode?: number; indices?: 'u1' | 'u2' | 'u4'; count: number }[],
  isQuantised: boolean,
) {
  const vertexCount = 20_000;
  const stride = 20;
  const body = new DataView(new ArrayBuffer(stride * vertexCount));
  for (let v = 0; v < vertexCount; v++) {
    for (let axis = 0; axis < 3; axis++) {
      const x = (v * (axis * 37 + 11)) % 20_011;
      if (isQuantised) body.setInt16(stride * v + 2 * axis, x, true);
      else body.setFloat32(stride * v + 4 * axis, x / 8, true);
    }
  }
  const writer = new ByteWriter().bytes(new Uint8Array(body.buffer));
  const { json } = gltfParts();
  let at = stride * vertexCount;
  // the last element ends where the view does, before its stride does
  json.bufferViews = [{ buffer: 0, byteLength: at - (isQuantised ? 14 : 8), byteStride: stride }];
  json.accessors = [
    {
      bufferView: 0,
      componentType: isQuantised ? 5122 : 5126,
      normalized: isQuantised,
      type: 'VEC3',
      count: vertexCount,
    },
  ];
  json.meshes = [
    {
      primitives: primitives.map(({ mode, indices, count }) => {
        const attributes = { POSITION: 0 };
        if (indices === undefined) return { attributes, mode: mode ?? 4 };
        const limit = indices === 'u1' ? 255 : vertexCount;
        writer.number(indices, ...Array.from({ length: count }, (_, i) => (i * 7919) % limit));
        const byteLength = count * Number(indices[1]);
        json.bufferViews.push({ buffer: 0, byteOffset: at, byteLength });
        const componentType = { u1: 5121, u2: 5123, u4: 5125 }[indices];
        const view = json.bufferViews.length - 1;
        json.accessors.push({ bufferView: view, componentType, type: 'SCALAR', count });
        at += byteLength;
        const padding = (4 - (at % 4)) % 4;
        writer.bytes(new Uint8Array(padding));
        at += padding;
        return { attributes, mode: mode ?? 4, indices: json.accessors.length - 1 };
      }),
    },
  ];
  json.buffers = [{ byteLength: at }];
  return { json, bytes: glb(json, writer.done()) };
}

describe('meshes too large for memory', () => {
  full.each(
    every(
      [
        ['normalised int16', true],
        ['float32', false],
      ] as const,
      2,
    ),
  )('triangles, strips and fans of every index type over %s', async (_, isQuantised) => {
    const primitives = [
      { indices: 'u4' as const, count: 3 * 400 },
      { indices: 'u2' as const, count: 3 * 100 },
      { indices: 'u1' as const, count: 3 * 10 },
      { indices: 'u2' as const, count: 101, mode: 5 },
      { indices: 'u2' as const, count: 102, mode: 6 },
      { count: 0, mode: 5 },
      { count: 0, mode: 6 },
      { indices: 'u2' as const, count: 2, mode: 5 },
    ];
    const path = files.write('large.glb', largeGlb(primitives, isQuantised).bytes);
    const found = await readSource(files, path, { memoryBytes: NOTHING });
    expect(found[0].isStream).toBe(true);
    expect(found[0].corners).toHaveLength(9 * (400 + 100 + 10 + 99 + 100 + 2 * 19_998));
    await expectSameAsOracle(path, found, 0);
  });

  test('refused: corners that are no triangles', async () => {
    const refused = (bytes: Uint8Array) =>
      sourceFailure(files, 'refused.glb', bytes, { memoryBytes: NOTHING });
    expect(await refused(largeGlb([{ indices: 'u2', count: 4 }], false).bytes)).toBe(
      'mesh 0: primitive 0: 4 corners are not a multiple of 3',
    );
    expect(await refused(largeGlb([{ count: 0 }], false).bytes)).toMatch(
      /20000 corners are not a multiple of 3/,
    );
  });

  test('one array of positions for many meshes: each gets its own vertices', async () => {
    const { json, bytes } = largeGlb([{ indices: 'u2', count: 6 }], false);
    const [primitive] = json.meshes[0]['primitives'] as Record<string, unknown>[];
    json.meshes.push({ primitives: [primitive, { ...primitive, mode: 5 }] });
    json.nodes.push({ name: 'second', mesh: 1 });
    json.scenes = [{ nodes: [0, 1] }];
    const path = files.write('shared.glb', glb(json, bytes.subarray(-20_000 * 20 - 12)));
    const source = await gltfSource(path, { memoryBytes: PLENTY });
    const vertices: number[] = [];
    for await (const { geometry } of source.shapes()) {
      if ('indices' in geometry) vertices.push(geometry.positions.length / 3);
    }
    await source.close();
    expect(vertices).toEqual([6, 6]);
    await expectSameAsOracle(path, await readSource(files, path), 0);
  });

  test('what is compressed or sparse is read as arrays all the same', async () => {
    const path = files.write('meshopt.glb', await compressedGlb('meshopt', ['a', 'b', 'c']));
    for (const memoryBytes of [PLENTY, NOTHING]) {
      const found = await readSource(files, path, { memoryBytes });
      expect(found.map(({ isStream }) => isStream)).toEqual([false, false, false]);
      await expectSameAsOracle(path, found, 0);
    }

    const sparse = gltfParts();
    sparse.json.accessors[0]['sparse'] = {
      count: 1,
      indices: { bufferView: 1, componentType: 5123 },
      values: { bufferView: 0, byteOffset: 36 },
    };
    const sparsePath = files.write('sparse.glb', glb(sparse.json, sparse.binary));
    const [object] = await readSource(files, sparsePath, { memoryBytes: NOTHING });
    expect(object.isStream).toBe(false);
    await expectSameAsOracle(sparsePath, [object], 0);
  });
});

test('a signal stops between two shapes', async () => {
  const content = alteredGlb(({ json }) => {
    json.meshes = [...json.meshes, ...json.meshes];
    json.nodes.push({ name: 'second', mesh: 1 });
    json.scenes = [{ nodes: [0, 1] }];
  });
  const stop = new AbortController();
  const path = files.write('stop.glb', content);
  const source = await gltfSource(path, { memoryBytes: PLENTY, signal: stop.signal });
  let shapes = 0;
  const reading = async () => {
    for await (const _ of source.shapes()) {
      shapes++;
      stop.abort();
    }
  };
  await expect(reading()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  expect(shapes).toBe(1);
  await source.close();
});
