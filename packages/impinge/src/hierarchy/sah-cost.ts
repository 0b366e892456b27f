/**
 * How good a tree is: the expected number of volumes and triangles a random ray or box meets, by surface areas.
 */
import { ImpingeError } from '../base/errors.js';
import { EMPTY } from '../kernel/layout.generated.js';
import { assertFitted, type Hierarchy } from './hierarchy.js';
import { isLeaf, LANES, leafCount } from './layout.js';
import { viewOf } from './tree-view.js';

const TRIANGLE_COST = 1.25;

/**
 * Surface-area heuristic of a complete tree of oriented boxes: Σ area of a box / area of the root, 1 for every box and
 * 1.25 for every triangle in a leaf.
 */
export function sahCost(tree: Hierarchy): number {
  assertFitted(tree);
  if (tree.kind !== 'obb')
    throw new ImpingeError(
      'bad-input',
      `sahCost is for trees of oriented boxes, this one is of ${tree.kind}`,
    );
  const view = viewOf(tree);
  const areaOf = (slot: number) => {
    const at = view.volumeAt(slot) + LANES * 3;
    const [x, y, z] = [view.floats[at], view.floats[at + LANES], view.floats[at + 2 * LANES]];
    return x * y + y * z + z * x;
  };
  const { min, max } = tree.mesh.box;
  const [dx, dy, dz] = [0, 1, 2].map((k) => (max[k] - min[k]) / 2) as [number, number, number];
  let sum = 0;
  for (let slot = 0; slot < LANES * view.blockCount; slot++) {
    const ref = view.ref(slot);
    if (ref === EMPTY) continue;
    sum += areaOf(slot) * (isLeaf(ref) ? 1 + TRIANGLE_COST * leafCount(ref) : 1);
  }
  return sum / (dx * dy + dy * dz + dz * dx);
}
