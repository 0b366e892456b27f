/** Every query on every scene, with every tree that queries can use, against brute force. */
import { describe, expect, test } from 'vitest';
import { buildHierarchy } from '../../src/hierarchy/build.js';
import { BUILDERS } from '../../src/hierarchy/layout.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../src/hierarchy/serialise.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { useHierarchy } from '../../src/query/hierarchy-of.js';
import { expectAllQueries, expectSelf, selfPairs, Truth } from './support/brute-force.js';
import { SCENES } from './support/scenes.js';

const TREES = BUILDERS.flatMap((builder) =>
  [false, true].flatMap((lazy) => [false, true].map((loaded) => ({ builder, lazy, loaded }))),
);

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

  test.each(TREES)('builder $builder, lazy: $lazy, loaded: $loaded', (options) => {
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
    expect(a.triangleCount).toBeGreaterThan(0);
  });
});
