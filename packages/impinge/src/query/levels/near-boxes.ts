/**
 * Which boxes of two trees are near each other, the second tree posed. Keeps its memory between calls; answers do not
 * depend on it.
 */
import { PairHeap } from '../../base/heap.js';
import type { RigidPose } from '../../math/pose.js';
import { slackOf, writePosedBox } from '../../scene/world-box.js';
import type { BoxTree } from './box-tree.js';

/** Two boxes, and the square of how far they are apart. */
export interface BoxPair {
  readonly a: number;
  readonly b: number;
  readonly gapSq: number;
}

export class NearBoxes {
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  /** Boxes of b's nodes, and then b's boxes, where they are now, as far as they were needed, and since which call. */
  readonly #posed: Float64Array;
  readonly #since: Uint32Array;
  #stack = new Uint32Array(256);
  #call = 0;
  #pose: RigidPose = new Float64Array(12);
  #slack = 0;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#posed = new Float64Array(b.nodeBoxes.length + b.boxes.length);
    this.#since = new Uint32Array(this.#posed.length / 6);
  }

  /** Calls `visit` with every two boxes that are at most `distance` apart. */
  forEach(bToA: RigidPose, distance: number, visit: (a: number, b: number) => void): void {
    if (!this.#begin(bToA)) return;
    const limit = square(distance);
    const { right, counts } = this.#a;
    const { right: rightB, counts: countsB } = this.#b;
    const visitNear = (a: number, b: number, gapSq: number) => {
      if (gapSq <= limit) visit(a, b);
    };
    let stack = this.#stack;
    let top = 0;
    stack[top++] = 0;
    stack[top++] = 0;
    while (top > 0) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      if (this.#gapSq(nodeA, nodeB) > limit) continue;
      const openA = right[nodeA] !== 0 && (rightB[nodeB] === 0 || counts[nodeA] >= countsB[nodeB]);
      if (!openA && rightB[nodeB] === 0) {
        this.#leaves(nodeA, nodeB, visitNear);
        continue;
      }
      if (top + 4 > stack.length) {
        const larger = new Uint32Array(2 * stack.length);
        larger.set(stack);
        this.#stack = stack = larger;
      }
      stack[top] = openA ? nodeA + 1 : nodeA;
      stack[top + 1] = openA ? nodeB : nodeB + 1;
      stack[top + 2] = openA ? right[nodeA] : nodeA;
      stack[top + 3] = openA ? nodeB : rightB[nodeB];
      top += 4;
    }
  }

  /** Pairs of boxes, the nearest first, until they are farther apart than `bound()` says then. */
  *nearestFirst(bToA: RigidPose, bound: () => number): Generator<BoxPair> {
    if (!this.#begin(bToA)) return;
    const heap = new PairHeap();
    const nodes = this.#a.right.length; // numbers from here on are boxes of a
    let call = this.#call;
    heap.push(this.#gapSq(0, 0), 0, 0);
    while (heap.pop()) {
      const { a, b, key } = heap;
      if (key > square(bound())) return;
      if (call !== this.#call) {
        // something else was asked for since the last pair
        this.#begin(bToA);
        call = this.#call;
      }
      if (a >= nodes) yield { a: a - nodes, b, gapSq: key };
      else if (!this.#open(a, b, (i, j) => heap.push(this.#gapSq(i, j), i, j))) {
        this.#leaves(a, b, (i, j, gapSq) => heap.push(gapSq, nodes + i, j));
      }
    }
  }

  #begin(bToA: RigidPose): boolean {
    this.#call++;
    this.#pose = bToA;
    this.#slack = slackOf(bToA);
    return !this.#a.isEmpty && !this.#b.isEmpty;
  }

  #gapSq(nodeA: number, nodeB: number): number {
    if (this.#since[nodeB] !== this.#call) this.#place(this.#b.nodeBoxes, nodeB, nodeB);
    return gapSq(this.#a.nodeBoxes, 6 * nodeA, this.#posed, 6 * nodeB);
  }

  #place(boxes: Float64Array, box: number, at: number): void {
    this.#since[at] = this.#call;
    writePosedBox(boxes, 6 * box, this.#pose, this.#slack, this.#posed, 6 * at);
  }

  /** Names the pairs that make up a pair of nodes; false for two leaves. */
  #open(nodeA: number, nodeB: number, push: (a: number, b: number) => void): boolean {
    const { right, counts } = this.#a;
    const b = this.#b;
    const leafA = right[nodeA] === 0;
    const leafB = b.right[nodeB] === 0;
    if (leafA && leafB) return false;
    if (leafB || (!leafA && counts[nodeA] >= b.counts[nodeB])) {
      push(nodeA + 1, nodeB);
      push(right[nodeA], nodeB);
    } else {
      push(nodeA, nodeB + 1);
      push(nodeA, b.right[nodeB]);
    }
    return true;
  }

  #leaves(nodeA: number, nodeB: number, visit: (a: number, b: number, gapSq: number) => void): void {
    const a = this.#a;
    const b = this.#b;
    for (let j = b.first[nodeB], endB = j + b.counts[nodeB]; j < endB; j++) {
      const boxB = b.order[j];
      const at = b.right.length + boxB;
      if (this.#since[at] !== this.#call) this.#place(b.boxes, boxB, at);
      for (let i = a.first[nodeA], endA = i + a.counts[nodeA]; i < endA; i++) {
        const boxA = a.order[i];
        visit(boxA, boxB, gapSq(a.boxes, 6 * boxA, this.#posed, 6 * at));
      }
    }
  }
}

/** The squared distance of two boxes; as gapSqOfBoxes, written out: this is most of what a question costs at wide errors. */
function gapSq(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const x = a[i] > b[j + 3] ? a[i] - b[j + 3] : b[j] > a[i + 3] ? b[j] - a[i + 3] : 0;
  const y = a[i + 1] > b[j + 4] ? a[i + 1] - b[j + 4] : b[j + 1] > a[i + 4] ? b[j + 1] - a[i + 4] : 0;
  const z = a[i + 2] > b[j + 5] ? a[i + 2] - b[j + 5] : b[j + 2] > a[i + 5] ? b[j + 2] - a[i + 5] : 0;
  return x * x + y * y + z * z;
}

/** Above the square of a distance by more than rounding. */
function square(distance: number): number {
  return distance * distance * (1 + 1e-12);
}
