/** A model with levels asked exactly: as one without them answers, and what stands behind a patch. */
import { Random } from '@impinge/scenes/random';
import { collide, distance, hits, Mesh, within } from 'impinge';
import { distanceSqTriangleTriangle } from 'impinge/internal/geometry/distance/triangle-triangle.js';
import { afterAll, describe, expect, test } from 'vitest';
import { every, LONG } from '../../../../test/budget.js';
import { LevelsTarget, StoredTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES } from '../levels/families.js';
import { patchAt, poseOf, TINY } from './originals.js';

const MANY = { pieceTriangles: 64 };

describe('exactly', () => {
  let count = 0;
  afterAll(() => expect(count).toBeGreaterThan(100));
  for (const name of every(Object.keys(FAMILIES), 5)) {
    test(`${name}: the answers of a stored model`, async () => {
      const random = new Random(11);
      const a = Mesh.from(FAMILIES[name](5, random));
      const b = Mesh.from(FAMILIES['torus'](5, random));
      const size = Math.max(...a.box.max.map((x, k) => x - a.box.min[k])) || 1;
      const shift = (x: number) => ({ rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], translation: [x * size, 0, 0] });
      const two = [0, 0.4].map((x) => ({ mesh: a, pose: shift(x) }));
      const models = [await buildLevels(two, MANY), await buildLevels(b, MANY)] as const;
      const levels = models.map((model) => new LevelsTarget(model));
      const stored = models.map((model) => new StoredTarget(model));
      for (let run = 0; run < (LONG ? 6 : 1); run++) {
        const posed = { pose: poseOf(random, 0.4 * size) };
        const asked = { ...posed, error: 0.2 * size, exact: true, distance: 0.02 * (run + 1) * size };
        for (const [i, j] of [
          [0, 1],
          [1, 0],
        ]) {
          const { stats: _, ...found } = await within(levels[i], levels[j], asked);
          const { stats: usual, ...expected } = await within(stored[i], stored[j], asked);
          expect(found).toEqual(expected);
          count += found.count;
          for (const pose of [posed.pose, poseOf(random, 2 * size)]) {
            const far = await distance(levels[i], levels[j], { pose });
            const truth = await distance(stored[i], stored[j], { pose });
            expect(Math.abs(far.distance - truth.distance)).toBeLessThanOrEqual(1e-13 * size);
            expect([far.error, ...far.bounds]).toEqual([0, far.distance, far.distance]);
          }
        }
        const met = await collide(levels[0], b, { ...posed, error: 1, exact: true });
        expect(met.pairs).toEqual((await collide(stored[0], b, posed)).pairs);
        expect([met.error, met.patches]).toEqual([0, undefined]);
        const apart = await distance(levels[0], b, { ...posed, error: 1, exact: true });
        expect(apart.distance).toBe((await distance(stored[0], b, posed)).distance);
        const near = await hits(levels[0], b, { ...asked, mode: 'any' });
        expect(near.hits).toEqual((await hits(stored[0], b, { ...asked, mode: 'any' })).hits);
        for (const limit of [1, 3, met.count + 1]) {
          const some = await collide(levels[0], b, { ...posed, limit });
          expect(some.count).toBe(Math.min(limit, met.count));
          if (met.count !== limit) expect(some.complete).toBe(met.count < limit);
        }
      }
      for (const target of [...levels, ...stored]) await target.dispose();
      a.dispose();
      b.dispose();
    });
  }
});

test('what stands behind a patch: all originals that near, and no others', async () => {
  const random = new Random(3);
  const shape = FAMILIES['terrain'](12, random);
  const mesh = Mesh.from(shape);
  const target = new LevelsTarget(await buildLevels([{ mesh, pose: { translation: [5, 0, 0] } }], MANY));
  const one = Mesh.from({ positions: [5.2, 0.2, 0, 5.9, 0.3, 0.05, 5.4, 0.8, 0], indices: [0, 1, 2] });
  const witness = new Float64Array(8);
  let coarse = 0;
  for (const error of [0.001, 0.2, 1]) {
    const answer = await within(target, one, { distance: 0.01, error });
    expect(answer.count).toBeGreaterThan(0);
    for (let i = 0; i < Math.min(2 * answer.count, 10); i += 2) {
      const { patch, corners, triangles, out, in: inner } = await patchAt(target, answer, i);
      const found = await target.originalsOf(patch);
      const texts = new Set<string>();
      for (const [k, piece] of found.pieces.entries()) {
        await target.withPiece(0, piece, ({ positions, indices }) => {
          const own = indices.subarray(3 * found.triangles[k], 3 * found.triangles[k] + 3);
          texts.add(
            Array.from(own, (v) => positions.subarray(3 * v, 3 * v + 3).join())
              .sort()
              .join(' '),
          );
        });
      }
      expect(texts.size).toBe(found.triangles.length);
      if (out + inner === 0) {
        expect(found.triangles).toEqual(triangles);
        continue;
      }
      coarse++;
      const reach = Math.max(out, inner);
      const original = new Float64Array(9);
      for (let t = 0; t < shape.indices.length; t += 3) {
        const own = Array.from(shape.indices.subarray(t, t + 3), (v) =>
          shape.positions.subarray(3 * v, 3 * v + 3),
        );
        for (let k = 0; k < 9; k++) original[k] = own[Math.floor(k / 3)][k % 3] + (k % 3 === 0 ? 5 : 0);
        let least = Infinity;
        for (let c = 0; c < corners.length; c += 9) {
          least = Math.min(least, distanceSqTriangleTriangle(original, 0, corners, c, witness));
        }
        const isFound = texts.has(
          own
            .map((p) => p.join())
            .sort()
            .join(' '),
        );
        if (Math.sqrt(least) < reach - TINY) expect(isFound).toBe(true);
        if (Math.sqrt(least) > reach + TINY) expect(isFound).toBe(false);
      }
    }
  }
  expect(coarse).toBeGreaterThan(2);
  await target.dispose();
});
