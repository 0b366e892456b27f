import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../lab/scenes/index.mjs';
import { full, some } from '../../../../test/budget.js';
import { arena, createPrivateArena } from '../../src/base/arena.js';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { BUILDERS } from '../../src/hierarchy/layout.js';
import { walkOf } from '../../src/hierarchy/traverse.js';
import { TreeView } from '../../src/hierarchy/tree-view.js';
import { type PairVisitor, TRAVERSAL_ORDERS, type Walk } from '../../src/hierarchy/visitor.js';
import { traversePair, traverseSelf } from '../../src/hierarchy/walk.js';
import { HierarchyHeader } from '../../src/kernel/layout.generated.js';
import { IDENTITY, type RigidPose } from '../../src/math/pose.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { VOLUME_KINDS } from '../../src/volumes/kinds.js';
import { VOLUMES } from '../../src/volumes/volumes.js';
import {
  build,
  grid,
  intersectingPairs,
  poseBetweenTrees,
  posedCorners,
  randomPose,
  soup,
} from './fixtures.js';

/** Collects every triangle pair of the leaf pairs reported, as a · countB + b; a pair met twice is a failure. */
class Collector implements PairVisitor {
  bound: number;
  readonly pairs = new Set<number>();
  readonly #a: TreeView;
  readonly #b: TreeView;

  constructor(a: TreeView, b: TreeView, bound = 0) {
    this.#a = a;
    this.#b = b;
    this.bound = bound;
  }

  leafPair(startA: number, countA: number, startB: number, countB: number): boolean {
    for (let i = startA; i < startA + countA; i++) {
      for (let j = startB; j < startB + countB; j++) {
        const key = this.#a.triangleAt(i) * this.#b.triangleCount + this.#b.triangleAt(j);
        if (this.pairs.has(key)) expect.fail(`triangles ${i} and ${j} were reported twice`);
        this.pairs.add(key);
      }
    }
    return false;
  }
}

const matrix = VOLUME_KINDS.flatMap((volume) =>
  BUILDERS.flatMap((builder) => [false, true].map((lazy) => ({ volume, builder, lazy }))),
);

const walk: Walk = (a, ...rest) => walkOf(VOLUMES[a.kind])(a, ...rest);

interface Scene {
  a: Mesh;
  b: Mesh;
  pose: RigidPose;
}
const TOLERANCE = 0.05;
const random = seededRandom(21);
/** Depth first and closest first are held against brute force by query/pair/oracle-matrix.test.ts, on many more. */
const SCENES: Record<string, Scene> = {
  'two soups': {
    a: soup(22, 300, 0.15),
    b: soup(23, 180, 0.2),
    pose: randomPose(random, 1, [0.3, 0.2, 0.1]),
  },
  'coplanar grids': { a: grid(8), b: grid(7), pose: IDENTITY as RigidPose },
  'a large soup and a small one': {
    a: soup(26, 1000, 0.05),
    b: soup(27, 12, 0.3),
    pose: randomPose(random, 0.3, [0.1, 0, 0]),
  },
};

