/** Which objects of two sides meet or come within a distance of each other, how far apart they are, and where. */
import { readChoice, readKnown, readLength } from '../../base/options.js';
import type { Mesh } from '../../mesh/mesh.js';
import { whileUnchanged } from '../../mesh/revisions.js';
import { MODES } from './collide.js';
import { POSE_NAMES, type PoseOptions, readPlacement } from './context.js';
import {
  ERROR_NAMES,
  type ErrorOptions,
  engineOf,
  type HitsResult,
  type PairAnswer,
  readErrorLimit,
  type Side,
} from './engine.js';
import { HitList } from './hit-list.js';

export interface HitsOptions extends PoseOptions, ErrorOptions {
  /** In the meshes' unit; 0 (default): meeting pairs. */
  readonly distance?: number;
  /** `all`: pairs of triangles are counted (default); `any`: they are not, which is faster. */
  readonly mode?: 'any' | 'all';
}

const NAMES = { ...POSE_NAMES, ...ERROR_NAMES, distance: true, mode: true } as const;

/** Finds the objects of a and b that are at most `distance` apart; a mesh is one object, number 0. */
export function hits<A extends Side, B extends Side>(
  a: A,
  b: B,
  options?: HitsOptions,
): PairAnswer<A, B, HitsResult, HitsResult>;
export function hits(a: Side, b: Side, options: HitsOptions = {}): unknown {
  const distance = readLength('distance', readKnown('hits', options, NAMES).distance ?? 0);
  const placed = readPlacement(options);
  const error = readErrorLimit(options);
  const question = { distance, mode: readChoice('mode', options.mode ?? 'all', MODES) };
  const engine = engineOf(a, b);
  if (engine) return whileUnchanged([a, b], () => engine.hits({ a, b, ...placed, ...question, error }));
  const list = new HitList();
  list.of(0, 0).addMeshes(a as Mesh, b as Mesh, placed, question, list.stats);
  return list.result(question.mode, 0);
}
