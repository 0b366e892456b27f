/** The nearest of many points, against looking at all. */
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { Neighbours } from '../../src/plan/neighbours.js';

test.each([1, 2, 3])('nearest points, some of them gone, seed %i', (seed) => {
  const random = seededRandom(seed);
  const points: Float64Array[] = [];
  const gone = new Set<number>();
  const near = new Neighbours(4);
  expect(near.nearest(new Float64Array(4))).toEqual([]);
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
    const squares = points.map((p, k) =>
      gone.has(k) ? Infinity : p.reduce((sum, x, d) => sum + (x - query[d]) ** 2, 0),
    );
    const sorted = squares.filter((square) => square < Infinity).sort((a, b) => a - b);
    for (const count of [1, 7]) {
      const found = near.nearest(query, count);
      expect(found.map(({ distanceSq }) => distanceSq)).toEqual(sorted.slice(0, count));
      for (const { index, distanceSq } of found) expect(squares[index]).toBe(distanceSq);
      expect(new Set(found.map(({ index }) => index)).size).toBe(found.length);
    }
    const [, second = 1] = sorted;
    const nearer = near.nearest(query, 3).filter(({ distanceSq }) => distanceSq < second);
    expect(near.nearest(query, 3, second)).toEqual(nearer);
  }
});
