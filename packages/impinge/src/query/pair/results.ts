/** What queries about two surfaces give back. */
import type { Vec3 } from '../../math/pose.js';
import type { QueryStats } from './context.js';

/** Pairs of triangles. */
export interface PairsResult {
  readonly count: number;
  /** Triangle of a, triangle of b, alternating; sorted. In mode `any`, the pair that was found first. */
  readonly pairs: Uint32Array;
  /** False when the search stopped early: there may be more pairs. */
  readonly complete: boolean;
  /** How far the geometry asked about may be from the geometry meant; 0 for meshes. */
  readonly error: number;
  readonly stats: QueryStats;
}

export interface CollideResult extends PairsResult {
  readonly colliding: boolean;
}

export interface DistanceResult {
  /** 0 when the meshes meet, Infinity when they are farther apart than `atMost`. */
  readonly distance: number;
  /** The closest points, in the world (in a's frame when only `pose` is given); undefined beyond `atMost`. */
  readonly pointA: Vec3 | undefined;
  readonly pointB: Vec3 | undefined;
  /** The triangles they lie on, or −1. */
  readonly triangleA: number;
  readonly triangleB: number;
  /** What they lie on there: 0 … 2 corner, 3 … 5 edge (3 + i joins corners i and i + 1), 6 the face; or −1. */
  readonly featureA: number;
  readonly featureB: number;
  /** How far the geometry asked about may be from the geometry meant; 0 for meshes. */
  readonly error: number;
  readonly stats: QueryStats;
}

export interface WithinResult extends PairsResult {
  /** Whether any pair is as close as that. */
  readonly within: boolean;
}
