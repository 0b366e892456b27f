/** A tree over boxes that stay where they are, for finding those near the boxes of another tree that moves. */

/** Boxes in a leaf. */
const FEW = 4;

/** Nodes are numbered so that a node's children follow it: the left one at once, the right one at `right`. */
export class BoxTree {
  readonly boxes: Float64Array;
  /** Boxes in the order of the leaves. */
  readonly order: Uint32Array;
  /** Six numbers per node: minimum, maximum. */
  readonly nodeBoxes: Float64Array;
  /** Of an inner node its right child, of a leaf 0. */
  readonly right: Uint32Array;
  /** Where a node's boxes begin in `order`, and how many they are. */
  readonly first: Uint32Array;
  readonly counts: Uint32Array;

  constructor(boxes: Float64Array) {
    const count = boxes.length / 6;
    const most = Math.max(1, 2 * count);
    this.boxes = boxes;
    this.order = Uint32Array.from({ length: count }, (_, i) => i);
    this.nodeBoxes = new Float64Array(6 * most);
    this.right = new Uint32Array(most);
    this.first = new Uint32Array(most);
    this.counts = new Uint32Array(most);
    if (count > 0) this.#build(0, 0, count);
  }

  get isEmpty(): boolean {
    return this.order.length === 0;
  }

  meanDiagonal(): number {
    const { boxes } = this;
    let sum = 0;
    for (let i = 0; i < boxes.length; i += 6) {
      sum += Math.hypot(boxes[i + 3] - boxes[i], boxes[i + 4] - boxes[i + 1], boxes[i + 5] - boxes[i + 2]);
    }
    return boxes.length === 0 ? 0 : sum / (boxes.length / 6);
  }

  /** Makes node `node` and those below it; returns the number after theirs. */
  #build(node: number, from: number, to: number): number {
    const at = 6 * node;
    const { boxes, nodeBoxes, order } = this;
    nodeBoxes.fill(Infinity, at, at + 3).fill(-Infinity, at + 3, at + 6);
    for (let i = from; i < to; i++) {
      for (let k = 0; k < 3; k++) {
        nodeBoxes[at + k] = Math.min(nodeBoxes[at + k], boxes[6 * order[i] + k]);
        nodeBoxes[at + 3 + k] = Math.max(nodeBoxes[at + 3 + k], boxes[6 * order[i] + 3 + k]);
      }
    }
    this.first[node] = from;
    this.counts[node] = to - from;
    if (to - from <= FEW) return node + 1;
    let axis = 0;
    for (let k = 1; k < 3; k++) {
      if (nodeBoxes[at + 3 + k] - nodeBoxes[at + k] > nodeBoxes[at + 3 + axis] - nodeBoxes[at + axis])
        axis = k;
    }
    const middle = (i: number) => boxes[6 * i + axis] + boxes[6 * i + 3 + axis];
    order.subarray(from, to).sort((i, j) => middle(i) - middle(j) || i - j);
    const half = (from + to) >> 1;
    const right = this.#build(node + 1, from, half);
    this.right[node] = right;
    return this.#build(right, half, to);
  }
}
