/**
 * Which triangles of two meshes come within a given distance of each other. A pair counts when its distance is at
 * most the tolerance, meeting pairs included.
 */
import { ImpingeError } from '../base/errors.js';
import { kernel } from '../kernel/kernel.js';
import type { Mesh } from '../mesh/mesh.js';
import { readLimit, runToLimit } from './collide.js';
import { type PoseOptions, QueryContext, type QueryStats, readPlacement } from './context.js';
import { hierarchyOf } from './hierarchy-of.js';

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
  const limit = readLimit({ mode: options.limit === undefined ? 'any' : 'all', ...options });
  const { bToA } = readPlacement(options);
  // doubt is resolved by reporting: the bound is a little above what was asked for
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), bToA, { limit, bound: reach * (1 + 1e-14) });
  try {
    const { colliding, ...rest } = runToLimit(query, limit, () => kernel().within(query.block));
    return { within: colliding, ...rest };
  } finally {
    query.release();
  }
}
