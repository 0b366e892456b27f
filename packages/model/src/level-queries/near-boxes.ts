/**
 * Which boxes of two trees are near each other, the second tree posed. Keeps its memory between calls; answers do not
 * depend on it.
 *
 * Two boxes are compared along the axes of either frame, and the wider gap counts. Along those of a, b's box is posed
 * as it is. Along those of b, a's is posed by the inverse, taken for the transpose; with RᵀR off by δ in norm, points p
 * and q = R r + t are then |Rᵀ(p − t) − r| = |Rᵀ(p − q) + (RᵀR − I) r| apart, so too far by (δ / 2 + δ) |p − q| and δ
 * |Rᵀ(p − t)| at most. The second is in the slack of posed boxes; for the first the gap is divided by more than that.
 */
import { PairHeap } from 'impinge/internal/base/heap.js';
import { invertPose, type RigidPose } from 'impinge/internal/math/pose.js';
import { slackOf, writePosedBox } from 'impinge/internal/scene/world-box.js';
import type { BoxTree } from '../store/box-tree.js';

/** Two boxes, and the square of how far they are apart at least. */
export interface BoxPair {
  readonly a: number;
  readonly b: number;
  readonly gapSq: number;
}

/**
 * For squares of gaps along b's axes: rotations as callers give them have δ up to 3e-5, and two may lie between the
 * frames.
 */
const SHRINK = 1 / 1.0002 ** 2;

export class NearBoxes {
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #aInB: PosedTree;
  readonly #bInA: PosedTree;
  #stack = new Uint32Array(256);
  /** Counts calls: a generator may go on after another question. */
  #call = 0;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#aInB = new PosedTree(a);
    this.#bInA = new PosedTree(b);
  }

  /**
   * Calls `visit` with every two boxes that are at most `distance` apart, and the square of how far they are at least.
   */
  forEach(bToA: RigidPose, distance: number, visit: (a: number, b: number, gapSq: number) => void): void {
    if (!this.#begin(bToA)) return;
    const limit = squareAbove(distance);
    const { right: rightA, counts: countsA, order: orderA, first: firstA } = this.#a;
    const { right: rightB, counts: countsB, order: orderB, first: firstB } = this.#b;
    let stack = this.#stack;
    let top = 2;
    stack[0] = 0;
    stack[1] = 0;
    while (top > 0) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      if (this.#nodeGapSq(nodeA, nodeB, limit) > limit) continue;
      const openA = rightA[nodeA] !== 0 && (rightB[nodeB] === 0 || countsA[nodeA] >= countsB[nodeB]);
      if (!openA && rightB[nodeB] === 0) {
        for (let i = firstA[nodeA], endA = i + countsA[nodeA]; i < endA; i++) {
          for (let j = firstB[nodeB], endB = j + countsB[nodeB]; j < endB; j++) {
            const gap = this.#boxGapSq(orderA[i], orderB[j], limit);
            if (gap <= limit) visit(orderA[i], orderB[j], gap);
          }
        }
        continue;
      }
      if (top + 4 > stack.length) {
        const larger = new Uint32Array(2 * stack.length);
        larger.set(stack);
        this.#stack = stack = larger;
      }
      if (openA) this.#a.open(nodeA);
      else this.#b.open(nodeB);
      stack[top] = openA ? nodeA + 1 : nodeA;
      stack[top + 1] = openA ? nodeB : nodeB + 1;
      stack[top + 2] = openA ? rightA[nodeA] : nodeA;
      stack[top + 3] = openA ? nodeB : rightB[nodeB];
      top += 4;
    }
  }

  /** The square of how far any two boxes are apart at least. */
  gapsSq(bToA: RigidPose): (a: number, b: number) => number {
    let call = -1;
    return (a, b) => {
      if (call !== this.#call) {
        // the first time, or something else was asked for since
        this.#begin(bToA);
        call = this.#call;
      }
      return this.#boxGapSq(a, b);
    };
  }

  /** Pairs of boxes, the nearest first, until they are farther apart than `bound()` says then. */
  *nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    if (!this.#begin(bToA)) return;
    const heap = new PairHeap();
    const nodes = this.#a.right.length; // numbers from here on are boxes of a
    let call = this.#call;
    heap.push(this.#nodeGapSq(0, 0), 0, 0);
    while (heap.pop()) {
      const { a, b, key } = heap;
      if (key > squareAbove(bound())) return;
      if (call !== this.#call) {
        // something else was asked for since the last pair
        this.#begin(bToA);
        call = this.#call;
      }
      if (a >= nodes) yield { a: a - nodes, b, gapSq: key };
      else if (!this.#open(a, b, (i, j) => heap.push(this.#nodeGapSq(i, j), i, j))) {
        this.#leaves(a, b, (i, j) => heap.push(this.#boxGapSq(i, j), nodes + i, j));
      }
    }
  }

  #begin(bToA: RigidPose): boolean {
    this.#call++;
    this.#bInA.pose(bToA);
    this.#aInB.pose(invertPose(bToA));
    return !this.#a.isEmpty && !this.#b.isEmpty;
  }

  /** Beyond `limit` any number will do. */
  #nodeGapSq(nodeA: number, nodeB: number, limit = Infinity): number {
    const alongA = gapSq(this.#a.nodeBoxes, 6 * nodeA, this.#bInA.boxes, this.#bInA.node(nodeB));
    if (alongA > limit) return alongA;
    const alongB = gapSq(this.#b.nodeBoxes, 6 * nodeB, this.#aInB.boxes, this.#aInB.node(nodeA));
    return Math.max(alongA, SHRINK * alongB);
  }

  #boxGapSq(boxA: number, boxB: number, limit = Infinity): number {
    const alongA = gapSq(this.#a.boxes, 6 * boxA, this.#bInA.boxes, this.#bInA.box(boxB));
    if (alongA > limit) return alongA;
    const alongB = gapSq(this.#b.boxes, 6 * boxB, this.#aInB.boxes, this.#aInB.box(boxA));
    return Math.max(alongA, SHRINK * alongB);
  }

  /** Names the pairs that make up a pair of nodes; false for two leaves. */
  #open(nodeA: number, nodeB: number, push: (a: number, b: number) => void): boolean {
    const { right, counts } = this.#a;
    const b = this.#b;
    const leafA = right[nodeA] === 0;
    const leafB = b.right[nodeB] === 0;
    if (leafA && leafB) return false;
    if (leafB || (!leafA && counts[nodeA] >= b.counts[nodeB])) {
      this.#a.open(nodeA);
      push(nodeA + 1, nodeB);
      push(right[nodeA], nodeB);
    } else {
      b.open(nodeB);
      push(nodeA, nodeB + 1);
      push(nodeA, b.right[nodeB]);
    }
    return true;
  }

  #leaves(nodeA: number, nodeB: number, visit: (a: number, b: number) => void): void {
    const { order, first, counts } = this.#a;
    const b = this.#b;
    for (let i = first[nodeA], endA = i + counts[nodeA]; i < endA; i++) {
      for (let j = b.first[nodeB], endB = j + b.counts[nodeB]; j < endB; j++) visit(order[i], b.order[j]);
    }
  }
}

