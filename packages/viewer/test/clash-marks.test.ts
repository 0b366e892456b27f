import type { StoredModel } from '@impinge/model';
import { type Clash, check } from '@impinge/model';
import { afterAll, expect, test } from 'vitest';
import { ExactModel } from '../src/exact/exact-model.js';
import type { Point } from '../src/picture/types.js';
import { wayOut } from '../src/review/clash-marks.js';
import { apart, box, clutter, modelOf, moved, type Triangles } from './small-model.js';

const small = await modelOf(clutter(33, 14, 3));
const exact = new ExactModel(small.model);
afterAll(() => exact.dispose());

async function clashesOf(model: StoredModel): Promise<Clash[]> {
  const clashes: Clash[] = [];
  for await (const clash of check(model)) clashes.push(clash);
  return clashes;
}

/** By brute force. */
const away = (point: Point, from: Triangles) =>
  apart(Float64Array.from([...point, ...point, ...point]), from);

test('the way out is as long as the clash is deep, and ends on the surface, seed 33', async () => {
  const clashes = await clashesOf(small.model);
  let hard = 0;
  for (const { a, b, kind, depth, depthBound, point } of clashes) {
    if (kind !== 'hard') continue;
    hard++;
    const objects = [Number(a.id), Number(b.id)] as const;
    const end = (await wayOut(exact, objects, point, depth, 1e-4))!;
    const surfaces = objects.map((object) => small.triangles[object]);
    // no point of the object that it ends on is nearer to the innermost point
    const on = surfaces.filter((surface) => away(end, surface) < 1e-5);
    expect(on.some((surface) => Math.abs(away(point, surface) - depth) < 1e-4)).toBe(true);
    const length = Math.hypot(...end.map((x, k) => x - point[k]));
    expect(length).toBeGreaterThan(depth - 1e-4);
    expect(length).toBeLessThan(depthBound + 1e-4);
  }
  expect(hard).toBeGreaterThan(5);
});

test('a bar that ends in a wall leaves it the way it came, whatever side that is', async () => {
  for (const side of [-1, 1]) {
    const { model } = await modelOf([
      { solid: box(1, 8, 8), pose: moved(0, 0, 0) },
      { solid: box(2, 0.2, 0.2), pose: moved(1.3 * side, 0.5, 0.25) },
    ]);
    const two = new ExactModel(model);
    const clashes = await clashesOf(model);
    const [{ depth, point }] = clashes;
    expect(depth).toBeCloseTo(0.2, 6);
    const end = (await wayOut(two, [0, 1], point, depth, 1e-4))!;
    expect(end[0]).toBeCloseTo(0.5 * side, 5);
    expect(await wayOut(two, [0, 1], point, 3 * depth, 1e-4)).toBeUndefined();
    await two.dispose();
  }
});
