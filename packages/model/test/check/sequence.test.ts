/** A clash exists only while both objects do. */
import { expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { type CheckOptions, check, openStore } from '../../src/index.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from '../store/fixtures.js';

/** Cubes that all meet each other, with periods; undefined: none. */
async function clashing(periods: readonly (string | undefined)[], options: CheckOptions = {}) {
  const objects = periods.map((period, i) => ({
    ...named(`${i}`, moved(0.1 * i, 0.07 * i, 0.05 * i)),
    ...(period !== undefined && { labels: { period: [period] } }),
  }));
  const run = check(
    await openStore(await storeOf([{ geometry: box(1, 1, 1) as ShapeArrays, objects }])),
    options,
  );
  const found: string[] = [];
  for await (const { a, b } of run) found.push([a.id, b.id].sort().join('-'));
  return { found: found.sort(), left: run.stats.excluded.sequence };
}

test.each<[string, string | undefined, string | undefined, boolean]>([
  ['one after the other', '2026-01-01/2026-03-01', '2026-03-01/', false],
  ['in either order', '2026-03-01/', '/2026-03-01', false],
  ['a day together', '2026-01-01/2026-03-02', '2026-03-01/', true],
  ['one within the other', '2026-01-01/2027-01-01', '2026-03-01/2026-03-02', true],
  ['hours of one day', '2026-03-01T06:00/2026-03-01T12:00', '2026-03-01T12:00/2026-03-02', false],
  ['one without dates', '2026-01-01/2026-03-01', undefined, true],
  ['both from then on', '2026-01-01/', '2030-01-01/', true],
])('%s', async (_, first, second, meet) => {
  const { found, left } = await clashing([first, second]);
  expect([found.length, left]).toEqual(meet ? [1, 0] : [0, 1]);
});

test('it is an exclusion as others are', async () => {
  const periods = ['/2026-03-01', '2026-03-01/', undefined];
  expect(await clashing(periods)).toEqual({ found: ['0-2', '1-2'], left: 1 });
  expect((await clashing(periods, { exclusions: { sequence: false } })).found).toHaveLength(3);
});
