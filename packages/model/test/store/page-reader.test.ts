/** Pages that lie close together are one read, and each is still checked, and refused, by itself. */
import * as fc from 'fast-check';
import { arena } from 'impinge/internal/base/arena.js';
import { expect, test } from 'vitest';
import { icosphere } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import type { StoredModel } from '../../src/store/model.js';
import { openStore } from '../../src/store/open.js';
import { MemorySource } from '../../src/store/page-source.js';
import { PieceCache } from '../../src/store/piece-cache.js';
import type { ShapeArrays } from '../../src/store/source.js';
import { moved, named, readySource, slowSource, storeBytes, triangleTexts } from './fixtures.js';

const BALLS = 40;
/** Pages of 1 to 60 KB, so that what lies between two of them is small or large. */
const shapes = Array.from({ length: BALLS }, (_, i) => ({
  geometry: icosphere(1 + ((7 * i) % 12), 0.4 + i / 100) as ShapeArrays,
  objects: [named(`ball ${i}`, moved(i, 0, 0))],
}));
const bytes = storeBytes(shapes);

async function counted(stored: Uint8Array, canReadNow: boolean) {
  const reads = { count: 0, bytes: 0 };
  const count = (length: number) => {
    reads.count++;
    reads.bytes += length;
  };
  const model = await openStore((canReadNow ? readySource : slowSource)(stored, count));
  Object.assign(reads, { count: 0, bytes: 0 });
  return { model, reads, cache: new PieceCache(model, { limit: 2 ** 26, onLoad: () => {} }) };
}

/** Where the pages of some pieces are cut into reads, looked at one by one. */
function readsOf({ directory }: StoredModel, pieces: readonly number[]): number {
  const offset = directory.pieceByteOffset;
  const ends = [...offset.slice(1), Infinity]; // of the next page: sixteen bytes at most lie between two that follow each other
  const sorted = [...new Set(pieces)].sort((a, b) => a - b);
  return sorted.filter((piece, i) => i === 0 || offset[piece] - ends[sorted[i - 1]] > 16_384).length;
}

test('any pieces, fetched ahead or not, are those of the model, seed 31', async () => {
  const stored = await bytes;
  const piece = fc.nat(BALLS - 1);
  const asked = fc.record({ ahead: fc.array(piece), now: fc.uniqueArray(piece), canReadNow: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(asked, async ({ ahead, now, canReadNow }) => {
      const before = arena().usedBytes;
      const { model, reads, cache } = await counted(stored, canReadNow);
      cache.prefetch(ahead);
      expect(Math.abs(reads.count - readsOf(model, ahead))).toBeLessThanOrEqual(1);
      await cache.acquire(now);
      for (const one of now) {
        const { positions, indices } = cache.mesh(one);
        const { geometry } = shapes[one];
        expect(triangleTexts(positions, indices)).toEqual(
          triangleTexts(geometry.positions, geometry.indices),
        );
      }
      cache.release(now);
      await cache.dispose();
      expect(cache.stats.loads).toBe(new Set([...ahead, ...now]).size);
      // less where the collector has freed what earlier cases have left
      expect(arena().usedBytes).toBeLessThanOrEqual(before);
    }),
    { seed: 31, numRuns: runs(60) },
  );
});

test('all pieces in few reads of what they take', async () => {
  const stored = await bytes;
  const { reads, cache } = await counted(stored, false);
  cache.prefetch(Array.from({ length: BALLS }, (_, i) => BALLS - 1 - i));
  expect(reads.count).toBe(1);
  expect(reads.bytes).toBeLessThan(stored.length);
  await cache.dispose();
  expect(cache.stats.loads).toBe(BALLS);
});

test.each([true, false])('a page that was altered is refused by itself, read at once: %s', async (now) => {
  const stored = Uint8Array.from(await bytes);
  const { directory } = await openStore(new MemorySource(stored));
  stored[directory.pieceByteOffset[17] + 100] ^= 1;
  const before = arena().usedBytes;
  const { cache } = await counted(stored, now);
  const all = Array.from({ length: BALLS }, (_, i) => i);
  if (!now) cache.prefetch(all);
  const healthy = all.filter((piece) => piece !== 17);
  await cache.acquire(healthy);
  await expect(async () => cache.acquire([16, 17])).rejects.toMatchObject({ detail: { piece: 17 } });
  cache.release(healthy);
  await cache.dispose();
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});

test('a read that fails is the error of those who wait for it, and of nobody else', async () => {
  let fails = false;
  const refuse = () => {
    if (fails) throw new Error('the network is down');
  };
  const model = await openStore(slowSource(await bytes, refuse));
  const cache = new PieceCache(model, { limit: 2 ** 26, onLoad: () => {} });
  const before = arena().usedBytes;
  fails = true;
  cache.prefetch([1, 2, 3]);
  await expect(cache.acquire([2])).rejects.toThrow('the network is down');
  fails = false;
  await cache.acquire([2, 3]);
  cache.release([2, 3]);
  await cache.dispose();
  expect(arena().usedBytes).toBeLessThanOrEqual(before);
});
