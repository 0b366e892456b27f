/**
 * Our side of the benchmark: the public API on one thread. Trees are built before the clock starts, as for every
 * contender.
 */
import { collide, distance, Mesh, selfIntersect, within } from 'impinge';
import { buildHierarchy, refitHierarchy, sahCost } from 'impinge/hierarchy';
import { measure, report, runContender } from './protocol.mjs';

runContender({
  prepare({ rotation, translation }) {
    return { pose: { rotation, translation } };
  },

  pair(meshA, meshB, tau) {
    const a = Mesh.from(meshA);
    const b = Mesh.from(meshB);
    return {
      any: ({ pose }) => Number(collide(a, b, { pose, mode: 'any' }).colliding),
      all: ({ pose }) => collide(a, b, { pose, mode: 'all' }).count,
      distance: ({ pose }) => distance(a, b, { pose }).distance,
      within: ({ pose }) => Number(within(a, b, { pose, distance: tau, mode: 'any' }).within),
    };
  },

  self(arrays) {
    const mesh = Mesh.from(arrays);
    return () => selfIntersect(mesh).count;
  },

  build(arrays, repetitions) {
    const mesh = Mesh.from(arrays);
    // the kernels compile in tiers: reach the last one on a small mesh
    const small = Mesh.from({ positions: arrays.positions, indices: arrays.indices.subarray(0, 60000) });
    for (const options of [{ builder: 'sah' }, { builder: 'fast' }, { builder: 'sah', lazy: true }]) {
      for (let i = 0; i < 20; i++) buildHierarchy(small, options).dispose();
      const name = options.lazy ? 'build-lazy' : `build-${options.builder}`;
      let tree;
      const { ms } = measure(repetitions, () => {
        tree?.dispose();
        tree = buildHierarchy(mesh, options);
      });
      report(name, 0, 'build', ms, (mesh.byteLength + tree.byteLength) / mesh.triangleCount);
      if (!options.lazy) {
        report(`${name}-cost`, 0, 'cost', 0, sahCost(tree));
        const refit = options.builder === 'sah' ? 'refit' : `refit-${options.builder}`;
        report(refit, 0, 'build', measure(5, () => refitHierarchy(tree)).ms, 0);
      }
      tree.dispose();
    }
  },
});
