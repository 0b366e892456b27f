/**
 * Best-first search over the tree of a scene's boxes: a lower bound of the answer for each box selects the objects
 * worth querying, the most promising first.
 */
import { PairHeap } from '../base/heap.js';
import type { MovingBoxes } from './moving-boxes.js';
import type { SlotObject } from './placed-object.js';

/**
 * A lower bound of the answer for contents of the box at boxes[at ..]; Infinity: none. Never larger for a larger box.
 */
export type BoxBound = (boxes: Float64Array, at: number) => number;

/** Free heaps: walks may be nested. */
const heaps: PairHeap[] = [];

/**
 * Visits the objects of a scene in whose boxes the bound is at most `limit`, in the order of their bounds. `visit`
 * returns the limit from then on, which does not rise; −1 ends it.
 */
export function visitNearest(
  scene: {
    readonly tree: MovingBoxes;
    readonly boxes: Float64Array;
    objectAt(slot: number): SlotObject | undefined;
  },
  bound: BoxBound,
  limit: number,
  visit: (object: SlotObject, limit: number) => number,
): void {
  const { tree } = scene;
  tree.flush();
  const { boxes } = scene;
  const heap = heaps.pop() ?? new PairHeap();
  let most = limit;
  const push = (node: number) => {
    const least = (node & 1) === 0 ? bound(boxes, 3 * node) : bound(tree.boxes, 6 * node);
    if (least <= most && least < Infinity) heap.push(least, node, 0);
  };
  heap.length = 0;
  if (tree.root >= 0) push(tree.root);
  while (heap.pop() && heap.key <= most) {
    const node = heap.a;
    if ((node & 1) === 0) {
      most = visit(scene.objectAt(node >>> 1)!, most);
    } else {
      push(tree.left[node]);
      push(tree.right[node]);
    }
  }
  heaps.push(heap);
}
