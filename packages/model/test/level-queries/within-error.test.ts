/** What questions with an error promise, held against the originals. */
import { Random, seedOf } from '@impinge/scenes/random';
import { collide, distance, Mesh, within } from 'impinge';
import { afterAll, describe, expect, test } from 'vitest';
import { FAST, LONG } from '../../../../test/budget.js';
import { LevelsTarget } from '../../src/index.js';
import { buildLevels } from '../../src/store/build-levels.js';
import { FAMILIES } from '../levels/families.js';
import { assertPromise, poseOf, TINY } from './originals.js';

describe('questions with an error', () => {
  let tried = 0;
  afterAll(() => expect(tried).toBeGreaterThan(FAST ? 10 : 200));
  const names = Object.keys(FAMILIES);
  for (const name of names.filter((_, i) => LONG || i % (FAST ? 5 : 3) === 0)) {
    test(`${name}: nothing is missed, nothing is invented`, async () => {
      const random = new Random(seedOf(name.length, name.charCodeAt(1)));
      let stood = 0;
      for (let run = 0; run < (LONG ? 3 : 1); run++) {
        const n = FAST ? 4 : 5 + 2 * run;
        const a = FAMILIES[name](n, random);
        const b = FAMILIES[names[Math.floor(names.length * random.next())]](n, random);
        const [meshA, meshB] = [Mesh.from(a), Mesh.from(b)];
        const [modelA, modelB] = [
          await buildLevels(meshA, { pieceTriangles: 64 }),
          await buildLevels(meshB, { pieceTriangles: 64 }),
        ];
        const targetA = new LevelsTarget(modelA);
        const targetB = new LevelsTarget(modelB);
        const size = Math.max(...meshA.box.max.map((x, k) => x - meshA.box.min[k])) || 1;
        for (const share of [0.001, 0.02, 0.3]) {
          const error = share * size;
          const apart = 0.05 * random.next() * size;
          const pose = poseOf(random, 0.3 * size);
          const options = { pose: { rotation: pose.slice(0, 9), translation: pose.slice(9) }, error };
          const found = await within(targetA, targetB, { ...options, distance: apart });
          expect(found.error).toBe(error);
          const one = { a, b, targetA, targetB, pose, apart, error };
          stood += await assertPromise(one, found);
          // the distance, too
          const exact = distance(meshA, meshB, { pose: options.pose });
          const { bounds } = await distance(targetA, targetB, options);
          expect(bounds[0]).toBeLessThanOrEqual(exact.distance + TINY);
          expect(bounds[1]).toBeGreaterThanOrEqual(exact.distance - TINY);
          expect(bounds[1] - bounds[0]).toBeLessThanOrEqual(error + TINY);
          const any = await collide(targetA, targetB, { ...options, mode: 'any' });
          expect(any.count).toBeLessThanOrEqual(1);
          if (exact.distance === 0) expect(any.colliding).toBe(true);
          if (exact.distance > error) expect(any.colliding).toBe(false);
        }
        await targetA.dispose();
        await targetB.dispose();
      }
      tried += stood;
    });
  }
});
