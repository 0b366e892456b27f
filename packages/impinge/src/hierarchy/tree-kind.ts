/** A kind of tree: its volumes, and the traversal made for them. */
import type { RigidPose } from '../math/pose.js';
import type { VolumeKind } from '../volumes/kinds.js';
import type { FittedVolume, VolumeModule } from '../volumes/volume.js';
import type { TreeView } from './tree-view.js';
import type { PairVisitor, TraversalOptions, TraversalStats } from './visitor.js';

/** How trees are walked without kernels. */
export interface TreeWalk {
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

export interface TreeKind<Volume = VolumeModule> extends TreeWalk {
  readonly volume: Volume;
}

export type TreeKinds = Readonly<Record<FittedKind, TreeKind<FittedVolume>>> & { readonly obb: TreeKind };

/** The kinds that the kernels do not know. */
export type FittedKind = Exclude<VolumeKind, 'obb'>;
