/** Loops of segments, and the naming of points that they rest on. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../../test/budget.js';
import { countLoops } from '../../../src/query/solid/contact-loops.js';
import { PointIds } from '../../../src/query/solid/point-ids.js';

/** A polygon about (x, 0, 0) as segments, each end off by a little. */
function ring(x: number, sides: number, noise: () => number): number[] {
  const corner = (i: number) => {
    const angle = (2 * Math.PI * (i % sides)) / sides;
    return [x + Math.cos(angle) + noise(), Math.sin(angle) + noise(), noise()];
  };
  return Array.from({ length: sides }, (_, i) => [...corner(i), ...corner(i + 1)]).flat();
}

test('rings are counted whatever the order and direction of their segments, seed 51', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 3, max: 40 }), { maxLength: 5 }),
      fc.integer({ min: 0, max: 3 }),
      fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
      (rings, strings, randomness) => {
        const random = () => randomness.next().value as number;
        const noise = () => 1e-14 * (random() - 0.5);
        const segments: number[][] = [];
        const add = (numbers: number[]) => {
          for (let s = 0; s < numbers.length; s += 6) {
            const segment = numbers.slice(s, s + 6);
            segments.push(random() < 0.5 ? segment : [...segment.slice(3), ...segment.slice(0, 3)]);
            if (random() < 0.2) segments.push(segment); // found twice
          }
        };
        rings.forEach((sides, i) => {
          add(ring(3 * i, sides, noise));
        });
        for (let i = 0; i < strings; i++) add(ring(-3 * (i + 1), 7, noise).slice(6));
        segments.sort(() => random() - 0.5);
        expect(countLoops(Float64Array.from(segments.flat()))).toEqual({
          closed: rings.length,
          open: strings,
        });
      },
    ),
    { seed: 51, numRuns: runs(100) },
  );
});

test('loops that touch in a point are one', () => {
  const exact = () => 0;
  expect(countLoops(Float64Array.from([...ring(0, 4, exact), ...ring(2, 4, exact)]))).toEqual({
    closed: 1,
    open: 0,
  });
  expect(countLoops(new Float64Array(0))).toEqual({ closed: 0, open: 0 });
});

test('points within the tolerance get one number, others their own, as comparing all of them tells; seed 52', () => {
  const coordinate = fc.integer({ min: -3, max: 3 }).map((i) => i * 0.9);
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 60 }), (points) => {
      const ids = new PointIds(1e-3, 2);
      const known: (readonly number[])[] = [];
      for (const point of points) {
        const shifted = Float64Array.from(point, (x) => x + 0.0004 * Math.sin(1e6 * x + known.length));
        const expected = known.findIndex((p) => p.every((x, k) => Math.abs(x - shifted[k]) <= 1e-3));
        expect(ids.find(shifted, 0)).toBe(expected);
        expect(ids.add(shifted, 0)).toBe(expected < 0 ? known.length : expected);
        if (expected < 0) known.push(Array.from(shifted));
      }
      expect(ids.count).toBe(known.length);
    }),
    { seed: 52, numRuns: runs(200) },
  );
});
