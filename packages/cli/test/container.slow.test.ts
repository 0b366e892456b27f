/**
 * The command as process 1 of a container: signals, and what a killed one leaves to the next, which has the same
 * number.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxRow, impinge, startAsFirst } from './run-impinge.js';

const folder = temporaryFolder();
const root = join(import.meta.dirname, '../../..');
const store = join(folder, 'plant.impinge');
const whole = join(folder, 'whole');
const checkArgs = (output: string) => ['check', store, '-o', output, '--memory', '12MB', '--workers', '1'];

const UNINTERRUPTED = { INTERRUPT: 'hold read 1000000000' };

/** Whether processes may be numbered anew here, as in a container. */
const canNumber = spawnSync('unshare', ['--pid', '--fork', '--mount-proc', 'true']).status === 0;
const builder = ['docker', 'podman'].find((name) => spawnSync(name, ['info']).status === 0);
if (!canNumber) console.log('*** SKIPPED: process 1; unshare --pid is not permitted here ***');
if (!builder) console.log('*** SKIPPED: building the image; neither docker nor podman is here ***');

describe.runIf(canNumber)('process 1', () => {
  beforeAll(async () => {
    await impinge('generate', '-o', store, '--triangles', '40K', '--clashes', '30', '--seed', '11');
    expect((await impinge(...checkArgs(whole))).code).toBe(1);
  });

  test('checks', async () => {
    const output = join(folder, 'first');
    const { code, err } = await startAsFirst(UNINTERRUPTED, ...checkArgs(output)).ended;
    expect({ code, err }).toEqual({ code: 1, err: '' });
    expectSameClashes(output);
  });

  test.each(['killed', 'stopped'])('goes on where an earlier process 1 was %s', async (how) => {
    const output = join(folder, how);
    const journal = join(output, 'check.journal');
    if (how === 'killed') {
      // from outside: nobody inside can kill process 1
      const { child, ended } = startAsFirst({ INTERRUPT: 'hold write 3' }, ...checkArgs(output));
      while (!existsSync(journal) || statSync(journal).size === 0) await delay(20);
      child.kill('SIGKILL');
      await ended;
    } else await startAsFirst({ INTERRUPT: 'stop write 3' }, ...checkArgs(output)).ended;
    expect(existsSync(journal)).toBe(true);
    const again = startAsFirst(UNINTERRUPTED, ...checkArgs(output), '--resume');
    const { code, err } = await again.ended;
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/going on after [\d,]+ pair/) });
    expectSameClashes(output);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('ends by %s where there is nothing to put away', async (signal, expected) => {
    const model = join(folder, 'row.obj');
    execFileSync('tee', [model], { input: boxRow('box', 20), stdio: ['pipe', 'ignore', 'inherit'] });
    const { code } = await startAsFirst({ SIGNAL: signal }, 'info', model).ended;
    expect(code).toBe(expected);
  });
});

function expectSameClashes(output: string): void {
  for (const name of ['clashes.jsonl', 'clashes.csv', 'clashes.bcfzip'])
    expect(readFileSync(join(output, name)).equals(readFileSync(join(whole, name)))).toBe(true);
}

/** The commands of its RUN lines, in order. */
function imageSteps(): string[] {
  const lines = readFileSync(join(root, 'Dockerfile'), 'utf8').split('\n');
  return lines.flatMap((line) => (line.startsWith('RUN ') ? [line.slice(4)] : []));
}

test.runIf(LONG && !builder)('the steps of the image, in folders of their own', { timeout: 1e6 }, () => {
  const at = mkdtempSync(join(folder, 'image-'));
  const [source, packed, installed] = ['src', 'packed', 'installed'].map((name) => join(at, name));
  execFileSync('sh', ['-c', `mkdir "${source}" && git archive HEAD | tar -x -C "${source}"`], { cwd: root });
  for (const step of imageSteps()) {
    const here = step.replaceAll('/packed', packed).replace('--global', `--global --prefix "${installed}"`);
    execFileSync('sh', ['-c', here], { cwd: source, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  expect(readdirSync(join(installed, 'bin'))).toEqual(['impinge']);
  const version = execFileSync(join(installed, 'bin', 'impinge'), ['--version'], { encoding: 'utf8' });
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test.runIf(LONG && builder)('the image is built, and checks', { timeout: 1e6 }, () => {
  execFileSync(builder!, ['build', '-t', 'impinge-test', root], { stdio: 'inherit' });
  const mounted = ['run', '--rm', '-v', `${folder}:/models`, 'impinge-test'];
  expect(execFileSync(builder!, [...mounted, '--version'], { encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+/);
});
