/** A page without SharedArrayBuffer: memory that moves when it grows, one thread; the same answers. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every } from '../../../../test/budget.js';

const real = globalThis.SharedArrayBuffer;
beforeAll(() => vi.stubGlobal('SharedArrayBuffer', undefined));
afterAll(() => vi.stubGlobal('SharedArrayBuffer', real));

test('hash equals brute force while the memory grows, and pools run on the caller, seed 81', async () => {
  const { arena } = await import('impinge/internal/base/arena.js');
  expect(arena().shared).toBe(false);
  const { nodePool } = await import('impinge/node');
  const { crumpled, detectorOf, expectEqualAnswers, expectSameContacts, plain, soup } = await import(
    './surfaces.js'
  );
  const random = seededRandom(81);
  const surfaces = [
    crumpled(random, 20, 0.5, 0.5),
    { ...soup(random, 50, 0.3, 0.2), kind: 'rigid' as const },
  ];
  for (const thickness of every([0.01, 0], 2)) {
    expect(expectSameContacts(surfaces, { thickness })).toBeGreaterThan(100);
    const detector = detectorOf(surfaces, { thickness });
    const events = detector.continuous();
    const expected = plain(events);
    const pages = arena().memory.buffer.byteLength;
    arena().free(arena().alloc(2 * pages)); // every view of the arena is stale now
    expect(arena().memory.buffer.byteLength).toBeGreaterThan(pages);
    expectEqualAnswers(plain(events), expected);
    const pool = nodePool(3);
    expect(pool.size).toBe(0);
    expectEqualAnswers(plain(await detector.continuousParallel({ pool })), expected);
    detector.dispose();
  }
});
