/**
 * Where a mesh passes through itself: pairs of its triangles that meet and are not neighbours. Neighbours share a
 * corner, by vertex number or, in a soup without shared numbers, by place.
 */
import { readKnown } from '../../base/options.js';
import { IDENTITY, type RigidPose } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import { AMOUNT_NAMES, type AmountOptions, readLimit, resultOf, runToLimit } from './collide.js';
import { QueryContext } from './context.js';
import { hierarchyOf, portableTreesFor } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { findSelfPairsPortable } from './portable.js';
import type { CollideResult } from './results.js';

/** Finds the non-adjacent triangles of a mesh that meet; in each pair the smaller number comes first. */
export function selfIntersect(mesh: Mesh, options: AmountOptions = {}): CollideResult {
  const limit = readLimit(readKnown('selfIntersect', options, AMOUNT_NAMES));
  assertMesh(mesh);
  const trees = portableTreesFor(mesh, mesh);
  if (trees) return resultOf(findSelfPairsPortable(mesh, limit, trees), limit);
  const tree = hierarchyOf(mesh);
  const query = new QueryContext(tree, tree, IDENTITY as RigidPose, { limit });
  try {
    return runToLimit(query, limit, () => pairKernels.kernels().selfCollide(query.block));
  } finally {
    query.release();
  }
}
