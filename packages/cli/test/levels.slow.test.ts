/** `impinge pack --levels`: the same store however it is made, the same clashes as without, whole or not at all. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type PackProgress, packModel } from '../src/jobs/pack-model.js';
import { temporaryFolder } from './files.js';
import { impinge, impingeJson, startInterrupted, startInterruptedAtThread } from './run-impinge.js';

const folder = temporaryFolder();

/** Rings through each other, each an object of 1 600 triangles that share no vertex. */
function rings(name: string, count: number): string {
  const point = (i: number, j: number) => {
    const [u, v] = [(Math.PI * (i % 40)) / 20, (Math.PI * (j % 20)) / 10];
    const r = 1 + 0.3 * Math.cos(v);
    return [r * Math.cos(u), r * Math.sin(u), 0.3 * Math.sin(v)];
  };
  let text = '';
  for (let ring = 0; ring < count; ring++) {
    text += `o ring${ring}\n`;
    for (let cell = 0; cell < 800; cell++) {
      const [i, j] = [cell % 40, Math.floor(cell / 40)];
      const corners = [point(i, j), point(i + 1, j), point(i + 1, j + 1), point(i, j + 1)];
      for (const corner of [0, 1, 2, 0, 2, 3]) {
        const [x, y, z] = corners[corner];
        text += ring % 2 === 0 ? `v ${x + ring} ${y} ${z}\n` : `v ${x + ring} ${z} ${y}\n`;
      }
      text += 'f -6 -5 -4\nf -3 -2 -1\n';
    }
  }
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const model = rings('rings.obj', 4);
const target = (name: string) => {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  return join(own, 'model.impinge');
};

test('the same bytes for any number of threads and any cap', async () => {
  const stores = [
    ['1', '9MB'],
    ['3', '150MB'],
  ].map(([workers, memory]) => ({ workers, memory, store: target(`workers ${workers}`) }));
  for (const { workers, memory, store } of stores) {
    const args = ['--levels', '--workers', workers, '--memory', memory, '-o', store];
    const { code, err } = await impinge('pack', model, ...args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
  }
  const [first, second] = stores.map(({ store }) => readFileSync(store));
  expect(second.equals(first)).toBe(true);
});

test('info shows levels, with their errors', async () => {
  const store = target('info');
  await impinge('pack', model, '--levels', '--unit', 'mm', '-o', store);
  const [report] = await impingeJson('info', store);
  expect(report.levels[0]).toEqual({ pieces: 4, triangles: 6400, error: 0, errorShare: 0 });
  expect(report.levels.length).toBeGreaterThan(4);
  for (let i = 1; i < report.levels.length; i++) {
    expect(report.levels[i].triangles).toBeLessThan(report.levels[i - 1].triangles);
    expect(report.levels[i].error).toBeGreaterThan(report.levels[i - 1].error);
    // the longest side is 2.6 mm
    expect(report.levels[i].errorShare).toBeCloseTo(report.levels[i].error / 0.0026, 3);
  }
  expect((await impinge('info', store)).out).toMatch(
    /level +pieces +triangles +error +of the size\n +0 +4 +6,400 +none\n +1 +4 +3,200 +0\.0000\d+ m +1\.\d+ %\n/,
  );
  await impinge('pack', model, '-o', store);
  expect((await impingeJson('info', store))[0].levels).toEqual([]);
});

test('a check finds the same with levels and without, and takes a store with levels as it is', async () => {
  const clashes: string[] = [];
  for (const options of [[], ['--levels']]) {
    const store = target(`check ${options.length}`);
    await impinge('pack', model, ...options, '-o', store);
    const report = join(folder, `report ${options.length}`);
    const { code } = await impinge('check', store, '-o', report, '--formats', 'jsonl', '--workers', '1');
    expect(code).toBe(1);
    clashes.push(readFileSync(join(report, 'clashes.jsonl'), 'utf8'));
  }
  expect(clashes[0].split('\n').length).toBeGreaterThan(2);
  expect(clashes[1]).toBe(clashes[0]);
  const output = join(folder, 'kept');
  copyFileSync(target('check 1'), target('kept'));
  const before = readFileSync(join(output, 'model.impinge'));
  const { out } = await impinge('check', model, '-o', output, '--formats', 'jsonl', '--workers', '1');
  expect(out).not.toMatch(/packed in/);
  expect(readFileSync(join(output, 'model.impinge')).equals(before)).toBe(true);
  expect(readFileSync(join(output, 'clashes.jsonl'), 'utf8')).toBe(clashes[0]);
});

test('progress rises to its end, through reading and levels', async () => {
  const seen: PackProgress[] = [];
  const onProgress = (progress: PackProgress) => seen.push(progress);
  await packModel([model], target('progress'), { memory: 1e8, levels: true, workers: 1, onProgress });
  for (let i = 1; i < seen.length; i++) {
    expect(seen[i].total).toBe(seen[0].total);
    expect(seen[i].done).toBeGreaterThanOrEqual(seen[i - 1].done);
    expect(seen[i].done).toBeLessThanOrEqual(seen[i].total);
  }
  expect(seen.at(-1)!.done).toBe(seen[0].total);
  expect(seen.some(({ levels }) => levels !== undefined && levels > 0.5)).toBe(true);
  // most of the time goes into levels, and so does most of the bar
  const reading = seen.filter(({ levels, objects }) => levels === undefined && objects === 0);
  expect(reading.at(-1)!.done).toBeLessThan(0.5 * seen[0].total);
});

test('stopped while levels are made: nothing is left', async () => {
  const store = target('stopped');
  const threads = join(folder, 'threads');
  const args = ['pack', model, '--levels', '--workers', '2', '-o', store];
  const { code, err } = await startInterruptedAtThread('SIGINT levels-worker.js', threads, ...args).ended;
  expect({ code, err }).toEqual({ code: 2, err: 'impinge: stopped\n' });
  expect(readFileSync(threads, 'utf8')).toContain('levels-worker.js\n');
  expect(readdirSync(join(folder, 'stopped'))).toEqual([]);
});

test('killed as it writes, it leaves no store, and the next one puts away what is left', async () => {
  const store = target('killed');
  const killed = await startInterrupted('kill write 1', 'pack', model, '--levels', '-o', store).ended;
  expect(killed.code).toBe(undefined);
  expect(readdirSync(join(folder, 'killed'))).not.toContain('model.impinge');
  expect((await impinge('pack', model, '--levels', '-o', store)).code).toBe(0);
  expect(readdirSync(join(folder, 'killed'))).toEqual(['model.impinge']);
});
