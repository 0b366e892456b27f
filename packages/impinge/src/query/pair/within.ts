/**
 * Which triangles of two meshes come within a given distance of each other. A pair counts when its distance is at
 * most the tolerance, meeting pairs included.
 */
import { ImpingeError } from '../../base/errors.js';
import { kernel } from '../../kernel/kernel.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type CollideResult, collidePlaced, readLimit, resultOf, runToLimit } from './collide.js';
import {
  distanceRounding,
  type PoseOptions,
  QueryContext,
  type QueryStats,
  readPlacement,
} from './context.js';
import { hierarchyOf, portableKindFor } from './hierarchy-of.js';
import { findPairsPortable } from './portable.js';
import { findSmallPairs } from './small-pair.js';

export interface ToleranceOptions extends PoseOptions {
  /** Distance in the meshes' unit; 0 asks for meeting pairs. */
  readonly tolerance: number;
  /** `any`: stop at the first pair (default); `all` pairs. */
  readonly mode?: 'any' | 'all';
  readonly limit?: number;
}

export interface ToleranceResult {
  readonly within: boolean;
  /** Triangle of a, triangle of b, alternating; sorted. */
  readonly pairs: Uint32Array;
  readonly pairCount: number;
  readonly complete: boolean;
  readonly stats: QueryStats;
}

/** Finds out whether, or where, a and b are closer than `tolerance`. */
export function tolerance(a: Mesh, b: Mesh, options: ToleranceOptions): ToleranceResult {
  const reach = options.tolerance;
  if (!(reach >= 0 && reach < Infinity)) {
    throw new ImpingeError('bad-option', `tolerance must be a finite number of at least 0, got ${reach}`);
  }
  const limit = readLimit({
    ...options,
    mode: options.mode ?? (options.limit === undefined ? 'any' : 'all'),
  });
  return renamed(withinPlaced(a, b, readPlacement(options).bToA, limit, reach));
}

/** The same for sides that are placed already. */
export function withinPlaced(a: Mesh, b: Mesh, bToA: RigidPose, limit: number, reach: number): CollideResult {
  if (reach === 0) return collidePlaced(a, b, bToA, limit);
  // doubt is resolved by reporting: the bound is above what was asked for by more than rounding
  const bound = reach * (1 + 1e-14) + distanceRounding(a, b, bToA);
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

export function renamed({ colliding, ...rest }: CollideResult): ToleranceResult {
  return { within: colliding, ...rest };
}
