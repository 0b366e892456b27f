/** What the exact engine answers, in a worker of its own. Objects are numbers, as in the store; lengths are metres. */
import type { Point } from '../picture/types.js';

export interface Nearest {
  readonly object: number;
  /** 0 where they meet. */
  readonly distance: number;
  readonly pointA: Point;
  readonly pointB: Point;
}

/** Something that a moved object meets or comes too near. */
export interface Violation {
  readonly object: number;
  readonly kind: 'meets' | 'too near';
  readonly distance: number;
  /** Where, and for those that meet some segments of the curve in which they do (six numbers each). */
  readonly point: Point;
  readonly curve: Float64Array;
}

export interface DragAnswer {
  readonly violations: readonly Violation[];
  /** A short move that frees the object of all of them, found along few directions; null where none was found. */
  readonly free: Point | null;
  readonly milliseconds: number;
}

export interface Engine {
  /** The exact distance of two objects, and where. */
  distance(a: number, b: number): Promise<Nearest>;
  /** Everything within `clearance` of an object, the nearest first. */
  around(object: number, clearance: number): Promise<readonly Nearest[]>;
  /** The curve in which two objects meet: segments, six numbers each. */
  contactCurve(a: number, b: number): Promise<Float64Array>;

  /** Begins to move an object. One at a time. */
  take(object: number): Promise<void>;
  /** It is there now: a rotation row by row and a translation. Of questions that wait, only the last is answered. */
  drag(pose: Float64Array, clearance: number): Promise<DragAnswer | undefined>;
  putBack(): Promise<void>;

  /** A body of this radius and height goes from one point towards another, and slides along what it meets. */
  walk(from: Point, towards: Point, radius: number, height: number): Promise<Point>;
  dispose(): void;
}
