/**
 * `impinge/formats` beside the command's readers: the same triangles of the same files, and of damaged ones no error
 * but an ImpingeError of one line.
 */
import { readFileSync } from 'node:fs';
import { ImpingeError } from 'impinge';
import { type Decoders, type FileMesh, readMeshes } from 'impinge/formats';
import { MeshoptDecoder } from 'meshoptimizer/decoder';
import { describe, expect, test } from 'vitest';
import { stride } from '../../../test/budget.js';
import { alteredGlb, Files, glb, gltfParts, TETRAHEDRON_CORNERS } from './files.js';
import { compressedGlb } from './gltf-document.js';
import { MODEL_FILES } from './model-files.js';
import { readSource, sourceFailure, turnedUp } from './source-triangles.js';

const files = new Files();
const text = (content: string) => new Uint8Array(Buffer.from(content));
const CORPUS = ['ascii.ply', 'big.ply', 'little.ply', 'little-strips.ply', 'strips.ply', 'ascii.stl'].concat([
  'binary.stl',
  'boxes.obj',
  'scene.glb',
  'scene.gltf',
]);
const corpus = CORPUS.map((name): [string, Uint8Array] => [
  name,
  new Uint8Array(readFileSync(new URL(`../../../lab/fuzz/corpus/${name}`, import.meta.url))),
]);
const whole = [...corpus, ...MODEL_FILES.filter(([name]) => /\.(stl|ply|obj|gltf|glb)$/.test(name))];

/** In world coordinates, nine numbers per triangle. */
function cornersOf(meshes: readonly FileMesh[]): number[] {
  return meshes.flatMap(({ positions, indices, poses }) =>
    poses.flatMap((m) =>
      [...indices].flatMap((v) =>
        [0, 1, 2].map(
          (row) =>
            m[row] * positions[3 * v] +
            m[4 + row] * positions[3 * v + 1] +
            m[8 + row] * positions[3 * v + 2] +
            m[12 + row],
        ),
      ),
    ),
  );
}

/** Triangles without their order and first corner, rounded: products of matrices need not agree to the last bit. */
function sorted(corners: readonly number[]): string[] {
  const triangles: string[] = [];
  for (let t = 0; t < corners.length; t += 9) {
    const rounded = corners.slice(t, t + 9).map((x) => Math.round(x * 1e4) + 0);
    const turned = [0, 3, 6].map((from) => [...rounded.slice(from), ...rounded.slice(0, from)].join(' '));
    triangles.push(turned.sort()[0]);
  }
  return triangles.sort();
}

function failure(bytes: Uint8Array, name: string): string {
  try {
    readMeshes(bytes, { name });
  } catch (error) {
    expect(error).toBeInstanceOf(ImpingeError);
    const { message } = error as Error;
    expect(message).not.toContain('\n');
    expect(message.startsWith(`${name}: `)).toBe(true);
    return message.slice(name.length + 2);
  }
  return 'it was read';
}

describe.each(whole)('%s', (name, bytes) => {
  test('has the triangles that the command finds in it', async () => {
    const found = await readSource(files, files.write(name, bytes));
    const expected = found.flatMap(({ corners }) => corners);
    const corners = cornersOf(readMeshes(bytes, { name }));
    expect(expected.length).toBeGreaterThan(0);
    if (/gltf|glb/.test(name)) expect(sorted(turnedUp(corners))).toEqual(sorted(expected));
    else expect(corners).toEqual(expected);
  });

  test('is known without its name, too', () => {
    expect(readMeshes(bytes).length).toBe(readMeshes(bytes.buffer as ArrayBuffer, { name }).length);
  });

  test('cut off or altered, it is read or refused in one line', async () => {
    // larger ones are sampled
    const step = Math.max(stride, Math.ceil(bytes.length / 400));
    let refused = 0;
    for (let at = 0; at < bytes.length; at += step) {
      if (failure(bytes.slice(0, at), name) !== 'it was read') refused++;
      const altered = bytes.slice();
      altered[at] ^= [0x01, 0x80, 0xff][at % 3];
      failure(altered, name);
    }
    expect(refused).toBeGreaterThan(0);
    for (let at = 0; at < bytes.length; at += 32 * step) {
      const cut = bytes.slice(0, at);
      const [own, other] = [failure(cut, name), await sourceFailure(files, name, cut)];
      expect([at, own === 'it was read']).toEqual([at, other === 'it was read']);
    }
  });
});

test('materials and names', () => {
  const [mesh] = readMeshes(
    text('o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red\nf 1 2 3\nusemtl blue\nf 3 2 1\nf -1 -2 -3\n'),
  );
  expect(mesh.name).toBe('a');
  expect(mesh.materials).toEqual([
    { name: 'red', firstTriangle: 0, triangleCount: 1 },
    { name: 'blue', firstTriangle: 1, triangleCount: 2 },
  ]);
  const { json, binary } = gltfParts();
  const named = { ...json, materials: [{ name: 'steel' }] };
  Object.assign(Object((json.meshes[0] as { primitives: object[] }).primitives[0]), { material: 0 });
  const [tetra] = readMeshes(glb(named, binary), { name: 'folder/tetra.glb' });
  expect(tetra.materials).toEqual([{ name: 'steel', firstTriangle: 0, triangleCount: 4 }]);
  expect(tetra.name).toBe('tetra');
});

