/**
 * The interface between the culler and its device: an input, a request, a result.
 *
 * A backend may keep too much; it must never drop an object, or a pair of triangles, that meets. How that holds at any
 * resolution is proved in frame.ts (numbers) and visibility.ts (pixels).
 */
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Mesh } from 'impinge/internal/mesh/mesh.js';
import type { BackendKind, CullingMethod, CullingStage, StageStats } from './types.js';

/** Numbers per object in `CullingInput.table`. */
export const TABLE_STRIDE = 16;

/** Where in a row of the table something is. */
export const Row = {
  /** Three rows of four: rotation and translation, from stored positions of the mesh to the frame. */
  matrix: 0,
  /** The length by which everything of the object is enlarged before it is culled: rounding, and half the distance. */
  margin: 12,
  /** Maximum error of a coordinate in the frame: rounding alone. */
  rounding: 13,
  /** 1 if the object is tested against itself. */
  self: 14,
} as const;

/** An object as backends see it. */
export interface InputObject {
  readonly id: number;
  readonly mesh: Mesh;
  readonly pose: RigidPose;
  readonly self: boolean;
}

/**
 * All objects, numbered densely in the order of their ids.
 *
 * Layout: object o has the parts `partBase[o]` … `partBase[o + 1]`, each `partSize` triangles, the last one fewer. Its
 * triangle t has the slot `partSize · partBase[o] + t`: slots rise with (object, triangle).
 */
export interface CullingInput {
  readonly objects: readonly InputObject[];
  readonly partSize: number;
  readonly partBase: Uint32Array;
  /**
   * Changes whenever objects are added, removed or get a new mesh. Positions change with `mesh.revision`, poses at any
   * time.
   */
  readonly layout: number;
  /** TABLE_STRIDE numbers per object; see `Row`. */
  readonly table: Float32Array;
  /**
   * Half the sides of the frame, which is centred at 0: |coordinate| + margin is less for all objects; at most 1.
   * Coordinates of the frame are (world − origin) · scale, scale a power of two.
   */
  readonly half: readonly [number, number, number];
}

export interface CullingRequest {
  /** `objects`: which objects may collide. `pairs`: which triangles. */
  readonly kind: 'objects' | 'pairs';
  /** Pairs up to this far apart, in units of the frame, rounded up; the margins hold half of it. 0: pairs that meet. */
  readonly distance: number;
  readonly method: CullingMethod;
  readonly stages: readonly CullingStage[];
  readonly resolution: number;
  readonly rounds: number;
  /** Nine numbers per view, rows u, v, w of a rotation: pixels along u and v, depth along w. The axes come first. */
  readonly views: Float32Array;
  /** A clock in milliseconds. */
  readonly now: () => number;
}

/**
 * Pairs of triangles, the lower first: sorted by first object, its triangle, second object, its triangle.
 * Layout: entry 2 i and 2 i + 1 of `objects` (ids) and `triangles`.
 */
export interface Columns {
  readonly count: number;
  readonly objects: Uint32Array;
  readonly triangles: Uint32Array;
}

export interface BackendResult {
  /** Objects that may collide, as places in the input, rising. */
  readonly objects: Uint32Array;
  /** Pairs of slots that meet for certain, the lower first, in any order; empty if the distance is above 0. */
  readonly meeting: Uint32Array;
  /**
   * The pairs that certainly meet, instead of `meeting`, which is empty then. Valid until the next request, or until
   * the device is lost: then the arrays are shorter than `count`.
   */
  readonly columns?: Columns;
  /** Pairs of slots still to be decided. */
  readonly doubtful: Uint32Array;
  readonly stages: readonly StageStats[];
  readonly candidates: number;
  readonly ms: { readonly calls: number; readonly device?: number; readonly wait: number };
}

/**
 * `ask` rejects with an ImpingeError: after 'device-lost', 'out-of-memory' or 'unsupported' the backend is unusable,
 * and another device may succeed. One request at a time.
 */
export interface Backend {
  readonly kind: BackendKind;
  /** For people: which device this is. */
  readonly description: string;
  ask(input: CullingInput, request: CullingRequest): Promise<BackendResult>;
  dispose(): void;
}
