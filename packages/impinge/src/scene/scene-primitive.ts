/** What is no mesh, and yet an object of scenes: query/shape/primitive.ts. */
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
