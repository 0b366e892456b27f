/** What whole checks take of the system, under a low cap. */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG, turn } from '../../../test/budget.js';
import { ByteWriter, glb, TETRAHEDRON, temporaryFolder } from './files.js';
import { threeMf } from './model-files.js';
import { impinge, startMeasured } from './run-impinge.js';

const CAP = 30e6;
/** JavaScript, threads and reports come on top of the cap. */
const BESIDES = 120e6;
/** The same where there are thousands of clashes, which are in memory when reports are written, or hostile files. */
const BESIDES_AT_MOST = 150e6;
/** The same where there are a hundred thousand objects, which are not in memory together. */
const BESIDES_OBJECTS = 150e6;

const folder = temporaryFolder();
const model = join(folder, 'waves.glb');
const plant = join(folder, 'plant.impinge');

/** Wavy sheets above each other, of 2 n² triangles each; every one meets the next. */
function sheets(count: number, n: number): Uint8Array {
  const vertices = (n + 1) ** 2;
  const sheetBytes = 12 * vertices + 24 * n * n;
  const binary = new Uint8Array(count * sheetBytes);
  for (let s = 0; s < count; s++) {
    const positions = new Float32Array(binary.buffer, s * sheetBytes, 3 * vertices);
    const indices = new Uint32Array(binary.buffer, s * sheetBytes + 12 * vertices, 6 * n * n);
    for (let i = 0; i < vertices; i++) {
      const [x, y] = [i % (n + 1), Math.floor(i / (n + 1))];
      positions.set([x / n, y / n, 0.01 * s + 0.012 * Math.sin((20 * x) / n + s)], 3 * i);
    }
    for (let i = 0; i < n * n; i++) {
      const v = i + Math.floor(i / n);
      indices.set([v, v + 1, v + n + 2, v, v + n + 2, v + n + 1], 6 * i);
    }
  }
  const all = Array.from({ length: count }, (_, s) => s);
  const view = (byteOffset: number, byteLength: number) => ({ buffer: 0, byteOffset, byteLength });
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: all }],
    nodes: all.map((s) => ({ mesh: s, name: `sheet ${s}` })),
    meshes: all.map((s) => ({
      primitives: [{ attributes: { POSITION: 2 * s }, indices: 2 * s + 1 }],
    })),
    accessors: all.flatMap((s) => [
      { bufferView: 2 * s, componentType: 5126, count: vertices, type: 'VEC3' },
      { bufferView: 2 * s + 1, componentType: 5125, count: 6 * n * n, type: 'SCALAR' },
    ]),
    bufferViews: all.flatMap((s) => [
      view(s * sheetBytes, 12 * vertices),
      view(s * sheetBytes + 12 * vertices, 24 * n * n),
    ]),
    buffers: [{ byteLength: binary.length }],
  };
  return glb(json, binary);
}

beforeAll(async () => {
  writeFileSync(model, sheets(8, 140));
  await impinge('generate', '-o', plant, '--triangles', '300K');
});

test.each([
  ['a model file, which is packed first', model],
  ['a store', plant],
])('%s', async (name, input) => {
  const peak = join(folder, 'peak');
  const options = ['--memory', `${CAP / 1e6}MB`, '--workers', '2', '-o', join(folder, name)];
  const { code, err } = await startMeasured(peak, 'check', input, ...options).ended;
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(Number(readFileSync(peak, 'utf8')) / 1e6).toBeLessThan((CAP + BESIDES) / 1e6);
});

/** The most memory that a check of this file took beyond a cap of 30 MB, in MB, and how it ended. */
async function beyondCap(input: string, ...options: string[]) {
  const peak = join(folder, 'peak of one');
  const output = join(folder, `of ${basename(input)}`);
  const limits = ['--memory', `${CAP / 1e6}MB`, '--workers', '2', '-o', output];
  const { code, err } = await startMeasured(peak, 'check', input, ...limits, ...options).ended;
  return { code, err, beyond: (Number(readFileSync(peak, 'utf8')) - CAP) / 1e6 };
}

const ALL_FORMATS = ['--formats', 'jsonl,csv,html,bcf,junit,sarif'];

test('thousands of clashes in all reports', async () => {
  const many = join(folder, 'many.impinge');
  await impinge('generate', '-o', many, '--triangles', '300K', '--clashes', '6000', '--seed', '3');
  const { code, err, beyond } = await beyondCap(many, ...ALL_FORMATS);
  expect({ code, err }).toEqual({ code: 1, err: '' });
  expect(beyond).toBeLessThan(BESIDES_AT_MOST / 1e6);
});