/** A tree's nodes and boxes in another frame, as far as they were needed there. */
class PosedTree {
  /** Those of nodes, then those of boxes. */
  readonly boxes: Float64Array;
  readonly #tree: BoxTree;
  /** Since which pose they are there. */
  readonly #since: Uint32Array;
  #poses = 0;
  #pose: RigidPose = new Float64Array(12);
  #slack = 0;

  constructor(tree: BoxTree) {
    this.#tree = tree;
    this.boxes = new Float64Array(tree.nodeBoxes.length + tree.boxes.length);
    this.#since = new Uint32Array(this.boxes.length / 6);
  }

  pose(pose: RigidPose): void {
    this.#poses++;
    this.#pose = pose;
    this.#slack = slackOf(pose);
  }

  /** Where a node's box begins in `boxes`. */
  node(node: number): number {
    if (this.#since[node] !== this.#poses) this.#place(this.#tree.nodeBoxes, node, node);
    return 6 * node;
  }

  box(box: number): number {
    const at = this.#tree.right.length + box;
    if (this.#since[at] !== this.#poses) this.#place(this.#tree.boxes, box, at);
    return 6 * at;
  }

  #place(boxes: Float64Array, box: number, at: number): void {
    this.#since[at] = this.#poses;
    writePosedBox(boxes, 6 * box, this.#pose, this.#slack, this.boxes, 6 * at);
  }
}

/**
 * The squared distance of two boxes; as gapSqOfBoxes, written out: this is most of what a question costs at wide
 * errors.
 */
function gapSq(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] > b[j + 3] ? a[i] - b[j + 3] : b[j] > a[i + 3] ? b[j] - a[i + 3] : 0;
  const y = a[i + 1] > b[j + 4] ? a[i + 1] - b[j + 4] : b[j + 1] > a[i + 4] ? b[j + 1] - a[i + 4] : 0;
  const z = a[i + 2] > b[j + 5] ? a[i + 2] - b[j + 5] : b[j + 2] > a[i + 5] ? b[j + 2] - a[i + 5] : 0;
  return x * x + y * y + z * z;
}

/** Above the square of a distance by more than rounding. */
export function squareAbove(distance: number): number {
  return distance * distance * (1 + 1e-12);
}
