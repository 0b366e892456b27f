/** Questions to a model and exact answers; see `ExactModel`. */
import type { ClashKind } from '@impinge/model';
import type { Point } from '../picture/types.js';

export interface Nearest {
  readonly object: number;
  /** 0 where they meet. */
  readonly distance: number;
  readonly pointA: Point;
  readonly pointB: Point;
}

/** A place on an object's exact surface. */
export interface SurfacePoint {
  readonly object: number;
  readonly point: Point;
  /** Of the triangle there: a unit vector, zero where the triangle has no area. */
  readonly normal: Point;
  /** Its corners, nine numbers. */
  readonly triangle: Float64Array;
}

/** The curve in which surfaces meet: segments, six numbers each. */
export interface Curve {
  readonly segments: Float64Array;
  /** False where there are more segments than were asked for. */
  readonly complete: boolean;
}

/** A clash that a moved object has, as a check would find it. */
export interface Violation {
  readonly object: number;
  readonly kind: ClashKind;
  /** 0 where they meet. */
  readonly distance: number;
  /** How far the innermost part of one lies inside the other. */
  readonly depth: number;
  /** Where the two are nearest: on the moved object, on the other. */
  readonly point: Point;
  readonly pointOther: Point;
  /** For those that meet. */
  readonly curve: Curve;
  /** It was there before the object was moved at all. */
  readonly before: boolean;
}

export interface DragAnswer {
  /** The deepest first, then what is too near, the nearest first. */
  readonly violations: readonly Violation[];
}

/** A move that frees the object of every violation: checked exactly where it ends, but not certainly the shortest. */
export interface FreePlace {
  readonly move: Point;
  readonly length: number;
}

/** Who walks, and how. Lengths are in the store's unit. */
export interface WalkOptions {
  readonly radius: number;
  readonly height: number;
  /** Ledges of up to this height are stepped on (default 0). */
  readonly ledge?: number;
  /** How far one falls in this step where there is no floor; 0 (default): not at all, as in flight. */
  readonly fall?: number;
}

export interface WalkAnswer {
  /** Where the feet are now. */
  readonly at: Point;
  /** What was run into, and stood upon. */
  readonly touched: readonly number[];
  /** There is floor below. */
  readonly standing: boolean;
  /** It does not touch anything here. False only where it began in something and no free place was found near. */
  readonly free: boolean;
}
