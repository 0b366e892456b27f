/**
 * What every bounding volume offers. A volume kind is one module of this shape; adding one is one new file.
 *
 * Layout: component c of a volume lies at `offset + 4 · c`, so that four volumes fill a block of rows of four.
 * Errs: outward. A volume contains what it was fitted to, merged from or moved from, exactly, for the float64
 * numbers given; `mayOverlap` semantics throughout, a doubt is an overlap.
 */
import type { RigidPose } from '../math/pose.js';

export interface VolumeModule {
  /** Numbers per volume. */
  readonly STRIDE: number;
  /** Writes a volume that contains `pointCount` ≥ 1 points (x, y, z triples). */
  fit(points: Float64Array, pointCount: number, out: Float32Array, offset: number): void;
  /** Writes a volume that contains every posed point of `src`; `out` must not overlap `src`. */
  transform(src: Float32Array, so: number, pose: Readonly<RigidPose>, out: Float32Array, oo: number): void;
  /** False only when nothing in one can touch anything in the other. */
  overlaps(a: Float32Array, ao: number, b: Float32Array, bo: number): boolean;
  /** At most the distance between anything in one and anything in the other. */
  distanceLowerBound(a: Float32Array, ao: number, b: Float32Array, bo: number): number;
  /** Whether the point lies inside, give or take rounding: for validators. */
  containsPoint(v: Float32Array, o: number, x: number, y: number, z: number): boolean;
  /** Grows with the surface area; compares volumes of one kind. */
  size(v: Float32Array, o: number): number;
  /** Writes a volume that overlaps nothing. */
  setEmpty(out: Float32Array, offset: number): void;
}

/** A kind whose trees are fitted here, not by the kernels. */
export interface FittedVolume extends VolumeModule {
  /** Writes a volume that contains both; `out` may be one of them. */
  merge(a: Float32Array, ao: number, b: Float32Array, bo: number, out: Float32Array, oo: number): void;
}
