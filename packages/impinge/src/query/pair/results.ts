/** What queries about two targets give back. */
import type { Vec3 } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Scene, SceneObject } from '../../scene/scene.js';
import type { PartsTarget, Target } from '../target.js';
import type { QueryStats } from './context.js';

/** Where the triangles of `pairs` are: of a and of b, alternating. Between two meshes there is nothing to say. */
export type PairPlaces<A extends Target = Mesh, B extends Target = Mesh> = [A | B] extends [Mesh]
  ? { readonly objects?: undefined; readonly pieces?: undefined; readonly patches?: undefined }
  : {
      /** Objects of scenes, and numbers of others; a mesh is object 0. */
      readonly objects: [A | B] extends [Mesh | PartsTarget]
        ? Uint32Array
        : readonly (SceneObject | number)[];
      /** Of stored models; a mesh, and an object of a scene, is one piece: 0. */
      readonly pieces: Uint32Array;
      /** Where an error was made use of: what the pairs stand for. */
      readonly patches?: PatchColumns;
    };

/**
 * Pairs of patches instead of pairs of triangles. A patch is a piece, or neighbouring triangles of one as far apart as
 * `patch` permits, or a few large ones; `pairs` names one of them. Two numbers per pair.
 */
export interface PatchColumns {
  /** The originals come nearer than the second number, and not nearer than the first. */
  readonly bounds: Float64Array;
  /** How many triangles the patches have, of a, of b, and where these begin in the order of their pieces' trees. */
  readonly counts: Uint32Array;
  readonly firsts: Uint32Array;
}

/** Pairs of triangles. */
export type PairsResult<A extends Target = Mesh, B extends Target = Mesh> = PairPlaces<A, B> & {
  readonly count: number;
  /**
   * Triangle of a, triangle of b, alternating; sorted, by objects and pieces first. In mode `any`, the pair that was
   * found first. Of a primitive, 0.
   */
  readonly pairs: Uint32Array;
  /** False when the search stopped early: there may be more pairs. */
  readonly complete: boolean;
  /** How far the geometry asked about may be from the geometry meant; 0 for meshes and scenes. */
  readonly error: number;
  readonly stats: QueryStats;
};

export type CollideResult<A extends Target = Mesh, B extends Target = Mesh> = PairsResult<A, B> & {
  readonly colliding: boolean;
};

export type WithinResult<A extends Target = Mesh, B extends Target = Mesh> = PairsResult<A, B> & {
  /** Whether any pair is as close as that. */
  readonly within: boolean;
};

/** What the closest points lie on: of scenes objects, else numbers; undefined, or −1, where nothing is near enough. */
export type NearestPlaces<A extends Target = Mesh, B extends Target = Mesh> = [A | B] extends [Mesh]
  ? {
      readonly objectA?: undefined;
      readonly pieceA?: undefined;
      readonly objectB?: undefined;
      readonly pieceB?: undefined;
    }
  : {
      readonly objectA: A extends Scene ? SceneObject | undefined : number;
      readonly pieceA: number;
      readonly objectB: B extends Scene ? SceneObject | undefined : number;
      readonly pieceB: number;
    };

export type DistanceResult<A extends Target = Mesh, B extends Target = Mesh> = NearestPlaces<A, B> & {
  /** 0 when the two meet, Infinity when they are farther apart than `atMost`. */
  readonly distance: number;
  /** The distance is not less than the first and not more than the second. */
  readonly bounds: readonly [number, number];
  /**
   * The closest points, in the world (in a's frame when only `pose` is given); undefined beyond `atMost`, and where a
   * primitive meets something.
   */
  readonly pointA: Vec3 | undefined;
  readonly pointB: Vec3 | undefined;
  /** The triangles they lie on, or −1. */
  readonly triangleA: number;
  readonly triangleB: number;
  /** What they lie on there: 0 … 2 corner, 3 … 5 edge (3 + i joins corners i and i + 1), 6 the face; or −1. */
  readonly featureA: number;
  readonly featureB: number;
  /** How far the geometry asked about may be from the geometry meant; 0 for meshes and scenes. */
  readonly error: number;
  readonly stats: QueryStats;
};

/** Two objects that come as near as was asked about. */
export interface Hit<A extends Target = Mesh | PartsTarget, B extends Target = Mesh | PartsTarget> {
  readonly objectA: A extends Scene ? SceneObject : number;
  readonly objectB: B extends Scene ? SceneObject : number;
  /** Pairs of triangles that do; of patches, where an error was made use of. 1 in mode `any`. */
  readonly count: number;
  /** Their distance is not less than the first and not more than the second. */
  readonly bounds: readonly [number, number];
  /** Where they are nearest, in the world. */
  readonly pointA: Vec3;
  readonly pointB: Vec3;
}

export interface HitsResult<A extends Target = Mesh | PartsTarget, B extends Target = Mesh | PartsTarget> {
  readonly count: number;
  /** In the order of their objects. */
  readonly hits: readonly Hit<A, B>[];
  /** False where pairs were not counted; no hit is ever left out. */
  readonly complete: boolean;
  readonly error: number;
  readonly stats: QueryStats;
}
