/**
 * How far boxes of two trees are apart, the second tree posed.
 *
 * Two boxes are compared along the axes of either frame, and the wider gap counts. Along those of a, b's box is posed
 * as it is. Along those of b, a's is posed by the inverse, taken for the transpose; with RᵀR off by δ in norm, points p
 * and q = R r + t are then |Rᵀ(p − t) − r| = |Rᵀ(p − q) + (RᵀR − I) r| apart, so too far by (δ / 2 + δ) |p − q| and δ
 * |Rᵀ(p − t)| at most. The second is in the slack of posed boxes; for the first the gap is divided by more than that.
 */
import { invertPose, type RigidPose } from 'impinge/internal/math/pose.js';
import { slackOf, writePosedBox } from 'impinge/internal/scene/world-box.js';
import { SHRINK } from './layout.generated.js';
import type { PlacedTree } from './level-tree.js';

export class PosedBoxes {
  readonly #a: PlacedTree;
  readonly #b: PlacedTree;
  readonly #aInB: PosedTree;
  readonly #bInA: PosedTree;
  readonly #pose = new Float64Array(12).fill(Number.NaN) as RigidPose;

  constructor(a: PlacedTree, b: PlacedTree) {
    this.#a = a;
    this.#b = b;
    this.#aInB = new PosedTree(a);
    this.#bInA = new PosedTree(b);
  }

  /** From now on b is there. */
  pose(bToA: RigidPose): void {
    let isSame = true;
    for (let k = 0; k < 12; k++) {
      if (this.#pose[k] !== bToA[k]) isSame = false;
      this.#pose[k] = bToA[k];
    }
    if (isSame) return;
    this.#bInA.pose(this.#pose);
    this.#aInB.pose(invertPose(this.#pose));
  }

  /** The square of how far two nodes are apart at least; beyond `limit` any number will do. */
  gapSq(nodeA: number, nodeB: number, limit = Infinity): number {
    const alongA = gapSq(this.#a.boxes, this.#a.boxAt(nodeA), this.#bInA.boxes, this.#bInA.boxAt(nodeB));
    if (alongA > limit) return alongA;
    const alongB = gapSq(this.#b.boxes, 6 * nodeB, this.#aInB.boxes, this.#aInB.boxAt(nodeA));
    return Math.max(alongA, SHRINK * alongB);
  }

  /** Whether the first of two nodes is to be opened, not the second: the larger one, unless it is a part. */
  opensFirst(nodeA: number, nodeB: number): boolean {
    if (nodeB >= this.#b.nodes) return true;
    return nodeA < this.#a.nodes && extentOf(this.#a, nodeA) >= extentOf(this.#b, nodeB);
  }

  /** Six numbers around a node of b in the frame of a begin here. */
  boxOfB(nodeB: number): number {
    return this.#bInA.boxAt(nodeB);
  }
  get boxesOfB(): Float64Array {
    return this.#bInA.boxes;
  }
}

/** A tree's boxes in another frame, as far as they were needed there. */
class PosedTree {
  readonly boxes: Float64Array;
  readonly #tree: PlacedTree;
  /** Since which pose they are there. */
  readonly #since: Uint32Array;
  #poses = 0;
  #pose: RigidPose = new Float64Array(12);
  #slack = 0;

  constructor(tree: PlacedTree) {
    this.#tree = tree;
    this.boxes = new Float64Array(6 * (tree.nodes + tree.parts));
    this.#since = new Uint32Array(tree.nodes + tree.parts);
  }

  pose(pose: RigidPose): void {
    this.#poses++;
    this.#pose = pose;
    this.#slack = slackOf(pose);
  }

  /** Where a node's box begins in `boxes`. */
  boxAt(node: number): number {
    if (this.#since[node] !== this.#poses) {
      this.#since[node] = this.#poses;
      const from = this.#tree.boxAt(node);
      writePosedBox(this.#tree.boxes, from, this.#pose, this.#slack, this.boxes, 6 * node);
    }
    return 6 * node;
  }
}

function extentOf(tree: PlacedTree, node: number): number {
  const { boxes } = tree;
  const at = tree.boxAt(node);
  return boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
}

/** The squared distance of two boxes; as gapSqOfBoxes, written out: walks do little else. */
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

/** Below the root of a square by more than rounding. */
export function rootBelow(square: number): number {
  return Math.sqrt(square) * (1 - 1e-12);
}
