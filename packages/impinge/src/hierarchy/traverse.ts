/**
 * Traversals of any kind of tree: picks the one made for the kind. The code for one kind is traverse-obb.ts; the
 * others are generated from it by scripts/generate-traversals.mjs, because a traversal that is generic over five
 * kinds costs 1.4–2 times as much as one source per kind.
 */
import { ImpingeError } from '../base/errors.js';
import type { RigidPose } from '../math/pose.js';
import type { VolumeKind } from './layout.js';
import * as aabb from './traverse-aabb.js';
import * as dop26 from './traverse-dop26.js';
import * as obb from './traverse-obb.js';
import * as sphere from './traverse-sphere.js';
import type { TreeView } from './tree-view.js';
import type { PairVisitor, TraversalOptions, TraversalStats } from './visitor.js';

function traversalOf(kind: VolumeKind): typeof obb {
  switch (kind) {
    case 'sphere':
      return sphere;
    case 'aabb':
      return aabb;
    case 'obb':
      return obb;
    case 'dop26':
      return dop26;
  }
}

/**
 * Reports every pair of leaves that may be within `visitor.bound`; `pose` takes B's frame (its tree's centre at
 * zero) to A's. Both trees must have the same kind of volume.
 */
export function traversePair(
  a: TreeView,
  b: TreeView,
  pose: Readonly<RigidPose>,
  visitor: PairVisitor,
  options?: TraversalOptions,
): TraversalStats {
  assertSameKind(a, b);
  return traversalOf(a.kind).traversePair(a, b, pose, visitor, options);
}

/** Reports each unordered pair of leaves of one tree that may be within the bound, and each leaf with itself. */
export function traverseSelf(
  tree: TreeView,
  visitor: PairVisitor,
  options?: TraversalOptions,
): TraversalStats {
  return traversalOf(tree.kind).traverseSelf(tree, visitor, options);
}

export function assertSameKind(a: TreeView, b: TreeView): void {
  if (a.kind === b.kind) return;
  throw new ImpingeError(
    'bad-input',
    `a tree of ${a.kind} volumes cannot be tested against one of ${b.kind}`,
  );
}
