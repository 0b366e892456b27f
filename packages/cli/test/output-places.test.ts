/** Ordinary reasons why something cannot be read or written: one plain line, and nothing unfinished is left. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { full, INNER_LOOP } from '../../../test/budget.js';
import { writeTextAtomically } from '../src/jobs/atomic-file.js';
import { isMemoryRefusal } from '../src/jobs/file-errors.js';
import { partialName, removeLeftovers } from '../src/jobs/leftovers.js';
import { processTag } from '../src/jobs/process-identity.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge } from './run-impinge.js';

const folder = temporaryFolder();
const model = join(folder, 'model.obj');
const store = join(folder, 'model.impinge');
const file = join(folder, 'file');

beforeAll(async () => {
  writeFileSync(model, boxesObj(['a', [0, 1], [0, 1], [0, 1]], ['b', [0.5, 1.5], [0, 1], [0, 1]]));
  writeFileSync(file, 'kept');
  expect((await impinge('pack', model, '-o', store)).code).toBe(0);
});

/** The line with which a command fails, with FOLDER for the folder of this test. */
async function failure(...args: string[]): Promise<string> {
  const before = readdirSync(folder);
  const { code, err } = await impinge(...args);
  expect({ code, before: readdirSync(folder) }).toEqual({ code: 2, before });
  expect(err).toMatch(/^impinge: [^\n]+\n$/);
  return err.slice('impinge: '.length, -1).replaceAll(folder, 'FOLDER');
}

const GENERATE = ['generate', '-o', join(folder, 'model.impinge'), '--triangles', '10K', '--clashes', '0'];

describe.skipIf(INNER_LOOP)('a place that cannot be written to', () => {
  const NOT_A_FOLDER = 'part of the path is not a folder';
  const below = join(file, 'x');
  test.each<[string, string[], string]>([
    [
      'a report on a file',
      ['check', model, '-o', file],
      'FOLDER/file: cannot create this folder: something else is in the way',
    ],
    [
      'a report below a file',
      ['check', store, '-o', below],
      'FOLDER/file/x: cannot create this folder: something else is in the way',
    ],
    [
      'a demonstration on a file',
      ['demo', '-o', file],
      'FOLDER/file: cannot create this folder: something else is in the way',
    ],
    [
      'a report where no folder can be',
      ['check', model, '-o', '/proc/none/at/all'],
      '/proc/none/at/all: cannot create this folder: there is no such file or folder',
    ],
    [
      'a store below a file',
      ['pack', model, '-o', `${below}.impinge`],
      `FOLDER/file/x.impinge: cannot be written: ${NOT_A_FOLDER}`,
    ],
    [
      'a plant below a file',
      ['generate', '-o', `${below}.impinge`, '--triangles', '10K'],
      `FOLDER/file/x.impinge: cannot be written: ${NOT_A_FOLDER}`,
    ],
    ['its truth', [...GENERATE, '--truth', below], `FOLDER/file/x: cannot be written: ${NOT_A_FOLDER}`],
    [
      'a path on a device',
      [...GENERATE, '--path', '/dev/full', '--steps', '2'],
      '/dev/full: cannot be written: it is not a regular file',
    ],
  ])('%s', async (_, args, message) => {
    expect(await failure(...args)).toBe(message);
    expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
  });
});

describe.skipIf(INNER_LOOP || process.platform === 'win32')('a pipe is waited for by nobody', () => {
  const pipe = (name: string) => {
    const path = join(mkdtempSync(join(folder, 'pipe ')), name);
    execFileSync('mkfifo', [path]);
    return path;
  };
  test.each<[string, string, (path: string, out: string) => string[][]]>([
    ['rules', 'rules.yaml', (path, out) => [['check', store, '-o', out, '--rules', path]]],
    [
      'a baseline',
      'clashes.jsonl',
      (path, out) => [['check', store, '-o', out, '--baseline', join(path, '..')]],
    ],
    [
      'a model',
      'a.obj',
      (path, out) => [
        ['info', path],
        ['check', path, '-o', out],
        ['check', model, path, '-o', out],
        ['pack', path, '-o', `${out}.impinge`],
        ['collide', model, path],
        ['distance', path, model],
      ],
    ],
    [
      'a store',
      'a.impinge',
      (path, out) => [
        ['info', path],
        ['check', path, '-o', out],
      ],
    ],
  ])('%s', async (_, name, calls) => {
    const path = pipe(name);
    for (const args of calls(path, join(path, '../out'))) {
      const { code, err } = await impinge(...args);
      expect(code).toBe(2);
      expect(err).toMatch(/^impinge: [^\n]*(is not a regular file|is a pipe, and [^\n]*)\n$/);
      expect(err).toContain(path);
    }
  });
});

// an array that cannot be had makes the engine collect its garbage several times
full.each([
  ['of an array', () => new ArrayBuffer(2 ** 53 - 1)],
  ['of a memory', () => new WebAssembly.Memory({ initial: 65536 }).grow(1)],
])('memory that is refused is recognised: %s', (_, take) => {
  expect(take).toThrow(RangeError);
  try {
    take();
  } catch (error) {
    expect(isMemoryRefusal(error)).toBe(true);
  }
});

test('a refusal of memory is told from other errors by its message', () => {
  expect(isMemoryRefusal(new RangeError('Array buffer allocation failed'))).toBe(true);
  expect(isMemoryRefusal(new RangeError('toFixed() digits argument must be between 0 and 100'))).toBe(false);
});

describe('what a killed process leaves', () => {
  const [where] = processTag().split('-');
  const endedPid = async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    return child.pid!;
  };

  test('goes when the next one writes to the same folder', async () => {
    const own = mkdtempSync(join(folder, 'left '));
    const path = join(own, 'x');
    writeFileSync(`${path}.${where}-${await endedPid()}-123-1.part`, 'half');
    // the number of a process that is running, but has begun later
    writeFileSync(`${path}.${where}-${process.ppid}-1-1.part`, 'half');
    await writeTextAtomically(join(own, 'y'), 'whole');
    expect(readdirSync(own)).toEqual(['y']);
  });

  test('stays while it is, or may be, somebody’s', async () => {
    const own = mkdtempSync(join(folder, 'kept '));
    const ended = await endedPid();
    const names = [
      `x.${processTag()}-99.part`, // ours
      `x.${where}-${process.ppid}--1.part`, // of a process that runs; when it began is not known
      `x.00000000-${ended}-1-1.part`, // of another machine
      `x.${where}-${ended}-1-1.part.txt`,
      `x.${ended}-1.part`,
      'x.part',
    ];
    for (const name of names) writeFileSync(join(own, name), 'half');
    mkdirSync(join(own, `x.${where}-${ended}-1-2.part`));
    await removeLeftovers(own);
    expect(readdirSync(own).sort()).toEqual([...names, `x.${where}-${ended}-1-2.part`].sort());
    expect(existsSync(partialName(join(own, 'x')))).toBe(false);
  });
});
