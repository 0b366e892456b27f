/**
 * Which triangles of two meshes come within a given distance of each other. A pair counts when its distance is at
 * most the one asked for, meeting pairs included.
 */
import { readLength } from '../../base/options.js';
import { kernel } from '../../kernel/kernel.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import {
  type CollideOptions,
  type CollideResult,
  collidePlaced,
  type PairsResult,
  readLimit,
  resultOf,
  runToLimit,
} from './collide.js';
import { distanceRounding, QueryContext, readPlacement } from './context.js';
import { hierarchyOf, portableKindFor } from './hierarchy-of.js';
import { findPairsPortable } from './portable.js';
import { findSmallPairs } from './small-pair.js';

export interface WithinOptions extends CollideOptions {
  /** In the meshes' unit; 0 asks for meeting pairs. */
  readonly distance: number;
}

export interface WithinResult extends PairsResult {
  /** Whether any pair is as close as that. */
  readonly within: boolean;
}

/** Finds the triangles of a and b that are at most `distance` apart. */
export function within(a: Mesh, b: Mesh, options: WithinOptions): WithinResult {
  const distance = readLength('distance', options.distance);
  const limit = readLimit(options);
  return asWithin(withinPlaced(a, b, readPlacement(options).bToA, limit, distance));
}

/** The same for sides that are placed already. */
export function withinPlaced(
  a: Mesh,
  b: Mesh,
  bToA: RigidPose,
  limit: number,
  distance: number,
): CollideResult {
  if (distance === 0) return collidePlaced(a, b, bToA, limit);
  // doubt is resolved by reporting: the bound is above what was asked for by more than rounding
  const bound = distance * (1 + 1e-14) + distanceRounding(a, b, bToA);
  const type = portableKindFor(a, b);
  if (type) return resultOf(findPairsPortable(a, b, bToA, limit, bound, type), limit);
  const small = findSmallPairs(a, b, bToA, { limit, bound });
  if (small) return resultOf(small, limit);
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit, bound });
  try {
    return runToLimit(query, limit, () => kernel().within(query.block));
  } finally {
    query.release();
  }
}

export function asWithin({ colliding, ...rest }: CollideResult): WithinResult {
  return { within: colliding, ...rest };
}
