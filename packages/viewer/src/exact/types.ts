/** Exact queries and their answers; see `ExactModel`. */
import type { ClashKind } from '@impinge/model';
import type { Mesh } from 'impinge';
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

/** An object near a moved one, as far as levels tell. */
export interface LiveNear {
  readonly object: number;
  /** The distance of their surfaces is at least the first number, and at most the second. */
  readonly bounds: readonly [number, number];
  /** Nearest points of the levels: on the moved object, on the other. */
  readonly point: Point;
  readonly pointOther: Point;
}

/** The answer while an object moves: no surface that is too near is missing. Of solids inside it says nothing. */
export interface LiveAnswer {
  /** The largest difference of the bounds. */
  readonly error: number;
  /** Objects that may be nearer than they should, the nearest first. */
  readonly tooNear: readonly LiveNear[];
  /** The nearest of the others; undefined: none is within twenty errors. */
  readonly next: LiveNear | undefined;
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

/** Poses as in stores, lengths in the store's unit. */
export interface WayQuestion {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly clearance: number;
  /** How long to search. */
  readonly seconds: number;
}

/** A way that is proved for every instant; or none that was found, which says nothing of whether there is one. */
export type WayAnswer =
  | {
      readonly found: true;
      /** Frame by frame: of the object, of the middle of its box, and how far the nearest other object is. */
      readonly poses: readonly Float64Array[];
      readonly middles: readonly Point[];
      readonly room: readonly number[];
      /** At every instant the object keeps at least this distance. */
      readonly clearance: number;
    }
  | { readonly found: false; readonly blocked?: string };

/** The body and its abilities. Lengths are in the store's unit. */
export interface WalkOptions {
  readonly radius: number;
  readonly height: number;
  /** Maximum height of a step that can be climbed (default 0). */
  readonly ledge?: number;
  /** Fall in this step without a floor; 0 (default): none, as in flight. */
  readonly fall?: number;
  /** Where levels are near enough to the model, up to this error, exact pieces need not be read (default 0). */
  readonly error?: number;
}

/** A mesh to collide with. */
export interface Obstacle {
  readonly object: number;
  readonly mesh: Mesh;
  readonly pose: Float64Array;
  /** No point of the obstacle that it stands for is farther from it. */
  readonly out: number;
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
