/** A kind of tree: its volumes, and the traversal made for them. */
import type { RigidPose } from '../math/pose.js';
import type { VolumeKind } from '../volumes/kinds.js';
import * as obb from '../volumes/obb.js';
import type { VolumeModule } from '../volumes/volume.js';
import { traversePair, traverseSelf } from './traverse.js';
import type { TreeView } from './tree-view.js';
import type { PairVisitor, TraversalOptions, TraversalStats } from './visitor.js';

export interface TreeKind {
  readonly kind: VolumeKind;
  readonly volume: VolumeModule;
  /**
   * Reports every pair of leaves that may be within `visitor.bound`; `pose` takes B's frame (its tree's centre at zero)
   * to A's. Both trees are of this kind.
   */
  traversePair(
    a: TreeView,
    b: TreeView,
    pose: Readonly<RigidPose>,
    visitor: PairVisitor,
    options?: TraversalOptions,
  ): TraversalStats;
  /** Reports each unordered pair of leaves of one tree that may be within the bound, and each leaf with itself. */
  traverseSelf(tree: TreeView, visitor: PairVisitor, options?: TraversalOptions): TraversalStats;
}

/** The kind that the kernels know, and that queries use unless told otherwise. */
export const OBB_TREES: TreeKind = { kind: 'obb', volume: obb, traversePair, traverseSelf };
