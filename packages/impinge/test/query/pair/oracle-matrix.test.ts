/** Every query on every scene, with every tree that queries can use, against brute force. */
import { describe, expect, test } from 'vitest';
import { every, some } from '../../../../../test/budget.js';
import { type BuildOptions, buildHierarchy } from '../../../src/hierarchy/build.js';
import { Hierarchy } from '../../../src/hierarchy/hierarchy.js';
import { BUILDERS } from '../../../src/hierarchy/layout.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import { OBB_TREES } from '../../../src/hierarchy/tree-kind.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { readPlacement } from '../../../src/query/pair/context.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { keysToPairs } from '../../../src/query/pair/pair-list.js';
import {
  comingWithin,
  findClosestPortable,
  findPairsPortable,
  findSelfPairsPortable,
  MEETING,
} from '../../../src/query/pair/portable.js';
import { VOLUME_KINDS } from '../../../src/volumes/kinds.js';
import { build } from '../../hierarchy/fixtures.js';
import { expectAllQueries, expectPairs, expectSelf, selfPairs, Truth } from '../support/brute-force.js';
import { SCENES } from '../support/scenes.js';

interface Tree extends Required<BuildOptions> {
  /** By way of its bytes. */
  readonly loaded: boolean;
}

/** What trees there are over meshes of so many triangles; small ones are never lazy, nor are those without kernels. */
function treesOver(triangleCount: number): Tree[] {
  const laziness = triangleCount > 512 ? [false, true] : [false];
  return VOLUME_KINDS.flatMap((volume) =>
    BUILDERS.flatMap((builder): Tree[] =>
      volume === 'obb'
        ? laziness.flatMap((lazy) => [false, true].map((loaded) => ({ volume, builder, lazy, loaded })))
        : [{ volume, builder, lazy: false, loaded: builder === 'sah' }],
    ),
  );
}

function pairsOf(keys: BigUint64Array): number[] {
  return Array.from(keysToPairs(keys.sort()));
}

function give(mesh: Mesh, { loaded, ...options }: Tree): void {
  const tree = buildHierarchy(mesh, options);
  useHierarchy(loaded ? hierarchyFromBytes(mesh, hierarchyToBytes(tree)) : tree);
  if (loaded) tree.dispose();
}

describe.each(Object.entries(SCENES))('%s', (name, { a: makeA, b: makeB, poses }) => {
  const truths = every(poses, 3).map((pose) => ({ pose, truth: new Truth(makeA(), makeB(), pose) }));
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
    for (const mesh of [a, b]) useHierarchy(new Hierarchy(mesh, build(mesh).byteOffset));
    for (const { pose, truth } of truths) {
      const { bToA } = readPlacement(pose);
      expectPairs(pairsOf(findPairsPortable(a, b, bToA, 1e9, MEETING, OBB_TREES).keys), truth.pairs);
      const { pair } = findClosestPortable(a, b, bToA, Infinity, OBB_TREES);
      expect(Math.abs(truth.distanceOf(...pair!) - truth.nearest)).toBeLessThanOrEqual(truth.doubt);
      for (const reach of truth.reaches) {
        truth.expectWithin(
          reach,
          pairsOf(findPairsPortable(a, b, bToA, 1e9, comingWithin(reach), OBB_TREES).keys),
        );
      }
    }
    expectPairs(pairsOf(findSelfPairsPortable(a, 1e9, OBB_TREES).keys), self);
    const some = findSelfPairsPortable(a, 3, OBB_TREES);
    expect(some.keys.length).toBe(Math.min(3, self.length / 2));
  });

  const trees = treesOver(Math.max(makeA().triangleCount, makeB().triangleCount));
  test.each(some(trees, Object.keys(SCENES).indexOf(name)))(
    '$volume, builder $builder, lazy: $lazy, loaded: $loaded',
    (options) => {
      const a = makeA();
      const b = makeB();
      // a lazy tree is fresh for the first query of each kind only: the others find it grown
      for (const { pose, truth } of truths) {
        give(a, options);
        give(b, options);
        expectAllQueries(a, b, pose, truth);
      }
      give(a, options);
      expectSelf(a, self);
    },
  );
});
