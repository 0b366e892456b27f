/**
 * Queue workers pack the same bytes as this machine; damaged files are named, and a file that crashes its worker is
 * quarantined.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from '../../cli/test/files.js';
import { boxRow, impinge, start } from '../../cli/test/run-impinge.js';
import {
  contents,
  describeBackends,
  differences,
  endStarted,
  keepWorker,
  PATIENT,
  startService,
  startWorker,
} from './queue-processes.js';

endStarted();

const folder = temporaryFolder();
const models = join(folder, 'models');
mkdirSync(models);
const alone = join(folder, 'alone');
mkdirSync(alone);

/** Enough boxes to be packed in a thread. */
const row = (name: string, y: number) => boxRow(name, 400, y);
const sound = ['one', 'two', 'three'].map((name, i) => {
  const path = join(models, `${name}.obj`);
  writeFileSync(path, row(name, 3 * i));
  return path;
});
const damaged = join(folder, 'damaged.obj');
writeFileSync(damaged, 'v 0 0\nf 1 2 3\n');
const UNIT = ['--unit', 'm'];

beforeAll(async () => {
  for (const path of sound) {
    const { code, err } = await impinge('pack', path, ...UNIT, '-o', storeOf(alone, path));
    expect(code, err).toBe(0);
  }
});

const storeOf = (place: string, path: string) => path.replace(models, place).replace(/\.obj$/, '.impinge');

test('here, each file has a store of its own, and what is wrong with one does not keep the others', async () => {
  const out = join(folder, 'here');
  const { code, err } = await impinge('pack', ...sound, damaged, '--each', ...UNIT, '-o', out);
  expect(code).toBe(2);
  expect(err).toContain('damaged.obj');
  expect(differences(contents(out), contents(alone))).toEqual([]);
});

test.each([
  [['one.obj', '--each', '-o', 'x.impinge'], '-o x.impinge: with --each, a folder is needed'],
  [['one.obj', '--each', '-o', 'https://b/x'], 'https://b/x/-: files are uploaded to s3://bucket/key'],
  [
    ['one.obj', '--queue', 'redis://x', '-o', 'https://b/x.impinge'],
    'https://b/x.impinge: files are uploaded to s3://bucket/key',
  ],
])('pack %j is refused', async (args, line) => {
  const { code, err } = await impinge('pack', ...args);
  expect(code).toBe(2);
  expect(err).toContain(line);
});

test('two files of one name are refused', async () => {
  const other = join(folder, 'one.obj');
  writeFileSync(other, row('other', 0));
  const { code, err } = await impinge('pack', sound[0], other, '--each', ...UNIT, '-o', join(folder, 'same'));
  expect(code).toBe(2);
  expect(err).toContain('would become this store');
});

describeBackends((backend) => {
  let url = '';
  beforeAll(async () => {
    ({ url } = await startService(backend));
  });

  test('workers pack and measure what one machine does, to the byte', { timeout: 600_000 }, async () => {
    const workers = [startWorker(url, ...PATIENT), startWorker(url, ...PATIENT)];
    const out = join(folder, `${backend} each`);
    const packed = await start(
      'pack',
      ...sound,
      damaged,
      '--each',
      ...UNIT,
      '-o',
      out,
      '--queue',
      url,
      '--json',
    ).ended;
    expect(packed.code, packed.err).toBe(2);
    expect(packed.err).toContain(damaged);
    expect(differences(contents(out), contents(alone))).toEqual([]);
    const { stores } = JSON.parse(packed.out);
    expect(stores.map(({ objects }: { objects?: number }) => objects)).toEqual([400, 400, 400, undefined]);

    const check = (place: string, ...more: string[]) =>
      start('check', ...sound, ...UNIT, '-o', place, '--formats', 'jsonl,csv', ...more).ended;
    const [here, there] = [join(folder, `${backend} here`), join(folder, `${backend} there`)];
    const ends = await Promise.all([check(here), check(there, '--queue', url)]);
    expect(
      ends.map(({ code }) => code),
      ends[1].err,
    ).toEqual([1, 1]);
    expect(contents(there).has('model.impinge')).toBe(true);
    expect(differences(contents(there), contents(here))).toEqual([]);
    for (const { child } of workers) child.kill('SIGTERM');
    const said = (await Promise.all(workers.map(({ ended }) => ended))).map((end) => end.out).join('');
    const count = [...said.matchAll(/(\d+) stores? packed/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(count).toBe(4);
  });

  // three crashes, each of which takes a while to be detected
  test.skipIf(backend === 'redis' && !LONG)(
    'a file that ends its worker every time is set apart and named, and the others are packed',
    { timeout: 600_000 },
    async () => {
      const worker = keepWorker(url, './die-at-pack.mjs', { POISON: 'two.obj' });
      onTestFinished(async () => void (await worker.stop()));
      const out = join(folder, `${backend} poison`);
      const { code, err } = await start('pack', ...sound, '--each', ...UNIT, '-o', out, '--queue', url).ended;
      expect(await worker.stop()).toBe(3);
      expect(code, err).toBe(2);
      expect(err).toContain(`impinge: ${sound[1]}: it crashed its worker 3 times\n`);
      for (const path of [sound[0], sound[2]])
        expect(readFileSync(storeOf(out, path)).equals(readFileSync(storeOf(alone, path)))).toBe(true);
      expect([...contents(out).keys()].sort()).toEqual(['one.impinge', 'three.impinge']);
    },
  );
});
