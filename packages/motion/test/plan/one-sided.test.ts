/** Models that have all triangles once for each side: the same surface, and the same paths, with half as many. */
import { slottedPlate } from '@impinge/scenes/puzzle';
import { distance, isClosed, Mesh } from 'impinge';
import { describe, expect, test } from 'vitest';
import { box } from '../../../../lab/scenes/index.mjs';
import { findPath, verifyPath } from '../../src/index.js';
import { oneSided } from '../../src/plan/one-sided.js';

interface Shape {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
}

/** Triangles, and after all of them, some of them again, facing the other way. */
function doubled({ positions, indices }: Shape, count = indices.length / 3): Mesh {
  const again = Array.from({ length: count }, (_, t) => [2, 1, 0].map((k) => indices[3 * t + k])).flat();
  return Mesh.from({ positions: Array.from(positions), indices: [...Array.from(indices), ...again] });
}

const bar = box(3.4, 8, 1.4);
const plate = slottedPlate();

describe('a mesh with all triangles twice', () => {
  test('is left with one of each, and without an inside', () => {
    for (const shape of [bar, plate]) {
      const twice = doubled(shape);
      const once = oneSided.of(twice);
      expect(isClosed(twice)).toBe(true);
      expect(isClosed(once)).toBe(false);
      expect(once.triangleCount).toBe(shape.indices.length / 3 + 1);
      expect(oneSided.of(twice)).toBe(once);
      expect([...once.box.min, ...once.box.max]).toEqual([...twice.box.min, ...twice.box.max]);
    }
    const sheet = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] };
    expect(oneSided.of(doubled(sheet)).triangleCount).toBe(1);
  });

  test('a small body inside is free, as it was', async () => {
    const shell = doubled(box(20, 20, 20));
    const small = doubled(box(1, 1, 1));
    expect(distance(shell, small).distance).toBeGreaterThan(9);
    const goals = [{ translation: [5, 5, 5] }];
    const result = await findPath(small, shell, { start: { translation: [0, 0, 0] }, goals });
    expect(result.found).toBe(true);
    const solid = findPath(small, Mesh.from(box(20, 20, 20)), { start: { translation: [0, 0, 0] }, goals });
    await expect(solid).rejects.toThrow(/the start is not free/);
  });

  test('has the path that one side has', async () => {
    const at = (x: number) => ({ translation: [x, 0, 0] });
    const options = { start: at(-8), goals: [at(8)], bounds: { min: [-9, -12, -12], max: [9, 12, 12] } };
    const one = await findPath(Mesh.from(bar), Mesh.from(plate), options);
    const both = await findPath(doubled(bar), doubled(plate), options);
    if (!one.found || !both.found) throw new Error('none found');
    expect(both.path.poses).toEqual(one.path.poses);
    expect(verifyPath(doubled(bar), doubled(plate), both.path).free).toBe(true);
  });

  test('and no other, is left as it is', () => {
    for (const count of [0, 1, bar.indices.length / 3 - 1]) {
      const mesh = doubled(bar, count);
      expect(oneSided.of(mesh)).toBe(mesh);
    }
  });
});
