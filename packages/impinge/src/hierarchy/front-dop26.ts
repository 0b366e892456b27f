// Generated from front-obb.ts by scripts/generate-traversals.mjs: change that file instead.
/**
 * Remembers between steps where a traversal of two moving trees stopped, and goes on from there.
 *
 * Idea: the pairs that were tested form a tree; its front are the pairs that were separated or were two leaves.
 * A step walks to the front without testing anything above it. A separated pair that is no longer so is opened;
 * children that are all separated give way to their parent where that is separated too. A separated pair also
 * knows by how much: until B has moved that far, it is not even tested.
 * Layout: nodes in groups of four, the children of one pair; node 4 · group + k. `child` of a node is the group
 * below it, FRONT or UNUSED. Node 0 stands for both roots, which have no volumes.
 * Invariant: a collapsed or unused group is on the free list, all others hang below node 0.
 * Errs: keeps too much, never drops a pair within the bound.
 */
import type { RigidPose } from '../math/pose.js';
import { distanceLowerBound, overlaps, STRIDE, size, transform } from '../volumes/dop26.js';
import { EMPTY, isLeaf, LANES, leafCount, leafStart } from './layout.js';
import type { TreeView } from './tree-view.js';
import { blockBelow, type PairVisitor, type TraversalStats, type TreeletExpander } from './visitor.js';

/** In place of a slot: the whole tree. */
const ROOT = 0xffffffff;

const FRONT = -1;
const UNUSED = -2;

/** Covers the rounding of posed coordinates and of the motion itself. */
const MOTION_SLACK = 1e-13;

export class TestFront {
  readonly #a: TreeView;
  readonly #b: TreeView;
  readonly #expand: TreeletExpander | undefined;
  #slotA = new Uint32Array(64);
  #slotB = new Uint32Array(64);
  #child = new Int32Array(64);
  /** Motion at the last test plus the distance found: the pair stays apart until the motion reaches it. */
  #reach = new Float64Array(64);
  #groupCount = 1;
  readonly #free: number[] = [];
  #size = 1;
  #motion = 0;
  #lastPose: Readonly<RigidPose> | undefined;
  readonly #posed = new Float32Array(LANES * STRIDE);
  #posedSlot = ROOT;

  constructor(a: TreeView, b: TreeView, expand?: TreeletExpander) {
    this.#a = a;
    this.#b = b;
    this.#expand = expand;
    this.#child.fill(UNUSED, 0, LANES);
    this.#set(0, ROOT, ROOT);
  }

  /** Pairs on the front. */
  get size(): number {
    return this.#size;
  }

  /** Forgets distances, not the front: call it after either tree was refitted. */
  invalidate(): void {
    this.#reach.fill(-Infinity);
    this.#lastPose = undefined;
  }

