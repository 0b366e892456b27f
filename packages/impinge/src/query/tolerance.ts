/**
 * Which triangles of two meshes come within a given distance of each other. A pair counts when its distance is at
 * most the tolerance, meeting pairs included.
 */
import { ImpingeError } from '../base/errors.js';
import { kernel, kernelSupported } from '../kernel/kernel.js';
import type { Mesh } from '../mesh/mesh.js';
import { type CollideResult, collide, readLimit, resultOf, runToLimit } from './collide.js';
import {
  distanceRounding,
  type PoseOptions,
  QueryContext,
  type QueryStats,
  readPlacement,
} from './context.js';
import { hierarchyOf } from './hierarchy-of.js';
import { findPairsPortable } from './portable.js';

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
  const { bToA } = readPlacement(options);
  if (reach === 0) return renamed(collide(a, b, { ...options, mode: limit === 1 ? 'any' : 'all' }));
  // doubt is resolved by reporting: the bound is above what was asked for by more than rounding
  const bound = reach * (1 + 1e-14) + distanceRounding(a, b, bToA);
  if (!kernelSupported()) return renamed(resultOf(findPairsPortable(a, b, bToA, limit, bound), limit));
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit, bound });
  try {
    return renamed(runToLimit(query, limit, () => kernel().within(query.block)));
  } finally {
    query.release();
  }
}

export function renamed({ colliding, ...rest }: CollideResult): ToleranceResult {
  return { within: colliding, ...rest };
}
