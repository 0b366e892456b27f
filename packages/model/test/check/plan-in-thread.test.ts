/** A check that is planned in a thread is the one that is planned here. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { type CheckOptions, type Clash, check } from '../../src/index.js';
import { modelPool, openStoreFile } from '../../src/node/index.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeBytes } from '../store/fixtures.js';

/**
 * A row of leaves whose boxes overlap, enough of them for a thread; every fiftieth is a box, which its neighbours meet.
 */
const COUNT = 2100;
const LEAF = { positions: Float32Array.of(0, 0, 0, 1, 1, 0, 1, 1, 1), indices: Uint32Array.of(0, 1, 2) };
const isBox = (i: number) => i % 50 === 0;
const folder = mkdtempSync(join(tmpdir(), 'impinge-plan-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'row.impinge');
const geometry = box(1, 1, 1) as ShapeArrays;
const objects = Array.from({ length: COUNT }, (_, i) => ({
  ...named(`row/${i}`, moved(0.75 * i, 0, 0)),
  properties: { odd: i % 2 === 1 },
}));
const shapes = [
  { geometry, objects: objects.filter((_, i) => isBox(i)) },
  { geometry: LEAF, objects: objects.filter((_, i) => !isBox(i)) },
];
beforeAll(async () => writeFileSync(path, await storeBytes(shapes)));

async function checked(options: CheckOptions) {
  const model = await openStoreFile(path);
  const run = check(model, options);
  const clashes: Clash[] = [];
  try {
    for await (const batch of run.batches()) clashes.push(...batch.clashes);
  } finally {
    await model.dispose();
  }
  const { pairs, triangles, rules, excluded } = run.stats;
  return { ids: clashes.map(({ id }) => id).sort(), pairs, triangles, rules, excluded };
}

const ways = [
  ['without rules', {}],
  [
    'with rules about properties',
    {
      rules: [
        { name: 'odd', a: { property: { odd: true } } },
        { name: 'idle', b: { path: 'no/*' }, optional: true },
      ],
    },
  ],
  ['with pairs that are done', { done: (pair: number) => pair % 3 === 0 }],
] as const;

full.each(ways)('%s', async (_, options) => {
  const pool = modelPool(1);
  const there = await checked({ ...options, pool });
  await pool.dispose();
  expect(there).toEqual(await checked(options));
  expect(there.pairs).toBeGreaterThan(COUNT / 2);
  expect(there.ids.length).toBeGreaterThan(COUNT / 100);
});

full('what the caller throws, and what is wrong with rules, comes back; a signal ends it', async () => {
  const pool = modelPool(1);
  const done = () => {
    throw new TypeError('my own');
  };
  await expect(checked({ pool, done })).rejects.toThrow(new TypeError('my own'));
  await expect(checked({ pool, rules: [{ name: 'x', clearance: -1 }] })).rejects.toMatchObject({
    code: 'bad-option',
    detail: { rule: 'x' },
  });
  await expect(checked({ pool, rules: [{ name: 'x', a: 'no/*' }] })).rejects.toMatchObject({
    code: 'empty-rule',
    detail: { empty: [{ index: 0, rule: 'x', side: 'a' }] },
  });
  const stopping = new AbortController();
  const run = checked({ pool, signal: stopping.signal });
  stopping.abort();
  await expect(run).rejects.toMatchObject({ code: 'aborted' });
  await pool.dispose();
});