  /** One step: reports every pair of leaves that may be within `visitor.bound` with B at `pose`. */
  update(pose: Readonly<RigidPose>, visitor: PairVisitor): TraversalStats {
    this.#a.refresh();
    this.#b.refresh();
    if (this.#lastPose) this.#motion += motionBetween(this.#lastPose, pose, this.#b.radius);
    this.#lastPose = Float64Array.from(pose);
    this.#posedSlot = ROOT;
    const stats = { volumeTests: 0, leafPairs: 0, stopped: false };
    this.#visit(0, pose, visitor, stats);
    return stats;
  }

  /** Returns whether the node ends up on the front as a separated pair. Recursion is as deep as both trees. */
  #visit(node: number, pose: Readonly<RigidPose>, visitor: PairVisitor, stats: TraversalStats): boolean {
    if (this.#child[node] === FRONT) {
      if (this.#isSeparated(node, pose, visitor, stats)) return true;
      const refA = this.#slotA[node] === ROOT ? EMPTY : this.#a.ref(this.#slotA[node]);
      const refB = this.#slotB[node] === ROOT ? EMPTY : this.#b.ref(this.#slotB[node]);
      if (isLeaf(refA) && isLeaf(refB)) {
        stats.leafPairs++;
        stats.stopped = visitor.leafPair(leafStart(refA), leafCount(refA), leafStart(refB), leafCount(refB));
        this.#a.refresh();
        this.#b.refresh();
        return false;
      }
      this.#open(node, isLeaf(refA), isLeaf(refB));
      this.#visitChildren(node, pose, visitor, stats);
      return false;
    }
    const testsBefore = stats.volumeTests;
    if (!this.#visitChildren(node, pose, visitor, stats)) return false;
    // nothing below has moved enough to be tested: the parent is not worth a test either
    if (stats.volumeTests === testsBefore || !this.#isSeparated(node, pose, visitor, stats)) return false;
    this.#collapse(node);
    return true;
  }

  #visitChildren(
    node: number,
    pose: Readonly<RigidPose>,
    visitor: PairVisitor,
    stats: TraversalStats,
  ): boolean {
    const first = LANES * this.#child[node];
    let separated = true;
    for (let n = first; n < first + LANES; n++) {
      if (this.#child[n] === UNUSED) continue;
      if (!this.#visit(n, pose, visitor, stats)) separated = false;
      if (stats.stopped) return false;
    }
    return separated;
  }

  #isSeparated(
    node: number,
    pose: Readonly<RigidPose>,
    visitor: PairVisitor,
    stats: TraversalStats,
  ): boolean {
    const slotA = this.#slotA[node];
    const slotB = this.#slotB[node];
    if (slotA === ROOT || slotB === ROOT) return false;
    if (this.#reach[node] - this.#motion > visitor.bound) return true;
    if (this.#posedSlot !== slotB) {
      transform(this.#b.floats, this.#b.volumeAt(slotB), pose, this.#posed, 0);
      this.#posedSlot = slotB;
    }
    const at = this.#a.volumeAt(slotA);
    if (!(visitor.bound > 0)) {
      stats.volumeTests++;
      if (overlaps(this.#a.floats, at, this.#posed, 0)) return false;
    }
    stats.volumeTests++;
    const distance = distanceLowerBound(this.#a.floats, at, this.#posed, 0);
    this.#reach[node] = this.#motion + distance;
    return distance > visitor.bound || !(visitor.bound > 0);
  }

  /** Puts the children of the larger side on the front instead of the node. */
  #open(node: number, leafA: boolean, leafB: boolean): void {
    const a = this.#a;
    const b = this.#b;
    const slotA = this.#slotA[node];
    const slotB = this.#slotB[node];
    let openA = slotA === ROOT;
    if (!openA && slotB !== ROOT && !leafA) {
      openA = leafB || size(a.floats, a.volumeAt(slotA)) >= size(b.floats, b.volumeAt(slotB));
    }
    const tree = openA ? a : b;
    const slot = openA ? slotA : slotB;
    const block = slot === ROOT ? 0 : blockBelow(tree, slot, this.#expand);
    const group = this.#takeGroup();
    this.#child[node] = group;
    this.#size--;
    for (let lane = 0; lane < LANES; lane++) {
      const child = LANES * block + lane;
      if (tree.ref(child) === EMPTY) this.#child[LANES * group + lane] = UNUSED;
      else {
        this.#set(LANES * group + lane, openA ? child : slotA, openA ? slotB : child);
        this.#size++;
      }
    }
  }

  #collapse(node: number): void {
    const group = this.#child[node];
    for (let n = LANES * group; n < LANES * (group + 1); n++) if (this.#child[n] !== UNUSED) this.#size--;
    this.#free.push(group);
    this.#child[node] = FRONT;
    this.#size++;
  }

  #set(node: number, slotA: number, slotB: number): void {
    this.#slotA[node] = slotA;
    this.#slotB[node] = slotB;
    this.#child[node] = FRONT;
    this.#reach[node] = -Infinity;
  }

  #takeGroup(): number {
    const reused = this.#free.pop();
    if (reused !== undefined) return reused;
    if (LANES * this.#groupCount === this.#child.length) this.#grow();
    return this.#groupCount++;
  }

  #grow(): void {
    const size = 2 * this.#child.length;
    const slotA = new Uint32Array(size);
    slotA.set(this.#slotA);
    this.#slotA = slotA;
    const slotB = new Uint32Array(size);
    slotB.set(this.#slotB);
    this.#slotB = slotB;
    const child = new Int32Array(size);
    child.set(this.#child);
    this.#child = child;
    const reach = new Float64Array(size);
    reach.set(this.#reach);
    this.#reach = reach;
  }
}

/** At least how far any point within `radius` of B's centre moves between two poses. */
function motionBetween(from: Readonly<RigidPose>, to: Readonly<RigidPose>, radius: number): number {
  let turnSq = 0;
  let shiftSq = 0;
  let magnitude = radius;
  for (let i = 0; i < 9; i++) turnSq += (to[i] - from[i]) ** 2;
  for (let i = 9; i < 12; i++) {
    shiftSq += (to[i] - from[i]) ** 2;
    magnitude += Math.abs(to[i]) + Math.abs(from[i]);
  }
  return Math.sqrt(turnSq) * radius + Math.sqrt(shiftSq) + MOTION_SLACK * magnitude;
}
