import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../test/budget.js';
import { Gaps, Places, SLAB_INDICES } from '../src/streaming/places.js';

const SEED = 1606;

test(`gaps are taken and given back as a row of cells would (seed ${SEED})`, () => {
  const step = fc.record({ isTake: fc.boolean(), size: fc.integer({ min: 1, max: 9 }), which: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const gaps = new Gaps(64);
      const cells = new Uint8Array(64);
      const taken: { start: number; size: number }[] = [];
      for (const { isTake, size, which } of steps) {
        if (isTake) {
          const text = cells.join('');
          expect(gaps.find(size)).toBe(text.indexOf('0'.repeat(size)));
          const start = gaps.find(size);
          if (start < 0) continue;
          gaps.take(start, size);
          cells.fill(1, start, start + size);
          taken.push({ start, size });
        } else if (taken.length > 0) {
          const [{ start, size }] = taken.splice(which % taken.length, 1);
          gaps.give(start, size);
          cells.fill(0, start, start + size);
        }
      }
    }),
    { seed: SEED, numRuns: runs(300) },
  );
});

test('what is placed one after the other lies together, and leaves all of its room', () => {
  const places = new Places();
  expect(places.find(3, 3)).toBeUndefined();
  places.addSlab();
  const a = places.find(8, 36)!;
  const b = places.find(4, 6)!;
  expect([b.vertexAt, b.indexAt]).toEqual([a.vertexAt + 8, a.indexAt + 36]);
  expect(places.find(1, SLAB_INDICES)).toBeUndefined();
  places.free(a);
  places.free(b);
  expect(places.usedBytes).toBe(0);
  expect(places.find(1, SLAB_INDICES)).toMatchObject({ slab: 0, indexAt: 0 });
});
