import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { every, FAST, full, least, runs } from '../../../../test/budget.js';
import { crumpled, detectorOf, expectSameContacts, folding, type Moving } from './surfaces.js';

/** Holds what is left to brute force; counts contacts, and pairs of triangles with common vertices that are dropped. */
function expectNoContactDropped(surface: Moving): { dropped: number; touching: number } {
  const touching = expectSameContacts([surface]);
  const detector = detectorOf([surface], {});
  const { dopPairs, primitivePairs } = detector.continuous().stats;
  detector.dispose();
  return { dropped: dopPairs - primitivePairs, touching };
}

describe('triangles with common vertices', () => {
  full('are dropped by the thousand in a cloth that stays smooth', () => {
    const { dropped, touching } = expectNoContactDropped(crumpled(seededRandom(81), 14, 0.03, 0.3));
    expect(touching).toBe(0);
    expect(dropped).toBeGreaterThan(1800);
  });

  full('are kept where they touch: cloths that fold and crumple, seed 82', () => {
    const surfaces = [folding(9, 0.3)];
    for (const height of FAST ? [0.6] : [0.2, 0.6, 2]) {
      for (const change of every([1.5, 0.2, 4], 3))
        surfaces.push(crumpled(seededRandom(82), 8, height, change));
    }
    const found = surfaces.map(expectNoContactDropped);
    expect(found.reduce((sum, { touching }) => sum + touching, 0)).toBeGreaterThan(least(100));
    expect(found.reduce((sum, { dropped }) => sum + dropped, 0)).toBeGreaterThan(least(1000));
  });

  const coordinate = fc.integer({ min: -4, max: 4 });
  const position = fc.tuple(coordinate, coordinate, coordinate);
  const moves = (count: number) =>
    fc.tuple(
      fc.array(position, { minLength: count, maxLength: count }),
      fc.array(position, { minLength: count, maxLength: count }),
    );

  it.each([
    ['a common vertex', 5, [0, 1, 2, 0, 3, 4]],
    ['a common edge', 4, [0, 1, 2, 1, 0, 3]],
    ['a common edge, turned the other way', 4, [0, 1, 2, 0, 1, 3]],
    ['a closed fan of three', 4, [0, 1, 2, 0, 2, 3, 0, 3, 1]],
    ['a closed fan of five', 6, [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1]],
  ])('are kept where they touch, on a coarse grid of positions: %s, seed 83', (_, count, indices) => {
    fc.assert(
      fc.property(moves(count), ([start, end]) => {
        expectNoContactDropped({ positions: start.flat(), end: end.flat(), indices });
      }),
      { seed: 83, numRuns: runs(150) },
    );
  });

  it('are kept where a fan winds twice, however its triangles are seen', () => {
    // five triangles whose angles of 144 degrees add up to two rounds; all normals point up
    const at = (i: number, z: number) => [Math.cos(0.8 * Math.PI * i), Math.sin(0.8 * Math.PI * i), z];
    const positions = [0, 0, 0, ...[0, 1, 2, 3, 4].flatMap((i) => at(i, 0.01 * i))];
    const end = [0, 0, 0, ...[0, 1, 2, 3, 4].flatMap((i) => at(i, -0.01 * i))];
    const indices = [0, 1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 5, 0, 5, 1];
    expect(expectNoContactDropped({ positions, end, indices }).touching).toBeGreaterThan(0);
  });

  it('are kept around the sliver of the paper, whose neighbours fold over it', () => {
    // a long thin triangle between two normal ones, of which one comes down through the other
    const positions = [0, 0, 0, 1, 0, 0, 0.5, 0.001, 0, 0.5, -0.9, 0.3, 0.5, 1, 0];
    const end = [0, 0, 0, 1, 0, 0, 0.5, 0.001, 0, 0.5, 0.9, -0.1, 0.5, 1, 0];
    const indices = [0, 1, 2, 1, 0, 3, 0, 2, 4, 2, 1, 4];
    expect(expectNoContactDropped({ positions, end, indices }).touching).toBeGreaterThan(0);
  });

  it('with a thickness are dropped where the edges opposite the common vertex keep apart, and only there, seed 85', () => {
    const random = seededRandom(85);
    const jitter = (size: number) => size * (random() - 0.5);
    let events = 0;
    for (let run = 0; run < (FAST ? 8 : 80); run++) {
      // a fan with two thin triangles beside each other, that moves a little
      const count = 6 + (run % 3);
      const thin = 0.1 + 0.4 * random();
      const rim = Array.from({ length: count }, (_, i) => {
        const angle = (2 * Math.PI * (i < 3 ? i * thin : i - 2 + 2 * thin)) / (count - 2 + 2 * thin);
        const radius = 0.5 + 0.2 * random();
        return [radius * Math.cos(angle), radius * Math.sin(angle), jitter(0.1)];
      });
      const positions = [0, 0, 0, ...rim.flat()];
      const end = positions.map((x) => x + jitter(0.02));
      const indices = rim.flatMap((_, i) => [0, i + 1, ((i + 1) % count) + 1]);
      const thickness = 0.3 * random();
      events += expectSameContacts([{ positions, end, indices }], { thickness });
    }
    expect(events).toBeGreaterThan(least(2));
  });
});
