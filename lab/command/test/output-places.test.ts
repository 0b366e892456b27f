/** Places that cannot be written to: one plain line, and nothing unfinished is left. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { Files } from '../../../packages/cli/test/files.js';
import { boxesObj, impinge } from '../../../packages/cli/test/run-impinge.js';
import { lab } from './run-lab.js';

const files = new Files();
const store = join(files.folder, 'model.impinge');
const below = join(files.write('file', 'kept'), 'x');

beforeAll(async () => {
  const model = files.write('model.obj', boxesObj(['a', [0, 1], [0, 1], [0, 1]]));
  expect((await impinge('pack', model, '-o', store)).code).toBe(0);
});

const FLY = ['fly', store, '--wander', '2'];

test.each<[string, string[], string]>([
  ['a path', [...FLY, '--save-path', below], '/file/x: cannot be written: part of the path is not a folder'],
  ['a plot', [...FLY, '--plot', below], '/file: cannot create this folder: something else is in the way'],
  ['a plot on a folder', [...FLY, '--plot', files.folder], ': cannot be written: it is a folder'],
  [
    'figures of a simulation',
    ['simulate', 'tori', '--steps', '1', '--stats', below],
    '/file: cannot create this folder: something else is in the way',
  ],
])('%s', async (_, args, message) => {
  const before = readdirSync(files.folder);
  const { code, err } = await lab(...args);
  expect({ code, err, left: readdirSync(files.folder) }).toEqual({
    code: 2,
    err: `lab: ${files.folder}${message}\n`,
    left: before,
  });
});
