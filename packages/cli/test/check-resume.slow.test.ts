/** Nothing lost: checks that are stopped or killed go on and end with the same bytes. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge, startInterrupted } from './run-impinge.js';

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
