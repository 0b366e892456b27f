/**
 * What `collide`, `within` and `distance` can ask besides meshes: a model in a store, one with several resolutions.
 *
 * An engine hands out its surface near a box as meshes, so that any engine can be asked about any other, and answers for
 * the two of them. `PartsEngine` has these answers ready; an engine that knows a faster way gives its own.
 */
import type { RigidPose, Vec3 } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { CollideResult, DistanceResult, WithinResult } from './results.js';

/** A part of a surface that can be asked about as a mesh. */
export interface EnginePart {
  /** What answers call it: its object, and which piece of that. Triangles are numbered within the piece. */
  readonly object: number;
  readonly piece: number;
  readonly mesh: Mesh;
  /** From the mesh's frame to the engine's. */
  readonly pose: RigidPose;
}

export interface QueryEngine {
  readonly name: string;
  /** Around everything, in the engine's frame. */
  readonly box: { readonly min: Vec3; readonly max: Vec3 };
  /** Certified: no point of the parts is farther from the surface meant, or the other way round. */
  readonly error: number;
  /**
   * The parts with boxes within `distance()` of the box `near` (minimum and maximum, in the engine's frame), the nearest
   * first. `distance()` may become less on the way. A part's mesh is there until the next part is asked for.
   */
  parts(near: Float64Array, distance: () => number): AsyncIterable<EnginePart>;
  /** The pairs of triangles at most `distance` apart. One side is this engine. */
  pairs(request: PairsRequest): Promise<EngineCollideResult>;
  closest(request: ClosestRequest): Promise<EngineDistanceResult>;
}

export interface EngineRequest {
  readonly a: Mesh | QueryEngine;
  readonly b: Mesh | QueryEngine;
  /** From b's frame to a's, and from a's to the world. */
  readonly bToA: RigidPose;
  readonly aToWorld: RigidPose;
}

export interface PairsRequest extends EngineRequest {
  readonly distance: number;
  readonly limit: number;
}

export interface ClosestRequest extends EngineRequest {
  readonly atMost: number;
}

/** Where the triangles of `pairs` are: of a and of b, alternating. A mesh is object 0, piece 0. */
export interface EngineCollideResult extends CollideResult {
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
}

export type EngineWithinResult = Omit<EngineCollideResult, 'colliding'> & WithinResult;

export interface EngineDistanceResult extends DistanceResult {
  /** What the closest points lie on, or −1. */
  readonly objectA: number;
  readonly pieceA: number;
  readonly objectB: number;
  readonly pieceB: number;
}

/** Who answers, where not both sides are meshes. */
export function engineOf(a: Mesh | QueryEngine, b: Mesh | QueryEngine): QueryEngine | undefined {
  const [ofA, ofB] = [isEngine(a), isEngine(b)];
  if (!ofA) assertMesh(a as Mesh);
  if (!ofB) assertMesh(b as Mesh);
  return ofA ? (a as QueryEngine) : ofB ? (b as QueryEngine) : undefined;
}

function isEngine(side: Mesh | QueryEngine): boolean {
  return typeof side === 'object' && side !== null && 'parts' in side;
}
