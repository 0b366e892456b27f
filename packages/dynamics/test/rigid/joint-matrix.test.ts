/** The sparse solution of joints against plain elimination. */
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { expect, test } from 'vitest';
import { every } from '../../../../test/budget.js';
import { JointMatrix } from '../../src/rigid/joint-matrix.js';

/** Gauss elimination of a copy. */
function plainSolve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const a = matrix.map((row, i) => [...row, right[i]]);
  const n = a.length;
  for (let k = 0; k < n; k++) {
    for (let i = k + 1; i < n; i++) {
      const share = a[i][k] / a[k][k];
      for (let j = k; j <= n; j++) a[i][j] -= share * a[k][j];
    }
  }
  const x = new Array<number>(n).fill(0);
  for (let i = n - 1; i >= 0; i--) {
    const known = x.reduce((sum, value, j) => (j > i ? sum + a[i][j] * value : sum), 0);
    x[i] = (a[i][n] - known) / a[i][i];
  }
  return x;
}

test.each(every([1, 2, 3, 4, 5, 6], 6))('chains, trees and loops of joints, seed %d', (seed) => {
  const random = new SeededRandom(seed);
  const count = 3 + Math.floor(9 * random.next());
  const sizes = Array.from({ length: count }, () => 1 + Math.floor(6 * random.next()));
  const links: [number, number][] = sizes.map((_, i) => [i, i]);
  for (let i = 1; i < count; i++) links.push([i, Math.floor(i * random.next())]);
  if (seed % 2 === 0) links.push([count - 1, 0], [count - 1, 1]);
  const matrix = new JointMatrix(sizes, links);
  const total = matrix.starts[count];
  const plain = Array.from({ length: total }, () => new Array<number>(total).fill(0));
  matrix.clear();
  const set = new Set<number>();
  for (const [i, k] of links) {
    if (set.has(i * count + k)) continue;
    set.add(i * count + k);
    const [at, perRow, perColumn] = matrix.block(i, k);
    for (let p = 0; p < sizes[i]; p++) {
      for (let q = 0; q < (i === k ? p + 1 : sizes[k]); q++) {
        const [row, column] = [matrix.starts[i] + p, matrix.starts[k] + q];
        const value = row === column ? 40 : random.next() - 0.5;
        plain[row][column] = plain[column][row] = value;
        matrix.values[at + p * perRow + q * perColumn] = value;
      }
    }
  }
  const right = Float64Array.from({ length: total }, () => random.next());
  const expected = plainSolve(plain, [...right]);
  matrix.factor();
  matrix.solve(right);
  // diagonals are larger by a share of 1e-9
  right.forEach((x, i) => {
    expect(Math.abs(x - expected[i])).toBeLessThan(1e-9);
  });
});
