/** Packing in a thread of its own is like packing here: the same store, the same errors, and it can be stopped. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { full } from '../../../test/budget.js';
import { packInThread } from '../src/jobs/pack-in-thread.js';
import { packModel } from '../src/jobs/pack-model.js';
import { temporaryFolder } from './files.js';
import { boxesObj } from './run-impinge.js';

const folder = temporaryFolder();
const options = { memory: 1 << 26 };

function boxes(name: string, count: number): string {
  const path = join(folder, name);
  const list = Array.from({ length: count }, (_, i) => [`b${i}`, [i, i + 1], [0, 1], [0, 1]] as const);
  writeFileSync(path, boxesObj(...list));
  return path;
}

const messageOf = (job: Promise<unknown>) => job.then(String, (error: Error) => `${error.message}`);

full.each([
  ['there', 400],
  ['here, which is small', 4],
])('%s: the same store, and the same figures', async (_, count) => {
  const model = boxes('few.obj', count);
  const [here, there] = ['here.impinge', 'there.impinge'].map((name) => join(folder, name));
  expect(await packInThread([model], there, options)).toEqual(await packModel([model], here, options));
  expect(readFileSync(there).equals(readFileSync(here))).toBe(true);
});

full.each([
  ['damaged', 'v 0 0 zero\n'],
  ['without triangles', 'v 0 0 0\n'],
])('a file that is %s: the same line', async (name, text) => {
  const model = join(folder, `${name}.obj`);
  writeFileSync(model, `${'#'.repeat(99)}\n`.repeat(700) + text);
  const output = join(folder, 'never.impinge');
  const here = await messageOf(packModel([model], output, options));
  expect(here).toContain(model);
  expect(await messageOf(packInThread([model], output, options))).toBe(here);
});

full('stopped: nothing is left', async () => {
  const model = boxes('many.obj', 4_000);
  const output = join(folder, 'stopped');
  mkdirSync(output);
  const stopping = new AbortController();
  const job = packInThread([model], join(output, 'x.impinge'), {
    ...options,
    signal: stopping.signal,
    onProgress: () => stopping.abort(new Error('enough')),
  });
  expect(await messageOf(job)).toBe('enough');
  expect(readdirSync(output)).toEqual([]);
});
