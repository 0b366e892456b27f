/** First contacts of moving shapes: nothing is met before, something is touched then; starts in touch and slides. */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { randomDirection, randomRotation, seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import type { Point } from '../../../src/math/point.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { meetsShape, trianglesInShape } from '../../../src/query/shape/meets-shape.js';
import { shapeDistance } from '../../../src/query/shape/shape-distance.js';
import type { BoxShape, CapsuleShape, HullShape, SphereShape } from '../../../src/query/shape/shape-input.js';
import { sweepShape } from '../../../src/query/shape/sweep-shape.js';
import { ball, cube } from '../solid/solids.js';

type Moving = SphereShape | CapsuleShape | BoxShape | HullShape;

const small = fc.integer({ min: -4, max: 4 });
const point = fc.tuple(small, small, small);
const soup = fc.array(fc.tuple(point, point, point), { minLength: 1, maxLength: 30 });

/** The shape at a time of its motion. */
function moved(shape: Moving, by: readonly number[], time: number): Moving {
  const at = (p: Point) => Array.from(p as ArrayLike<number>, (x, i) => x + time * by[i % 3]);
  if ('centre' in shape) return { ...shape, centre: at(shape.centre) };
  if ('from' in shape) return { ...shape, from: at(shape.from), to: at(shape.to) };
  if ('points' in shape) return { points: at(shape.points) };
  if (!('min' in shape)) throw new Error('no shape of this test');
  if (shape.pose === undefined) return { min: at(shape.min), max: at(shape.max) };
  const pose = shape.pose as { rotation: number[]; translation: number[] };
  return { ...shape, pose: { ...pose, translation: at(pose.translation) } };
}

/** Times from 0 up to one, the last just before it. */
const before = (time: number) =>
  [0.1, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 0.9999, 1 - 1e-7].map((s) => s * time);

/** The shape touches nothing at the start. */
function expectSwept(model: Mesh, shape: Moving, by: readonly number[], size: number): number | undefined {
  const contact = sweepShape(model, shape, by);
  for (const time of before(contact?.time ?? 1))
    expect(meetsShape(model, moved(shape, by, time))).toBe(false);
  if (!contact) {
    expect(meetsShape(model, moved(shape, by, 1))).toBe(false);
    return undefined;
  }
  expect(contact.time).toBeGreaterThanOrEqual(0);
  expect(contact.time).toBeLessThanOrEqual(1);
  const there = moved(shape, by, contact.time);
  expect(shapeDistance(model, there)!.distance).toBeLessThan(1e-11 * size);
  expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 12);
  // it comes from the side that the normal points to
  const along = contact.normal.reduce((sum, x, k) => sum + x * by[k], 0);
  expect(along).toBeLessThan(1e-6 * Math.hypot(...by));
  const at = shapeDistance(model, { centre: contact.point, radius: 0 })!;
  expect(at.distance).toBeLessThan(1e-11 * size);
  expect(contact.depth).toBe(0);
  return contact.time;
}

const shapes = (p: readonly number[], q: readonly number[], by: number): Moving[] => [
  { centre: p.map((x) => x * by), radius: 1.25 * by },
  { from: p.map((x) => x * by), to: q.map((x) => x * by), radius: 0.5 * by },
  { min: p.map((x) => x * by), max: p.map((x, k) => (x + 1 + Math.abs(q[k])) * by) },
  { points: [...p, ...q, 1, 2, 9, 3, 0, 10].map((x) => x * by) },
];

describe('a sweep', () => {
  test('stops at what is first, through few places (seed 1751)', () => {
    const far = fc.tuple(small, small, fc.integer({ min: 6, max: 12 }));
    const motion = fc.tuple(small, small, fc.integer({ min: -20, max: -1 }));
    const scale = fc.constantFrom(1, 2 ** -20, 2 ** 20);
    fc.assert(
      fc.property(soup, far, far, motion, scale, (shape, p, q, by, size) => {
        const model = Mesh.from({ positions: shape.flat(2).map((x) => x * size) });
        for (const moving of shapes(p, q, size)) {
          const way = by.map((x) => x * size);
          if (!meetsShape(model, moving)) expectSwept(model, moving, way, 30 * size);
        }
        model.dispose();
      }),
      { numRuns: runs(120), seed: 1751 },
    );
  });

  test('stops at a bumpy ball, and without kernels at the same time (seed 1752)', () => {
    const random = seededRandom(1752);
    const smooth = ball(1, 6);
    const model = Mesh.from({
      positions: Array.from(smooth.positions, (x) => x * (1 + 0.1 * random())),
      indices: smooth.indices,
    });
    const all = Array.from({ length: runs(12) }, () => {
      const from = randomDirection(random).map((x) => 4 * x);
      const by = from.map((x) => -1.5 * x + 1.5 * random() - 0.75);
      const pose = { rotation: Array.from(randomRotation(random)), translation: from };
      const to = from.map((x) => x + random());
      const some: Moving[] = [
        { centre: from, radius: 0.3 },
        { from, to, radius: 0.2 },
        { min: [-0.2, -0.3, -0.1], max: [0.3, 0.1, 0.2], pose },
      ];
      return some.map((shape) => ({ shape, by }));
    }).flat();
    const times = all.map(({ shape, by }) => expectSwept(model, shape, by, 6));
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    all.forEach(({ shape, by }, i) => {
      const time = sweepShape(model, shape, by)?.time;
      expect(time === undefined).toBe(times[i] === undefined);
      expect(Math.abs((time ?? 0) - (times[i] ?? 0))).toBeLessThan(1e-10);
    });
    vi.restoreAllMocks();
  });

  test('tells time, place and way, posed and scaled', () => {
    const pose = { scale: 2, translation: [0, 0, -1] };
    const sphere = { centre: [0.25, 0.5, 6], radius: 1 };
    const contact = sweepShape(cube(2), sphere, [0, 0, -10], { pose })!;
    expect(contact.time).toBeCloseTo(0.4, 11);
    expect(contact.time).toBeLessThanOrEqual(0.4);
    expect(contact.normal).toEqual([0, 0, 1]);
    contact.point.forEach((x, k) => {
      expect(x).toBeCloseTo([0.25, 0.5, 1][k], 11);
    });
    expect(sweepShape(cube(2), sphere, [0, 0, -3.9], { pose })).toBe(undefined);
    const box = { min: [-0.5, -0.5, 3], max: [0.5, 0.5, 4] };
    expect(sweepShape(cube(2), box, [0, 0, -4])).toMatchObject({ depth: 0, normal: [0, 0, 1] });
    expect(sweepShape(cube(2), { min: [3, 0, 0], max: [4, 0.5, 0.5] }, [-8, 0, 0])!.time).toBeCloseTo(
      0.25,
      11,
    );
  });
});

