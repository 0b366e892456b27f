/** `impinge check`: exit codes, what is printed and written, stores that are damaged. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { Files } from './files.js';
import { boxesObj, clashesIn, type Interval, impinge } from './run-impinge.js';

const files = new Files();
const UNIT: Interval = [0, 1];

const clean = files.write('clean.obj', boxesObj(['a', UNIT, UNIT, UNIT], ['b', [2, 3], UNIT, UNIT]));
/** One pair each: through each other, one in the other, touching, 0.03 apart, the same twice. */
const mixed = files.write(
  'mixed.obj',
  boxesObj(
    ['hard a', UNIT, UNIT, UNIT],
    ['hard b', [0.5, 1.5], [0.25, 0.75], [0.25, 0.75]],
    ['outer', [10, 14], [0, 4], [0, 4]],
    ['inner', [11, 12], [1, 2], [1, 2]],
    ['touch a', [20, 21], UNIT, UNIT],
    ['touch b', [21, 22], UNIT, UNIT],
    ['near a', [30, 31], UNIT, UNIT],
    ['near b', [31.03125, 32], UNIT, UNIT],
    ['twin a', [40, 41], UNIT, UNIT],
    ['twin b', [40, 41], UNIT, UNIT],
  ),
);

let serial = 0;
const report = () => join(files.folder, `report ${serial++}`);

const pairsOf = (folder: string): string[] =>
  clashesIn(folder)
    .map(({ kind, a, b }) => `${kind}: ${[a.name, b.name].sort().join(' – ')}`)
    .sort();

