/** Killed again and again, at writes and syncs all over packing, checking and reporting: the same bytes in the end. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '@impinge/scenes/random';
import { beforeAll, expect, test } from 'vitest';
import { LONG } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { impinge, start, startInterrupted } from './run-impinge.js';

const SEED = 12;
const KILLS = LONG ? 200 : 4;
/** In a row, before it is let run to its end. */
const IN_A_ROW = 4;

const folder = temporaryFolder();
const model = join(folder, 'balls.obj');
const plant = join(folder, 'plant.impinge');

/** Rings of balls, each of which meets the next two: a store of several writes. */
function balls(count: number, rows: number): string {
  const lines: string[] = [];
  for (let b = 0; b < count; b++) {
    lines.push(`o ball ${b}`);
    for (let i = 0; i <= rows; i++) {
      for (let j = 0; j < 2 * rows; j++) {
        const [u, v] = [(Math.PI * i) / rows, (Math.PI * j) / rows];
        const at = [Math.sin(u) * Math.cos(v) + 0.9 * b, Math.sin(u) * Math.sin(v), Math.cos(u)];
        lines.push(`v ${at.map((x) => x.toFixed(6)).join(' ')}`);
      }
    }
    const first = 1 + b * (rows + 1) * 2 * rows;
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < 2 * rows; j++) {
        const [p, q] = [first + i * 2 * rows + j, first + i * 2 * rows + ((j + 1) % (2 * rows))];
        lines.push(`f ${p} ${p + 2 * rows} ${q + 2 * rows} ${q}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** What is interrupted: a command line for an output folder, what it leaves there, and whether it can be resumed. */
const JOBS = {
  pack: { args: (out: string) => ['pack', model, '-o', join(out, 'model.impinge')], resumes: false },
  'check model': { args: (out: string) => ['check', model, '-o', out, '--workers', '1'], resumes: true },
  'check plant': {
    args: (out: string) => [
      'check',
      plant,
      '-o',
      out,
      '--clearance',
      '50mm',
      '--memory',
      '12MB',
      '--workers',
      '1',
    ],
    resumes: true,
  },
};
type Job = keyof typeof JOBS;
/** Where: method, and up to which call of it. The header of a journal, its entries, locks, stores and reports. */
const POINTS = [
  ['write', 6],
  ['writeFile', 6],
  ['sync', 5],
  ['datasync', 2],
] as const;

const contents = (out: string) =>
  new Map(readdirSync(out).map((name) => [name, readFileSync(join(out, name))]));
const expected = new Map<Job, Map<string, Buffer>>();

beforeAll(async () => {
  writeFileSync(model, balls(14, 20));
  await impinge('generate', '-o', plant, '--triangles', '30K', '--clashes', '10', '--seed', '5');
  for (const [job, { args }] of Object.entries(JOBS)) {
    const out = join(folder, `whole ${job}`);
    mkdirSync(out, { recursive: true });
    const { code } = await start(...args(out)).ended;
    expect(code).toBeLessThan(2);
    expected.set(job as Job, contents(out));
  }
});

test(`${KILLS} kills, seed ${SEED}`, { timeout: 3_600_000 }, async () => {
  const random = seededRandom(SEED);
  const below = (n: number) => Math.floor(n * random());
  let kills = 0;
  for (let story = 0; kills < KILLS; story++) {
    const job = Object.keys(JOBS)[story % 3] as Job;
    const { args, resumes } = JOBS[job];
    const out = join(folder, `story ${story}`);
    mkdirSync(out);
    const told = [`story ${story}: ${job}`];
    for (let attempt = 0; ; attempt++) {
      const command = [...args(out), ...(attempt > 0 && resumes ? ['--resume'] : [])];
      const [method, calls] = POINTS[below(POINTS.length)];
      const at = `kill ${method} ${1 + below(calls)}` as const;
      const { ended } = attempt < IN_A_ROW ? startInterrupted(at, ...command) : start(...command);
      const { code, err } = await ended;
      told.push(`${attempt < IN_A_ROW ? at : 'to the end'}: ${code ?? 'killed'} ${err.trim()}`);
      if (code === undefined) kills++;
      else {
        expect(code, told.join('\n')).toBeLessThan(2);
        break;
      }
    }
    const files = contents(out);
    expect([...files.keys()].sort(), told.join('\n')).toEqual([...expected.get(job)!.keys()].sort());
    for (const [name, bytes] of files) {
      expect(bytes.equals(expected.get(job)!.get(name)!), `${told.join('\n')}\n${name}`).toBe(true);
    }
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS);
});
