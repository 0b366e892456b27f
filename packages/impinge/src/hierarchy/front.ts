/** Front tracking for any kind of tree: picks the front made for the kind (see front-obb.ts). */
import type { RigidPose } from '../math/pose.js';
import * as aabb from './front-aabb.js';
import * as dop26 from './front-dop26.js';
import * as obb from './front-obb.js';
import * as sphere from './front-sphere.js';
import { assertSameKind } from './traverse.js';
import type { TreeView } from './tree-view.js';
import type { PairVisitor, TraversalStats, TreeletExpander } from './visitor.js';

/** What is kept between the steps of two moving trees. */
export interface Front {
  /** Pairs on the front. */
  readonly size: number;
  /** One step: reports every pair of leaves that may be within `visitor.bound` with B at `pose`. */
  update(pose: Readonly<RigidPose>, visitor: PairVisitor): TraversalStats;
  /** Forgets distances, not the front: call it after either tree was refitted. */
  invalidate(): void;
}

/** Starts at the roots; both trees must have the same kind of volume and outlive the front. */
export function createFront(a: TreeView, b: TreeView, expand?: TreeletExpander): Front {
  assertSameKind(a, b);
  switch (a.kind) {
    case 'sphere':
      return new sphere.TestFront(a, b, expand);
    case 'aabb':
      return new aabb.TestFront(a, b, expand);
    case 'obb':
      return new obb.TestFront(a, b, expand);
    case 'dop26':
      return new dop26.TestFront(a, b, expand);
  }
}
