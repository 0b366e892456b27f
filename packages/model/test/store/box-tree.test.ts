/** Trees over boxes, as they are when all of their nodes were looked at. */
import { Random } from '@impinge/scenes/random';
import { expect, test } from 'vitest';
import { full } from '../../../../test/budget.js';
import { BoxTree } from '../../src/store/box-tree.js';

const random = new Random(4);
const shuffled = Array.from({ length: 300 }, () => random.next());
/** Middles of boxes along x, in an order that is hard on somebody who halves them. */
const ORDERS: Record<string, (i: number, count: number) => number> = {
  'in any order': (i) => shuffled[i],
  'in order': (i) => i,
  'in reverse': (i) => -i,
  'up and down': (i, count) => Math.min(i, count - i),
  'in one place': () => 7,
  'in two places': (i) => i % 2,
  'of both signs of zero': (i) => (i % 2 ? 0 : -0),
};

function boxesOf(count: number, middleOf: (i: number, count: number) => number): Float64Array {
  return Float64Array.from({ length: 6 * count }, (_, i) => {
    const k = i % 6;
    return (k % 3 === 0 ? middleOf(Math.floor(i / 6), count) : 0) + (k < 3 ? -0.1 : 0.1);
  });
}

/** Opens all nodes; names the boxes of the leaves. */
function open(tree: BoxTree, node: number, depth: number): number[] {
  const { boxes, counts, first, nodeBoxes, order, right } = tree;
  expect(depth).toBeLessThan(12);
  const own = [...order.subarray(first[node], first[node] + counts[node])];
  for (let k = 0; k < 3; k++) {
    expect(nodeBoxes[6 * node + k]).toBe(Math.min(...own.map((box) => boxes[6 * box + k])));
    expect(nodeBoxes[6 * node + 3 + k]).toBe(Math.max(...own.map((box) => boxes[6 * box + 3 + k])));
  }
  if (right[node] === 0) return own;
  tree.open(node);
  const [left, other] = [open(tree, node + 1, depth + 1), open(tree, right[node], depth + 1)];
  const middles = [left, other].map((boxes6) => boxes6.map((box) => boxes[6 * box] + boxes[6 * box + 3]));
  expect(Math.max(...middles[0])).toBeLessThanOrEqual(Math.min(...middles[1]));
  expect(Math.abs(left.length - other.length)).toBeLessThanOrEqual(1);
  return [...left, ...other];
}

full.each(Object.entries(ORDERS))('%s: every box in one leaf, halves in order', (_, middleOf) => {
  for (const count of [1, 4, 5, 17, 300]) {
    const tree = new BoxTree(boxesOf(count, middleOf));
    expect(open(tree, 0, 0).sort((i, j) => i - j)).toEqual(Array.from({ length: count }, (_, i) => i));
    // the last node there is room for is the last one
    expect(tree.counts.every((boxes) => boxes > 0)).toBe(true);
  }
});

test('finds the boxes that brute force finds, and ends when told to (seed 5)', () => {
  const dice = new Random(5);
  const boxes = Float64Array.from({ length: 6 * 300 }, (_, i) => (i % 6 < 3 ? 0 : 0.3));
  for (let i = 0; i < boxes.length; i++) if (i % 6 < 3) boxes[i + 3] += boxes[i] = 4 * dice.next();
  const tree = new BoxTree(boxes);
  let met = 0;
  for (let round = 0; round < 100; round++) {
    const p = [4 * dice.next(), 4 * dice.next(), 4 * dice.next()];
    const holds = (list: Float64Array, at: number) =>
      p.every((x, k) => list[at + k] <= x && x <= list[at + 3 + k]);
    const found: number[] = [];
    expect(tree.some(holds, (box) => found.push(box) > 1)).toBe(found.length === 2);
    const all = Array.from({ length: 300 }, (_, box) => box).filter((box) => holds(boxes, 6 * box));
    expect(found.length).toBe(Math.min(2, all.length));
    found.length = 0;
    expect(tree.some(holds, (box) => found.push(box) < 0)).toBe(false);
    expect(found.sort((i, j) => i - j)).toEqual(all);
    met += all.length;
  }
  expect(met).toBeGreaterThan(5);
});

test('no boxes at all', () => {
  const tree = new BoxTree(new Float64Array(0));
  expect(tree.isEmpty).toBe(true);
  expect(
    tree.some(
      () => true,
      () => true,
    ),
  ).toBe(false);
});
