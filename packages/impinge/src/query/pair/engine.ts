/**
 * What `collide`, `within` and `distance` can ask besides meshes: a model in a store, one with several resolutions.
 *
 * An engine hands out its surface near a box as meshes, so that any engine can be asked about any other, and answers
 * for the two of them. `PartsEngine` has these answers ready; an engine that knows a faster way gives its own.
 */
import { readLength } from '../../base/options.js';
import type { RigidPose, Vec3 } from '../../math/pose.js';
import { assertMesh, type Mesh } from '../../mesh/mesh.js';
import type { BoxBound } from '../../scene/nearest-first.js';
import type { QueryStats } from './context.js';
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
   * The parts with boxes within `distance()` of the box `near` (minimum and maximum, in the engine's frame), the
   * nearest first. `distance()` may become less on the way. A part's mesh is there until the next part is asked for.
   */
  parts(near: Float64Array, distance: () => number): AsyncIterable<EnginePart>;
  /**
   * The parts in whose boxes, in the engine's frame, a bound is at most `limit()`, in the order of their bounds;
   * `limit()` may become less on the way. For rays, sweeps and whatever else boxes around the question are too large
   * for; an engine need not have it.
   */
  partsBy?(bound: BoxBound, limit: () => number): AsyncIterable<EnginePart>;
  /**
   * The objects that a point, three numbers in the engine's frame, is inside of, each as an engine of its own. Objects
   * whose boxes hold it must be closed, else 'bad-input'. For signed distances; an engine need not have it.
   */
  objectsAround?(point: Float64Array): Promise<readonly QueryEngine[]>;
  /** The pairs of triangles at most `distance` apart. One side is this engine. */
  pairs(request: PairsRequest): Promise<EngineCollideResult>;
  /** The pairs of objects at most `distance` apart, how far and where. */
  hits(request: HitsRequest): Promise<HitsResult>;
  closest(request: ClosestRequest): Promise<EngineDistanceResult>;
}

/** Something that a limit of error may depend on. */
export interface ErrorContext {
  /** The largest extents of a and b. */
  readonly sizeA: number;
  readonly sizeB: number;
  /** How far a point of b has moved at most, seen from a, since the two were last asked about; 0 the first time. */
  readonly moved: number;
}

/** How far answers may be off, or a function that says so. */
export type ErrorLimit = number | ((context: ErrorContext) => number);

export interface ErrorOptions {
  /** How far the answer may be off, where it saves time: for engines with levels (default 0). */
  readonly error?: ErrorLimit;
  /** Goes on to the original triangles whatever the error: the answer is the same as without one (default false). */
  readonly exact?: boolean;
}

export const ERROR_NAMES = { error: true, exact: true } as const;

export function readErrorLimit({ error = 0, exact }: ErrorOptions): ErrorLimit {
  const limit = typeof error === 'function' ? error : readLength('error', error);
  return exact ? 0 : limit;
}

/** One of two that are asked about together. */
export type Side = Mesh | QueryEngine;

/** Two meshes are answered for at once; where one of the two is an engine, the answer is promised. */
export type PairAnswer<A extends Side, B extends Side, OfMeshes, OfEngines> = A extends Mesh
  ? B extends Mesh
    ? OfMeshes
    : Promise<OfEngines>
  : Promise<OfEngines>;

export interface EngineRequest {
  readonly a: Side;
  readonly b: Side;
  /** From b's frame to a's, and from a's to the world. */
  readonly bToA: RigidPose;
  readonly aToWorld: RigidPose;
  /** How far the answer may be off. An engine may always do better. */
  readonly error: ErrorLimit;
  /** Who moves: what an engine remembers between questions, it remembers for that one (default: for the other side). */
  readonly mover?: object;
}

export interface PairsRequest extends EngineRequest {
  readonly distance: number;
  readonly limit: number;
}

export interface HitsRequest extends EngineRequest {
  readonly distance: number;
  /** Whether pairs of triangles are counted, or not. */
  readonly mode: 'all' | 'any';
}

export interface ClosestRequest extends EngineRequest {
  readonly atMost: number;
}

/** Where the triangles of `pairs` are: of a and of b, alternating. A mesh is object 0, piece 0. */
export interface EngineCollideResult extends CollideResult {
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
  /** Where an error was made use of: what the pairs stand for. */
  readonly patches?: PatchColumns;
}

/**
 * Pairs of patches instead of pairs of triangles. A patch is a few neighbouring triangles, of which `pairs` names one,
 * no farther apart than eight times the error; or a few large ones. Two numbers per pair.
 */
export interface PatchColumns {
  /** The originals come nearer than the second number, and not nearer than the first. */
  readonly bounds: Float64Array;
  /** How many triangles the patches have, of a, of b, and where these begin in the order of their pieces' trees. */
  readonly counts: Uint32Array;
  readonly firsts: Uint32Array;
}

export type EngineWithinResult = Omit<EngineCollideResult, 'colliding'> & WithinResult;

/** Two objects that come as near as was asked about. */
export interface Hit {
  readonly objectA: number;
  readonly objectB: number;
  /** Pairs of triangles that do; of patches, where an error was made use of. 1 in mode `any`. */
  readonly count: number;
  /** Their distance is not less than the first and not more than the second. */
  readonly bounds: readonly [number, number];
  /** Where they are nearest, in the world. */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

export interface HitsResult {
  readonly count: number;
  /** In the order of their objects. */
  readonly hits: readonly Hit[];
  /** False where pairs were not counted; no hit is ever left out. */
  readonly complete: boolean;
  readonly error: number;
  readonly stats: QueryStats;
}

export interface EngineDistanceResult extends DistanceResult {
  /** The distance is not less than the first and not more than the second. */
  readonly bounds: readonly [number, number];
  /** What the closest points lie on, or −1. */
  readonly objectA: number;
  readonly pieceA: number;
  readonly objectB: number;
  readonly pieceB: number;
}

/** Asks one after the other: pieces that several come to stay in an engine's memory meanwhile. */
export async function inTurn<One, Answer>(
  all: Iterable<One>,
  ask: (one: One) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const one of all) answers.push(await ask(one));
  return answers;
}

/** Columns that say where answers of an engine are; −1 where there is none. */
export function placeColumns(
  found: readonly ({ readonly object: number; readonly piece: number } | undefined)[],
): { objects: Int32Array; pieces: Int32Array } {
  return {
    objects: Int32Array.from(found, (one) => one?.object ?? -1),
    pieces: Int32Array.from(found, (one) => one?.piece ?? -1),
  };
}

/** Who answers, where not both sides are meshes. */
export function engineOf(a: Side, b: Side): QueryEngine | undefined {
  for (const side of [a, b]) if (!isEngine(side)) assertMesh(side);
  return isEngine(a) ? a : isEngine(b) ? b : undefined;
}

export function isEngine(side: unknown): side is QueryEngine {
  return typeof side === 'object' && side !== null && 'parts' in side;
}
