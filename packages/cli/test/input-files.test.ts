/** Files, folders and patterns on the command line. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { CommandError } from '../src/command-error.js';
import { inputFiles } from '../src/formats/input-files.js';
import { temporaryFolder } from './files.js';

const folder = temporaryFolder();
const FILES = [
  'a.stl',
  'b.GLB',
  'notes.txt',
  'c.ply.gz',
  'what?.obj',
  '.hidden.stl',
  'deep/one.ifc',
  'deep/two.ifc',
  'deep/er/one.ifc',
  'deep/er/three.3mf',
  'deep/.git/four.stl',
  'empty/readme.md',
  'x[1].obj',
];

beforeAll(() => {
  for (const name of FILES) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
  }
  symlinkSync(folder, join(folder, 'deep/er/loop'));
  symlinkSync(join(folder, 'a.stl'), join(folder, 'link.stl'));
  symlinkSync(join(folder, 'nowhere'), join(folder, 'broken.stl'));
});

/** What `names` below the folder mean, relative to it. */
async function found(...names: string[]): Promise<string[]> {
  return (await inputFiles(names.map((name) => join(folder, name)))).map((path) => relative(folder, path));
}

describe('found', () => {
  test('a folder: models however deep, by name, no hidden ones, each once', async () => {
    expect(await found('.')).toEqual([
      'a.stl',
      'b.GLB',
      'c.ply.gz',
      'deep/er/one.ifc',
      'deep/er/three.3mf',
      'deep/one.ifc',
      'deep/two.ifc',
      'what?.obj',
      'x[1].obj',
    ]);
  });

  test('files as named, whatever they are called, in the order given', async () => {
    expect(await found('notes.txt', 'b.GLB', '.hidden.stl', 'b.GLB', 'deep/../b.GLB')).toEqual([
      'notes.txt',
      'b.GLB',
      '.hidden.stl',
    ]);
    expect(await found('what?.obj', 'x[1].obj')).toEqual(['what?.obj', 'x[1].obj']);
  });

  test('the same file by a link counts once', async () => {
    expect(await found('link.stl', 'a.stl')).toEqual(['link.stl']);
  });

  test.each([
    ['*.stl', ['a.stl']],
    ['*', ['a.stl', 'b.GLB', 'c.ply.gz', 'what?.obj', 'x[1].obj']],
    ['?.*', ['a.stl', 'b.GLB', 'c.ply.gz']],
    ['*.txt', ['notes.txt']],
    ['deep/*.ifc', ['deep/one.ifc', 'deep/two.ifc']],
    ['deep/**/one.ifc', ['deep/er/one.ifc', 'deep/one.ifc']],
    ['**/*.ifc', ['deep/er/one.ifc', 'deep/one.ifc', 'deep/two.ifc']],
    ['deep/**', ['deep/er/one.ifc', 'deep/er/three.3mf', 'deep/one.ifc', 'deep/two.ifc']],
    ['deep/er/l*/a.stl', ['deep/er/loop/a.stl']],
    ['d*/e*/*', ['deep/er/one.ifc', 'deep/er/three.3mf']],
    ['{a,b}.{stl,GLB}', ['a.stl', 'b.GLB']],
    ['deep/{one,{two,three}}.ifc', ['deep/one.ifc', 'deep/two.ifc']],
    ['x[*.obj', ['x[1].obj']],
  ])('%s', async (pattern, expected) => {
    expect(await found(pattern)).toEqual(expected);
  });

  test('a pattern of many stars is quick', async () => {
    await expect(found(`${'*a'.repeat(60)}*b`)).rejects.toThrow(/nothing matches/);
  });
});

describe('refused', () => {
  test.each([
    ['nothing.stl', /nothing.stl: no such file or folder/],
    ['a.stl/b.stl', /no such file or folder/],
    ['broken.stl', /no such file or folder/],
    ['empty', /this folder contains no model \(ifc, .*glb, .*\)/],
    ['*.step', /nothing matches this pattern/],
    ['{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}{1,2}', /more than 1000 patterns/],
  ])('%s', async (name, message) => {
    await expect(found(name)).rejects.toThrow(message);
    await expect(found(name)).rejects.toThrow(CommandError);
  });

  test('no names at all', async () => {
    await expect(inputFiles([])).rejects.toThrow(/no input/);
  });
});
