/** `impinge pack`: every format, folders and patterns, units, and that a store is there whole or not at all. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStoreFile } from '@impinge/model/node';
import { describe, expect, test } from 'vitest';
import { ByteWriter, TETRAHEDRON_CORNERS, temporaryFolder } from './files.js';
import { glbFile, MODEL_FILES } from './model-files.js';
import { boxesObj, impinge } from './run-impinge.js';

const folder = temporaryFolder();
const inputs = join(folder, 'inputs');
mkdirSync(join(inputs, 'deep', 'er'), { recursive: true });
for (const [name, bytes] of MODEL_FILES) writeFileSync(join(inputs, name), bytes);
writeFileSync(join(inputs, 'deep', 'er', 'box.obj'), boxesObj(['crate', [0, 1], [0, 1], [0, 1]]));

/** A fresh folder to write a store into. */
let serial = 0;
function target(): { folder: string; store: string } {
  const own = join(folder, `out ${serial++}`);
  mkdirSync(own);
  return { folder: own, store: join(own, 'model.impinge') };
}

/** Boxes of a store's objects in metres, rounded to a micrometre. */
async function boxesOf(path: string): Promise<number[][]> {
  const model = await openStoreFile(path);
  const boxes = Array.from({ length: model.objectCount }, (_, i) =>
    [...model.box(i)].map((x) => Math.round(x * model.meta.metresPerUnit * 1e6) / 1e6 + 0),
  );
  await model.dispose();
  return boxes;
}

const TETRAHEDRON_BOX = [0, -0.5, 0, 1.5, 2.25, 3];
/** glTF is Y up: x stays, y becomes z, z becomes −y. */
const TETRAHEDRON_BOX_Y_UP = [0, -3, -0.5, 1.5, 0, 2.25];
const WALL_BOX = [-1, -0.05, 0, 1, 0.05, 3];

describe('one file', () => {
  test.each(MODEL_FILES.map(([name]) => name))('%s', async (name) => {
    const { folder: own, store } = target();
    const { code, out, err } = await impinge('pack', join(inputs, name), '-o', store);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/1 object, (4|12) triangles, .* in \d+\.\d s\n/);
    expect(readdirSync(own)).toEqual(['model.impinge']);
    const expected = name.endsWith('.ifc')
      ? WALL_BOX
      : /\.gl/.test(name)
        ? TETRAHEDRON_BOX_Y_UP
        : TETRAHEDRON_BOX;
    expect(await boxesOf(store)).toEqual([expected]);
    const model = await openStoreFile(store);
    expect(model.object(0).file).toBe(name);
    expect(model.meta.files.map((file) => file.name)).toEqual([name]);
    expect(model.isClosed(0)).toBe(true);
    await model.dispose();
  });

  test('--json', async () => {
    const { store } = target();
    const { code, out } = await impinge('pack', join(inputs, 'tetra.obj'), '-o', store, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ store, objects: 1, triangles: 4, pieces: 1, leftOut: [] });
    expect(JSON.parse(out).byteLength).toBe(readFileSync(store).length);
  });

  test('--unit and --up', async () => {
    const { store } = target();
    await impinge('pack', join(inputs, 'binary.stl'), '--unit', 'mm', '--up', 'y', '-o', store);
    expect(await boxesOf(store)).toEqual([TETRAHEDRON_BOX_Y_UP.map((x) => x / 1000)]);
  });
});

