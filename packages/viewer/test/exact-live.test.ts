/** Answers from levels: compared with brute force over the original triangles. */
import { MemorySource, openStore } from '@impinge/model';
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { afterAll, expect, test } from 'vitest';
import { least, runs } from '../../../test/budget.js';
import { ExactModel } from '../src/exact/exact-model.js';
import { personMesh } from '../src/exact/person-mesh.js';
import { apart, ball, box, moved, type StoreShape, storeBytes, trianglesOf, turned } from './small-model.js';

const random = new Random(6);
const balls: StoreShape[] = Array.from({ length: 8 }, (_, i) => ({
  solid: ball(0.4 + 0.3 * random.next(), 16 + 4 * (i % 3)),
  poses: [turned(6 * random.next(), 4 * random.next(), 4 * random.next(), 0.8 + random.next())],
}));
const SHAPES: readonly StoreShape[] = [
  { solid: box(12, 12, 0.2, 9), poses: [moved(2, 2, -0.1)] },
  ...balls,
  { solid: ball(0.5, 18), poses: [moved(-3, -3, 1), moved(-3, 6, 1)] },
];
const bytes = await storeBytes(SHAPES, { levels: true, pieceTriangles: 256 });
const model = await openStore(new MemorySource(bytes));
const placed = SHAPES.flatMap(({ solid, poses }) => poses.map((pose) => ({ solid, pose })));
const triangles = placed.map(({ solid, pose }) => trianglesOf(solid, pose));
const exact = new ExactModel(model);
afterAll(() => exact.dispose());

test('a moved object misses nothing that is too near, and its bounds hold the distance, seed 6', async () => {
  let found = 0;
  for (const taken of [0, 3, 9]) {
    await exact.take(taken, 0.2);
    const exactPose = model.pose(taken).slice();
    for (let i = 0; i < runs(8); i++) {
      const pose = turned(6 * random.next(), 4 * random.next(), 4 * random.next(), 1 + random.next());
      const error = [0.002, 0.02, 0.1][i % 3];
      const clearance = 0.2 * (i % 2);
      const { tooNear, next, ...rest } = await exact.live(pose, clearance, error);
      expect(rest).toEqual({ error });
      const there = trianglesOf(placed[taken].solid, pose);
      const reported = new Set(tooNear.map(({ object }) => object));
      for (const [k, other] of triangles.entries()) {
        if (k === taken || reported.has(k)) continue;
        expect(apart(there, other, clearance + 1e-9)).toBeGreaterThan(clearance);
      }
      for (const one of [...tooNear, ...(next ? [next] : [])]) {
        expect(one.object).not.toBe(taken);
        const [lower, upper] = one.bounds;
        const distance = apart(there, triangles[one.object], upper + 1e-6);
        expect(distance).toBeGreaterThanOrEqual(lower - 1e-9);
        expect(distance).toBeLessThanOrEqual(upper + 1e-9);
        expect(upper - lower).toBeLessThanOrEqual(error + 1e-9);
      }
      for (const { bounds } of tooNear) expect(bounds[0]).toBeLessThanOrEqual(clearance);
      if (next) expect(next.bounds[0]).toBeGreaterThan(clearance);
      found += tooNear.length;
    }
    // an exact answer later is about the place that it is asked for
    const { violations } = await exact.drag(exactPose, 0);
    expect(violations.every(({ before }) => before)).toBe(true);
  }
  expect(found).toBeGreaterThan(least(8));
  await exact.putBack();
});

test('objects that a check leaves out are left out', async () => {
  const asked = {
    ...{
      rules: [],
      sets: {},
      exclusions: [],
      clearance: 0,
      tolerance: 0,
      kinds: ['hard', 'clearance'] as const,
    },
    ...{ rules: [{ a: { name: 'thing 0' }, b: { name: 'thing 1' }, ignore: true }, { clearance: 0.5 }] },
  };
  const ruled = new ExactModel(model);
  await ruled.take(1, 0, asked as never);
  const pose = moved(-3, -2, 0.6); // in the floor, and nearly a metre from the ball at (-3, -3, 1)
  const { tooNear } = await ruled.live(pose, 0, 0.01);
  expect(tooNear.map(({ object }) => object)).toEqual([9]);
  await ruled.putBack();
  await ruled.take(2, 0);
  expect((await ruled.live(pose, 0, 0.01)).tooNear.map(({ object }) => object)).toContain(0);
  await ruled.dispose();
});

const BODY = { radius: 0.25, height: 1.75 };
const body = personMesh(BODY.radius, BODY.height);
const solid = { positions: body.positions.slice(), indices: body.indices.slice() };

/** How far a person at a place is from everything. */
const clear = (at: Vec3) => {
  const here = trianglesOf(solid, moved(...at));
  return Math.min(...triangles.map((other) => apart(here, other, 0.1)));
};

test('against a ball whose levels lie deep in it, steps end before the ball itself', async () => {
  const straight = runs(8);
  for (let i = 0; i < straight; i++) {
    const angle = (2 * Math.PI * (i + 0.3)) / straight;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    let at: Vec3 = [-3 + 1.2 * x, -3 + 1.2 * y, 0.05];
    for (let step = 0; step < 8; step++) {
      const to: Vec3 = [at[0] - 0.08 * x, at[1] - 0.08 * y, at[2]];
      at = (await exact.walk(at, to, { ...BODY, error: 0.3 })).at;
      expect(clear(at)).toBeGreaterThan(0);
    }
    expect(clear(at)).toBeLessThan(0.01); // not stopped by the error of the levels
  }
});

test('walks on levels never end in anything, by brute force, seed 8', async () => {
  const walk = new Random(8);
  let at: Vec3 = [-2, -1, 0.1];
  let heading = 0.7;
  let hindered = 0;
  for (let i = 0; i < runs(60); i++) {
    heading += walk.next() - 0.5;
    const step = 0.05 + 0.5 * walk.next();
    const to: Vec3 = [at[0] + step * Math.cos(heading), at[1] + step * Math.sin(heading), at[2]];
    const fall = walk.next() < 0.5 ? 0.2 : 0;
    const error = [0.001, 0.01, 0.05][i % 3];
    const went = await exact.walk(at, to, { ...BODY, ledge: 0.25 * (i % 2), fall, error });
    expect(went.free).toBe(true);
    expect(clear(went.at)).toBeGreaterThan(0);
    if (Math.hypot(went.at[0] - to[0], went.at[1] - to[1]) > 1e-6) hindered++;
    at = went.at;
    if (Math.hypot(at[0] - 2, at[1] - 2) > 5) heading = Math.atan2(2 - at[1], 2 - at[0]);
  }
  expect(hindered).toBeGreaterThan(least(0));
});

test('a step on levels goes no farther than exact pieces allow, and stands on the same floor', async () => {
  const fine = { ...BODY, fall: 0.2 };
  for (const error of [0, 0.02]) {
    let at: Vec3 = [-3, -1.6, 0.4];
    for (let i = 0; i < 12; i++)
      at = (await exact.walk(at, [at[0], at[1] - 0.1, at[2]], { ...fine, error })).at;
    expect(at[2]).toBeGreaterThan(0);
    expect(at[2]).toBeLessThan(0.03);
    // before the ball at (-3, -3, 1), whose radius is 0.5, and whose triangles lie a little within
    expect(at[1]).toBeGreaterThan(-2.26);
    expect(at[1]).toBeLessThan(-2.22);
  }
});
