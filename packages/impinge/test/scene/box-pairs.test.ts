import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxPairs, boxPairsBetween } from '../../src/scene/box-pairs.js';
import { risingOrder } from '../../src/scene/rising-order.js';
import { random } from './graphs.js';

type Box = number[];

const near = (s: Box, t: Box, reach: number) =>
  [0, 1, 2].every((k) => s[k] <= t[3 + k] + reach && t[k] <= s[3 + k] + reach);

function bruteForce(boxes: Box[], reach: number): number[] {
  return boxes.flatMap((s, i) => boxes.flatMap((t, j) => (i < j && near(s, t, reach) ? [i, j] : [])));
}

const flat = (boxes: Box[]) => Float64Array.from(boxes.flat());

/** A box from two corners. */
const boxOf = (p: number[], q: number[]) => [
  ...p.map((c, k) => Math.min(c, q[k])),
  ...p.map((c, k) => Math.max(c, q[k])),
];

const coordinates = {
  'small integers: many touch, many are flat': fc.integer({ min: -4, max: 4 }),
  'any size': fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  'far from the origin': fc.integer({ min: 0, max: 9 }).map((c) => 2 ** 52 + c),
};

describe('boxPairs', () => {
  for (const [name, coordinate] of Object.entries(coordinates)) {
    test(`equals brute force: ${name} (seed 301)`, () => {
      const corner = fc.array(coordinate, { minLength: 3, maxLength: 3 });
      const box = fc.tuple(corner, corner).map(([p, q]) => boxOf(p, q));
      fc.assert(
        fc.property(fc.array(box, { maxLength: 60 }), fc.constantFrom(0, 0.5, 1, 3), (boxes, reach) => {
          expect([...boxPairs(flat(boxes), reach)]).toEqual(bruteForce(boxes, reach));
        }),
        { seed: 301 },
      );
    });
  }

  // enough boxes that lists are cut, halved and scanned
  const make: Record<string, (next: () => number, i: number) => Box> = {
    'evenly spread': (next) => sized(next, [0.09, 0.09, 0.09]),
    'dense: most overlap along each axis': (next) => sized(next, [0.7, 0.7, 0.7]),
    'on one floor': (next) => [...sized(next, [0.04, 0.04, 0.5])].map((c, k) => (k === 2 ? 0 : c)),
    'stacked along one axis': (next) => [0, 0, ...[next()].flatMap((z) => [z, 1, 1, z + 0.002])],
    'rods along each axis': (next, i) =>
      sized(
        next,
        [0, 1, 2].map((k) => (k === i % 3 ? 0.9 : 0.01)),
      ),
    'plates across each axis': (next, i) =>
      sized(
        next,
        [0, 1, 2].map((k) => (k === i % 3 ? 0.001 : 0.3)),
      ),
    'heavy-tailed': (next, i) => sized(next, Array(3).fill(i % 97 === 0 ? 3 : 0.02 * next() ** -0.6)),
    'one around all the others': (next, i) =>
      i === 700 ? [-9, -9, -9, 9, 9, 9] : sized(next, [0.02, 0.02, 0.02]),
    'all the same': () => [1, 2, 3, 4, 5, 6],
    'points on few places': (next) => {
      const p = [next(), next(), next()].map((c) => Math.floor(5 * c));
      return [...p, ...p];
    },
    nested: (_, i) => [-i, -i, -i, i, i, i],
    'a staircase': (_, i) => [i, i, i, i + 3, i + 3, i + 3],
  };
  function sized(next: () => number, size: number[]): Box {
    const p = [next(), next(), next()];
    return [...p, ...p.map((c, k) => c + size[k] * (0.5 + next()))];
  }
  for (const [name, box] of Object.entries(make)) {
    test.each([0, 0.01])(`equals brute force on 1 400 boxes: ${name}, reach %d`, (reach) => {
      const next = random(302);
      const boxes = Array.from({ length: name === 'all the same' ? 500 : 1400 }, (_, i) => box(next, i));
      expect(
        Buffer.compare(
          bytes(boxPairs(flat(boxes), reach)),
          bytes(Uint32Array.from(bruteForce(boxes, reach))),
        ),
      ).toBe(0);
    });
  }
  const bytes = (list: Uint32Array) => Buffer.from(list.buffer, list.byteOffset, list.byteLength);

  test('misses no pair whose real gap is within reach (seed 303)', () => {
    // gaps that rounding could widen: integers in units of 2^-60 about numbers of size 1
    const tiny = fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n });
    fc.assert(
      fc.property(fc.array(tiny, { minLength: 2, maxLength: 12 }), fc.nat(2 ** 20), (units, reachUnits) => {
        const values = units.map((u) => Number(u) / 2 ** 60);
        const exact = values.map((v) => BigInt(v * 2 ** 60));
        const pairs = boxPairs(flat(values.map((v) => [v, 0, 0, v, 0, 0])), reachUnits / 2 ** 60);
        const found = new Set(
          Array.from({ length: pairs.length / 2 }, (_, k) => `${pairs[2 * k]},${pairs[2 * k + 1]}`),
        );
        exact.forEach((s, i) => {
          exact.forEach((t, j) => {
            const gap = s < t ? t - s : s - t;
            if (i < j && gap <= BigInt(reachUnits)) expect(found).toContain(`${i},${j}`);
          });
        });
      }),
      { seed: 303 },
    );
  });

  test('an empty list and a single box have no pairs', () => {
    expect(boxPairs(new Float64Array(0), 1)).toEqual(new Uint32Array(0));
    expect(boxPairs(Float64Array.of(0, 0, 0, 1, 1, 1), 1)).toEqual(new Uint32Array(0));
  });

  test('output of many blocks comes ordered', () => {
    const count = 1500; // 1.1 million pairs
    const pairs = boxPairs(flat(Array.from({ length: count }, () => [0, 0, 0, 1, 1, 1])), 0);
    expect(pairs.length).toBe(count * (count - 1));
    let at = 0;
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++, at += 2)
        if (pairs[at] !== i || pairs[at + 1] !== j) expect([pairs[at], pairs[at + 1]]).toEqual([i, j]);
  });

  test.each([
    ['a length that is not six per box', Float64Array.of(1, 2, 3), 0, 'bad-input', /six per box/],
    ['NaN', Float64Array.of(0, 0, 0, 1, Number.NaN, 1), 0, 'non-finite', /box 0 holds NaN/],
    ['a minimum above the maximum', Float64Array.of(0, 2, 0, 1, 1, 1), 0, 'bad-input', /box 0/],
    ['a negative reach', Float64Array.of(0, 0, 0, 1, 1, 1), -1, 'bad-option', /reach/],
    ['an infinite reach', Float64Array.of(0, 0, 0, 1, 1, 1), Infinity, 'bad-option', /reach/],
  ])('refuses %s', (_, boxes, reach, code, message) => {
    expect(() => boxPairs(boxes, reach)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});

describe('boxPairsBetween', () => {
  test('equals brute force (seed 304)', () => {
    const corner = fc.array(fc.integer({ min: -5, max: 5 }), { minLength: 3, maxLength: 3 });
    const box = fc.tuple(corner, corner).map(([p, q]) => boxOf(p, q));
    const boxes = fc.array(box, { maxLength: 40 });
    fc.assert(
      fc.property(boxes, boxes, fc.constantFrom(0, 1), (a, b, reach) => {
        const expected = a.flatMap((s, i) => b.flatMap((t, j) => (near(s, t, reach) ? [i, j] : [])));
        expect([...boxPairsBetween(flat(a), flat(b), reach)]).toEqual(expected);
      }),
      { seed: 304 },
    );
  });

  test('equals brute force on lists of very different lengths and sizes', () => {
    const next = random(305);
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
