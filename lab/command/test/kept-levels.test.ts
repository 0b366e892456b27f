/** Contact levels in a folder: built once, and never taken for those of another model. */
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Mesh } from 'impinge';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { contactLevelsOf } from '../src/jobs/kept-levels.js';

/** A cube with one side drawn in to a hollow, so that there is more than one hull. */
function hollow(depth: number): Mesh {
  const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((c) => [c & 1, (c >> 1) & 1, c >> 2]);
  // biome-ignore format: a side per row, the last a fan
  const indices = [
    0, 2, 3, 0, 3, 1, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
    8, 4, 5, 8, 5, 7, 8, 7, 6, 8, 6, 4,
  ];
  return Mesh.from({ name: 'hollow cube', positions: [...corners, 0.5, 0.5, 1 - depth], indices });
}

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'impinge-kept-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function ask(mesh: Mesh, where: string | undefined): Promise<{ bytes: Uint8Array; built: number }> {
  let built = 0;
  const levels = await contactLevelsOf(mesh, where, () => built++);
  return { bytes: levels.toBytes(), built };
}

test('are built once, and again for another model or after the file was altered', async () => {
  const [mesh, other] = [hollow(0.5), hollow(0.25)];
  const kept = join(folder, 'new', 'levels');
  const first = await ask(mesh, kept);
  expect(first.built).toBe(1);
  expect(await readdir(kept)).toEqual(['hollow-cube.contact']);
  expect(await ask(mesh, kept)).toEqual({ bytes: first.bytes, built: 0 });
  // of the same name, but not the same
  const changed = await ask(other, kept);
  expect(changed.built).toBe(1);
  expect(changed.bytes).not.toEqual(first.bytes);
  expect(await ask(mesh, kept)).toEqual(first);

  const path = join(kept, 'hollow-cube.contact');
  const bytes = await readFile(path);
  bytes[bytes.length >> 1] ^= 1;
  for (const spoil of [
    () => writeFile(path, bytes),
    () => truncate(path, 100),
    () => writeFile(path, new Uint8Array(1 << 20)),
  ]) {
    await spoil();
    expect(await ask(mesh, kept)).toEqual(first);
    expect((await ask(mesh, kept)).built).toBe(0);
  }
});

test('are not kept without a folder', async () => {
  expect((await ask(hollow(0.5), undefined)).built).toBe(1);
  expect((await ask(hollow(0.5), undefined)).built).toBe(1);
});

test('say what is in the way', async () => {
  await writeFile(join(folder, 'file'), '');
  await expect(ask(hollow(0.5), join(folder, 'file'))).rejects.toThrow(/cannot be read: part of the path/);
});