/** Tetrahedra in a plane, of so many meshes in turn. */
function tetrahedra(count: number, meshes: number): Uint8Array {
  const { positions, indices } = TETRAHEDRON;
  const binary = new ByteWriter();
  for (let k = 0; k < meshes; k++)
    binary.number('f4', ...positions.map((x) => x * (1 + k / meshes))).number('u2', ...indices);
  const bytes = binary.done();
  const each = bytes.length / meshes;
  const numbers = Array.from({ length: count }, (_, i) => i);
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [count] }],
    nodes: [
      ...numbers.map((i) => ({
        name: `object ${i}`,
        mesh: i % meshes,
        translation: [9 * (i % 300), 0, 9 * Math.floor(i / 300)],
        extras: { type: 'pipe', tag: `T-${i}` },
      })),
      { name: 'all', children: numbers },
    ],
    meshes: numbers.slice(0, meshes).map((k) => ({
      primitives: [{ attributes: { POSITION: 2 * k }, indices: 2 * k + 1 }],
    })),
    accessors: numbers.slice(0, meshes).flatMap((k) => [
      { bufferView: 0, byteOffset: each * k, componentType: 5126, count: 4, type: 'VEC3' },
      { bufferView: 0, byteOffset: each * k + 48, componentType: 5123, count: 12, type: 'SCALAR' },
    ]),
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: bytes.length }],
    buffers: [{ byteLength: bytes.length }],
  };
  return glb(json, bytes);
}

test.each(turn([1000, 1]))('a hundred thousand objects, meshes: %i', async (meshes) => {
  const many = join(folder, 'objects.glb');
  writeFileSync(many, tetrahedra(100_000, meshes));
  const peak = join(folder, 'peak of objects');
  const options = ['--memory', `${CAP / 1e6}MB`, '--workers', '2', '-o', join(folder, 'objects.impinge')];
  const { code, err } = await startMeasured(peak, 'pack', many, ...options).ended;
  expect(code, err).toBe(0);
  expect((Number(readFileSync(peak, 'utf8')) - CAP) / 1e6).toBeLessThan(BESIDES_OBJECTS / 1e6);
});

describe('files that are meant to take all memory', () => {
  const repeated = (text: string, count: number) => Buffer.alloc(text.length * count, text);
  const json = (extras: Buffer) =>
    Buffer.concat([Buffer.from('{"asset":{"version":"2.0"},"extras":'), extras, Buffer.from('}')]);
  const VERTICES = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';

  /** One face of so many corners, each a byte. */
  function polygon(corners: number): Uint8Array {
    const writer = new ByteWriter().text(
      'ply\nformat binary_little_endian 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n' +
        'element face 1\nproperty list uint uchar vertex_indices\nend_header\n',
    );
    writer.number('f4', ...TETRAHEDRON.positions).number('u4', corners);
    return Buffer.concat([writer.done(), Buffer.alloc(corners, Buffer.of(0, 1, 2, 3))]);
  }

  test.each<[string, () => Uint8Array, number]>([
    ['nested.3mf', () => threeMf(`<model><resources>${'<a>'.repeat(3_000_000)}`), 2],
    ['nested.gltf', () => json(Buffer.concat([repeated('[', 3e6), repeated(']', 3e6)])), 2],
    ['line.obj', () => Buffer.concat([Buffer.from(`${VERTICES}f `), repeated('1 2 3 ', 1e7)]), 2],
    ['name.obj', () => Buffer.concat([Buffer.from('o '), repeated('name', 15e6)]), 2],
    ['polygon.ply', () => polygon(6e6), 0],
  ])('%s', async (name, content, expected) => {
    const path = join(folder, name);
    writeFileSync(path, content());
    const { code, err, beyond } = await beyondCap(path);
    expect(code, err).toBe(expected);
    if (expected === 2) expect(err).toMatch(/^impinge: (?!internal error)[^\n]*\n$/);
    expect(beyond).toBeLessThan(BESIDES_AT_MOST / 1e6);
  });
});

/** A thread that makes levels takes some 30 MB, and what pieces share of their vertices is in memory. */
test.runIf(LONG)('levels of a shape that is much larger', async () => {
  const large = join(folder, 'large.glb');
  writeFileSync(large, sheets(1, 1000));
  const peak = join(folder, 'peak of levels');
  const options = ['--levels', '--memory', '64MB', '--workers', '1', '-o', join(folder, 'large.impinge')];
  const { code, err } = await startMeasured(peak, 'pack', large, ...options).ended;
  expect(code, err).toBe(0);
  expect(Number(readFileSync(peak, 'utf8')) / 1e6).toBeLessThan(64 + 120 + 40);
});
