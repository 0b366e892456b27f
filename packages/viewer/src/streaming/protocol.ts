/**
 * The messages between the page and the streaming worker.
 *
 * Invariant: the page processes `upload` and `draw` in the order they were sent. So a draw list never refers to missing
 * data, and a place is never overwritten while an earlier list draws it.
 */
import type { ErrorNear } from '@impinge/model';
import type { Box, DrawnStats, Point, SectionPlane } from '../picture/types.js';

/** A camera in the coordinates of the model. */
export interface StreamCamera {
  /** Repeated in the answer. */
  readonly id: number;
  /** A rotation row by row (camera to model) and the eye: twelve numbers. */
  readonly pose: Float64Array;
  /** Sixteen column-major entries. */
  readonly projection: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly pixelError: number;
  /** Maximum number of triangles of the short list, for a moving camera. */
  readonly few: number;
}

export interface OpenRequest {
  readonly kind: 'open';
  readonly storeUrl: string;
  /** Memory limit of GPU and main memory together, in bytes. */
  readonly memory: number;
  /** Maximum number of triangles in view. */
  readonly budget: number;
}

/** A query for the best side to look at a contact from. */
export interface ClashQuestion {
  readonly objects: readonly [number, number];
  readonly contact: Box;
  /** Other solids that may hide the contact. */
  readonly others: readonly number[] | 'all';
  readonly sections: readonly SectionPlane[];
  /** The current direction. */
  readonly from: Point;
  /** The future distance of the eye from the contact. */
  readonly away: number;
}

export type ToStream =
  | OpenRequest
  | { readonly kind: 'look'; readonly camera: StreamCamera }
  /** Per object: 1 if hidden. */
  | { readonly kind: 'hide'; readonly hidden: Uint8Array | null }
  | { readonly kind: 'move'; readonly object: number; readonly pose: Float64Array | null }
  /** What is drawn in a box is within an error, in view or not; null: nothing but the picture asks for detail. */
  | { readonly kind: 'refine'; readonly near: ErrorNear | null }
  /** Bytes of buffers that the page holds. */
  | { readonly kind: 'reserve'; readonly bytes: number }
  /** Bytes of uploads that have been processed. */
  | { readonly kind: 'uploaded'; readonly bytes: number }
  /** Lets another worker read the store here; see page-port.ts. */
  | { readonly kind: 'pages'; readonly port: MessagePort }
  /** The GPU context was lost. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'clash'; readonly id: number; readonly question: ClashQuestion };

export interface Opened {
  readonly kind: 'opened';
  /** The reference point of object origins, and the step that they are multiples of. */
  readonly origin: readonly number[];
  readonly step: number;
  /** Four per object: the origin of its vertices, and a 0. */
  readonly origins: Float32Array<ArrayBuffer>;
  /** Twelve per object, as in the store. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Six per object. */
  readonly boxes: Float64Array<ArrayBuffer>;
  /** Bounds of all objects. */
  readonly box: Box;
  readonly metresPerUnit: number;
}

/** Data for places in slabs, in runs. */
export interface Upload {
  readonly kind: 'upload';
  /** Five per run: slab, first vertex and count, first index and count. */
  readonly runs: Uint32Array<ArrayBuffer>;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly objects: Uint32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
}

/** Ranges of a slab: start in bytes, and number of indices. */
export interface DrawRanges {
  readonly starts: Int32Array<ArrayBuffer>;
  readonly counts: Int32Array<ArrayBuffer>;
}

/** Replaces the ranges to draw. */
export interface DrawList {
  readonly kind: 'draw';
  readonly slabs: readonly DrawRanges[];
  /** The most visible objects with few triangles; null: all are few enough. */
  readonly few: readonly DrawRanges[] | null;
  readonly stats: StreamStats;
}

export interface StreamStats extends DrawnStats {
  /** The camera of this selection. */
  readonly cameraId: number;
  /** Of the short list. */
  readonly fewTriangles: number;
  readonly selectMs: number;
}

export type FromStream =
  | Opened
  | Upload
  | DrawList
  /** Per object, the index of its default colour. */
  | { readonly kind: 'colours'; readonly ofObject: Uint8Array<ArrayBuffer> }
  /** Null if the store cannot be read. */
  | { readonly kind: 'side'; readonly id: number; readonly direction: Point | null }
  /** Answers `lost`: later messages were sent after it. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'failed'; readonly message: string };
