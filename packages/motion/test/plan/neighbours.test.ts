/** The nearest of many points, against looking at all. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { Neighbours } from '../../src/plan/neighbours.js';

test.each([1, 2, 3])('nearest points, some of them gone, seed %i', (seed) => {
  const random = seededRandom(seed);
  const points: Float64Array[] = [];
  const gone = new Set<number>();
  const near = new Neighbours(4);
  expect(near.nearest(new Float64Array(4)).index).toBe(-1);
  for (let i = 0; i < 600; i++) {
    // along a line, with many alike
    const point = Float64Array.from({ length: 4 }, (_, k) => (k === 0 ? i / 100 : Math.round(2 * random())));
    expect(near.add(point)).toBe(i);
    points.push(point);
    if (random() < 0.1) {
      near.remove(i);
      gone.add(i);
    }
    const query = Float64Array.from({ length: 4 }, () => 6 * random());
    const distances = points.map((p, k) =>
      gone.has(k) ? Infinity : Math.hypot(...p.map((x, d) => x - query[d])),
    );
    const least = Math.min(...distances);
    const found = near.nearest(query);
    expect(found.distance).toBeCloseTo(least, 12);
    if (found.index >= 0) expect(distances[found.index]).toBeCloseTo(least, 12);
    expect(near.nearest(query, 0.5 * least).index).toBe(-1);
  }
});