describe('exit codes and reports', () => {
  test('0 where nothing clashes; the folder is made', async () => {
    const output = join(report(), 'deep');
    const { code, out, err } = await impinge('check', clean, '-o', output, '--clearance', '50mm');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /^2 objects, 24 triangles, packed in .*\n▌ amber: nothing to check\n▌ .*\n\nNo clashes\n/,
    );
    expect(readdirSync(output).sort()).toEqual([
      'clashes.bcfzip',
      'clashes.csv',
      'clashes.jsonl',
      'model.impinge',
      'report.html',
      'report.json',
    ]);
    expect(clashesIn(output)).toEqual([]);
  });

  test('1 where something does, with every kind', async () => {
    const output = report();
    const { code, out } = await impinge('check', mixed, '-o', output, '--clearance', '50mm');
    expect(code).toBe(1);
    expect(pairsOf(output)).toEqual([
      'clearance: near a – near b',
      'duplicate: twin a – twin b',
      'hard: hard a – hard b',
      'inside: inner – outer',
    ]);
    expect(out).toMatch(/\n4 clashes in \d issues\n/);
    expect(out).toContain('\n  2 depths, all known to 1 %\n');
    expect(out).toMatch(/hard, protruding 500 mm +.*hard a/);
    const byKind = new Map(clashesIn(output).map((line) => [line.kind, line]));
    expect(byKind.get('hard')!.depth).toBeCloseTo(0.5, 2);
    expect(byKind.get('clearance')!.distance).toBe(0.03125);
    expect(byKind.get('inside')!.depth).toBeCloseTo(2, 3);
    expect(readFileSync(join(output, 'report.html'), 'utf8')).toContain('near b');
    expect(readFileSync(join(output, 'clashes.csv'), 'utf8').trim().split('\n')).toHaveLength(5);
  });

  test('2 on errors, in one line, nothing written', async () => {
    const absent = join(files.folder, 'absent.impinge');
    const notStore = files.write('fake.impinge', 'not a store at all, but long enough to be taken for one?');
    for (const [args, message] of [
      [[absent], /absent\.impinge: cannot be read: there is no such file/],
      [[notStore], /fake\.impinge: not a store/],
      [[clean, notStore], /fake\.impinge: not a store/],
      [[clean, '--kinds', 'hard,soft'], /--kinds: "soft" is not one of hard, inside/],
      [[clean, '--formats', 'docx'], /--formats: "docx" is not one of/],
      [[clean, '--workers', '0'], /--workers: "0" is not a whole number/],
      [[clean, '--clearance', '-1mm'], /negative/],
      [[clean, '--memory', '1MB', '--workers', '1'], /memory must be at least 4 MB per worker/],
      [[clean, '--baseline', files.folder], /is not a baseline/],
      [[clean, '--rules', absent], /absent\.impinge/],
    ] as const) {
      const output = report();
      const { code, out, err } = await impinge('check', ...args, '-o', output);
      expect({ args, code }).toEqual({ args, code: 2 });
      expect(err).toMatch(message);
      expect(err).toMatch(/^impinge: .*\n$/);
      expect(out).not.toContain('Report');
      expect(existsSync(join(output, 'clashes.jsonl'))).toBe(false);
    }
  });

  test('--json, with figures', async () => {
    const output = report();
    const { code, out } = await impinge('check', mixed, '-o', output, '--json', '--formats', 'csv,jsonl');
    expect(code).toBe(1);
    const summary = JSON.parse(out);
    expect(summary).toMatchObject({
      clashes: 3,
      kinds: { hard: 1, inside: 1, duplicate: 1, clearance: 0, touch: 0 },
      ignored: 0,
      objects: 10,
      triangles: 120,
      stats: { pairs: 4, checked: 4, clashes: 3 },
      files: [join(output, 'clashes.jsonl'), join(output, 'clashes.csv')],
    });
    expect(readdirSync(output).sort()).toEqual([
      'clashes.csv',
      'clashes.jsonl',
      'model.impinge',
      'report.json',
    ]);
  });

  test('--kinds', async () => {
    const output = report();
    const args = ['check', mixed, '-o', output, '--clearance', '50mm', '--formats', 'jsonl'];
    expect((await impinge(...args, '--kinds', 'touch, inside')).code).toBe(1);
    expect(pairsOf(output)).toEqual(['inside: inner – outer', 'touch: touch a – touch b']);
    expect((await impinge(...args, '--kinds', 'clearance')).code).toBe(1);
    expect(pairsOf(output)).toEqual(['clearance: near a – near b']);
  });

  test('--tolerance lets shallow overlaps pass', async () => {
    const shallow = files.write(
      'shallow.obj',
      boxesObj(['a', UNIT, UNIT, UNIT], ['b', [0.999, 2], UNIT, UNIT]),
    );
    const args = ['check', shallow, '-o', report(), '--formats', 'jsonl'];
    expect((await impinge(...args)).code).toBe(1);
    expect((await impinge(...args, '--tolerance', '2mm')).code).toBe(0);
    expect((await impinge(...args, '--tolerance', '0.5mm')).code).toBe(1);
  });

  test('any number of threads writes the same bytes', async () => {
    // so many pairs that there are threads
    const cubes = Array.from(
      { length: 16 },
      (_, i) => [`c${i}`, [0, 1 + i], [0, 1 + i], [0, 1 + i]] as const,
    );
    const nested = files.write('nested.obj', boxesObj(...cubes));
    const outputs = [report(), report(), report()];
    for (const [i, workers] of ['1', '2', '3'].entries()) {
      await impinge('check', nested, '-o', outputs[i], '--workers', workers);
    }
    for (const name of ['clashes.jsonl', 'clashes.csv', 'report.html', 'clashes.bcfzip']) {
      const contents = outputs.map((output) => readFileSync(join(output, name)).toString('base64'));
      expect(new Set(contents).size).toBe(1);
    }
  });
});

describe('stores', () => {
  test('that were cut off are made again', async () => {
    const output = report();
    await impinge('check', clean, '-o', output, '--formats', 'jsonl');
    const path = join(output, 'model.impinge');
    writeFileSync(path, readFileSync(path).subarray(0, 900));
    const { code, out } = await impinge('check', clean, '-o', output, '--formats', 'jsonl');
    expect(code).toBe(0);
    expect(out).toContain('packed in');
  });

  test('with an altered page: named, no report', async () => {
    const output = report();
    mkdirSync(output);
    const store = join(output, 'altered.impinge');
    await impinge('pack', mixed, '-o', store);
    const bytes = readFileSync(store);
    bytes[400] ^= 16;
    writeFileSync(store, bytes);
    const { code, err } = await impinge('check', store, '-o', output, '--clearance', '50mm');
    expect(code).toBe(2);
    expect(err).toMatch(/^impinge: .*page \d+ of the store was altered: .*\n$/);
    expect(existsSync(join(output, 'clashes.jsonl'))).toBe(false);
  });
});