describe('several', () => {
  test('a folder, a pattern and a file: each once, in one store', async () => {
    const { store } = target();
    const { code } = await impinge(
      'pack',
      inputs,
      join(inputs, '*.ply'),
      join(inputs, 'tetra.obj'),
      '-o',
      store,
    );
    expect(code).toBe(0);
    const model = await openStoreFile(store);
    expect(model.objectCount).toBe(MODEL_FILES.length + 1);
    expect(model.texts('file')).toEqual([...MODEL_FILES.map(([name]) => name), 'box.obj'].sort());
    expect(model.meta.title).toBe(`${MODEL_FILES.length + 1} files`);
    await model.dispose();
    const { store: only } = target();
    await impinge('pack', join(inputs, '**/*.{obj,ply}'), '-o', only);
    expect((await boxesOf(only)).length).toBe(5);
  });

  test('millimetres and metres: they come to lie in the same place', async () => {
    // the tetrahedron as glTF has it, turned Z up, in millimetres
    const writer = new ByteWriter().text(' '.repeat(80)).number('u4', 4);
    for (let t = 0; t < 36; t += 9) {
      writer.number('f4', 0, 0, 1);
      for (let v = t; v < t + 9; v += 3) {
        const [x, y, z] = TETRAHEDRON_CORNERS.slice(v, v + 3) as [number, number, number];
        writer.number('f4', 1000 * x, -1000 * z, 1000 * y);
      }
      writer.number('u2', 0);
    }
    const stl = join(folder, 'millimetres.stl');
    writeFileSync(stl, writer.done());
    const metres = join(folder, 'metres.glb');
    writeFileSync(metres, glbFile());
    const { store, folder: own } = target();
    expect((await impinge('pack', stl, metres, '--unit', 'mm', '-o', store)).code).toBe(0);
    expect(await boxesOf(store)).toEqual([TETRAHEDRON_BOX_Y_UP, TETRAHEDRON_BOX_Y_UP]);
    const model = await openStoreFile(store);
    expect(model.meta.title).toBe('millimetres.stl + metres.glb');
    await model.dispose();
    const report = join(own, 'report');
    const { code, out } = await impinge('check', store, '-o', report, '--formats', 'jsonl', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ clashes: 1 });
    expect(JSON.parse(readFileSync(join(report, 'clashes.jsonl'), 'utf8')).kind).toBe('duplicate');
  });
});

describe('all or nothing', () => {
  test('a file that fails leaves neither a store nor a part of one', async () => {
    const cut = join(folder, 'cut.stl');
    writeFileSync(cut, readFileSync(join(inputs, 'binary.stl')).subarray(0, 120));
    const { folder: own, store } = target();
    const { code, out, err } = await impinge('pack', join(inputs, 'tetra.obj'), cut, '-o', store);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(`impinge: ${cut}: cut off: the header declares 4 triangles, the file holds 0\n`);
    expect(readdirSync(own)).toEqual([]);
  });

  test('what was there before stays when packing fails, and goes when it does not', async () => {
    const { folder: own, store } = target();
    await impinge('pack', join(inputs, 'tetra.obj'), '-o', store);
    const before = readFileSync(store);
    const empty = join(folder, 'empty.obj');
    writeFileSync(empty, '# nothing\n');
    expect((await impinge('pack', empty, '-o', store)).code).toBe(2);
    expect(readFileSync(store).equals(before)).toBe(true);
    await impinge('pack', join(inputs, 'wall.ifc'), '-o', store);
    expect(readFileSync(store).equals(before)).toBe(false);
    expect(readdirSync(own)).toEqual(['model.impinge']);
  });

  test('equal files give equal stores', async () => {
    const stores = [target().store, target().store];
    for (const store of stores) await impinge('pack', inputs, '-o', store);
    expect(readFileSync(stores[0]).equals(readFileSync(stores[1]))).toBe(true);
  });
});

describe('refused in one line', () => {
  const none = join(folder, 'none');
  test.each([
    [['pack', inputs, '-o', join(folder, 'x.glb')], /must end with \.impinge/],
    [['pack', join(none, 'x.stl'), '-o', join(folder, 'x.impinge')], /no such file/],
    [['pack', inputs, '-o', join(none, 'x.impinge')], /x\.impinge: cannot be written: .*no such/],
    [['pack', inputs], /required option '-o, --output <file>' not specified/],
    [['pack', inputs, '-o', join(folder, 'x.impinge'), '--unit', 'parsec'], /unknown unit/],
    [['pack', inputs, '-o', join(folder, 'x.impinge'), '--up', 'x'], /--up: "x" is neither y nor z/],
    [['pack', inputs, '-o', join(folder, 'x.impinge'), '--memory', 'lots'], /--memory/],
  ])('%j', async (args, message) => {
    const { code, out, err } = await impinge(...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err).toMatch(/^impinge: .*\n$/);
    expect(existsSync(join(folder, 'x.impinge'))).toBe(false);
  });
});
