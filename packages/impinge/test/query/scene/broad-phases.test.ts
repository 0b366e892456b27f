/** Every broad phase of the table against brute force, and brute force against exact arithmetic. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { full, runs, some } from '../../../../../test/budget.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { BROAD_PHASES } from '../../../src/query/scene/broad-phases.js';
import { Scene } from '../../../src/scene/scene.js';
import { bruteForce } from '../../../src/volumes/broad-phase.js';

type Box = number[];

const flat = (boxes: Box[]) => Float64Array.from(boxes.flat());

/** A box from two corners. */
const boxOf = (p: number[], q: number[]) => [
  ...p.map((c, k) => Math.min(c, q[k])),
  ...p.map((c, k) => Math.max(c, q[k])),
];

const coordinates = {
  'small integers: many touch, many are flat': fc.integer({ min: -4, max: 4 }),
  'any size': fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
  'as large as there are': fc.constantFrom(-1, 0, 1).map((c) => c * Number.MAX_VALUE),
  'as small as there are': fc.integer({ min: -3, max: 3 }).map((c) => c * Number.MIN_VALUE),
  'far from the origin': fc.integer({ min: 0, max: 9 }).map((c) => 2 ** 52 + c),
};

function sized(next: () => number, size: number[]): Box {
  const p = [next(), next(), next()];
  return [...p, ...p.map((c, k) => c + size[k] * (0.5 + next()))];
}

/** Enough boxes that lists are cut, halved and scanned, and that trees are several high. */
const MANY: Record<string, (next: () => number, i: number) => Box> = {
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

const CASES = Object.entries(MANY).flatMap(([name, box]) =>
  [0, 0.01].map((distance) => ({ name, box, distance, key: `${name} ${distance}` })),
);

/** Of each case that is asked for, once for all broad phases. */
const answers = new Map<string, { readonly boxes: Float64Array; readonly expected: Uint32Array }>();

function answerOf({ box, distance, key }: (typeof CASES)[number]) {
  const known = answers.get(key);
  if (known) return known;
  const next = seededRandom(302);
  const boxes = flat(Array.from({ length: 900 }, (_, i) => box(next, i)));
  const answer = { boxes, expected: bruteForce.pairs(boxes, distance) };
  answers.set(key, answer);
  return answer;
}

const NAMES = Object.keys(BROAD_PHASES);

describe.each(Object.entries(BROAD_PHASES))('%s', (phase, broadPhase) => {
  test.each(Object.entries(coordinates))('equals brute force: %s (seed 301)', (_, coordinate) => {
    const corner = fc.array(coordinate, { minLength: 3, maxLength: 3 });
    const box = fc.tuple(corner, corner).map(([p, q]) => boxOf(p, q));
    fc.assert(
      fc.property(fc.array(box, { maxLength: 60 }), fc.constantFrom(0, 0.5, 1, 3), (boxes, distance) => {
        expect(broadPhase.pairs(flat(boxes), distance)).toEqual(bruteForce.pairs(flat(boxes), distance));
      }),
      { seed: 301, numRuns: runs(50) },
    );
  });

  full.each(some(CASES, 3 * NAMES.indexOf(phase)))(
    'equals brute force on many boxes: $name, distance $distance',
    (row) => {
      const { boxes, expected } = answerOf(row);
      const found = broadPhase.pairs(boxes, row.distance);
      expect(found.length).toBe(expected.length);
      expect(Buffer.compare(bytes(found), bytes(expected))).toBe(0);
    },
  );

  test('misses no pair whose real gap is within the distance (seed 303)', () => {
    // gaps that rounding could widen: integers in units of 2^-60 about numbers of size 1
    const tiny = fc.bigInt({ min: -(2n ** 61n), max: 2n ** 61n });
    fc.assert(
      fc.property(
        fc.array(tiny, { minLength: 2, maxLength: 12 }),
        fc.nat(2 ** 20),
        (units, distanceUnits) => {
          const values = units.map((u) => Number(u) / 2 ** 60);
          const exact = values.map((v) => BigInt(v * 2 ** 60));
          const pairs = broadPhase.pairs(
            flat(values.map((v) => [v, 0, 0, v, 0, 0])),
            distanceUnits / 2 ** 60,
          );
          const found = new Set(
            Array.from({ length: pairs.length / 2 }, (_, k) => `${pairs[2 * k]},${pairs[2 * k + 1]}`),
          );
          exact.forEach((s, i) => {
            exact.forEach((t, j) => {
              const gap = s < t ? t - s : s - t;
              if (i < j && gap <= BigInt(distanceUnits) && !found.has(`${i},${j}`))
                expect.fail(`misses ${i}, ${j}`);
            });
          });
        },
      ),
      { seed: 303, numRuns: runs(50) },
    );
  });

  test('an empty list and a single box have no pairs', () => {
    expect(broadPhase.pairs(new Float64Array(0), 1)).toEqual(new Uint32Array(0));
    expect(broadPhase.pairs(Float64Array.of(0, 0, 0, 1, 1, 1), 1)).toEqual(new Uint32Array(0));
  });

  test.each([
    ['a length that is not six per box', Float64Array.of(1, 2, 3), 0, 'bad-input', /six per box/],
    ['NaN', Float64Array.of(0, 0, 0, 1, Number.NaN, 1), 0, 'non-finite', /box 0 holds NaN/],
    ['a minimum above the maximum', Float64Array.of(0, 2, 0, 1, 1, 1), 0, 'bad-input', /box 0/],
    ['a negative distance', Float64Array.of(0, 0, 0, 1, 1, 1), -1, 'bad-option', /distance/],
    ['an infinite distance', Float64Array.of(0, 0, 0, 1, 1, 1), Infinity, 'bad-option', /distance/],
  ])('refuses %s', (_, boxes, distance, code, message) => {
    expect(() => broadPhase.pairs(boxes, distance)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  test('a scene that uses it finds the same pairs, question after question', () => {
    const next = seededRandom(307);
    const mesh = Mesh.from({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0.5] });
    const scenes = [new Scene({ broadPhase }), new Scene()];
    for (let i = 0; i < 60; i++) {
      const translation = [6 * next(), 6 * next(), 6 * next()];
      for (const scene of scenes) scene.add(mesh, { pose: { translation } });
    }
    for (const distance of [0, 0.2, 0.1]) {
      const [found, expected] = scenes.map((scene) => scene.pairs(distance));
      expect(expected.length).toBeGreaterThan(20);
      expect(found).toEqual(expected);
    }
  });
});

const bytes = (list: Uint32Array) => Buffer.from(list.buffer, list.byteOffset, list.byteLength);
