/**
 * Which boxes hang together: two do that share a point, and so do those that both hang together with a third.
 *
 * A tree of boxes is compared with itself. Nodes that are known to hang together as wholes are not looked into again,
 * so that many boxes in one place cost little.
 */
import { UnionFind } from 'impinge/internal/base/union-find.js';
import { BoxTree } from '../store/box-tree.js';

/** Numbers a set of each box, the least number of its boxes. Six numbers per box, minimum and maximum. */
export function joinBoxes(boxes: Float64Array): Uint32Array {
  const joining = new Joining(boxes);
  return Uint32Array.from({ length: boxes.length / 6 }, (_, box) => joining.setOf(box));
}

class Joining {
  readonly #sets: UnionFind;
  readonly #tree: BoxTree;
  /** Nodes whose boxes are known to be in one set. */
  readonly #isOne: Uint8Array;

  constructor(boxes: Float64Array) {
    this.#sets = new UnionFind(boxes.length / 6);
    this.#tree = new BoxTree(boxes);
    this.#isOne = new Uint8Array(this.#tree.right.length);
    if (!this.#tree.isEmpty) this.#inside(0);
  }

  setOf(box: number): number {
    return this.#sets.find(box);
  }

  /** Joins the boxes of a node. The tree is balanced, so this goes no deeper than the logarithm of their number. */
  #inside(node: number): void {
    const right = this.#tree.right[node];
    if (right === 0) this.#leaves(node, node);
    else {
      this.#tree.open(node);
      this.#inside(node + 1);
      this.#inside(right);
      this.#between(node + 1, right);
    }
  }

  #between(p: number, q: number): void {
    const { nodeBoxes, right, counts } = this.#tree;
    if (!overlap(nodeBoxes, 6 * p, nodeBoxes, 6 * q)) return;
    if (this.#one(p) && this.#one(q) && this.#firstSet(p) === this.#firstSet(q)) return;
    if (right[p] === 0 && right[q] === 0) this.#leaves(p, q);
    else if (right[p] !== 0 && (right[q] === 0 || counts[p] >= counts[q])) {
      this.#between(p + 1, q);
      this.#between(right[p], q);
    } else {
      this.#between(p, q + 1);
      this.#between(p, right[q]);
    }
  }

  #leaves(p: number, q: number): void {
    const { boxes, order, first, counts } = this.#tree;
    for (let i = first[p]; i < first[p] + counts[p]; i++) {
      for (let j = first[q]; j < first[q] + counts[q]; j++) {
        if (overlap(boxes, 6 * order[i], boxes, 6 * order[j])) this.#sets.union(order[i], order[j]);
      }
    }
  }

  #firstSet(node: number): number {
    return this.setOf(this.#tree.order[this.#tree.first[node]]);
  }

  #one(node: number): boolean {
    if (this.#isOne[node]) return true;
    const { right, order, first, counts } = this.#tree;
    let one: boolean;
    if (right[node] === 0) {
      const own = order.subarray(first[node], first[node] + counts[node]);
      one = own.every((box) => this.setOf(box) === this.setOf(own[0]));
    } else {
      const { [node]: other } = right;
      one = this.#one(node + 1) && this.#one(other) && this.#firstSet(node) === this.#firstSet(other);
    }
    this.#isOne[node] = Number(one);
    return one;
  }
}

function overlap(p: Float64Array, i: number, q: Float64Array, j: number): boolean {
  for (let k = 0; k < 3; k++) if (p[i + k] > q[j + 3 + k] || q[j + k] > p[i + 3 + k]) return false;
  return true;
}
