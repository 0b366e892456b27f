/** The count that benchmarks compare with: pairs by the paper's hashing, without any culling. */
import { expect, test } from 'vitest';
import { countHashedPairs } from '../../../../lab/bench/deform/hashing-alone.mjs';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { Deformables } from '../../src/deform/deformables.js';
import { soup } from './surfaces.js';

const near = [0, 0, 0, 1, 0, 0, 0, 1, 0];
const indices = [0, 1, 2];
const at = (shift: number) => near.map((x) => x + shift);

test('triangles in one cell are pairs; far away they share a slot by chance only', () => {
  const still = (shift: number) => ({ indices, start: at(shift), end: at(shift) });
  expect(countHashedPairs([])).toBe(0);
  expect(countHashedPairs([still(0)])).toBe(0);
  // a table of one slot for fewer than ten triangles
  expect(countHashedPairs([0, 0, 0.1].map(still))).toBe(3);
  expect(countHashedPairs([0, 50].map(still))).toBe(1);
  // 200 triangles, 40 slots: one place fills a few of them, 200 places all
  const crowd = Array.from({ length: 200 }, () => still(0));
  const spread = Array.from({ length: 200 }, (_, i) => still(10 * i));
  expect(countHashedPairs(crowd)).toBeGreaterThanOrEqual((200 * 199) / 2);
  expect(countHashedPairs(spread)).toBeLessThan(countHashedPairs(crowd));
});

test('what stands still does not make cells larger', () => {
  const floor = { indices, start: near.map((x) => 100 * x), end: near.map((x) => 100 * x) };
  const moving = Array.from({ length: 1000 }, (_, i) => ({
    indices,
    start: at(i / 4),
    end: at(i / 4 + 0.1),
  }));
  const fine = countHashedPairs([...moving, { ...floor, still: true }]);
  expect(fine).toBeLessThan(0.5 * countHashedPairs([...moving, floor]));
});

test('a motion is in all cells that it passes, and far more pairs than survive culling, seed 45', () => {
  const { positions: start, end = start, indices: corners } = soup(seededRandom(45), 500, 0.02, 0.01);
  using detector = new Deformables();
  detector.add({ positions: start, indices: corners }).setStep(start, end);
  const { dopPairs } = detector.continuous().stats;
  expect(countHashedPairs([{ indices: corners, start, end }])).toBeGreaterThan(10 * dopPairs);
});
