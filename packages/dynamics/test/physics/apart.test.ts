/** The exact test of its own against cases that are known, and against the library's. */
import { intersectsTriangleTriangle } from 'impinge/geometry';
import { expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { trianglesMeet } from './apart.js';

type Corners = Parameters<typeof trianglesMeet>[0];
const triangle = (numbers: readonly number[]): Corners =>
  [0, 3, 6].map((i) => numbers.slice(i, i + 3).map(BigInt)) as unknown as Corners;

test('agrees with the library on small integers, where triangles often touch (seed 52)', () => {
  const random = seededRandom(52);
  const counts = [0, 0];
  for (let run = 0; run < runs(4000); run++) {
    const flat = run % 3 === 0;
    const numbers = Array.from({ length: 18 }, (_, i) =>
      flat && i % 3 === 2 ? 1 : Math.floor(5 * random()),
    );
    const area = (at: number) => {
      const [u, v] = [3, 6].map((o) => [0, 1, 2].map((k) => numbers[at + o + k] - numbers[at + k]));
      return Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
    };
    if (area(0) === 0 || area(9) === 0) continue;
    const met = trianglesMeet(triangle(numbers.slice(0, 9)), triangle(numbers.slice(9)));
    const corners = Float64Array.from(numbers);
    expect(met, String(numbers)).toBe(intersectsTriangleTriangle(corners, 0, corners, 9));
    counts[Number(met)]++;
  }
  expect(Math.min(...counts)).toBeGreaterThan(0);
});
