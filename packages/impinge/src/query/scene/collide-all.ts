/** Which objects of a scene meet, or come too close, and where: the scene finds near pairs, the kernels decide. */
import type { ObjectId, Scene } from '../../scene/scene.js';
import { readLimit } from '../pair/collide.js';
import { type QueryStats, relativePose } from '../pair/context.js';
import { withinPlaced } from '../pair/within.js';

export interface CollideAllOptions {
  /** `any`: one triangle pair per object pair (default); `all` of them. */
  readonly mode?: 'any' | 'all';
  /** Report pairs closer than this as well, in the meshes' unit (default 0: meeting pairs). */
  readonly tolerance?: number;
  /** Most triangle pairs per object pair. */
  readonly limit?: number;
  /** Leave out pairs of objects for which this is false. */
  readonly filter?: (a: ObjectId, b: ObjectId) => boolean;
}

export interface ObjectPair {
  readonly a: ObjectId;
  readonly b: ObjectId;
  /** Triangle of a, triangle of b, alternating; sorted. */
  readonly pairs: Uint32Array;
  readonly pairCount: number;
  readonly complete: boolean;
}

export interface CollideAllResult {
  /** Object pairs that meet, ordered by a, then b, as the scene orders its objects. */
  readonly objects: readonly ObjectPair[];
  readonly stats: QueryStats & { readonly candidates: number };
}

/** Finds all pairs of objects in a scene that meet, or come within `tolerance`. */
export function collideAll(scene: Scene, options: CollideAllOptions = {}): CollideAllResult {
  const reach = options.tolerance ?? 0;
  const mode = options.mode ?? (options.limit === undefined ? 'any' : 'all');
  const limit = readLimit({ ...options, mode });
  const objects: ObjectPair[] = [];
  const stats = { volumeTests: 0, triangleTests: 0, exactTests: 0, adaptiveTests: 0, candidates: 0 };
  for (const [a, b] of scene.pairs(reach)) {
    if (options.filter && !options.filter(a, b)) continue;
    const bToA = relativePose(scene.placeOf(a), scene.placeOf(b));
    const found = withinPlaced(scene.meshOf(a), scene.meshOf(b), bToA, limit, reach);
    stats.candidates++;
    stats.volumeTests += found.stats.volumeTests;
    stats.triangleTests += found.stats.triangleTests;
    stats.exactTests += found.stats.exactTests;
    stats.adaptiveTests += found.stats.adaptiveTests;
    if (found.pairCount > 0) {
      objects.push({ a, b, pairs: found.pairs, pairCount: found.pairCount, complete: found.complete });
    }
  }
  return { objects, stats };
}
