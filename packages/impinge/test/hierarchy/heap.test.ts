import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/budget.js';
import { PairHeap } from '../../src/base/heap.js';
import { createWorkList } from '../../src/hierarchy/work-list.js';

test('gives back what went in, least key first, also when pushes and pops alternate (seed 61)', () => {
  const operation = fc.option(fc.double({ noNaN: true }), { freq: 3 }); // a key to push, or a pop
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 700, size: 'max' }), (operations) => {
      const heap = new PairHeap();
      const waiting: { key: number; a: number }[] = [];
      for (const [a, key] of operations.entries()) {
        if (key !== null) {
          heap.push(key, a, a + 1);
          waiting.push({ key, a });
        } else {
          expect(heap.pop()).toBe(waiting.length > 0);
          if (waiting.length === 0) continue;
          expect(heap.key).toBe(Math.min(...waiting.map((w) => w.key)));
          const taken = waiting.findIndex((w) => w.a === heap.a);
          expect(waiting[taken]).toEqual({ key: heap.key, a: heap.b - 1 });
          waiting.splice(taken, 1);
        }
        expect(heap.length).toBe(waiting.length);
      }
    }),
    { seed: 61, numRuns: runs(60) },
  );
});

test.each(['depth', 'breadth'] as const)('%s first hands out what a list does (seed 62)', (order) => {
  const operation = fc.option(fc.nat(), { freq: 3 }); // a key to push, or a pop
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 2000, size: 'max' }), (operations) => {
      const work = createWorkList(order);
      const waiting: number[][] = [];
      for (const [a, key] of operations.entries()) {
        if (key !== null) {
          work.push(key, a, a + 1);
          waiting.push([key, a, a + 1]);
          continue;
        }
        const next = order === 'depth' ? waiting.pop() : waiting.shift();
        expect(work.pop()).toBe(next !== undefined);
        if (next) expect([work.key, work.a, work.b]).toEqual(next);
      }
    }),
    { seed: 62, numRuns: runs(60) },
  );
});
