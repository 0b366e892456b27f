/** Which objects of two sides meet or come within a distance of each other, how far apart they are, and where. */
import { readChoice, readKnown, readLength } from '../../base/options.js';
import type { Mesh } from '../../mesh/mesh.js';
import { type Target, whenVisited } from '../target.js';
import { MODES } from './collide.js';
import { POSE_NAMES, type PoseOptions, readPlacement } from './context.js';
import { HitList } from './hit-list.js';
import { areParted, askPair, eachNearPair, errorOf, placementOf, stretchedPair } from './near-pairs.js';
import {
  ERROR_NAMES,
  type ErrorOptions,
  type HitsRequest,
  type PairAnswer,
  readErrorLimit,
} from './pair-request.js';
import type { HitsResult } from './results.js';

export interface HitsOptions extends PoseOptions, ErrorOptions {
  /** In the meshes' unit; 0 (default): meeting pairs. */
  readonly distance?: number;
  /** `all`: pairs of triangles are counted (default); `any`: they are not, which is faster. */
  readonly mode?: 'any' | 'all';
}

const NAMES = { ...POSE_NAMES, ...ERROR_NAMES, distance: true, mode: true } as const;

/** Finds the objects of a and b that are at most `distance` apart; a mesh is one object, number 0. */
export function hits<A extends Target, B extends Target>(
  a: A,
  b: B,
  options?: HitsOptions,
): PairAnswer<A, B, HitsResult<A, B>>;
export function hits(a: Target, b: Target, options: HitsOptions = {}): unknown {
  const distance = readLength('distance', readKnown('hits', options, NAMES).distance ?? 0);
  const placed = readPlacement(options);
  const error = readErrorLimit(options);
  const question = { distance, mode: readChoice('mode', options.mode ?? 'all', MODES) };
  if (areParted(a, b)) return askPair('hits', { a, b, ...placed, ...question, error }, hitsOfParts);
  const list = new HitList();
  list.of(0, 0).addMeshes(a as Mesh, b as Mesh, placed, question, list.stats);
  return list.result(question.mode, 0);
}

export function hitsOfParts(request: HitsRequest): HitsResult | Promise<HitsResult> {
  const list = new HitList();
  const visited = eachNearPair(request, request.distance, (pair, limit) => {
    const { a, b } = pair;
    const placed = stretchedPair(pair) ?? placementOf(pair);
    list.of(a.place.object, b.place.object).addMeshes(a.mesh, b.mesh, placed, request, list.stats);
    return limit;
  });
  return whenVisited(visited, () => list.result(request.mode, errorOf(request)));
}
