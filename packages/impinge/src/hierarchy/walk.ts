/** Traversals of two trees, or of one with itself, by the code made for their kind. */
import { ImpingeError } from '../base/errors.js';
import { readAtMost, readChoice, readFunction, readKnown } from '../base/options.js';
import { type Pose, toRigidPose } from '../math/pose.js';
import { lazyViewOf } from './build-obb.js';
import { assertFitted, type Hierarchy } from './hierarchy.js';
import { TREE_KINDS } from './tree-kinds.generated.js';
import { type PairVisitor, TRAVERSAL_ORDERS, type TraversalOptions, type TraversalStats } from './visitor.js';

/**
 * Reports every pair of leaves that may be within `visitor.bound`; `pose` takes B's frame (its tree's centre at zero)
 * to A's. Both trees must have the same kind of volume. Lazy ones grow where it comes.
 */
export function traversePair(
  a: Hierarchy,
  b: Hierarchy,
  pose: Pose,
  visitor: PairVisitor,
  options?: TraversalOptions,
): TraversalStats {
  assertFitted(a);
  assertFitted(b);
  checkVisit('traversePair', visitor, options);
  const between = toRigidPose(pose);
  if (a.kind !== b.kind)
    throw new ImpingeError(
      'bad-input',
      `a tree of ${a.kind} cannot be walked together with one of ${b.kind}`,
    );
  return TREE_KINDS[a.kind].traversePair(lazyViewOf(a), lazyViewOf(b), between, visitor, options);
}

/** Reports each unordered pair of leaves of one tree that may be within the bound, and each leaf with itself. */
export function traverseSelf(
  tree: Hierarchy,
  visitor: PairVisitor,
  options?: TraversalOptions,
): TraversalStats {
  assertFitted(tree);
  checkVisit('traverseSelf', visitor, options);
  return TREE_KINDS[tree.kind].traverseSelf(lazyViewOf(tree), visitor, options);
}

function checkVisit(call: string, visitor: PairVisitor, options: TraversalOptions | undefined): void {
  const { order = 'depth' } = readKnown(call, options === undefined ? {} : options, { order: true });
  readChoice('order', order, TRAVERSAL_ORDERS);
  readFunction('leafPair', visitor?.leafPair);
  readAtMost('bound', visitor.bound);
}
