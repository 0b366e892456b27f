/** Traversals of two trees, or of one with itself. */
import { ImpingeError } from '../base/errors.js';
import { readAtMost, readChoice, readFunction, readKnown } from '../base/options.js';
import { type Pose, toRigidPose } from '../math/pose.js';
import { VOLUMES } from '../volumes/volumes.js';
import { lazyViewOf } from './build-obb.js';
import { assertFitted, type Hierarchy } from './hierarchy.js';
import { walkOf } from './traverse.js';
import {
  type PairVisitor,
  TRAVERSAL_ORDERS,
  type TraversalOptions,
  type TraversalOrder,
  type TraversalStats,
} from './visitor.js';

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
  const order = readOrder('traversePair', visitor, options);
  const between = toRigidPose(pose);
  if (a.kind !== b.kind)
    throw new ImpingeError(
      'bad-input',
      `a tree of ${a.kind} cannot be walked together with one of ${b.kind}`,
    );
  return walkOf(VOLUMES[a.kind])(lazyViewOf(a), lazyViewOf(b), between, visitor, order);
}

/** Reports each unordered pair of leaves of one tree that may be within the bound, and each leaf with itself. */
export function traverseSelf(
  tree: Hierarchy,
  visitor: PairVisitor,
  options?: TraversalOptions,
): TraversalStats {
  assertFitted(tree);
  const order = readOrder('traverseSelf', visitor, options);
  const view = lazyViewOf(tree);
  return walkOf(VOLUMES[tree.kind])(view, view, undefined, visitor, order);
}

function readOrder(
  call: string,
  visitor: PairVisitor,
  options: TraversalOptions | undefined,
): TraversalOrder {
  const { order = 'depth' } = readKnown(call, options === undefined ? {} : options, { order: true });
  readFunction('leafPair', visitor?.leafPair);
  readAtMost('bound', visitor.bound);
  return readChoice('order', order, TRAVERSAL_ORDERS);
}