test('buffers in other files come from the caller', () => {
  const { json, binary } = gltfParts();
  json.buffers[0]['uri'] = 'tetra.bin';
  const bytes = text(JSON.stringify(json));
  const resource = (uri: string) => (uri === 'tetra.bin' ? binary : undefined);
  expect(cornersOf(readMeshes(bytes, { resource }))).toEqual(TETRAHEDRON_CORNERS);
  expect(failure(bytes, 'a.gltf')).toMatch(/^the buffer "tetra.bin" is in another file/);
});

test.each<[string, string, string | Uint8Array, RegExp]>([
  ['an empty file', 'a.stl', '', /^is empty/],
  ['points', 'a.obj', 'v 0 0 0\n', /^no triangles, only 1 vertices/],
  ['a wrong index', 'a.obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 7\n', /^line 4: a face refers to vertex 7/],
  ['no number', 'a.obj', 'v 0 zero 0\n', /^line 1: a coordinate is "zero"/],
  [
    'many promises',
    'a.ply',
    'ply\nformat ascii 1.0\nelement vertex 9999999999\nproperty float x\nproperty float y\nproperty float z\nend_header\n',
    /cut off/,
  ],
  [
    'rows of nothing',
    'a.ply',
    'ply\nformat ascii 1.0\nelement nothing 9999999999\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n',
    /^no triangles/,
  ],
  [
    'compression',
    'a.gltf',
    '{"extensionsRequired":["KHR_draco_mesh_compression"]}',
    /^needs the extension "KHR_draco/,
  ],
  [
    'zeros out of nothing',
    'a.glb',
    alteredGlb(({ json }) => {
      json.accessors[0] = { componentType: 5126, type: 'VEC3', count: 2 ** 40 };
    }),
    /needs more memory/,
  ],
])('%s', (_, name, content, expected) => {
  expect(failure(typeof content === 'string' ? text(content) : content, name)).toMatch(expected);
});

describe.each(['meshopt', 'draco'] as const)('compressed by %s', (by) => {
  const decoderOf = async () => {
    await MeshoptDecoder.ready;
    if (by === 'meshopt') return { meshopt: MeshoptDecoder };
    const { default: draco } = (await import('draco3d' as string)) as {
      default: { createDecoderModule(): Promise<Decoders['draco']> };
    };
    return { draco: (await draco.createDecoderModule())! };
  };

  test('has the triangles that the command finds in it', async () => {
    const decoders = await decoderOf();
    const bytes = await compressedGlb(by, ['one', 'other']);
    const found = await readSource(files, files.write(`${by}.glb`, bytes));
    const corners = cornersOf(readMeshes(new DataView(bytes.buffer), { name: `${by}.glb`, decoders }));
    expect(corners.length).toBe(2 * 4 * 9);
    expect(sorted(turnedUp(corners))).toEqual(sorted(found.flatMap((one) => one.corners)));
  });

  test('says which decoder is missing, and what is none', async () => {
    const bytes = await compressedGlb(by);
    expect(failure(bytes, 'packed.glb')).toMatch(
      new RegExp(`supply its decoder by the option decoders.${by}$`),
    );
    const wrong = { [by]: {} } as Decoders;
    expect(() => readMeshes(bytes, { decoders: wrong })).toThrow(`decoders.${by} is`);
  });

  test('is an error of one line where it is damaged', async () => {
    const bytes = await compressedGlb(by);
    const decoders = await decoderOf();
    let refused = 0;
    for (let at = partsOf(bytes).start; at < bytes.length; at += stride) {
      const altered = bytes.slice();
      altered[at] ^= 0x5a;
      try {
        readMeshes(altered, { name: 'packed.glb', decoders });
      } catch (error) {
        expect(error).toBeInstanceOf(ImpingeError);
        expect((error as Error).message).toMatch(/^packed\.glb: [^\n]+$/);
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  test('takes no more memory than the file may', async () => {
    const { json, binary } = partsOf(await compressedGlb(by));
    const decoders = await decoderOf();
    if (by === 'draco') {
      // faces of a sequential stream, behind eleven bytes
      binary.set([0xff, 0xff, 0xff, 0x7f], (json.bufferViews[0].byteOffset ?? 0) + 11);
    } else for (const view of json.bufferViews) view.extensions['EXT_meshopt_compression'].count = 2 ** 40;
    expect(() => readMeshes(glb(json, binary), { decoders })).toThrow(/cannot come from|more memory/);
  });
});

interface Packed {
  readonly bufferViews: readonly {
    readonly byteOffset?: number;
    readonly extensions: Record<string, { count: number }>;
  }[];
}

/** The JSON of a GLB file, its buffer, and where that begins. */
function partsOf(bytes: Uint8Array): { json: Packed; binary: Uint8Array; start: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const length = view.getUint32(12, true);
  const start = 20 + length + 8;
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))) as Packed;
  return { json, binary: bytes.slice(start), start };
}
