/** Every query on every scene, with every tree that queries can use, against brute force. */
import { describe, expect, test } from 'vitest';
import { buildHierarchy } from '../../../src/hierarchy/build.js';
import { BUILDERS } from '../../../src/hierarchy/layout.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { readPlacement } from '../../../src/query/pair/context.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { keysToPairs } from '../../../src/query/pair/pair-list.js';
import {
  findClosestPortable,
  findPairsPortable,
  findSelfPairsPortable,
} from '../../../src/query/pair/portable.js';
import { expectAllQueries, expectSelf, selfPairs, Truth } from '../support/brute-force.js';
import { SCENES } from '../support/scenes.js';

const TREES = BUILDERS.flatMap((builder) =>
  [false, true].flatMap((lazy) => [false, true].map((loaded) => ({ builder, lazy, loaded }))),
);
const LEAST_LAZY = 513; // fewer triangles are built at once

function pairsOf(keys: BigUint64Array): number[] {
  return Array.from(keysToPairs(keys.sort()));
}

function give(mesh: Mesh, { builder, lazy, loaded }: (typeof TREES)[number]): void {
  const tree = buildHierarchy(mesh, { builder, lazy });
  useHierarchy(loaded ? hierarchyFromBytes(mesh, hierarchyToBytes(tree)) : tree);
  if (loaded) tree.dispose();
}

describe.each(Object.entries(SCENES))('%s', (_, { a: makeA, b: makeB, poses }) => {
  const truths = poses.map((pose) => ({ pose, truth: new Truth(makeA(), makeB(), pose) }));
  const self = selfPairs(makeA());

  test('the tree a query makes for itself', () => {
    const a = makeA();
    const b = makeB();
    for (const { pose, truth } of truths) expectAllQueries(a, b, pose, truth);
    expectSelf(a, self);
  });

  test('without kernels', () => {
    const a = makeA();
    const b = makeB();
    for (const { pose, truth } of truths) {
      const { bToA } = readPlacement(pose);
      expect(pairsOf(findPairsPortable(a, b, bToA, 1e9, undefined).keys)).toEqual(truth.pairs);
      const { pair } = findClosestPortable(a, b, bToA, Infinity);
      expect(Math.abs(truth.distanceOf(...pair!) - truth.nearest)).toBeLessThanOrEqual(truth.doubt);
      for (const reach of truth.reaches()) {
        truth.expectWithin(reach, pairsOf(findPairsPortable(a, b, bToA, 1e9, reach).keys));
      }
    }
    expect(pairsOf(findSelfPairsPortable(a, 1e9).keys)).toEqual(self);
    const some = findSelfPairsPortable(a, 3);
    expect(some.keys.length).toBe(Math.min(3, self.length / 2));
  });

  test.each(TREES)('builder $builder, lazy: $lazy, loaded: $loaded', (options) => {
    const a = makeA();
    const b = makeB();
    if (options.lazy && Math.max(a.triangleCount, b.triangleCount) < LEAST_LAZY) return; // the same tree as if not lazy
    // a lazy tree is fresh for the first query of each kind only: the others find it grown
    for (const { pose, truth } of truths) {
      give(a, options);
      give(b, options);
      expectAllQueries(a, b, pose, truth);
    }
    give(a, options);
    expectSelf(a, self);
  });
});