describe.each(Object.keys(SCENES))('%s', (name) => {
  const { a, b, pose } = SCENES[name];
  const cornersA = posedCorners(a, IDENTITY as RigidPose);
  const cornersB = posedCorners(b, pose);
  const truth = intersectingPairs(cornersA, cornersB);
  const near = nearVertices(cornersA, cornersB, TOLERANCE);
  const apart = Float64Array.from(pose);
  apart[9] += 1.7;
  const cornersApart = posedCorners(b, apart);
  const nearest = vertexGap(cornersA, cornersApart);
  /** Each way round. */
  const own = [...intersectingPairs(cornersA, cornersA)].map((key) => [
    key,
    (key % a.triangleCount) * a.triangleCount + Math.floor(key / a.triangleCount),
  ]);

  test('the oracle finds something', () => {
    expect(truth.size).toBeGreaterThan(0);
    expect(near.size).toBeGreaterThan(0);
  });

  test.each(some(matrix))('$volume, $builder, lazy: $lazy: every order finds every pair', (options) => {
    for (const order of TRAVERSAL_ORDERS) {
      const treeA = build(a, options);
      const treeB = build(b, options);
      const between = poseBetweenTrees(treeA, treeB, pose);
      const touching = new Collector(treeA, treeB);
      const stats = walk(treeA, treeB, between, touching, order);
      expect([...truth].filter((key) => !touching.pairs.has(key))).toEqual([]);
      expect(stats.stopped).toBe(false);
      expect(stats.volumeTests).toBeGreaterThanOrEqual(stats.leafPairs);
      const within = new Collector(treeA, treeB, TOLERANCE);
      walk(treeA, treeB, between, within, order);
      expect([...near].filter((key) => !within.pairs.has(key))).toEqual([]);
    }
  });

  test.each(VOLUME_KINDS)('%s: a shrinking bound ends at the distance of the vertices', (volume) => {
    const treeA = build(a, { volume });
    const treeB = build(b, { volume });
    const tests: number[] = [];
    for (const order of TRAVERSAL_ORDERS) {
      const visitor: PairVisitor = {
        bound: Infinity,
        leafPair(startA, countA, startB, countB) {
          for (let i = startA; i < startA + countA; i++) {
            for (let j = startB; j < startB + countB; j++) {
              for (let k = 0; k < 9; k++) {
                const p = 9 * treeA.triangleAt(i) + 3 * (k % 3);
                const q = 9 * treeB.triangleAt(j) + 3 * Math.floor(k / 3);
                this.bound = Math.min(this.bound, vertexDistance(cornersA, p, cornersApart, q));
              }
            }
          }
          return false;
        },
      };
      const stats = walk(treeA, treeB, poseBetweenTrees(treeA, treeB, apart), visitor, order);
      expect(visitor.bound).toBe(nearest);
      tests.push(stats.volumeTests);
    }
    // depth, breadth, closest: the last opens no pair it could have spared
    expect(tests[2]).toBeLessThanOrEqual(Math.min(...tests));
  });

  test.each(VOLUME_KINDS)('%s: one tree with itself, each pair once', (volume) => {
    for (const order of TRAVERSAL_ORDERS) {
      const tree = build(a, { volume, lazy: true });
      const collector = new Collector(tree, tree);
      const leafWithItself = new Set<number>();
      walk(
        tree,
        tree,
        undefined,
        {
          bound: 0,
          leafPair(startA, countA, startB, countB) {
            if (startA !== startB) return collector.leafPair(startA, countA, startB, countB);
            if (leafWithItself.has(startA)) expect.fail(`leaf ${startA} was reported twice`);
            leafWithItself.add(startA);
            for (let i = startA; i < startA + countA; i++) {
              for (let j = i + 1; j < startA + countA; j++) collector.leafPair(i, 1, j, 1);
            }
            return false;
          },
        },
        order,
      );
      const wrong = own.filter(
        ([key, mirrored]) => collector.pairs.has(key) === collector.pairs.has(mirrored),
      );
      expect(wrong).toEqual([]);
    }
  });
});

function vertexDistance(a: Float64Array, i: number, b: Float64Array, j: number): number {
  return Math.hypot(a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]);
}

/** The distance of the nearest two vertices. */
function vertexGap(a: Float64Array, b: Float64Array): number {
  let nearest = Infinity;
  for (let i = 0; i < a.length; i += 3) {
    for (let j = 0; j < b.length; j += 3) nearest = Math.min(nearest, vertexDistance(a, i, b, j));
  }
  return nearest;
}

/** Triangle pairs with two vertices within a distance. */
function nearVertices(a: Float64Array, b: Float64Array, within: number): Set<number> {
  const pairs = new Set<number>();
  for (let i = 0; i < a.length; i += 3) {
    for (let j = 0; j < b.length; j += 3) {
      if (vertexDistance(a, i, b, j) <= within)
        pairs.add(Math.floor(i / 9) * (b.length / 9) + Math.floor(j / 9));
    }
  }
  return pairs;
}

