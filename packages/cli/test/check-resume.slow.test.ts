/** Nothing lost: checks that are stopped, killed or run out of disk go on and end with the same bytes. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge, startInterrupted, startUnwaited } from './run-impinge.js';

const folder = temporaryFolder();
const store = join(folder, 'plant.impinge');
const whole = join(folder, 'whole');
const REPORTS = ['clashes.bcfzip', 'clashes.csv', 'clashes.jsonl', 'report.html', 'report.json'];
const checkArgs = (output: string, workers: string) => [
  ...['check', store, '-o', output, '--clearance', '50mm', '--memory', '12MB', '--workers', workers],
];

beforeAll(async () => {
  await impinge('generate', '-o', store, '--triangles', '40K', '--clashes', '30', '--seed', '11');
  const { code } = await impinge(...checkArgs(whole, '1'));
  expect(code).toBe(1);
  expect(readdirSync(whole).sort()).toEqual(REPORTS);
});

function expectSameReports(output: string): void {
  // where the model is, seen from there, is another place
  const record = (folder: string) => ({
    ...JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')),
    store: '',
  });
  expect(record(output)).toEqual(record(whole));
  for (const name of REPORTS.filter((one) => one !== 'report.json')) {
    expect(readFileSync(join(output, name)).equals(readFileSync(join(whole, name)))).toBe(true);
  }
  expect(readdirSync(output).sort()).toEqual(REPORTS);
}

/** Waits until a process that is held has come so far. */
async function until(holds: () => boolean, ended: Promise<unknown>): Promise<void> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!holds()) {
    if (over) throw new Error('it ended before that');
    await delay(5);
  }
}

/** What is said of the model before it is checked, and nothing else. */
const FINDINGS = /^(▌.*\n|\n)*$/;

describe('killed in the middle of a write', () => {
  // the header of the journal, its first entry, a later one, two of the reports (the first writeFile is the lock's)
  const KILLS = ['write 1', 'write 2', 'write 3', 'writeFile 2', 'writeFile 4'] as const;

  test.each([
    ['1', LONG ? KILLS : [KILLS[0], KILLS[2], KILLS[4]]],
    ['2', LONG ? KILLS : KILLS.slice(2, 3)],
  ])('again and again, %s threads', async (workers, kills) => {
    const output = join(folder, `killed ${workers}`);
    const journal = join(output, 'check.journal');
    for (const [i, kill] of kills.entries()) {
      const resume = i === 0 ? [] : ['--resume'];
      const { code, out } = await startInterrupted(`kill ${kill}`, ...checkArgs(output, workers), ...resume)
        .ended;
      expect({ kill, code, out }).toEqual({ kill, code: undefined, out: expect.stringMatching(FINDINGS) });
      // what was lost is at most a line, and the next one can begin
      expect(statSync(journal).size).toBeGreaterThan(0);
    }
    const { code, err } = await impinge(...checkArgs(output, workers), '--resume');
    expect(code).toBe(1);
    expect(err).toMatch(/going on after [\d,]+ pairs/);
    expectSameReports(output);
  });

  test('a line cut in the middle is said and done again', async () => {
    const output = join(folder, 'cut');
    await startInterrupted('kill write 3', ...checkArgs(output, '1')).ended;
    const { code, err } = await impinge(...checkArgs(output, '2'), '--resume');
    expect(code).toBe(1);
    expect(err).toMatch(/the last \d+ bytes were incomplete or altered, and were cut off/);
    expectSameReports(output);
  });
});

test.skipIf(process.platform !== 'linux')(
  'killed under a parent that never asks for its exit code, as in containers',
  async () => {
    const output = join(folder, 'zombie');
    const { started, parent } = startUnwaited('kill write 3', ...checkArgs(output, '1'));
    try {
      const pid = await started;
      const state = () => readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')[0];
      while (state() !== 'Z') await delay(20);
      const { code, err } = await impinge(...checkArgs(output, '1'), '--resume');
      expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/going on after [\d,]+ pair/) });
      expect(state()).toBe('Z');
      expectSameReports(output);
    } finally {
      parent.kill('SIGKILL');
    }
  },
);

/** Another question is another check, and takes nothing from what was stopped here. */
async function expectKeptFromOthers(output: string): Promise<void> {
  const journal = join(output, 'check.journal');
  const other = await impinge(...checkArgs(output, '1'), '--resume', '--tolerance', '1mm');
  expect(other.code).toBe(2);
  expect(other.err).toMatch(/check\.journal was written for other work: rules was .* and is .*--resume/);
  const otherStore = join(folder, 'other.impinge');
  await impinge('generate', '-o', otherStore, '--triangles', '20K');
  const elsewhere = await impinge('check', otherStore, '-o', output, '--clearance', '50mm', '--resume');
  expect(elsewhere.code).toBe(2);
  expect(elsewhere.err).toMatch(/was written for other work: model was /);
  expect(readdirSync(output)).toEqual(['check.journal']);

  // nor does a question that cannot be asked cost what is there
  const before = readFileSync(journal);
  const wrong = await impinge('check', store, '-o', output, '--memory', '1MB', '--workers', '1');
  expect(wrong.code).toBe(2);
  expect(readFileSync(journal).equals(before)).toBe(true);
}

