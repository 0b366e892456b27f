/**
 * Commands answer signals at once, whatever they are at, and leave nothing behind that is half written. Where they have
 * something to put away they say so, and end with 2; elsewhere the system ends them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge, start, startInterrupted, startInterruptedAtThread } from './run-impinge.js';

const folder = temporaryFolder();

/** Thin plates on edge, `count` of them along x, or along y: each of one kind passes through each of the other. */
function plates(name: string, count: number, along: 'x' | 'y'): string {
  let vertices = '';
  let faces = '';
  for (let i = 0; i < count; i++) {
    const at = (i + 0.5) / count;
    for (const [s, z] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]) {
      vertices += along === 'x' ? `v ${s} ${at} ${z}\n` : `v ${at} ${s} ${z}\n`;
    }
    faces += `f ${4 * i + 1} ${4 * i + 2} ${4 * i + 3}\nf ${4 * i + 1} ${4 * i + 3} ${4 * i + 4}\n`;
  }
  const path = join(folder, name);
  writeFileSync(path, vertices + faces);
  return path;
}

/** Cubes that all overlap: as many pairs as there can be. */
function cubes(name: string, count: number): string {
  const path = join(folder, name);
  const list = Array.from(
    { length: count },
    (_, i) => [`c${i}`, [0, 1 + i], [0, 1 + i], [0, 1 + i]] as const,
  );
  writeFileSync(path, boxesObj(...list));
  return path;
}

const STOPPED = 'impinge: stopped\n';
const RESUMABLE = 'impinge: stopped; finished work is kept, --resume continues from there\n';

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops one worker in the middle of a pair', async (signal) => {
  // some hundred million pairs of triangles: minutes, at best
  const files = [plates('x.obj', 12_000, 'x'), plates('y.obj', 12_000, 'y')];
  const output = join(folder, signal);
  const { child, ended } = start('check', ...files, '-o', output, '--workers', '1');
  while (!existsSync(join(output, 'check.journal'))) await delay(20);
  await delay(500); // into the pair
  child.kill(signal);
  const { code, err } = await ended;
  expect({ code, err }).toEqual({ code: 2, err: RESUMABLE });
  expect(readdirSync(output).sort()).toEqual(['check.journal', 'model.impinge']);
});

test.each(['SIGINT', 'SIGTERM'] as const)('%s stops the planning of a check', async (signal) => {
  // some million candidates, so that nobody is done before the signal comes
  const store = join(folder, `${signal}.impinge`);
  expect((await impinge('pack', cubes('nested.obj', 2500), '-o', store)).code).toBe(0);
  const output = join(folder, `planning ${signal}`);
  const threads = join(folder, `threads ${signal}`);
  const args = ['check', store, '-o', output, '--workers', '1'];
  const { code, err } = await startInterruptedAtThread(`${signal} plan-worker.js`, threads, ...args).ended;
  expect({ code, err }).toEqual({ code: 2, err: RESUMABLE });
  // those that will measure are started, and have nothing to do yet
  expect(readFileSync(threads, 'utf8')).toBe('check-worker.js\nplan-worker.js\n');
  expect(readdirSync(output)).toEqual(['check.journal']);
});

test('a reader that is busy without a pause is ended with its thread', async () => {
  const output = join(folder, 'packed');
  const model = cubes('busy.obj', 400); // what is small has no thread
  mkdirSync(output);
  const pack = await startInterrupted('spin write 1', 'pack', model, '-o', join(output, 'x.impinge')).ended;
  expect(pack).toMatchObject({ code: 2, err: STOPPED });
  const check = await startInterrupted('spin write 1', 'check', model, '-o', output).ended;
  expect(check).toMatchObject({ code: 2, err: STOPPED });
  expect(readdirSync(output)).toEqual([]);
});

test.each(['info', 'collide', 'distance'])(
  '%s writes nothing, and ends by the signal, whatever it is at',
  async (command) => {
    const model = cubes('read.obj', 2);
    const files = command === 'info' ? [model] : [model, model];
    const { code, err } = await startInterrupted('spin read 1', command, ...files).ended;
    expect({ code, err }).toEqual({ code: undefined, err: '' });
  },
);

test('reports, stopped as they are written: only the journal is left, and they are the same later', async () => {
  const model = cubes('reported.obj', 3);
  const args = (output: string) => ['check', model, '-o', output, '--workers', '1'];
  const whole = join(folder, 'whole');
  expect((await impinge(...args(whole))).code).toBe(1);
  const reports = readdirSync(whole).filter((name) => name !== 'model.impinge');
  expect(reports).toHaveLength(5);
  for (const nth of LONG ? [1, 2, 3, 4, 5] : [1, 5]) {
    const output = join(folder, `reports ${nth}`);
    const { code, err } = await startInterrupted(`stop writeFile ${nth}`, ...args(output)).ended;
    expect({ code, err }).toEqual({ code: 2, err: RESUMABLE });
    expect(readdirSync(output).sort()).toEqual(['check.journal', 'model.impinge']);
    expect((await impinge(...args(output), '--resume')).code).toBe(1);
    for (const name of reports)
      expect(readFileSync(join(output, name)).equals(readFileSync(join(whole, name))), name).toBe(true);
  }
});

describe('one file', () => {
  const store = join(folder, 'plant.impinge');

  test.each([
    ['generate', 'stop write 1', ['-o', join(folder, 'one', 'x.impinge'), '--triangles', '20K']],
    [
      'generate',
      'stop writeFile 1',
      ['-o', store, '--triangles', '20K', '--truth', join(folder, 'one', 'x.json')],
    ],
  ] as const)('%s, stopped as it is written (%s): nothing is left of it', async (command, at, args) => {
    mkdirSync(join(folder, 'one'), { recursive: true });
    const { code, err } = await startInterrupted(at, command, ...args).ended;
    expect({ code, err }).toEqual({ code: 2, err: STOPPED });
    expect(readdirSync(join(folder, 'one'))).toEqual([]);
  });
});
