/**
 * Finds the leaf pairs of two trees of oriented boxes that may be within a bound of each other, by the axis-aligned
 * boxes around these: for where there are no kernels, and so no other boxes (hierarchy/build-aligned.ts).
 *
 * Idea: pairs whose boxes are within the bound wait in a heap; the nearest is opened on the side of the larger box. A
 * walk of its own, as that for all volumes (hierarchy/traverse.ts) would make `import { collide }` larger.
 * Errs: keeps too much, never drops a pair within the bound. Boxes grow by more than float64 rounds.
 */
import { PairHeap } from '../../base/heap.js';
import { isLeaf, LANES } from '../../hierarchy/layout.js';
import type { TreeView } from '../../hierarchy/tree-view.js';
import { type PairVisitor, type TraversalStats, visitLeaves, type Walk } from '../../hierarchy/visitor.js';
import { EMPTY } from '../../kernel/layout.generated.js';
import { IDENTITY, type RigidPose } from '../../math/pose.js';
import { axesOf } from '../../volumes/obb-fit.js';
import { SLACK } from '../../volumes/round.js';
import { gapOfBoxes } from './box-gap.js';

export const walkAligned: Walk = (a, b, pose, visitor) => new AlignedWalk(a, b, pose, visitor).run();

class AlignedWalk {
  readonly #a: TreeView;
  readonly #b: TreeView;
  /** Undefined for one tree with itself. */
  readonly #pose: Readonly<RigidPose> | undefined;
  readonly #visitor: PairVisitor;
  readonly #waiting = new PairHeap();
  readonly #stats: TraversalStats = { volumeTests: 0, leafPairs: 0, stopped: false };
  readonly #boxA = new Float64Array(6);
  readonly #boxB = new Float64Array(6);

  constructor(a: TreeView, b: TreeView, pose: Readonly<RigidPose> | undefined, visitor: PairVisitor) {
    this.#a = a;
    this.#b = b;
    this.#pose = pose;
    this.#visitor = visitor;
  }

  run(): TraversalStats {
    this.#a.refresh();
    this.#b.refresh();
    if (this.#pose) for (let slot = 0; slot < LANES; slot++) this.#offerAll(slot, 1, 0, LANES);
    else this.#offerSelf(0);
    const waiting = this.#waiting;
    while (!this.#stats.stopped && waiting.pop() && waiting.key <= this.#visitor.bound)
      this.#open(waiting.a, waiting.b);
    return this.#stats;
  }

  #open(slotA: number, slotB: number): void {
    const [a, b] = [this.#a, this.#b];
    const [refA, refB] = [a.ref(slotA), b.ref(slotB)];
    if (isLeaf(refA) && isLeaf(refB)) visitLeaves(this.#visitor, [a, refA], [b, refB], this.#stats);
    else if (!this.#pose && slotA === slotB) this.#offerSelf(LANES * refA);
    else if (isLeaf(refB) || (!isLeaf(refA) && sizeOf(a, slotA) >= sizeOf(b, slotB)))
      this.#offerAll(LANES * refA, LANES, slotB, 1);
    else this.#offerAll(slotA, 1, LANES * refB, LANES);
  }

  #offerAll(firstA: number, countA: number, firstB: number, countB: number): void {
    for (let slotA = firstA; slotA < firstA + countA; slotA++)
      for (let slotB = firstB; slotB < firstB + countB; slotB++) this.#offer(slotA, slotB);
  }

  /** A block with itself: each slot with itself and with those after it. */
  #offerSelf(first: number): void {
    for (let slot = first; slot < first + LANES; slot++) this.#offerAll(slot, 1, slot, first + LANES - slot);
  }

  #offer(slotA: number, slotB: number): void {
    if (this.#a.ref(slotA) === EMPTY || this.#b.ref(slotB) === EMPTY) return;
    this.#stats.volumeTests++;
    writeBox(this.#a, slotA, IDENTITY, this.#boxA);
    writeBox(this.#b, slotB, this.#pose ?? IDENTITY, this.#boxB);
    // what is too large to be compared, and so not a number, is kept
    const gap = gapOfBoxes(this.#boxA, 0, this.#boxB, 0) * (1 - SLACK) || 0;
    if (gap <= this.#visitor.bound) this.#waiting.push(gap, slotA, slotB);
  }
}

function sizeOf(tree: TreeView, slot: number): number {
  const at = tree.volumeAt(slot) + 3 * LANES;
  return tree.floats[at] + tree.floats[at + LANES] + tree.floats[at + 2 * LANES];
}

/** Writes the axis-aligned box around that of a slot, where a pose puts it: minimum and maximum. */
function writeBox(tree: TreeView, slot: number, pose: Readonly<RigidPose>, out: Float64Array): void {
  const v = tree.floats;
  const at = tree.volumeAt(slot);
  const x = v[at];
  const y = v[at + 4];
  const z = v[at + 8];
  const hx = v[at + 12];
  const hy = v[at + 16];
  const hz = v[at + 20];
  const m = v[at + 36] === 1 ? IDENTITY : axesOf(v, at, new Float64Array(9));
  const reach = Math.abs(x) + Math.abs(y) + Math.abs(z) + hx + hy + hz;
  for (let k = 0; k < 3; k++) {
    const r0 = pose[3 * k];
    const r1 = pose[3 * k + 1];
    const r2 = pose[3 * k + 2];
    const middle = r0 * x + r1 * y + r2 * z + pose[9 + k];
    const half =
      Math.abs(r0 * m[0] + r1 * m[3] + r2 * m[6]) * hx +
      Math.abs(r0 * m[1] + r1 * m[4] + r2 * m[7]) * hy +
      Math.abs(r0 * m[2] + r1 * m[5] + r2 * m[8]) * hz +
      SLACK * (reach + Math.abs(pose[9 + k]));
    out[k] = middle - half;
    out[3 + k] = middle + half;
  }
}