full('volumes cull: two soups of 2 000 that barely meet need few tests', () => {
  const a = soup(31, 2000, 0.05);
  const b = soup(32, 2000, 0.05);
  for (const volume of VOLUME_KINDS) {
    const treeA = build(a, { volume });
    const treeB = build(b, { volume });
    const pose = poseBetweenTrees(treeA, treeB, Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.98, 0, 0));
    const stats = walk(treeA, treeB, pose, new Collector(treeA, treeB));
    expect(stats.volumeTests).toBeLessThan(40000);
    expect(stats.leafPairs).toBeLessThan(10000);
  }
});

test('the visitor can stop it', () => {
  const tree = build(soup(33, 200, 0.3));
  for (const order of TRAVERSAL_ORDERS) {
    let calls = 0;
    const stats = walk(tree, tree, IDENTITY, { bound: 0, leafPair: () => ++calls === 3 }, order);
    expect(calls).toBe(3);
    expect(stats).toMatchObject({ leafPairs: 3, stopped: true });
  }
});

test.each(TRAVERSAL_ORDERS)(
  '%s: pairs that wait are dropped once the bound has shrunk below them',
  (order) => {
    const tree = build(soup(37, 300, 0.1));
    const apart = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 3, 0, 0);
    const visitor = {
      bound: 10,
      leafPair() {
        this.bound = 0.01;
        return false;
      },
    };
    expect(walk(tree, tree, apart, visitor, order).leafPairs).toBe(1);
  },
);

test('nested traversals do not disturb each other', () => {
  const tree = build(soup(34, 100, 0.2));
  const count = () => walk(tree, tree, undefined, { bound: 0, leafPair: () => false }).leafPairs;
  const expected = count();
  const inner = new Set<number>();
  const outer = walk(tree, tree, undefined, { bound: 0, leafPair: () => !inner.add(count()) });
  expect([...inner]).toEqual([expected]);
  expect(outer.leafPairs).toBe(expected);
});

test('memory that grows under a traversal does not disturb it', () => {
  const mesh = soup(36, 100, 0.2);
  const whole = build(mesh);
  const expected = walk(whole, whole, undefined, { bound: 0, leafPair: () => false });
  const own = createPrivateArena();
  const { byteOffset, headerWord, words } = build(mesh);
  const byteLength = words[headerWord + HierarchyHeader.byteLength];
  const block = own.alloc(byteLength);
  own.u8().set(
    arena()
      .u8()
      .subarray(byteOffset, byteOffset + byteLength),
    block,
  );
  const tree = new TreeView(own, block);
  const before = own.memory.buffer.byteLength;
  const visitor = { bound: 0, leafPair: () => own.alloc(4096) < 0 };
  expect(walk(tree, tree, undefined, visitor)).toEqual(expected);
  expect(own.memory.buffer.byteLength).toBeGreaterThan(before);
});

test('trees of different kinds are refused, and lazy ones of which only the memory is known', () => {
  const mesh = soup(35, 100, 0.2);
  const visitor = { bound: 0, leafPair: () => false };
  const refused = expect.objectContaining({ code: 'bad-input' });
  const other = buildHierarchy(mesh, { volume: 'aabb' });
  expect(() => traversePair(buildHierarchy(mesh), other, IDENTITY, visitor)).toThrow(refused);
  const lazy = buildHierarchy(soup(38, 600, 0.1), { lazy: true });
  const bare = new TreeView(arena(), lazy.block);
  expect(() => walk(bare, bare, undefined, visitor)).toThrow(refused);
  expect(traverseSelf(lazy, visitor).leafPairs).toBeGreaterThan(10);
  expect(traverseSelf(other, visitor).leafPairs).toBeGreaterThan(10);
});
