/** What a traversal asks of its caller, and what it tells it: shared by every kind and order. */
import type { RigidPose } from '../math/pose.js';
import { leafCount, leafStart } from './layout.js';
import type { TreeView } from './tree-view.js';

export interface PairVisitor {
  /** Pairs farther apart are dropped; 0 keeps what may overlap. May shrink while the traversal runs, never grow. */
  bound: number;
  /**
   * Two leaves that may be within the bound, as runs of leaf positions (`TreeView.triangleAt` names the triangles).
   * Returns true to stop.
   */
  leafPair(startA: number, countA: number, startB: number, countB: number): boolean;
}

export const TRAVERSAL_ORDERS = ['depth', 'breadth', 'closest'] as const;
/**
 * `depth` opens the newest pair first and holds the fewest, `breadth` the oldest, depth by depth, `closest` the pair
 * with the least lower bound.
 */
export type TraversalOrder = (typeof TRAVERSAL_ORDERS)[number];

export interface TraversalOptions {
  /** Default `depth`: depth first. */
  readonly order?: TraversalOrder;
}

export interface TraversalStats {
  volumeTests: number;
  leafPairs: number;
  /** Whether the visitor ended it. */
  stopped: boolean;
}

/**
 * Reports every pair of leaves that may be within `visitor.bound`; `pose` takes B's frame (its tree's centre at zero)
 * to A's. Without a pose, A with itself: each unordered pair of leaves once, and each leaf with itself.
 */
export type Walk = (
  a: TreeView,
  b: TreeView,
  pose: Readonly<RigidPose> | undefined,
  visitor: PairVisitor,
  order?: TraversalOrder,
) => TraversalStats;

/** Hands two leaves to the visitor, by their references. */
export function visitLeaves(
  visitor: PairVisitor,
  [a, refA]: readonly [TreeView, number],
  [b, refB]: readonly [TreeView, number],
  stats: TraversalStats,
): void {
  stats.leafPairs++;
  stats.stopped = visitor.leafPair(leafStart(refA), leafCount(refA), leafStart(refB), leafCount(refB));
  // the visitor may have allocated
  a.refresh();
  if (b !== a) b.refresh();
}
