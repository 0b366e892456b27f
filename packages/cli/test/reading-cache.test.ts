/** Models of kept readings are those of their files, byte for byte; whatever is kept, and however damaged it is. */
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PackOptions, packModel } from '../src/jobs/pack-model.js';
import { ReadingCache } from '../src/jobs/reading-cache.js';
import { readingFolder } from '../src/jobs/reading-folder.js';
import { contentsOf } from '../src/jobs/source-contents.js';
import { Files } from './files.js';
import { extruded, ifcHouse, rectangle } from './ifc-text.js';
import { glbFile } from './model-files.js';

const files = new Files();
const options = { memory: 1 << 26 };
let count = 0;

const box = (id: number, x: number, size = 1000) =>
  extruded(id, `box ${id}`, [x, 0, 0], rectangle(size, 2000));
const ifc = (name: string, ...entities: string[][]) => files.write(name, ifcHouse(entities.flat()));

const models = [
  ifc('walls.ifc', box(200, 0), box(210, 2000)),
  ifc('ducts.ifc', box(200, 500)),
  files.write('plant.glb', glbFile()),
];

/** Packs, and says how many files were not read, and how the store differs from one that is made of the files alone. */
async function packed(paths: readonly string[], readings: string, more: Partial<PackOptions> = {}) {
  const output = join(files.folder, `kept-${++count}.impinge`);
  const { kept } = await packModel(paths, output, { ...options, ...more, readings });
  const plain = join(files.folder, `plain-${count}.impinge`);
  await packModel(paths, plain, { ...options, ...more });
  return { kept, same: readFileSync(output).equals(readFileSync(plain)) };
}

const folderOf = (name: string) => join(files.folder, name);
const names = (folder: string) => readdirSync(folder).sort();

test('files in slow formats are read once, whatever model they are part of', async () => {
  const folder = folderOf('once');
  expect(await packed(models, folder)).toEqual({ kept: 0, same: true });
  expect(names(folder)).toHaveLength(2);
  expect(await packed(models, folder)).toEqual({ kept: 2, same: true });
  expect(await packed(models.slice(1), folder)).toEqual({ kept: 1, same: true });
  const levels = { levels: true, workers: 1 };
  expect(await packed(models, folder, levels)).toEqual({ kept: 2, same: true });
});

test('a model is as old as its IFC file says, read or kept', async () => {
  const dated = ifcHouse(box(200, 0)).replace("FILE_NAME('',''", "FILE_NAME('','2011-09-07T12:28:29'");
  const path = files.write('dated.ifc', dated);
  const readings = folderOf('dated');
  for (const kept of [0, 1]) {
    const packed = await packModel([path], join(files.folder, 'dated.impinge'), { ...options, readings });
    expect(packed).toMatchObject({ kept, files: [{ modified: '2011-09-07T12:28:29.000Z' }] });
  }
});

test('another content, name or option is read', async () => {
  const folder = folderOf('others');
  await packed(models, folder);
  for (const name of ['next', 'elsewhere']) mkdirSync(join(files.folder, name));
  const changed = ifc('next/walls.ifc', box(200, 0), box(210, 2500));
  expect(await packed([changed, ...models.slice(1)], folder)).toEqual({ kept: 1, same: true });
  // its discipline comes from its name
  const renamed = files.write('STR.ifc', readFileSync(models[0]));
  expect(await packed([renamed], folder)).toEqual({ kept: 0, same: true });
  expect(await packed([models[0]], folder, { curveError: 0.05 })).toEqual({ kept: 0, same: true });
  const elsewhere = files.write('elsewhere/walls.ifc', readFileSync(models[0]));
  expect(await packed([elsewhere], folder)).toEqual({ kept: 1, same: true });
});

test('a damaged reading counts as none, and is replaced', async () => {
  const folder = folderOf('damaged');
  await packed(models, folder);
  const [name] = names(folder);
  const path = join(folder, name);
  const whole = readFileSync(path);
  const damages = [3, whole.length >> 1, whole.length - 1].map((at) => {
    const bytes = Buffer.from(whole);
    bytes[at] ^= 1;
    return bytes;
  });
  for (const bytes of [...damages, Buffer.alloc(0), whole.subarray(0, -1)]) {
    writeFileSync(path, bytes);
    expect(await packed(models, folder)).toEqual({ kept: 1, same: true });
  }
  expect(await packed(models, folder)).toEqual({ kept: 2, same: true });
});

test('what cannot be read leaves nothing, and what cannot be kept is read', async () => {
  const folder = folderOf('failing');
  const cut = files.write('cut.ifc', readFileSync(models[0]).subarray(0, -40));
  await expect(packed([models[1], cut], folder)).rejects.toThrow('cut off');
  expect(names(folder)).toHaveLength(1);
  const stopped = new AbortController();
  stopped.abort(new Error('enough'));
  await expect(packed([models[0]], folder, { signal: stopped.signal })).rejects.toThrow('enough');
  expect(names(folder)).toHaveLength(1);
  const inTheWay = files.write('file', 'no folder');
  expect(await packed(models, inTheWay)).toEqual({ kept: 0, same: true });
});

test('readings that were used longest ago make room', async () => {
  const folder = folderOf('room');
  await packed(models, folder);
  const [first, second] = names(folder).map((name) => join(folder, name));
  utimesSync(first, 1e9, 1e9);
  const other = join(folder, 'notes.txt');
  writeFileSync(other, 'not ours');
  await new ReadingCache(folder, statSync(second).size).trim();
  expect(names(folder).map((name) => join(folder, name))).toEqual([second, other].sort());
});

test('a reading that was used is not the oldest', async () => {
  const folder = folderOf('used');
  await packed(models, folder);
  for (const name of names(folder)) utimesSync(join(folder, name), 1e9, 1e9);
  const source = await new ReadingCache(folder).open(
    models[1],
    { memoryBytes: 1 << 26 },
    await contentsOf(models[1]),
  );
  await source.close();
  const used = names(folder).filter((name) => statSync(join(folder, name)).mtimeMs > 1e12);
  expect(used).toHaveLength(1);
});

test('the folder is among the caches of the user, another one, or none', () => {
  expect(readingFolder({ IMPINGE_CACHE: 'off' })).toBeUndefined();
  expect(readingFolder({ IMPINGE_CACHE: '/disk/cache' })).toBe('/disk/cache');
  expect(readingFolder({ XDG_CACHE_HOME: '/home/me/.caches' })).toBe(join('/home/me/.caches', 'impinge'));
  expect(readingFolder({ XDG_CACHE_HOME: 'relative' })).toBeUndefined();
  expect(readingFolder({ IMPINGE_CACHE: '' })).toBe(readingFolder({}));
});