describe('a start in touch', () => {
  test('has the way out of the deepest triangle (seed 1753)', () => {
    let deep = 0;
    fc.assert(
      fc.property(soup, point, point, point, (shape, p, q, by) => {
        const model = Mesh.from({ positions: shape.flat(2) });
        for (const moving of shapes(p, q, 1)) {
          if (!meetsShape(model, moving)) continue;
          const contact = sweepShape(model, moving, by);
          if (!contact || contact.time > 0) continue;
          if (contact.depth > 1e-8) deep++;
          // free of that triangle, give or take rounding
          const out = moved(moving, contact.normal, contact.depth + 1e-9);
          expect([...trianglesInShape(model, out)]).not.toContain(contact.triangle);
        }
        model.dispose();
      }),
      { numRuns: runs(200), seed: 1753 },
    );
    expect(deep).toBeGreaterThan(least(20));
  });

  test('rests on a floor and slides to a wall, but not through either', () => {
    const room = Mesh.from({
      positions: [-9, -9, 0, 9, -9, 0, 0, 9, 0, 5, -9, -1, 5, 9, -1, 5, 0, 9],
    });
    for (const shape of [
      { min: [0, 0, 0], max: [1, 1, 1] },
      { centre: [0.5, 0.5, 0.5], radius: 0.5 },
      { from: [0.5, 0.5, 0.5], to: [0.5, 0.5, 2], radius: 0.5 },
    ] as Moving[]) {
      const slide = sweepShape(room, shape, [8, 0, 0])!;
      expect(slide).toMatchObject({ triangle: 1, depth: 0 });
      expect(slide.time).toBeCloseTo(0.5, 10);
      expect(slide.normal[0]).toBeCloseTo(-1, 12);
      expect(sweepShape(room, shape, [0, 0, 3])).toBe(undefined);
      expect(sweepShape(room, shape, [1, 0, -0.01])).toMatchObject({
        time: 0,
        triangle: 0,
        normal: [0, 0, 1],
      });
      const sunk = moved(shape, [0, 0, -0.25], 1);
      expect(sweepShape(room, sunk, [1, 0, 0])).toMatchObject({ time: 0, normal: [0, 0, 1], depth: 0.25 });
      expect(sweepShape(room, sunk, [0, 0, 0])).toMatchObject({ time: 0, depth: 0.25 });
    }
  });
});

test('a start in many triangles is as deep as in the deepest of them, asked one by one (seed 1758)', () => {
  const random = seededRandom(1758);
  const vector = (size: number) => [0, 1, 2].map(() => size * (random() - 0.5));
  let deep = 0;
  for (let run = 0; run < runs(150); run++) {
    const corners = Array.from({ length: 12 }, () => {
      const at = vector(1);
      return [0, 1, 2].flatMap(() => vector(run % 3 ? 0.4 : 2).map((x, k) => x + at[k]));
    });
    const [from, by] = [vector(1), vector(1)];
    const to = vector(0.5).map((x, k) => x + from[k]);
    const shape = [
      { from, to, radius: 0.3 },
      { centre: from, radius: 0.3 },
      { min: from, max: from.map((x) => x + 0.4) },
      { points: [...from, ...to, ...vector(1), ...vector(1), ...vector(1)] },
    ][run % 4] as Moving;
    const all = Mesh.from({ positions: corners.flat() });
    const whole = sweepShape(all, shape, by);
    const singles = corners.map((positions) => {
      const one = Mesh.from({ positions });
      const found = sweepShape(one, shape, by);
      one.dispose();
      return found?.time === 0 ? found : undefined;
    });
    const deepest = Math.max(-1, ...singles.map((one) => one?.depth ?? -1));
    if (deepest > 0) {
      expect(whole!.depth).toBeCloseTo(deepest, 6);
      deep++;
      // free of that triangle, once it is moved there
      const { normal, depth, triangle } = whole!;
      const free = moved(shape, normal, depth * (1 + 1e-6) + 1e-9);
      expect(trianglesInShape(all, free).includes(triangle)).toBe(false);
    }
    all.dispose();
  }
  expect(deep).toBeGreaterThan(least(50));
});
