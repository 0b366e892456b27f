/** The inputs and results of a drawing. */
import type { DrawCamera } from './camera.js';

/** The sections of a store's directory that describe its levels. */
export const LEVEL_SECTIONS = [
  'shapeFirstPiece', // one more than there are shapes
  'pieceTriangles',
  'pieceOut',
  'pieceIn',
  'pieceBox', // six each: minimum, maximum
  'pieceLevel',
  'pieceGroup', // the group that made it; NONE: it is exact
  'pieceInto', // the group that takes it away; NONE: nothing does
  'objectShape',
  'objectPose', // twelve each: a rotation, row by row, and a translation
] as const;
export type LevelPieces = { readonly [Section in (typeof LEVEL_SECTIONS)[number]]: ArrayLike<number> };

/** A model with levels: a `StoredModel`, or arrays with the same data. */
export interface LevelModel {
  readonly directory: LevelPieces;
}

export interface DrawingOptions {
  /** All pieces are in memory, nothing has to be loaded. Default: false. */
  readonly allLoaded?: boolean;
}

export interface SelectLevelsOptions {
  readonly camera: DrawCamera;
  /** Permitted distance between picture and original, in pixels in the middle of the picture. Default: 1. */
  readonly pixelError?: number;
  /**
   * The largest permitted `out + in`, as `error` in queries, in view or not: everywhere, near a place, or as a function
   * of a box of the world (minimum, maximum), whose value must not grow with the box. Default: Infinity.
   */
  readonly collisionError?: number | ErrorNear | ((box: Float64Array) => number);
  /** Most triangles in view. Where that is too few, the error in the picture grows. Default: Infinity. */
  readonly budget?: number;
}

/** An error in a box of the world; elsewhere any is permitted. */
export interface ErrorNear {
  /** Six numbers: minimum, maximum. */
  readonly box: ArrayLike<number>;
  readonly error: number;
}

/** Pieces of objects: piece `pieces[i]` where object `objects[i]` is. */
export interface DrawnPieces {
  readonly objects: Uint32Array;
  readonly pieces: Uint32Array;
}

export interface LevelSelection extends DrawnPieces {
  readonly count: number;
  /** Per piece: 1 where its box is in view. */
  readonly visible: Uint8Array;
  /** In view. Beyond the budget only where nothing coarser is left, or `collisionError` does not allow it. */
  readonly triangles: number;
  /**
   * Bound on the distance of the visible picture from the original, in pixels: as requested, or more if that is
   * impossible.
   */
  readonly pixelError: number;
  /** No piece has a larger `out + in`. */
  readonly collisionError: number;
  /** True if nothing more has to be loaded. */
  readonly complete: boolean;
  /** Since the last selection. */
  readonly appeared: DrawnPieces;
  readonly vanished: DrawnPieces;
  /** Pieces to load next: first those without which something cannot be drawn at all, then the most visible. */
  readonly fetch: Uint32Array;
  readonly stats: SelectionStats;
}

export interface SelectionStats {
  /** Steps from coarse to fine and back since the last selection. */
  readonly splits: number;
  readonly merges: number;
  /** Objects whose front was searched again, and the steps visited for that. */
  readonly objects: number;
  readonly steps: number;
}
