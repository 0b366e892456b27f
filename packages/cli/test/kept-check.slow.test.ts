/** Checks week by week, with random changes: what is kept of the last week changes no byte of the next report. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { afterEach, expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { temporaryFolder } from './files.js';
import { boxesObj, impinge, type NamedBox } from './run-impinge.js';

const folder = temporaryFolder();
const before = process.env['IMPINGE_CACHE'];
afterEach(() => {
  process.env['IMPINGE_CACHE'] = before;
});

const BOXES = 12;
const FILES = ['architecture', 'structure', 'hvac'];
const ASKED = [[], ['--clearance', '100mm'], ['--tolerance', '20mm'], ['--kinds', 'hard,touch']];

async function reported(cache: string, model: string, more: readonly string[]): Promise<readonly Buffer[]> {
  process.env['IMPINGE_CACHE'] = cache;
  // the same place, since reports say where the model is
  const output = join(folder, 'report');
  rmSync(output, { recursive: true, force: true });
  const { code } = await impinge(...['check', model, '-o', output, '--formats', 'jsonl,csv,junit'], ...more);
  expect(code).toBe(1);
  return readdirSync(output)
    .sort()
    .map((name) => readFileSync(join(output, name)));
}

test.each([1, 2])('a project, seed %i', async (seed) => {
  const random = new SeededRandom(seed);
  const below = (count: number) => Math.floor(count * random.next());
  const box = (name: string): NamedBox => {
    const side = (): readonly [number, number] => {
      const from = below(40) / 10;
      return [from, from + 0.1 + below(15) / 10];
    };
    return [name, side(), side(), side()];
  };
  const model = join(folder, `model ${seed}`);
  const cache = join(folder, `cache ${seed}`);
  mkdirSync(model);
  const files = FILES.map((file) => Array.from({ length: BOXES }, (_, i) => box(`${file} ${i}`)));
  let asked: readonly string[] = [];
  for (let week = 0; week < Math.max(3, runs(6)); week++) {
    for (const [i, file] of FILES.entries()) writeFileSync(join(model, `${file}.obj`), boxesObj(...files[i]));
    const fresh = await reported('off', model, asked);
    const kept = await reported(cache, model, asked);
    expect(kept.map((bytes, i) => bytes.equals(fresh[i]))).toEqual(fresh.map(() => true));
    expect(readdirSync(cache)).toHaveLength(1);
    const list = files[below(FILES.length)];
    if (week % 3 === 0) list.splice(below(list.length), 1);
    else if (week % 3 === 1) list.unshift(box(`new ${week}`));
    else list[below(list.length)] = box(`moved ${week}`);
    if (below(3) === 0) asked = ASKED[below(ASKED.length)];
  }
});
