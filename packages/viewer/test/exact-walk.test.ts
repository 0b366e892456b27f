/** Walking: a body slides, climbs ledges, falls, and never ends inside anything. */
import { Random } from '@impinge/scenes/random';
import type { Vec3 } from 'impinge';
import { afterAll, describe, expect, test } from 'vitest';
import { full, least, runs } from '../../../test/budget.js';
import { ExactModel } from '../src/exact/exact-model.js';
import { personMesh } from '../src/exact/person-mesh.js';
import { slide } from '../src/exact/slide.js';
import { apart, box, clutter, modelOf, moved, trianglesOf } from './small-model.js';

const BODY = { radius: 0.25, height: 1.75 };
const body = personMesh(BODY.radius, BODY.height);
const solid = { positions: body.positions.slice(), indices: body.indices.slice() };
const person = (at: Vec3) => trianglesOf(solid, moved(...at));
const FLOOR = { solid: box(20, 20, 0.2), pose: moved(5, 5, -0.1) };

const opened: ExactModel[] = [];
afterAll(() => Promise.all(opened.map((exact) => exact.dispose())));

async function exactOf(things: Parameters<typeof modelOf>[0]) {
  const small = await modelOf(things);
  const exact = new ExactModel(small.model);
  opened.push(exact);
  return { exact, ...small };
}

test('random walks never end in anything, by brute force', async () => {
  for (const seed of [1, 2]) {
    const things = [FLOOR, ...clutter(seed, 14, 5)];
    const { exact, triangles } = await exactOf(things);
    const random = new Random(seed);
    let at: Vec3 = [-2, -2, 0.1];
    let heading = 0.7;
    let hindered = 0;
    for (let i = 0; i < runs(80); i++) {
      heading += random.next() - 0.5;
      const step = 0.05 + 0.6 * random.next();
      const to: Vec3 = [at[0] + step * Math.cos(heading), at[1] + step * Math.sin(heading), at[2]];
      const fall = random.next() < 0.5 ? 0.2 : 0;
      const went = await exact.walk(at, to, { ...BODY, ledge: 0.25 * (i % 2), fall });
      expect(went.free).toBe(true);
      const here = person(went.at);
      expect(Math.min(...triangles.map((other) => apart(here, other, 0.1)))).toBeGreaterThan(0);
      // horizontally no farther than requested
      expect(Math.hypot(went.at[0] - at[0], went.at[1] - at[1])).toBeLessThan(step + fall + 1e-9);
      if (Math.hypot(went.at[0] - to[0], went.at[1] - to[1]) > 1e-6) hindered++;
      at = went.at;
      // back towards the obstacles
      if (Math.hypot(at[0] - 2.5, at[1] - 2.5) > 5) heading = Math.atan2(2.5 - at[1], 2.5 - at[0]);
    }
    expect(hindered).toBeGreaterThan(least(0));
  }
});

