/** The tree over moving boxes against all boxes, through random lives of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { runs } from '../../../../test/budget.js';
import { MovingBoxes } from '../../src/scene/moving-boxes.js';
import { boxesNearAt } from '../../src/volumes/broad-phase.js';

/** A tree, and what is in it. */
class Life {
  readonly boxes = new Float64Array(6 * 600);
  readonly tree = new MovingBoxes(() => this.boxes);
  readonly live = new Set<number>();

  put(slot: number, box: readonly number[]): void {
    this.boxes.set(box, 6 * slot);
    this.live.add(slot);
    this.tree.touch(slot);
  }
  remove(slot: number): void {
    if (this.live.delete(slot)) this.tree.remove(slot);
  }
  near(box: readonly number[], distance: number): number[] {
    const found: number[] = [];
    this.tree.forEachNear(Float64Array.from([9, ...box]), 1, distance, (slot) => found.push(slot));
    return found.sort((s, t) => s - t);
  }
  bruteForce(box: readonly number[], distance: number): number[] {
    const asked = Float64Array.from(box);
    const found = [...this.live].filter((s) => boxesNearAt(this.boxes, 6 * s, asked, 0, distance));
    return found.sort((s, t) => s - t);
  }
  /** The height of the tree; checks that every box holds what is below it, and that everything is there once. */
  depth(): number {
    const { tree } = this;
    const seen: number[] = [];
    const walk = (node: number): number => {
      if ((node & 1) === 0) {
        seen.push(node >>> 1);
        expectHeld(this.boxes, 3 * node, tree.boxes, 6 * node);
        return 1;
      }
      const heights = [tree.left[node], tree.right[node]].map((child) => {
        expectHeld(tree.boxes, 6 * child, tree.boxes, 6 * node);
        return walk(child);
      });
      return 1 + Math.max(...heights);
    };
    tree.flush();
    const depth = this.live.size === 0 ? 0 : walk(tree.root);
    expect(seen.sort((s, t) => s - t)).toEqual([...this.live].sort((s, t) => s - t));
    return depth;
  }
}

function expectHeld(inner: Float64Array, i: number, outer: Float64Array, o: number): void {
  for (let k = 0; k < 3; k++) {
    if (inner[i + k] < outer[o + k] || inner[i + 3 + k] > outer[o + 3 + k])
      throw new Error('a box sticks out');
  }
}

const boxOf = (next: () => number) => {
  const min = [next(), next(), next()];
  return [...min, ...min.map((x) => x + Math.abs(next()))];
};

describe('moving boxes', () => {
  const coordinate = fc.oneof(
    fc.integer({ min: -4, max: 4 }),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e300, max: 1e300 }),
    fc.constantFrom(-Number.MAX_VALUE, Number.MAX_VALUE, Number.MIN_VALUE),
  );
  const box = fc
    .array(coordinate, { minLength: 6, maxLength: 6 })
    .map((c) => [0, 1, 2, 0, 1, 2].map((k, i) => Math[i < 3 ? 'min' : 'max'](c[k], c[k + 3])));
  const step = fc.tuple(fc.nat(24), fc.nat(9), box);

  it('are found as by brute force after every few steps (seed 171)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), fc.constantFrom(0, 1, 1e290), (steps, distance) => {
        const life = new Life();
        for (const [slot, what, at] of steps) {
          if (what < 2) life.remove(slot);
          else if (what < 8) life.put(slot, at);
          else expect(life.near(at, distance)).toEqual(life.bruteForce(at, distance));
        }
        life.depth();
      }),
      { seed: 171, numRuns: runs(300) },
    );
  });

  it('in small moves and in jumps, with few moving and with many (seed 172)', () => {
    const random = seededRandom(172);
    const life = new Life();
    const speeds = [0.001, 0.05, 10];
    for (let i = 0; i < 500; i++)
      life.put(
        i,
        boxOf(() => 20 * random()),
      );
    let found = 0;
    for (let round = 0; round < 60; round++) {
      const moving = [1, 5, 200][round % 3];
      for (let i = 0; i < moving; i++) {
        const slot = Math.floor(500 * random());
        const by = [0, 1, 2].map(() => speeds[round % 2] * (random() - 0.5));
        life.put(
          slot,
          [...life.boxes.subarray(6 * slot, 6 * slot + 6)].map((c, k) => c + by[k % 3]),
        );
      }
      const asked = boxOf(() => 10 * random());
      const near = life.near(asked, round % 4);
      expect(near).toEqual(life.bruteForce(asked, round % 4));
      found += near.length;
    }
    expect(found).toBeGreaterThan(100);
    expect(life.depth()).toBeLessThan(9 + 24);
  });

  it.each([
    ['along a line, ever farther', (i: number) => 2 ** i],
    ['along a line', (i: number) => i],
    ['at one place', () => 3],
  ])('stay in a low tree where they come one by one %s', (_, place) => {
    const life = new Life();
    for (let i = 0; i < 200; i++) {
      life.put(i, [place(i), 0, 0, place(i), 0, 0]);
      life.tree.flush();
    }
    expect(life.depth()).toBeLessThan(8 + 32 + 24 + 2);
    expect(life.near([place(7), 0, 0, place(7), 0, 0], 0)).toEqual(
      life.bruteForce([place(7), 0, 0, place(7), 0, 0], 0),
    );
  });
});
