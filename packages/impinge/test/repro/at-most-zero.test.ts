/** With a bound of 0 the search ended at the first pair of leaves, as if a crossing had been found there. */
import { expect, test } from 'vitest';
import { collide } from '../../src/query/pair/collide.js';
import { distance } from '../../src/query/pair/distance.js';
import { soup } from '../hierarchy/fixtures.js';

test('atMost 0 finds meshes that meet, wherever they do', () => {
  for (let seed = 0; seed < 20; seed++) {
    const a = soup(seed, 60, 0.3);
    const b = soup(seed + 100, 60, 0.3);
    for (const x of [0, 0.7, 0.95, 1.2]) {
      const pose = { translation: [x, 0, 0] };
      const { colliding } = collide(a, b, { pose });
      expect(distance(a, b, { pose, atMost: 0 }).distance).toBe(colliding ? 0 : Infinity);
    }
  }
});
