/** Caches of one thread share its memory: the cap holds for all of them together. */
import { arena } from 'impinge/internal/base/arena.js';
import { Mesh } from 'impinge/internal/mesh/mesh.js';
import { collide } from 'impinge/internal/query/pair/collide.js';
import { expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { StoredTarget } from '../../src/session/stored-target.js';
import { openStore } from '../../src/store/open.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, storeOf } from './fixtures.js';

const CAP = 2 ** 20;

/** Balls in a row, more than the cap holds. */
async function rowOf(count: number, fineness: number) {
  const geometry = icosphere(fineness, 0.4) as ShapeArrays;
  const shapes = Array.from({ length: count }, (_, i) => ({
    geometry,
    objects: [named(`ball ${i}`, moved(i, 0, 0))],
  }));
  return openStore(await storeOf(shapes));
}

full('two stored models, asked in turn, stay below the cap together', async () => {
  const rows = [await rowOf(40, 5), await rowOf(8, 14)];
  const several = rows.map((row) => new StoredTarget(row, { memory: CAP }));
  const probe = Mesh.from(icosphere(3, 0.3));
  for (let round = 0; round < 2; round++) {
    for (const [i, stored] of several.entries()) {
      for (let x = 0; x < rows[i].objectCount; x++) {
        const met = await collide(stored, probe, { pose: { translation: [x, 0.2, 0] } });
        expect(met.objects.filter((_, at) => at % 2 === 0)).toContain(x);
      }
    }
  }
  for (const [i, { stats }] of several.entries()) {
    expect(stats.overflows).toBe(0);
    expect(stats.peakBytes).toBeLessThanOrEqual(CAP);
    expect(stats.evictions).toBeGreaterThan(rows[i].objectCount / 2);
    expect(stats.waits).toBe(stats.loads); // each had to be read first
  }
  for (const stored of several) await stored.dispose();
  probe.dispose();
});

test('the longest unused goes first, in whichever cache it is; what is held stays', async () => {
  const row = await rowOf(40, 5);
  const [a, b] = [0, 1].map(() => new PieceCache(row, { limit: CAP, onLoad: () => {} }));
  const before = arena().usedBytes;
  await a.acquire([0]);
  const used: [PieceCache, number][] = [];
  const dropped = () => used.filter(([cache, piece]) => !cache.has(piece));
  for (let i = 1; i < 40 && dropped().length === 0; i++) {
    const cache = i % 3 === 0 ? b : a;
    await cache.acquire([i]);
    cache.release([i]);
    used.push([cache, i]);
  }
  expect(new Set(dropped().map(([cache]) => cache)).size).toBe(2);
  expect(dropped()).toEqual(used.slice(0, dropped().length));
  expect(a.has(0)).toBe(true);
  a.release([0]);
  await a.dispose();
  await b.dispose();
  expect(arena().usedBytes).toBe(before);
});
