/** Queries about some surfaces, or with another thickness, against the answer to the query about all. */
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { FAST, full } from '../../../../test/budget.js';
import { type ContactEvents, Deformables, type Surface, type SurfaceBroadPhase } from '../../src/index.js';
import { crumpled, soup, translated } from './surfaces.js';

/** A cloth that folds, soups that cross it and one another, one of them static, two in one collision group. */
function scene(
  broadPhase: SurfaceBroadPhase,
  thickness: number,
): { detector: Deformables; surfaces: Surface[] } {
  const random = seededRandom(11);
  const detector = new Deformables({ broadPhase, thickness });
  const inputs = [
    crumpled(random, FAST ? 10 : 12, 0.4, 0.6),
    soup(random, 40, 0.4, 0.6),
    { ...soup(random, 40, 0.4, 0.6), kind: 'static' as const },
    { ...soup(random, 30, 0.4, 0.6), kind: 'rigid' as const, collisionGroup: 2 },
    { ...translated(soup(random, 30, 0.4, 0.6), [0.05, 0, 0]), collisionGroup: 2 },
  ];
  const surfaces = inputs.map((input) => detector.add(input));
  for (const surface of surfaces) {
    if (surface.kind === 'static') continue;
    const from = inputs[surface.id].positions;
    surface.moveTo(Float64Array.from(from, (x) => x + 0.2 * (random() - 0.5)));
  }
  return { detector, surfaces };
}

/** Events as lines, in their order. */
function lines({ count, kinds, surfaces, vertices, times, weights, normals }: ContactEvents): string[] {
  return Array.from({ length: count }, (_, e) =>
    [
      ...surfaces.subarray(2 * e, 2 * e + 2),
      kinds[e],
      ...vertices.subarray(4 * e, 4 * e + 4),
      times[e],
      ...weights.subarray(2 * e, 2 * e + 2),
      ...normals.subarray(3 * e, 3 * e + 3),
    ].join(' '),
  );
}

function expectLines(found: readonly string[], expected: readonly string[]): void {
  expect(found.join('\n')).toBe(expected.join('\n'));
}

const STATIC = 2;
const takesPart = (line: string, ids: readonly number[]) =>
  line
    .split(' ')
    .slice(0, 2)
    .map(Number)
    .some((id) => id !== STATIC && ids.includes(id));

describe.each(['hash', 'brute'] as const)('%s', (broadPhase) => {
  full.each(FAST ? [[[0, 2, 3]]] : [[[]], [[0]], [[1]], [[2]], [[3, 4]], [[0, 2, 3]], [[0, 1, 2, 3, 4]]])(
    'contacts of the surfaces %j are those of all in which they take part, but for the static one',
    (ids) => {
      const { detector, surfaces } = scene(broadPhase, 0.01);
      const all = lines(detector.continuous());
      expect(all.length).toBeGreaterThan(500);
      const some = lines(detector.continuous({ of: ids.map((id) => surfaces[id]) }));
      expectLines(
        some,
        all.filter((line) => takesPart(line, ids)),
      );
      expectLines(lines(detector.continuous()), all);
      detector.dispose();
    },
  );

  full.each([[[0]], [[2, 3]]])('contacts without the surfaces %j are those of all but theirs', (ids) => {
    const { detector, surfaces } = scene(broadPhase, 0.01);
    const all = lines(detector.continuous());
    const has = (line: string) =>
      line
        .split(' ')
        .slice(0, 2)
        .some((id) => ids.includes(Number(id)));
    const without = ids.map((id) => surfaces[id]);
    const others = all.filter((line) => !has(line));
    expect(others.length).toBeLessThan(all.length);
    expectLines(lines(detector.continuous({ without })), others);
    expectLines(
      lines(detector.continuous({ without, of: [surfaces[1]] })),
      others.filter((line) => takesPart(line, [1])),
    );
    expectLines(lines(detector.continuous()), all);
    detector.dispose();
  });

  full('a thickness for one query is as one of the detector', () => {
    const { detector, surfaces } = scene(broadPhase, 0.01);
    for (const thickness of [0, 0.03, 0]) {
      const other = scene(broadPhase, thickness);
      const expected = lines(other.detector.continuous());
      expectLines(lines(detector.continuous({ thickness })), expected);
      const of = [surfaces[1]];
      expectLines(
        lines(detector.continuous({ thickness, of })),
        expected.filter((line) => takesPart(line, [1])),
      );
      other.detector.dispose();
    }
    const own = scene(broadPhase, 0.01);
    expect(lines(detector.continuous())).toEqual(lines(own.detector.continuous()));
    own.detector.dispose();
    detector.dispose();
  });
});

full('steps in which only some surfaces move, as brute force finds them', () => {
  const random = seededRandom(12);
  const detectors = (['hash', 'brute'] as const).map(
    (broadPhase) => new Deformables({ broadPhase, thickness: 0.004 }),
  );
  const { end: _, ...ground } = crumpled(random, 46, 0.1, 0);
  const sheets = Array.from({ length: 6 }, (_, i) =>
    translated(crumpled(random, 8, 0.2, 0.1), [0.1 * i - 0.3, 0.05 * i, 0.12 * (i % 3)]),
  );
  const inputs = [
    { ...ground, kind: 'static' as const },
    ...sheets.map((sheet, i) => ({ ...sheet, self: i % 2 === 0 })),
  ];
  const [hash, brute] = detectors.map((detector) => inputs.map((input) => detector.add(input)));
  const places = inputs.map(({ positions }) => Float64Array.from(positions));
  let found = 0;
  for (let step = 0; step < (FAST ? 2 : 4); step++) {
    const moving = step === 0 ? [1, 2, 3, 4, 5, 6] : [1 + step, 5];
    for (const s of moving) {
      const end = places[s].map((x) => x + 0.05 * (random() - 0.5));
      for (const surfaces of [hash, brute]) surfaces[s].setStep(places[s], end);
      places[s] = end;
    }
    const options = (surfaces: Surface[]) => ({
      of: moving.map((s) => surfaces[s]),
      without: step === 3 ? [surfaces[6]] : [],
    });
    const expected = lines(detectors[1].continuous(options(brute)));
    expectLines(lines(detectors[0].continuous(options(hash))), expected);
    found += expected.length;
  }
  expect(found).toBeGreaterThan(1000);
  for (const detector of detectors) detector.dispose();
});

test('the other queries are about all surfaces again', () => {
  const { detector, surfaces } = scene('hash', 0);
  const meeting = detector.intersecting().count;
  expect(meeting).toBeGreaterThan(0);
  expect(detector.continuous({ of: [] }).count).toBe(0);
  expect(detector.intersecting().count).toBe(meeting);
  expect(detector.continuous({ of: [surfaces[0]] }).count).toBeGreaterThan(0);
  detector.dispose();
});

test.each([-1, NaN, Infinity])('a thickness of %d is refused', (thickness) => {
  const { detector } = scene('hash', 0);
  expect(() => detector.continuous({ thickness })).toThrow(expect.objectContaining({ code: 'bad-option' }));
  detector.dispose();
});
