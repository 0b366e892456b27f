/** `impinge generate` and `impinge demo`: a plant, what was put into it, and that a check finds exactly that. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStoreFile } from '@impinge/model/node';
import { expect, test } from 'vitest';
import { temporaryFolder } from './files.js';
import { clashesIn, impinge } from './run-impinge.js';

const folder = temporaryFolder();
const pairOf = (a: string, b: string) => [a, b].sort().join(' – ');

test('a plant, its truth and a walk; the check finds exactly the truth', async () => {
  const store = join(folder, 'plant.impinge');
  const truthPath = join(folder, 'truth.json');
  const walk = join(folder, 'walk.json');
  const { code, out } = await impinge(
    ...['generate', '-o', store, '--triangles', '40K', '--seed', '3', '--clashes', '25'],
    ...['--truth', truthPath, '--path', walk, '--steps', '50'],
  );
  expect(code).toBe(0);
  expect(out).toMatch(/plant\.impinge: [\d,]+ objects, [\d,]+ triangles, .*, 25 clashes added, in /);
  const truth = JSON.parse(readFileSync(truthPath, 'utf8'));
  expect(truth.clashes).toHaveLength(25);
  expect(JSON.parse(readFileSync(walk, 'utf8')).steps).toHaveLength(50);

  const output = join(folder, 'report');
  const checked = await impinge(
    ...['check', store, '--clearance', '50mm', '-o', output, '--formats', 'jsonl', '--memory', '8MB'],
    ...['--workers', '2'],
  );
  expect(checked.code).toBe(1);
  const found = clashesIn(output).map(({ kind, a, b }) => `${kind} ${pairOf(a.id, b.id)}`);
  const expected = truth.clashes.map(
    ({ kind, a, b }: { kind: string; a: string; b: string }) => `${kind} ${pairOf(a, b)}`,
  );
  expect(found.sort()).toEqual(expected.sort());
});

test('equal seeds, equal stores; others differ', async () => {
  const names = ['a', 'b', 'c'].map((name) => join(folder, `${name}.impinge`));
  for (const [i, seed] of ['7', '7', '8'].entries()) {
    await impinge('generate', '-o', names[i], '--triangles', '20K', '--seed', seed);
  }
  const [a, b, c] = names.map((name) => readFileSync(name));
  expect(a.equals(b)).toBe(true);
  expect(a.equals(c)).toBe(false);
  const model = await openStoreFile(names[0]);
  expect(model.meta).toMatchObject({ title: 'plant, seed 7', metresPerUnit: 1 });
  expect(model.texts('discipline')).toEqual(expect.arrayContaining(['piping', 'structure']));
  await model.dispose();
});

test('with levels, to be drawn', async () => {
  const store = join(folder, 'levels.impinge');
  await impinge('generate', '-o', store, '--triangles', '10K', '--levels', '--workers', '2');
  const model = await openStoreFile(store);
  expect(model.hasLevels).toBe(true);
  const { pieceLevel } = model.directory;
  expect(pieceLevel.some((level) => level > 0)).toBe(true);
  await model.dispose();
});

test.each([
  [['-o', join(folder, 'x.glb')], /must end with \.impinge/],
  [['-o', join(folder, 'x.impinge'), '--triangles', 'many'], /--triangles: "many" is not a number such as/],
  [['-o', join(folder, 'x.impinge'), '--triangles', '5'], /triangles must be from 10 000/],
  [['-o', join(folder, 'no', 'x.impinge'), '--triangles', '20K'], /x\.impinge: cannot be written/],
])('refused: %j', async (args, message) => {
  const { code, out, err } = await impinge('generate', ...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toMatch(message);
  expect(err).toMatch(/^impinge: (?!internal error).*\n$/);
  expect(existsSync(join(folder, 'x.impinge'))).toBe(false);
});

test('the demo builds, checks and says where the report is', async () => {
  const output = join(folder, 'demo');
  const { code, out, err } = await impinge('demo', '-o', output);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^A generated plant: [\d,]+ objects, [\d,]+ triangles; (\d+) clashes/);
  const put = /; (\d+) clashes added/.exec(out)![1];
  expect(out).toContain(`\n${put} clashes in `);
  expect(out).toContain(`Open ${join(output, 'report.html')} in a browser.\n`);
  expect(out.trimEnd().split('\n').at(-1)).toMatch(new RegExp(`impinge(?: --)? view ${output}$`));
  expect(readdirSync(output).sort()).toEqual([
    'clashes.bcfzip',
    'clashes.csv',
    'clashes.jsonl',
    'plant.impinge',
    'report.html',
    'report.json',
  ]);
});