describe('a step', () => {
  test('goes all the way where nothing is', async () => {
    const { exact } = await exactOf([FLOOR]);
    const went = await exact.walk([0, 0, 1], [0.4, 0.3, 1], BODY);
    expect(went).toMatchObject({ at: [0.4, 0.3, 1], touched: [], standing: false, free: true });
  });

  test('is not too fast for a thin wall, and slides along it', async () => {
    const { exact } = await exactOf([FLOOR, { solid: box(0.01, 20, 3), pose: moved(2, 5, 1.5) }]);
    const went = await exact.walk([0, 0, 0.05], [9, 9, 0.05], BODY);
    expect(went.touched).toContain(1);
    expect(went.at[0]).toBeGreaterThan(1.7);
    expect(went.at[0]).toBeLessThan(1.995 - 0.25 + 0.02);
    expect(went.at[1]).toBeCloseTo(9, 1);
  });

  test('ends in a corner', async () => {
    const { exact } = await exactOf([
      { solid: box(0.1, 20, 3), pose: moved(2, 0, 1) },
      { solid: box(20, 0.1, 3), pose: moved(0, 2, 1) },
    ]);
    let at: Vec3 = [0, 0, 0];
    for (let i = 0; i < 10; i++) at = (await exact.walk(at, [at[0] + 0.5, at[1] + 0.4, 0], BODY)).at;
    expect(at[0]).toBeCloseTo(1.7, 1);
    expect(at[1]).toBeCloseTo(1.7, 1);
  });

  full('goes onto a small ledge, and not onto a high one', async () => {
    for (const [height, steps] of [
      [0.2, true],
      [0.6, false],
    ] as const) {
      const ledge = { solid: box(4, 4, height), pose: moved(3, 0, height / 2) };
      const { exact } = await exactOf([FLOOR, ledge]);
      let at: Vec3 = [0, 0, 0.05];
      const gravity = { ...BODY, ledge: 0.25, fall: 0.1 };
      for (let i = 0; i < 40; i++) at = (await exact.walk(at, [at[0] + 0.05, at[1], at[2]], gravity)).at;
      expect(at[0] > 1).toBe(steps);
      expect(at[2]).toBeCloseTo(steps ? height : 0, 1);
    }
  });

  test('falls onto the floor, stands there, and goes down again', async () => {
    const { exact } = await exactOf([FLOOR]);
    let at: Vec3 = [0, 0, 1];
    for (let i = 0; i < 8; i++) {
      const went = await exact.walk(at, at, { ...BODY, fall: 0.15 });
      at = went.at;
      expect(went.standing).toBe(i >= 6);
    }
    expect(at[2]).toBeGreaterThan(0);
    expect(at[2]).toBeLessThan(0.01);
  });

  test('does not fall out of the model', async () => {
    const { exact } = await exactOf([FLOOR]);
    const went = await exact.walk([-50, -50, 0.3], [-50, -50, 0.3], { ...BODY, fall: 9 });
    expect(went).toMatchObject({ at: [-50, -50, expect.closeTo(-0.2, 6)], standing: true });
  });

  test('that begins in something ends at a free place near', async () => {
    const { exact, triangles } = await exactOf([FLOOR, { solid: box(1, 1, 1, 2), pose: moved(1, 1, 0.5) }]);
    const went = await exact.walk([0.6, 1, 0.1], [0.7, 1, 0.1], BODY);
    expect(went.free).toBe(true);
    expect(Math.min(...triangles.map((other) => apart(person(went.at), other)))).toBeGreaterThan(0);
    expect(Math.hypot(went.at[0] - 0.6, went.at[1] - 1)).toBeLessThan(2);
  });

  test('that begins in a wall by rounding stays where it is, but for millimetres', async () => {
    const { exact } = await exactOf([FLOOR, { solid: box(1, 1, 3), pose: moved(1, 0, 1.5) }]);
    // as near to the wall at x = 0.5 as possible, then a little nearer
    const { at } = await exact.walk([-0.5, 0, 0.05], [2, 0, 0.05], BODY);
    const went = await exact.walk([at[0] + 0.002, at[1], at[2]], [at[0] + 0.002, at[1], at[2]], BODY);
    expect(went.free).toBe(true);
    expect(went.at[2]).toBe(at[2]);
    expect(Math.hypot(went.at[0] - at[0], went.at[1] - at[1])).toBeLessThan(0.01);
  });

  test('meets an object that is being dragged where it is now', async () => {
    const { exact } = await exactOf([FLOOR, { solid: box(1, 1, 2), pose: moved(9, 9, 1) }]);
    await exact.take(1);
    await exact.drag(moved(1.5, 0, 1.01), 0);
    const went = await exact.walk([0, 0, 0.05], [2, 0, 0.05], BODY);
    expect(went.touched).toEqual([1]);
    expect(went.at[0]).toBeLessThan(0.76);
  });
});

test('sliding leaves no part of the way that enters a plane', () => {
  const random = new Random(4);
  const vector = (): Vec3 => [random.next() - 0.5, random.next() - 0.5, random.next() - 0.5];
  for (let i = 0; i < 200; i++) {
    const way = vector();
    const normals = Array.from({ length: i % 5 }, () => {
      const [x, y, z] = vector();
      const length = Math.hypot(x, y, z);
      return [x / length, y / length, z / length] as const;
    });
    const left = slide(way, normals);
    expect(Math.hypot(...left)).toBeLessThanOrEqual(Math.hypot(...way) + 1e-12);
    for (const n of normals) expect(left[0] * n[0] + left[1] * n[1] + left[2] * n[2]).toBeLessThan(1e-8);
  }
});

test('a body that is wider than high is refused', async () => {
  const { exact } = await exactOf([FLOOR]);
  await expect(exact.walk([0, 0, 0], [0, 0, 0], { radius: 1, height: 1 })).rejects.toThrowError(
    /as high as wide/,
  );
});
