import { describe, expect, test } from 'vitest';
import { intersectsTriangleTriangle } from '../../src/geometry/intersect/triangle-triangle.js';
import { createFront } from '../../src/hierarchy/front.js';
import { VOLUME_KINDS } from '../../src/hierarchy/layout.js';
import { refitTree } from '../../src/hierarchy/refit.js';
import { traversePair } from '../../src/hierarchy/traverse.js';
import type { TreeView } from '../../src/hierarchy/tree-view.js';
import type { PairVisitor } from '../../src/hierarchy/visitor.js';
import { IDENTITY, type RigidPose } from '../../src/math/pose.js';
import {
  build,
  expanderFor,
  grid,
  intersectingPairs,
  poseBetweenTrees,
  posedCorners,
  randomFrom,
  randomPose,
  soup,
} from './fixtures.js';

/** Intersecting triangle pairs among the leaf pairs reported. */
function hits(a: TreeView, b: TreeView, cornersA: Float64Array, cornersB: Float64Array) {
  const found: number[] = [];
  const visitor: PairVisitor = {
    bound: 0,
    leafPair(startA, countA, startB, countB) {
      for (let i = startA; i < startA + countA; i++) {
        for (let j = startB; j < startB + countB; j++) {
          const p = a.triangleAt(i);
          const q = b.triangleAt(j);
          if (intersectsTriangleTriangle(cornersA, 9 * p, cornersB, 9 * q))
            found.push(p * b.triangleCount + q);
        }
      }
      return false;
    },
  };
  return { found, visitor };
}

const ascending = (numbers: Iterable<number>) => [...numbers].sort((x, y) => x - y);

describe.each(VOLUME_KINDS)('%s', (kind) => {
  test('over a moving sequence it finds what a traversal from scratch finds, with fewer tests (seed 41)', () => {
    const random = randomFrom(41);
    const a = grid(17, (x, y) => 0.1 * Math.sin(6 * x + 3 * y));
    const b = soup(42, 150, 0.25);
    const treeA = build(a, { kind, lazy: true });
    const treeB = build(b, { kind, lazy: true });
    const expand = expanderFor([treeA, a], [treeB, b]);
    const front = createFront(treeA, treeB, expand);
    const cornersA = posedCorners(a, IDENTITY as RigidPose);
    let withFront = 0;
    let fromScratch = 0;
    let total = 0;
    for (let step = 0; step < 60; step++) {
      // passes through, with a jump back in the middle
      const at = step < 50 ? -0.4 + 0.01 * step : 0.1 + 0.01 * step;
      const pose = randomPose(randomFrom(43), 0.002 * step, [0.002 * random(), 0, at]);
      const between = poseBetweenTrees(treeA, treeB, pose);
      const cornersB = posedCorners(b, pose);
      const tracked = hits(treeA, treeB, cornersA, cornersB);
      const scratch = hits(treeA, treeB, cornersA, cornersB);
      withFront += front.update(between, tracked.visitor).volumeTests;
      fromScratch += traversePair(treeA, treeB, between, scratch.visitor, { expand }).volumeTests;
      expect(ascending(tracked.found)).toEqual(ascending(scratch.found));
      if (step % 10 === 0)
        expect(ascending(tracked.found)).toEqual(ascending(intersectingPairs(cornersA, cornersB)));
      total += tracked.found.length;
    }
    expect(total).toBeGreaterThan(500);
    expect(withFront).toBeLessThan(0.75 * fromScratch);
  });

  test('it shrinks again when the objects part, and costs nothing while nothing moves', () => {
    const a = soup(44, 300, 0.1);
    const tree = build(a, { kind });
    const front = createFront(tree, tree);
    const visitor = { bound: 0, leafPair: () => false };
    const at = (x: number) => Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, x, 0, 0);
    front.update(at(0.1), visitor);
    const close = front.size;
    for (let step = 1; step <= 100; step++) front.update(at(0.1 + 0.05 * step), visitor);
    expect(front.size).toBeLessThan(close / 20);
    expect(front.update(at(5.1), visitor)).toEqual({ volumeTests: 0, leafPairs: 0, stopped: false });
  });

  test('a tolerance: pairs within the bound, at every step', () => {
    const a = soup(45, 120, 0.05);
    const b = soup(46, 120, 0.05);
    const treeA = build(a, { kind });
    const treeB = build(b, { kind });
    const front = createFront(treeA, treeB);
    const corners = posedCorners(a, IDENTITY as RigidPose);
    for (let step = 0; step < 20; step++) {
      const pose = randomPose(randomFrom(47), 0.02 * step, [1.3 - 0.03 * step, 0, 0]);
      const other = posedCorners(b, pose);
      const reported = new Set<number>();
      front.update(poseBetweenTrees(treeA, treeB, pose), {
        bound: 0.1,
        leafPair(startA, countA, startB, countB) {
          for (let i = startA; i < startA + countA; i++) {
            for (let j = startB; j < startB + countB; j++)
              reported.add(treeA.triangleAt(i) * 120 + treeB.triangleAt(j));
          }
          return false;
        },
      });
      for (let i = 0; i < corners.length; i += 3) {
        for (let j = 0; j < other.length; j += 3) {
          const d = Math.hypot(
            corners[i] - other[j],
            corners[i + 1] - other[j + 1],
            corners[i + 2] - other[j + 2],
          );
          if (d <= 0.1) expect(reported.has(Math.floor(i / 9) * 120 + Math.floor(j / 9))).toBe(true);
        }
      }
    }
  });
});

test('stopped early, it still finds everything in the next step', () => {
  const mesh = soup(48, 200, 0.2);
  const tree = build(mesh);
  const front = createFront(tree, tree);
  const pose = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.05, 0, 0);
  expect(front.update(pose, { bound: 0, leafPair: () => true })).toMatchObject({
    leafPairs: 1,
    stopped: true,
  });
  const corners = posedCorners(mesh, IDENTITY as RigidPose);
  const moved = posedCorners(mesh, pose);
  const { found, visitor } = hits(tree, tree, corners, moved);
  front.update(pose, visitor);
  expect(ascending(found)).toEqual(ascending(intersectingPairs(corners, moved)));
});

test('after a refit and invalidate() the front finds the new pairs', () => {
  const a = grid(10);
  const b = grid(10);
  const treeA = build(a);
  const treeB = build(b);
  const front = createFront(treeA, treeB);
  const pose = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1);
  expect(front.update(pose, { bound: 0, leafPair: () => false }).leafPairs).toBe(0);
  a.setPositions(Float64Array.from(a.positions, (c, i) => (i % 3 === 2 ? 1 + 0.2 * Math.sin(i) : c)));
  const centreBefore = treeA.centre;
  refitTree(treeA, a);
  expect(treeA.centre).not.toEqual(centreBefore);
  front.invalidate();
  const corners = posedCorners(a, IDENTITY as RigidPose);
  const others = posedCorners(b, pose);
  const { found, visitor } = hits(treeA, treeB, corners, others);
  front.update(poseBetweenTrees(treeA, treeB, pose), visitor);
  expect(found.length).toBeGreaterThan(100);
  expect(ascending(found)).toEqual(ascending(intersectingPairs(corners, others)));
});
