/**
 * What the exact engine answers, in a worker of its own. Objects are numbers, as in the store; coordinates and lengths
 * are the store's, in its unit. Errors are of one line.
 */
import type { ClashKind } from '@impinge/model';
import type { AskedCheck } from '../../../cli/src/wire/report.js';
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
  readonly milliseconds: number;
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
  readonly milliseconds: number;
}

export interface Engine {
  /** The exact distance of two objects, and where. */
  distance(a: number, b: number): Promise<Nearest>;
  /** Everything within `clearance` of an object, the nearest first. */
  around(object: number, clearance: number): Promise<readonly Nearest[]>;
  /** The curve in which two objects meet, in at most `limit` segments (default 20 000). */
  contactCurve(a: number, b: number, limit?: number): Promise<Curve>;
  /** The place on an object nearest to a point, such as one that was picked in a simplified picture. */
  surface(object: number, near: Point): Promise<SurfacePoint>;

  /**
   * Begins to move an object, and says where it is: a rotation row by row and a translation. One at a time: what was
   * taken before is put back. `clearance` (default 0) is the one that moves will probably be asked about. `asked` says
   * what a clash is, and holds from the first object on; without it, what a check without options finds.
   */
  take(object: number, clearance?: number, asked?: AskedCheck): Promise<Float64Array>;
  /**
   * It is there now; what is closer than `clearance` counts, too. Of questions that wait, only the last is answered.
   */
  drag(pose: Float64Array, clearance: number): Promise<DragAnswer | undefined>;
  /** From where it is now. Null: none was found. Undefined: something else was asked meanwhile. */
  nearestFree(clearance: number): Promise<FreePlace | null | undefined>;
  putBack(): Promise<void>;

  /**
   * A body with its feet at one point goes towards another, cannot pass through things, and slides along them. Where it
   * begins in something it is put to a free place near.
   */
  walk(from: Point, towards: Point, options: WalkOptions): Promise<WalkAnswer>;
  /** Ends the worker. What waits is refused. */
  dispose(): void;
}
