/** A kept store answers for the files as they are, and holds one state of them. */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { full, INNER_LOOP } from '../../../test/budget.js';
import { type PackProgress, packModel } from '../src/jobs/pack-model.js';
import { ByteWriter, temporaryFolder } from './files.js';
import { boxesObj, impinge } from './run-impinge.js';

const folder = temporaryFolder();
let serial = 0;
function ownFolder(): string {
  const own = join(folder, String(serial++));
  mkdirSync(own);
  return own;
}

const WHEN = new Date('2024-05-06T07:08:09Z');
/** Writes a file whose date says nothing. */
function write(path: string, content: string | Uint8Array): string {
  writeFileSync(path, content);
  utimesSync(path, WHEN, WHEN);
  return path;
}

const FACES = [
  0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
];
const cube = (x: number) => [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [x + (c & 1), (c >> 1) & 1, c >> 2]);
/** Two cubes, the second of them at x. */
const cubes = (x: number) =>
  new ByteWriter()
    .number('f4', ...cube(0), ...cube(x))
    .number('u2', ...FACES)
    .done();

/** Two cubes whose triangles are in a file beside it. */
function gltf(uri: string): string {
  return JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0, 1] }],
    nodes: [
      { name: 'A', mesh: 0 },
      { name: 'B', mesh: 1 },
    ],
    meshes: [0, 1].map((k) => ({ primitives: [{ attributes: { POSITION: k }, indices: 2 }] })),
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 2, componentType: 5123, count: 36, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: 96 },
      { buffer: 0, byteOffset: 96, byteLength: 96 },
      { buffer: 0, byteOffset: 192, byteLength: 72 },
    ],
    buffers: [{ byteLength: 264, uri }],
  });
}

/** How many clashes there are, and whether the model was packed for that. */
async function check(output: string, ...names: string[]): Promise<string> {
  const { code, out, err } = await impinge('check', ...names, '-o', output, '--workers', '1');
  expect(err).toBe('');
  return `${code === 0 ? 'none' : /(\d+) clash/.exec(out)?.[1]}${/packed in/.test(out) ? ', packed' : ''}`;
}

const apart = boxesObj(['a', [0, 1], [0, 1], [0, 1]], ['b', [5, 6], [0, 1], [0, 1]]);
const crossing = apart.replaceAll('v 5', 'v 0').replaceAll('v 6', 'v 1');

describe.skipIf(INNER_LOOP)('a store is used again', () => {
  test('while every file is the same, wherever it lies and whatever its date', async () => {
    const own = ownFolder();
    const out = join(own, 'out');
    mkdirSync(join(own, 'x', 'parts'), { recursive: true });
    const model = write(join(own, 'x', 'm.gltf'), gltf('parts/m%20.bin'));
    write(join(own, 'x', 'parts', 'm .bin'), cubes(0.5));
    expect(await check(out, model)).toBe('1, packed');
    utimesSync(model, new Date(), new Date());
    expect(await check(out, model)).toBe('1');
    renameSync(join(own, 'x'), join(own, 'y'));
    expect(await check(out, join(own, 'y', 'm.gltf'))).toBe('1');
  });

  test('not when a buffer beside the model is another one of the same size and date', async () => {
    const own = ownFolder();
    const model = write(join(own, 'm.gltf'), gltf('m.bin'));
    write(join(own, 'm.bin'), cubes(5));
    expect(await check(join(own, 'out'), model)).toBe('none, packed');
    write(join(own, 'm.bin'), cubes(0.5));
    expect(await check(join(own, 'out'), model)).toBe('1, packed');
    expect(await check(join(own, 'out'), model)).toBe('1');
  });

  test('not for another folder whose files have the same names, sizes and dates', async () => {
    const own = ownFolder();
    expect(crossing).toHaveLength(apart.length);
    for (const [name, content] of Object.entries({ first: apart, second: crossing })) {
      mkdirSync(join(own, name));
      write(join(own, name, 'model.obj'), content);
    }
    expect(await check(join(own, 'out'), join(own, 'first'))).toBe('none, packed');
    expect(await check(join(own, 'out'), join(own, 'second'))).toBe('1, packed');
  });

  test('not with another unit or axis, nor when a buffer is gone', async () => {
    const own = ownFolder();
    const out = join(own, 'out');
    const model = write(join(own, 'm.obj'), crossing);
    expect(await check(out, model)).toBe('1, packed');
    expect(await check(out, model, '--unit', 'mm')).toBe('1, packed');
    expect(await check(out, model, '--unit', 'mm', '--up', 'y')).toBe('1, packed');
    const withBuffer = write(join(own, 'm.gltf'), gltf('m.bin'));
    const buffer = write(join(own, 'm.bin'), cubes(0.5));
    expect(await check(out, withBuffer)).toBe('1, packed');
    renameSync(buffer, join(own, 'elsewhere.bin'));
    const { code, err } = await impinge('check', withBuffer, '-o', out);
    expect(code).toBe(2);
    expect(err).toBe(`impinge: ${withBuffer}: buffer 0: "m.bin" cannot be opened\n`);
  });
});

describe('a file that changes while it is packed is refused, and nothing is left', () => {
  const many = (x: number) =>
    boxesObj(...Array.from({ length: 400 }, (_, i) => [`box ${i}`, [x, x + 1], [0, 1], [i, i + 1]] as const));

  /** Packs while `change` happens, as soon as so many objects are read. */
  async function packed(model: string, change: () => void, objects = 0): Promise<string> {
    const output = join(model, '..', 'out');
    mkdirSync(output);
    let changed = false;
    const onProgress = (progress: PackProgress) => {
      if (changed || progress.objects < objects) return;
      changed = true;
      change();
    };
    const options = { memory: 1 << 26, onProgress };
    const message = await packModel([model], join(output, 'x.impinge'), options).then(
      () => 'packed',
      (error) => String(error.message),
    );
    expect(changed).toBe(true);
    expect(readdirSync(output)).toEqual([]);
    return message.replace(model, 'MODEL').replace(join(model, '..'), 'FOLDER');
  }

  full.each(['written over', 'replaced'])('a model that is %s', async (how) => {
    const model = write(join(ownFolder(), 'm.obj'), many(2));
    const said = await packed(model, () => {
      if (how === 'replaced') renameSync(write(`${model}.new`, many(5)), model);
      else writeFileSync(model, many(5));
    });
    expect(said).toMatch(/^MODEL: was changed while it was read/);
  });

  full('a model that is written over within a tick of the clock', async () => {
    const model = write(join(ownFolder(), 'm.obj'), many(2));
    const said = await packed(model, () => write(model, many(5)));
    expect(statSync(model).mtime).toEqual(WHEN);
    expect(readFileSync(model, 'utf8')).toBe(many(5));
    expect(said).toBe('MODEL: was changed while it was read; nothing was packed, run it again');
  });

  test('a buffer beside it', async () => {
    const own = ownFolder();
    const model = write(join(own, 'm.gltf'), gltf('m.bin'));
    write(join(own, 'm.bin'), cubes(5));
    const said = await packed(model, () => writeFileSync(join(own, 'm.bin'), cubes(0.5)), 1);
    expect(said).toMatch(/^FOLDER\/m\.bin: was changed while it was read/);
  });

  test('in memory, too', async () => {
    const own = ownFolder();
    const model = write(join(own, 'm.obj'), many(2));
    const { readModel } = await import('../src/formats/read-model.js');
    const read = readModel(model, { chunkBytes: 64, onProgress: () => writeFileSync(model, many(5)) });
    await expect(read).rejects.toThrow(`${model}: was changed while it was read`);
  });
});
