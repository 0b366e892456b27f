import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full } from '../../../../test/budget.js';
import { boxPairs, boxPairsBetween } from '../../src/scene/box-pairs.js';
import { risingOrder } from '../../src/scene/rising-order.js';

type Box = number[];

const near = (s: Box, t: Box, distance: number) =>
  [0, 1, 2].every((k) => s[k] <= t[3 + k] + distance && t[k] <= s[3 + k] + distance);

const flat = (boxes: Box[]) => Float64Array.from(boxes.flat());

/** A box from two corners. */
const boxOf = (p: number[], q: number[]) => [
  ...p.map((c, k) => Math.min(c, q[k])),
  ...p.map((c, k) => Math.max(c, q[k])),
];

full('output of many blocks comes ordered', () => {
  const count = 1500; // 1.1 million pairs
  const pairs = boxPairs.pairs(flat(Array.from({ length: count }, () => [0, 0, 0, 1, 1, 1])), 0);
  expect(pairs.length).toBe(count * (count - 1));
  let at = 0;
  for (let i = 0; i < count; i++)
    for (let j = i + 1; j < count; j++, at += 2)
      if (pairs[at] !== i || pairs[at + 1] !== j) expect([pairs[at], pairs[at + 1]]).toEqual([i, j]);
});

describe('boxPairsBetween', () => {
  full('equals brute force (seed 304)', () => {
    const corner = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 3, maxLength: 3 });
    const box = fc.tuple(corner, corner).map(([p, q]) => boxOf(p, q));
    const boxes = fc.array(box, { maxLength: 40 });
    fc.assert(
      fc.property(boxes, boxes, fc.constantFrom(0, 1), (a, b, distance) => {
        const expected = a.flatMap((s, i) => b.flatMap((t, j) => (near(s, t, distance) ? [i, j] : [])));
        expect([...boxPairsBetween(flat(a), flat(b), distance)]).toEqual(expected);
      }),
      { seed: 304 },
    );
  });

  test('equals brute force on lists of very different lengths and sizes', () => {
    const next = seededRandom(305);
    const place = (size: number) => {
      const p = [next(), next(), next()];
      return [...p, ...p.map((c) => c + size * next())];
    };
    const a = Array.from({ length: 150 }, () => place(0.5));
    const b = Array.from({ length: 3000 }, () => place(0.05));
    const expected = a.flatMap((s, i) => b.flatMap((t, j) => (near(s, t, 0) ? [i, j] : [])));
    expect([...boxPairsBetween(flat(a), flat(b), 0)]).toEqual(expected);
  });
});

test('risingOrder sorts stably, zeros of either sign and infinities included (seed 306)', () => {
  const value = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, -1, Infinity, -Infinity));
  fc.assert(
    fc.property(fc.array(value, { maxLength: 200 }), (values) => {
      const expected = values.map((_, i) => i).sort((i, j) => values[i] - values[j] || i - j);
      const order = [...risingOrder(Float64Array.from(values))];
      // −0 may come before +0 whatever their places
      if (!values.includes(0)) expect(order).toEqual(expected);
      expect(order.map((i) => values[i] + 0)).toEqual(expected.map((i) => values[i] + 0));
      expect([...order].sort((i, j) => i - j)).toEqual(values.map((_, i) => i));
    }),
    { seed: 306 },
  );
});