describe('stopped by Ctrl-C', () => {
  test.each(['1', '2'])('%s threads: a message, exit code 2, and the journal stays', async (workers) => {
    const output = join(folder, `stopped ${workers}`);
    const { code, out, err } = await startInterrupted('stop write 3', ...checkArgs(output, workers)).ended;
    expect({ code, out }).toEqual({ code: 2, out: expect.stringMatching(FINDINGS) });
    expect(err).toBe('impinge: stopped; finished work is kept, --resume continues from there\n');
    expect(readdirSync(output)).toEqual(['check.journal']);

    if (workers === '1') await expectKeptFromOthers(output);

    // the cap and the number of threads are not part of the question
    const again = ['check', store, '-o', output, '--clearance', '50mm', '--resume', '--workers', '1'];
    const resumed = await impinge(...again);
    expect(resumed.code).toBe(1);
    expect(resumed.err).toMatch(/going on after \d+ pairs/);
    expectSameReports(output);
  });

  test('while packing: nothing is left', async () => {
    const input = join(folder, 'long.obj');
    const lines: string[] = [];
    for (let i = 0; i < 60_000; i++) lines.push(`v ${i % 577} ${i % 911} ${i}`);
    for (let i = 3; i <= 60_000; i++) lines.push(`f ${i - 2} ${i - 1} ${i}`);
    writeFileSync(input, `${lines.join('\n')}\n`);
    const output = join(folder, 'packing');
    mkdirSync(output);
    const { code, err } = await startInterrupted(
      'stop write 1',
      'pack',
      input,
      '-o',
      join(output, 'long.impinge'),
    ).ended;
    expect({ code, err }).toEqual({ code: 2, err: 'impinge: stopped\n' });
    expect(readdirSync(output)).toEqual([]);
  });
});

test('killed while packing: --resume starts from the beginning, says so, and removes what was left', async () => {
  const input = join(folder, 'boxes.obj');
  writeFileSync(input, boxesObj(['a', [0, 1], [0, 1], [0, 1]], ['b', [0.5, 1.5], [0, 1], [0, 1]]));
  const output = join(folder, 'killed packing');
  const args = ['check', input, '-o', output, '--workers', '1'];
  expect((await startInterrupted('kill write 1', ...args).ended).code).toBe(undefined);
  expect(readdirSync(output)).toEqual([expect.stringMatching(/^model\.impinge\..*\.part$/)]);
  const { code, err } = await impinge(...args, '--resume');
  expect({ code, err }).toEqual({
    code: 1,
    err: `impinge: ${output}: nothing to continue, starting from the beginning\n`,
  });
  expect(readdirSync(output).sort()).toEqual([
    ...REPORTS.slice(0, 3),
    'model.impinge',
    'report.html',
    'report.json',
  ]);
});

test('a folder in which a check is under way is not for another one', async () => {
  const output = join(folder, 'busy');
  const { child, ended } = startInterrupted('hold write 2', ...checkArgs(output, '1'));
  const journal = join(output, 'check.journal');
  await until(() => existsSync(journal) && statSync(journal).size > 0, ended);
  const { code, err } = await impinge(...checkArgs(output, '1'));
  child.kill('SIGKILL');
  await ended;
  expect(code).toBe(2);
  expect(err).toMatch(/check\.journal is in use by process \d+/);
});

describe('a full disk', () => {
  const disk = join(folder, 'small disk');
  const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });

  test('is said, and --resume completes when there is room', async ({ skip }) => {
    mkdirSync(disk);
    try {
      mount('-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk);
    } catch {
      process.stderr.write('\n*** SKIPPED: a full disk; no file system can be mounted here ***\n');
      skip();
    }
    try {
      const output = join(disk, 'report');
      const ballast = join(disk, 'ballast');
      // room for the beginning of the journal, then none
      writeFileSync(ballast, new Uint8Array(236 * 1024));
      const full = await impinge(...checkArgs(output, '1'));
      expect(full.code).toBe(2);
      expect(full.err).toMatch(/^impinge: .*check\.journal.*the disk is full.*\n$/);
      expect(readdirSync(output)).toEqual(['check.journal']);

      // room for the journal, none for the reports
      writeFileSync(ballast, new Uint8Array(100 * 1024));
      const half = await impinge(...checkArgs(output, '2'), '--resume');
      expect(half.code).toBe(2);
      expect(half.err).toMatch(/impinge: .*the disk is full.*\n$/);
      expect(readdirSync(output)).toEqual(['check.journal']);

      // while a store is written: nothing is left of it
      mount('-o', 'remount,size=2m', disk);
      const target = join(disk, 'x.impinge');
      const packed = await impinge('generate', '-o', target, '--triangles', '300K');
      expect(packed.code).toBe(2);
      expect(packed.err).toMatch(/^impinge: .*x\.impinge: cannot be written: the disk is full\n$/);
      expect(readdirSync(disk).sort()).toEqual(['ballast', 'report']);

      mount('-o', 'remount,size=8m', disk);
      const done = await impinge(...checkArgs(output, '2'), '--resume');
      expect(done.code).toBe(1);
      expectSameReports(output);
    } finally {
      execFileSync('umount', [disk]);
    }
  });
});
