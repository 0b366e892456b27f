/**
 * Whole numbers scaled by whole numbers at whole places: nothing is rounded, so what touches does so exactly, whichever
 * mesh comes first and however uneven its scale is.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { seededRandom } from '../../../../../lab/scenes/index.mjs';
import { least, runs } from '../../../../../test/budget.js';
import { below, cornersOf, gapOf, pairsOf, type Random } from '../../../../../test/changes/lattice.js';
import { Mesh } from '../../../src/mesh/mesh.js';
import { collide } from '../../../src/query/pair/collide.js';
import { distance } from '../../../src/query/pair/distance.js';
import { swapPairs } from '../../../src/query/pair/pair-list.js';
import { within } from '../../../src/query/pair/within.js';
import { collideAll } from '../../../src/query/scene/collide-all.js';
import { Scene } from '../../../src/scene/scene.js';

/** A few triangles of whole numbers, some far from zero, where float32 is about an origin. */
function soup(random: Random, far: number): Mesh {
  const count = 3 + below(random, 6);
  return Mesh.from({ positions: Array.from({ length: 9 * count }, () => far + below(random, 7) - 3) });
}

function someMatrix(random: Random, scales: readonly number[], far: number): number[] {
  const sign = () => (random() < 0.3 ? -1 : 1);
  const [x, y, z] = scales.map((scale) => sign() * scale);
  const place = [0, 1, 2].map(() => far + below(random, 21) - 10);
  const turned = random() < 0.5;
  const columns = turned ? [0, x, 0, 0, 0, 0, y, 0, z, 0, 0, 0] : [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
  return [...columns, ...place, 1];
}

const even = (random: Random) => Array(3).fill([1, 2, 3, 5, 6, 7][below(random, 6)]);
const uneven = (random: Random) => [0, 1, 2].map(() => 1 + below(random, 9));

for (const [seed, name, scales] of [
  [3141, 'scaled alike', even],
  [3142, 'scaled unevenly', uneven],
] as const) {
  it(`${name}: what meets is what meets in the world, and the same the other way round (seed ${seed})`, () => {
    let touching = 0;
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom(0, 0, 1000, 2 ** 30),
        fc.constantFrom(0, 0, 2 ** 26),
        (draw, far, origin) => {
          const random = seededRandom(draw);
          const [a, b] = [soup(random, origin), soup(random, origin)];
          const [scaleA, scaleB] = [scales(random), scales(random)];
          // what the scale does to the middle of a mesh that is far from zero is undone
          const [poseA, poseB] = [scaleA, scaleB].map((scale) => someMatrix(random, scale, far));
          for (const pose of [poseA, poseB]) {
            for (let k = 0; k < 3; k++) pose[12 + k] -= origin * (pose[k] + pose[4 + k] + pose[8 + k]);
          }
          const [p, q] = [cornersOf(a, poseA), cornersOf(b, poseB)];
          const met = pairsOf(p, q, 0);
          const there = collide(a, b, { poseA, poseB });
          expect([...there.pairs]).toEqual(met);
          expect([...swapPairs(collide(b, a, { poseA: poseB, poseB: poseA }).pairs)]).toEqual(met);
          expect(collide(a, b, { poseA, poseB, mode: 'any' }).colliding).toBe(met.length > 0);
          const scene = new Scene();
          scene.add(b, { pose: poseB });
          scene.add(a, { pose: poseA });
          expect(collideAll(scene).count).toBe(met.length > 0 ? 1 : 0);
          touching += met.length;
          if (scales === even) {
            const gap = gapOf(p, q);
            for (const atMost of [Infinity, 0]) {
              const found = distance(a, b, { poseA, poseB, atMost }).distance;
              if (met.length > 0) expect(found).toBe(0);
              else if (atMost > 0) expect(Math.abs(found - gap)).toBeLessThanOrEqual(1e-12 * gap);
              else expect(found).toBe(Infinity);
            }
            const near = within(a, b, { poseA, poseB, distance: 2.1 });
            const expected = pairsOf(p, q, 2.1);
            expect(near.count).toBe(expected.length / 2);
          }
          a.dispose();
          b.dispose();
        },
      ),
      { seed, numRuns: runs(400) },
    );
    expect(touching).toBeGreaterThan(least(1000));
  });
}
