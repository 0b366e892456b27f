/**
 * What the page and the worker that reads the store say to each other.
 *
 * Invariant: the page carries out `upload` and `draw` in the order they were sent. So a list of ranges never names what
 * has not arrived, and a place is never written again while an earlier list draws it.
 */
import type { Box, DrawnStats, Point, SectionPlane } from '../picture/types.js';

/** A camera, relative to nothing: the pose is in the coordinates of the model. */
export interface StreamCamera {
  /** The answer says which camera it is for. */
  readonly id: number;
  /** A rotation row by row (camera to model) and the eye: twelve numbers. */
  readonly pose: Float64Array;
  /** Sixteen column-major entries. */
  readonly projection: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly pixelError: number;
  /** Most triangles of the shorter list, for while the camera moves. */
  readonly few: number;
}

export interface OpenRequest {
  readonly kind: 'open';
  readonly storeUrl: string;
  /** Bytes on the card and in memory, together. */
  readonly memory: number;
  /** Most triangles in view. */
  readonly budget: number;
}

/** From where is a contact seen? */
export interface ClashQuestion {
  readonly objects: readonly [number, number];
  readonly contact: Box;
  /** Others that hide what is behind them. */
  readonly others: readonly number[] | 'all';
  readonly sections: readonly SectionPlane[];
  /** Where one looks now. */
  readonly from: Point;
  /** How far the eye will be from the contact. */
  readonly away: number;
}

export type ToStream =
  | OpenRequest
  | { readonly kind: 'look'; readonly camera: StreamCamera }
  /** Per object: 1 where it is not drawn. */
  | { readonly kind: 'hide'; readonly hidden: Uint8Array | null }
  | { readonly kind: 'move'; readonly object: number; readonly pose: Float64Array | null }
  /** Bytes of buffers that the page holds. */
  | { readonly kind: 'reserve'; readonly bytes: number }
  /** So many bytes of uploads have been carried out. */
  | { readonly kind: 'uploaded'; readonly bytes: number }
  /** Everything on the card is lost. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'clash'; readonly id: number; readonly question: ClashQuestion };

export interface Opened {
  readonly kind: 'opened';
  /** Where the origins of objects count from, and a step that all of them are whole multiples of. */
  readonly origin: readonly number[];
  readonly step: number;
  /** Four per object: where its vertices count from, and a 0. */
  readonly origins: Float32Array<ArrayBuffer>;
  /** Twelve per object, as in the store. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Six per object. */
  readonly boxes: Float64Array<ArrayBuffer>;
  /** Around all of them. */
  readonly box: Box;
  readonly metresPerUnit: number;
}

/** Numbers for places in slabs, one run of them after the other. */
export interface Upload {
  readonly kind: 'upload';
  /** Five per run: its slab, the first vertex there and how many, the first index there and how many. */
  readonly runs: Uint32Array<ArrayBuffer>;
  readonly positions: Float32Array<ArrayBuffer>;
  readonly objects: Uint32Array<ArrayBuffer>;
  readonly indices: Uint32Array<ArrayBuffer>;
}

/** Of a slab: where ranges begin, in bytes, and how many indices they have. */
export interface DrawRanges {
  readonly starts: Int32Array<ArrayBuffer>;
  readonly counts: Int32Array<ArrayBuffer>;
}

/** What is drawn from now on. */
export interface DrawList {
  readonly kind: 'draw';
  readonly slabs: readonly DrawRanges[];
  /** Only objects that show much with few triangles; null: all of it is little enough. */
  readonly few: readonly DrawRanges[] | null;
  readonly stats: StreamStats;
}

export interface StreamStats extends DrawnStats {
  /** Of the camera that this was chosen for. */
  readonly cameraId: number;
  /** Of the shorter list. */
  readonly fewTriangles: number;
  readonly selectMs: number;
}

export type FromStream =
  | Opened
  | Upload
  | DrawList
  /** Per object, the number of a colour of its own. */
  | { readonly kind: 'colours'; readonly ofObject: Uint8Array<ArrayBuffer> }
  /** Null where that cannot be told, because the store cannot be read. */
  | { readonly kind: 'side'; readonly id: number; readonly direction: Point | null }
  /** The answer to `lost`: what follows was sent after it. */
  | { readonly kind: 'forgotten' }
  | { readonly kind: 'failed'; readonly message: string };
