/** Every query on every scene, with every tree that queries can use, against brute force. */
import { afterEach, describe, test, vi } from 'vitest';
import { every, full, some } from '../../../../../test/budget.js';
import { type BuildOptions, buildHierarchy } from '../../../src/hierarchy/build.js';
import { BUILDERS } from '../../../src/hierarchy/layout.js';
import { hierarchyFromBytes, hierarchyToBytes } from '../../../src/hierarchy/serialise.js';
import { mainKernels } from '../../../src/kernel/kernels.generated.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { useHierarchy } from '../../../src/query/pair/hierarchy-of.js';
import { VOLUME_KINDS } from '../../../src/volumes/kinds.js';
import { expectAllQueries, expectSelf, selfPairs, Truth } from '../support/brute-force.js';
import { SCENES } from '../support/scenes.js';

interface Tree extends Required<BuildOptions> {
  /** By way of its bytes. */
  readonly loaded: boolean;
}

/** What trees there are over meshes of so many triangles; small ones are never lazy, nor are those without kernels. */
function treesOver(triangleCount: number): Tree[] {
  const laziness = triangleCount > 512 ? [false, true] : [false];
  return VOLUME_KINDS.flatMap((volume) =>
    BUILDERS.flatMap((builder) =>
      laziness.flatMap((lazy) => {
        const ways = volume === 'obb' ? [false, true] : [builder === 'sah'];
        return ways.map((loaded): Tree => ({ volume, builder, lazy, loaded }));
      }),
    ),
  );
}

function give(mesh: Mesh, { loaded, ...options }: Tree): void {
  const tree = buildHierarchy(mesh, options);
  useHierarchy(loaded ? hierarchyFromBytes(mesh, hierarchyToBytes(tree)) : tree);
  if (loaded) tree.dispose();
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe.each(Object.entries(SCENES))('%s', (name, { a: makeA, b: makeB, poses }) => {
  const truths = every(poses, 3).map((pose) => ({ pose, truth: new Truth(makeA(), makeB(), pose) }));
  const self = selfPairs(makeA());

  test('the tree a query makes for itself', () => {
    const a = makeA();
    const b = makeB();
    for (const { pose, truth } of truths) expectAllQueries(a, b, pose, truth);
    expectSelf(a, self);
  });

  const index = Object.keys(SCENES).indexOf(name);
  (index % 2 === 0 ? test : full)('without kernels', () => {
    vi.spyOn(mainKernels, 'supported').mockReturnValue(false);
    const a = makeA();
    const b = makeB();
    for (const { pose, truth } of truths) expectAllQueries(a, b, pose, truth);
    expectSelf(a, self);
  });

  const trees = treesOver(Math.max(makeA().triangleCount, makeB().triangleCount));
  test.each(some(trees, index))('$volume, builder $builder, lazy: $lazy, loaded: $loaded', (options) => {
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
  });
});
