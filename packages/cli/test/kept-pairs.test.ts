/** Answers about pairs are kept for the next check of the same files, and nothing else depends on them. */
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KnownPair } from '@impinge/model';
import { expect, test } from 'vitest';
import { KeptPairs } from '../src/jobs/kept-pairs.js';
import { openStoreAt } from '../src/jobs/model-file.js';
import { packModel } from '../src/jobs/pack-model.js';
import { Files } from './files.js';
import { glbFile } from './model-files.js';

const files = new Files();
const folderOf = (name: string) => join(files.folder, name);

async function modelOf(name: string) {
  const store = join(files.folder, `${name}.impinge`);
  await packModel([files.write(name, glbFile())], store, { memory: 1 << 26 });
  return openStoreAt(store);
}
const model = await modelOf('plant.glb');

const deep: KnownPair = {
  touches: false,
  measure: {
    ...({ kind: 'hard', form: 'piercing', distance: -0, depth: 0.1, depthBound: Infinity } as const),
    ...({ point: [1e-300, 2 / 3, -0], box: { min: [0, 1, 2], max: [3, 4, 5] }, trianglePairs: 7 } as const),
  },
};
const touch: KnownPair = { touches: true, measure: undefined };

async function written(folder: string): Promise<string> {
  const kept = await KeptPairs.open(folder, model);
  kept.keep('deep', deep);
  kept.keep('touch', touch);
  await kept.end();
  return join(folder, readdirSync(folder)[0]);
}

test('the next check knows what this one has found, to the last bit', async () => {
  const folder = folderOf('next');
  expect((await KeptPairs.open(folder, model)).some).toBe(false);
  await written(folder);
  const next = await KeptPairs.open(folder, model);
  expect(next.some).toBe(true);
  expect(next.find('deep')).toStrictEqual(deep);
  expect(next.find('touch')).toStrictEqual(touch);
  expect(next.find('other')).toBeUndefined();
});

test('what a check did not ask for is forgotten; a check of other files has its own', async () => {
  const folder = folderOf('forgotten');
  await written(folder);
  const other = await KeptPairs.open(folder, await modelOf('other.glb'));
  expect(other.some).toBe(false);
  const next = await KeptPairs.open(folder, model);
  next.find('deep');
  await next.end();
  const last = await KeptPairs.open(folder, model);
  expect([last.find('deep'), last.find('touch')]).toStrictEqual([deep, undefined]);
  expect(readdirSync(folder)).toHaveLength(1);
});

test('an unchanged file is only marked as used', async () => {
  const folder = folderOf('used');
  const path = await written(folder);
  utimesSync(path, 1, 1);
  const { ino } = statSync(path);
  const next = await KeptPairs.open(folder, model);
  for (const name of ['deep', 'touch']) next.find(name);
  await next.end();
  expect(statSync(path)).toMatchObject({ ino });
  expect(statSync(path).mtimeMs).toBeGreaterThan(1000);
});

test('a damaged file counts as none, and a folder that cannot be used as empty', async () => {
  const folder = folderOf('damaged');
  const path = await written(folder);
  const bytes = readFileSync(path);
  for (const at of [0, 31, 32, bytes.length >> 1, bytes.length - 1]) {
    writeFileSync(
      path,
      bytes.map((byte, i) => (i === at ? byte ^ 1 : byte)),
    );
    expect((await KeptPairs.open(folder, model)).some).toBe(false);
  }
  for (const length of [0, 20, 32, bytes.length - 1]) {
    writeFileSync(path, bytes.subarray(0, length));
    expect((await KeptPairs.open(folder, model)).some).toBe(false);
  }
  const nowhere = await KeptPairs.open(files.write('a-file', 'x'), model);
  nowhere.keep('deep', deep);
  await nowhere.end();
  expect(nowhere.some).toBe(false);
});

test('names are of what is said', async () => {
  const kept = await KeptPairs.open(folderOf('names'), model);
  const names = ['', 'a', 'b', 'ab'].map((text) => kept.nameOf(new TextEncoder().encode(text)));
  expect(new Set(names).size).toBe(4);
  expect(kept.nameOf(new TextEncoder().encode('a'))).toBe(names[1]);
});
