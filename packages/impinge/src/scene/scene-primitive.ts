/** Scene objects that are not meshes: query/shape/primitive.ts. */
import type { LinearPose } from '../math/linear-map.js';
import type { Vec3 } from '../math/pose.js';

export interface ScenePrimitive {
  /** Its kind, for messages: a sphere, a box … */
  readonly kind: string;
  /** Refuses poses that it cannot have, as 'bad-pose'. */
  assertPose(pose: LinearPose): void;
  /** Writes a finite box around it (six numbers) where a pose puts it. */
  writeBox(pose: LinearPose, out: Float64Array, at: number): void;
  /** Where a ray (origin and direction: six numbers) enters it, and leaves it. */
  crossings(pose: LinearPose, ray: Float64Array): PrimitiveHit[];
  /** The point of its surface closest to a point. */
  closest(pose: LinearPose, point: Float64Array): PrimitivePoint;
  /** @internal How far a shape (a `WorldShape`) is from it; its own point is the first. */
  gap(
    pose: LinearPose,
    shape: object,
  ): { readonly distance: number; readonly points: readonly [Vec3, Vec3] | undefined };
  /** @internal Pairs of triangles within a distance of two parts, one of which it is; undefined: none. */
  within(
    a: object,
    b: object,
    distance: number,
    limit: number,
  ): { readonly count: number; readonly pairs: Uint32Array; readonly complete: boolean } | undefined;
  /** @internal How far apart two parts are, one of which it is: a `DistanceResult`. */
  distance(a: object, b: object, atMost: number): object;
}

/** A point on the surface of a primitive, seen from another one. */
export interface PrimitivePoint {
  readonly point: readonly number[];
  /** Outward, of any length but 0. */
  readonly normal: readonly number[];
  /** Where the other one is: 1 inside, 0 on the surface, −1 outside. */
  readonly side: number;
}

/** Where a ray passes through the surface of a primitive. */
export interface PrimitiveHit {
  /** From the ray's origin, as a length. */
  readonly distance: number;
  readonly point: Vec3;
  /** Outward, of length 1. */
  readonly normal: Vec3;
  /** Whether the ray leaves it there. */
  readonly back: boolean;
}

export function isPrimitive(thing: unknown): thing is ScenePrimitive {
  return typeof (thing as ScenePrimitive | undefined)?.writeBox === 'function';
}
