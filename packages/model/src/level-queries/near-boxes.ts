/** Which parts of two sides are near each other by their boxes: walks that keep nothing. */
import { PairHeap } from 'impinge/internal/base/heap.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { PosedBoxes, squareAbove } from './posed-boxes.js';
import type { Side } from './side.js';

/** Two parts, and the square of how far their boxes are apart at least. */
export interface BoxPair {
  readonly a: number;
  readonly b: number;
  readonly gapSq: number;
}

export class NearBoxes {
  readonly #a: Side;
  readonly #b: Side;
  readonly #boxes: PosedBoxes;
  readonly #stack: number[] = [];

  constructor(a: Side, b: Side, boxes: PosedBoxes = new PosedBoxes(a.tree, b.tree)) {
    this.#a = a;
    this.#b = b;
    this.#boxes = boxes;
  }

  /**
   * Calls `visit` with every two parts that are at most `distance` apart, and the square of how far they are at least.
   */
  forEach(bToA: RigidPose, distance: number, visit: (a: number, b: number, gapSq: number) => void): void {
    if (this.#isEmpty) return;
    this.#boxes.pose(bToA);
    const limit = squareAbove(distance);
    const { nodes: nodesA } = this.#a.tree;
    const { nodes: nodesB } = this.#b.tree;
    const stack = this.#stack;
    stack.length = 0;
    stack.push(this.#a.tree.root, this.#b.tree.root);
    while (stack.length > 0) {
      const b = stack.pop()!;
      const a = stack.pop()!;
      const gap = this.#boxes.gapSq(a, b, limit);
      if (gap > limit) continue;
      if (a >= nodesA && b >= nodesB) {
        visit(a - nodesA, b - nodesB, gap);
        continue;
      }
      const ofA = this.#boxes.opensFirst(a, b);
      const children = ofA ? this.#a.open(a) : this.#b.open(b);
      for (let i = 0; i < children.length; i++) {
        if (ofA) stack.push(children[i], b);
        else stack.push(a, children[i]);
      }
    }
  }

  /** The square of how far two parts are apart at least. */
  gapsSq(bToA: RigidPose): (a: number, b: number) => number {
    return (a, b) => {
      this.#boxes.pose(bToA); // something else may have been asked for since
      return this.#boxes.gapSq(this.#a.tree.nodes + a, this.#b.tree.nodes + b);
    };
  }

  /** Pairs of parts, the nearest first, until they are farther apart than `bound()` says then. */
  *nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    if (this.#isEmpty) return;
    const { nodes: nodesA } = this.#a.tree;
    const { nodes: nodesB } = this.#b.tree;
    const heap = new PairHeap();
    heap.push(0, this.#a.tree.root, this.#b.tree.root);
    while (heap.pop()) {
      const { a, b, key } = heap;
      const limit = squareAbove(bound());
      if (key > limit) return;
      if (a >= nodesA && b >= nodesB) {
        yield { a: a - nodesA, b: b - nodesB, gapSq: key };
        continue;
      }
      this.#boxes.pose(bToA); // something else may have been asked for since the last pair
      const ofA = this.#boxes.opensFirst(a, b);
      for (const child of ofA ? this.#a.open(a) : this.#b.open(b)) {
        const nodeA = ofA ? child : a;
        const nodeB = ofA ? b : child;
        const gap = this.#boxes.gapSq(nodeA, nodeB);
        if (gap <= limit) heap.push(gap, nodeA, nodeB);
      }
    }
  }

  get #isEmpty(): boolean {
    return this.#a.tree.parts === 0 || this.#b.tree.parts === 0;
  }
}
