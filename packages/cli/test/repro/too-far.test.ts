/** One object out in space must not end the check of a whole model: it is named with its file, and left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { Files } from '../files.js';
import { boxesObj, impinge } from '../run-impinge.js';

const files = new Files();
const MODEL = boxesObj(
  ['a', [0, 2], [0, 2], [0, 2]],
  ['stray', [0, 1e19], [0, 1], [0, 1]],
  ['b', [1, 3], [0, 2], [0, 2]],
);
const LEFT_OUT = {
  why: 'farther than 4.9e+17 units from the origin, size included',
  type: '',
  count: 1,
  objects: ['far/stray'],
};

full('a check goes on without it, and says so', async () => {
  const path = files.write('far.obj', MODEL);
  const output = join(files.folder, 'out');
  const first = await impinge('check', path, '-o', output, '--json', '--workers', '1');
  expect(first).toMatchObject({ code: 1, err: '' });
  const summary = JSON.parse(first.out);
  expect(summary).toMatchObject({ clashes: 1, objects: 2, leftOut: [{ file: 'far.obj', ...LEFT_OUT }] });
  const line = `far.obj: left out, because ${LEFT_OUT.why}: far/stray`;
  expect(readFileSync(join(output, 'report.html'), 'utf8')).toContain(line);
  // also the next time, when the store is there
  const second = await impinge('check', path, '-o', output, '--workers', '1', '--formats', 'csv');
  expect(second.out).toContain(line);
});

test('collide leaves it out as well', async () => {
  const path = files.write('far.obj', MODEL);
  const { code, out } = await impinge('collide', path, path, '--json');
  expect(code).toBe(1);
  const { a, objectPairs } = JSON.parse(out);
  expect(a).toMatchObject({ objects: 2, leftOut: [{ file: path, ...LEFT_OUT }] });
  expect(objectPairs).toMatchObject([{ a: 'far/a', b: 'far/b' }]);
});

test('where nothing is left, the reason is in the error', async () => {
  const path = files.write('alone.obj', boxesObj(['stray', [-1e30, 1e30], [0, 1], [0, 1]]));
  const { code, err } = await impinge('pack', path, '-o', join(files.folder, 'alone.impinge'));
  expect(code).toBe(2);
  expect(err).toBe(
    `impinge: ${path}: no object with triangles; left out, because ${LEFT_OUT.why}: alone/stray\n`,
  );
});
