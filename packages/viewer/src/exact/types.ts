/** Exact queries and their answers; see `ExactModel`. */
import type { ClashKind } from '@impinge/model';
import type { Point } from '../picture/types.js';

export interface Nearest {
  readonly object: number;
  /** 0 if they intersect. */
  readonly distance: number;
  readonly pointA: Point;
  readonly pointB: Point;
}

/** A point on an object's exact surface. */
export interface SurfacePoint {
  readonly object: number;
  readonly point: Point;
  /** Unit normal of its triangle; zero if that has no area. */
  readonly normal: Point;
  /** The triangle's corners, nine numbers. */
  readonly triangle: Float64Array;
}

/** An intersection curve: segments of six numbers each. */
export interface Curve {
  readonly segments: Float64Array;
  /** False if the limit of segments was reached. */
  readonly complete: boolean;
}

/** A clash of a moved object, as a check would find it. */
export interface Violation {
  readonly object: number;
  readonly kind: ClashKind;
  /** 0 if they intersect. */
  readonly distance: number;
  /** How far the innermost part of one lies inside the other. */
  readonly depth: number;
  /** The closest points: on the moved object, on the other. */
  readonly point: Point;
  readonly pointOther: Point;
  /** Empty if they do not intersect. */
  readonly curve: Curve;
  /** Whether it existed at the stored place. */
  readonly before: boolean;
}

export interface DragAnswer {
  /** The deepest first, then clearance violations, the nearest first. */
  readonly violations: readonly Violation[];
}

/** A move that resolves all violations: its end was checked exactly, but a shorter one may exist. */
export interface FreePlace {
  readonly move: Point;
  readonly length: number;
}

/** The body and its abilities. Lengths are in the store's unit. */
export interface WalkOptions {
  readonly radius: number;
  readonly height: number;
  /** Maximum height of a step that can be climbed (default 0). */
  readonly ledge?: number;
  /** Fall in this step without a floor; 0 (default): none, as in flight. */
  readonly fall?: number;
}

export interface WalkAnswer {
  /** The feet's position. */
  readonly at: Point;
  /** Objects that were hit or stood upon. */
  readonly touched: readonly number[];
  /** Whether there is a floor below. */
  readonly standing: boolean;
  /**
   * Whether it is free of intersections. False only if it started inside something and no free place was found nearby.
   */
  readonly free: boolean;
}
