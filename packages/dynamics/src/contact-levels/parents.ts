/**
 * Which hull of the next level each hull belongs to: the one that it sticks out of least.
 *
 * A patch absorbed by another has an heir; but after shrinking it is often nearer to other hulls. Any choice is a tree,
 * as long as every hull of the next level has a child: a hull's only child stays.
 */
import { MovingBoxes } from 'impinge/internal/scene/moving-boxes.js';
import { boxAround } from './box-around.js';
import { meeting } from './convex-patches.js';
import type { DraftLevel } from './draft.js';
import { HullDistance } from './hull-distance.js';

export function chooseParents(below: DraftLevel, above: DraftLevel, heirs: readonly number[]): void {
  const hulls = above.nodes.map(({ points, faces }) => new HullDistance(points, faces));
  const children = new Uint32Array(above.nodes.length);
  for (const heir of heirs) children[heir]++;
  const boxes = new Float64Array(6 * above.nodes.length);
  above.nodes.forEach(({ points }, n) => {
    boxes.set(boxAround(points), 6 * n);
  });
  const tree = new MovingBoxes(() => boxes);
  for (let n = 0; n < above.nodes.length; n++) tree.touch(n);
  const box = new Float64Array(6);
  below.nodes.forEach((node, n) => {
    const heir = heirs[n];
    node.parent = heir;
    if (children[heir] === 1) return;
    let least = stickingOut(node.points, hulls[heir], Infinity);
    // a hull that it sticks out of less is within that of it
    box.set(boxAround(node.points).map((x, k) => (k < 3 ? x - least : x + least)));
    for (const other of meeting(tree, boxes, box).sort((a, b) => a - b)) {
      const by = stickingOut(node.points, hulls[other], least);
      if (by >= least) continue;
      least = by;
      node.parent = other;
    }
    children[heir]--;
    children[node.parent]++;
  });
}

function stickingOut(points: Float64Array, hull: HullDistance, enough: number): number {
  let most = 0;
  for (let i = 0; i < points.length && most < enough; i += 3)
    most = Math.max(most, hull.from(points, i, most));
  return most;
}
