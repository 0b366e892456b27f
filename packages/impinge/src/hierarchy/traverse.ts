/**
 * Finds the leaf pairs of two trees, or of one tree with itself, that may be within a bound of each other.
 *
 * Idea: a pair of slots whose volumes are within the bound is opened on the side of the larger volume, and the
 * children that are again within the bound wait in a stack, a queue or, closest first, in a heap. B's volumes are moved
 * into A's frame when they are met. Pairs keep their lower bound, so that one which a shrinking bound has overtaken is
 * dropped without another test.
 * Errs: keeps too much, never drops a pair within the bound.
 */
import { ImpingeError } from '../base/errors.js';
import { EMPTY } from '../kernel/layout.generated.js';
import type { RigidPose } from '../math/pose.js';
import type { VolumeModule } from '../volumes/volume.js';
import { isLeaf, isPending, LANES } from './layout.js';
import type { TreeView } from './tree-view.js';
import {
  type PairVisitor,
  type TraversalOrder,
  type TraversalStats,
  visitLeaves,
  type Walk,
} from './visitor.js';
import { createWorkList, type WorkList } from './work-list.js';

/** The walk of trees of a kind of volume. */
export function walkOf(volume: VolumeModule): Walk {
  return (a, b, pose, visitor, order = 'depth') => new Traversal(volume, a, b, pose, visitor, order).run();
}

class Traversal {
  readonly #volume: VolumeModule;
  readonly #a: TreeView;
  readonly #b: TreeView;
  readonly #pose: Readonly<RigidPose> | undefined;
  readonly #visitor: PairVisitor;
  readonly #waiting: WorkList;
  /** By a heap. */
  readonly #keyed: boolean;
  /** A stack hands out what was pushed last: there lanes go in backwards. */
  readonly #forwards: boolean;
  readonly #posed: Float32Array;
  readonly #stats: TraversalStats = { volumeTests: 0, leafPairs: 0, stopped: false };

  constructor(
    volume: VolumeModule,
    a: TreeView,
    b: TreeView,
    pose: Readonly<RigidPose> | undefined,
    visitor: PairVisitor,
    order: TraversalOrder,
  ) {
    this.#volume = volume;
    this.#posed = new Float32Array(LANES * volume.STRIDE);
    this.#a = a;
    this.#b = b;
    this.#pose = pose;
    this.#visitor = visitor;
    this.#waiting = createWorkList(order);
    this.#keyed = order === 'closest';
    this.#forwards = order !== 'depth';
  }

  run(): TraversalStats {
    this.#a.refresh();
    this.#b.refresh();
    if (this.#pose === undefined) this.#openSelf(0);
    else this.#openRoots();
    const waiting = this.#waiting;
    while (!this.#stats.stopped && waiting.pop()) {
      if (waiting.key > this.#visitor.bound) {
        if (this.#keyed) break; // the rest is no nearer
        continue;
      }
      this.#open(waiting.a, waiting.b);
    }
    return this.#stats;
  }

  #openRoots(): void {
    for (let i = 0; i < LANES; i++) {
      const lane = this.#forwards ? i : LANES - 1 - i;
      if (this.#a.ref(lane) !== EMPTY) this.#openB(lane, 0);
    }
  }

  #open(slotA: number, slotB: number): void {
    const a = this.#a;
    const b = this.#b;
    const refA = a.ref(slotA);
    const refB = b.ref(slotB);
    const leafA = isLeaf(refA);
    const leafB = isLeaf(refB);
    const self = this.#pose === undefined && slotA === slotB;
    if (leafA && leafB) visitLeaves(this.#visitor, [a, refA], [b, refB], this.#stats);
    else if (self) this.#openSelf(this.#blockBelow(a, slotA));
    else if (leafB || (!leafA && this.#sizeOf(a, slotA) >= this.#sizeOf(b, slotB))) {
      this.#openA(this.#blockBelow(a, slotA), slotB);
    } else this.#openB(slotA, this.#blockBelow(b, slotB));
  }

  #sizeOf(tree: TreeView, slot: number): number {
    return this.#volume.size(tree.floats, tree.volumeAt(slot));
  }

  /** Built first where it is pending. */
  #blockBelow(tree: TreeView, slot: number): number {
    if (isPending(tree.ref(slot))) {
      if (!tree.grow) throw new ImpingeError('bad-input', 'the tree is lazy: complete it first', { slot });
      tree.grow(slot);
      this.#a.refresh();
      this.#b.refresh();
    }
    return tree.ref(slot);
  }

  #openA(block: number, slotB: number): void {
    const placed = this.#placeB(slotB);
    for (let i = 0; i < LANES; i++) {
      const slotA = LANES * block + (this.#forwards ? i : LANES - 1 - i);
      if (this.#a.ref(slotA) !== EMPTY) this.#offer(slotA, slotB, placed);
    }
  }

  #openB(slotA: number, block: number): void {
    for (let i = 0; i < LANES; i++) {
      const slotB = LANES * block + (this.#forwards ? i : LANES - 1 - i);
      if (this.#b.ref(slotB) !== EMPTY) this.#offer(slotA, slotB, this.#placeB(slotB));
    }
  }

  /** A block with itself: each lane with itself, untested, and with the lanes after it. */
  #openSelf(block: number): void {
    for (let i = 0; i < LANES; i++) {
      const first = LANES * block + (this.#forwards ? i : LANES - 1 - i);
      if (this.#a.ref(first) === EMPTY) continue;
      if (this.#forwards) this.#waiting.push(0, first, first);
      for (let second = first + 1; second < LANES * (block + 1); second++) {
        if (this.#a.ref(second) !== EMPTY) this.#offer(first, second, this.#placeB(second));
      }
      if (!this.#forwards) this.#waiting.push(0, first, first);
    }
  }

  /** Brings B's volume into A's frame and says where it lies: in `#posed`, or in the tree itself. */
  #placeB(slotB: number): number {
    const at = this.#b.volumeAt(slotB);
    if (this.#pose === undefined) return at;
    this.#volume.transform(this.#b.floats, at, this.#pose, this.#posed, 0);
    return 0;
  }

  #offer(slotA: number, slotB: number, placedB: number): void {
    const volumes = this.#a.floats;
    const at = this.#a.volumeAt(slotA);
    const volumesB = this.#pose === undefined ? this.#b.floats : this.#posed;
    const { bound } = this.#visitor;
    this.#stats.volumeTests++;
    if (!(bound > 0) && !this.#volume.overlaps(volumes, at, volumesB, placedB)) return;
    if (!(bound > 0) && !this.#keyed) {
      this.#waiting.push(0, slotA, slotB);
      return;
    }
    const key = this.#volume.distanceLowerBound(volumes, at, volumesB, placedB);
    if (key <= bound) this.#waiting.push(key, slotA, slotB);
  }
}
