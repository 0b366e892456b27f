/**
 * The interface types of the picture (picture.ts). Coordinates are the model's: the store's units, Z up, float64;
 * objects are numbers, as in the store.
 */
export type Point = readonly [x: number, y: number, z: number];

export interface Box {
  readonly min: Point;
  readonly max: Point;
}

/** A view of the model. A view that leans to a side is set upright. */
export interface View {
  readonly eye: Point;
  /** The centre of rotation. */
  readonly target: Point;
  /** Used only for the yaw when looking straight down or up. */
  readonly up: Point;
  /** Vertical, in degrees; 0: orthographic, `height` units of the model high. */
  readonly fieldOfView: number;
  readonly height: number;
}

/** How pointers and keys move the camera. */
export type Navigation = 'orbit' | 'walk' | 'fly';

/** How an object is drawn; defaults apply to omitted fields. */
export interface ObjectStyle {
  readonly hidden?: boolean;
  /** Drawn faintly, behind all solids: it hides nothing. */
  readonly ghost?: boolean;
  /** 0xrrggbb; null: its default colour. */
  readonly colour?: number | null;
}

/** Cuts away points with normal · p > offset. */
export interface SectionPlane {
  readonly normal: Point;
  readonly offset: number;
}

/** The object at a position of the picture. */
export interface Pick {
  readonly object: number;
  /** On the triangle that is drawn there. */
  readonly point: Point;
  /** Of that triangle, towards the eye. */
  readonly normal: Point;
}

/** Lines over the model, visible through everything, thin and dashed where hidden. */
export interface Mark {
  readonly kind: 'line' | 'arrow' | 'dot';
  /** Three numbers each; lines and arrows have two points per segment. */
  readonly points: Float64Array;
  readonly colour: number;
  /** At the middle of the first segment, or at the first dot. */
  readonly label?: string;
}

/** A surface that is not part of the model: three numbers per vertex, three vertices per triangle. */
export interface BodySurface {
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
  /** Whether its vertices go their own ways: then it shares them with no other. */
  readonly deforms?: boolean;
}

export interface PictureOptions {
  /** Memory limit of GPU and main memory together, in bytes. Default: 600 MB. */
  readonly memory?: number;
  /** Maximum number of triangles in view. Default: 3 million. */
  readonly budget?: number;
  readonly theme?: 'light' | 'dark';
  /** Accessible name of the canvas. */
  readonly label?: string;
  /** Called with a one-line message when the store can no longer be read. */
  readonly onFailure?: (message: string) => void;
}

/** Statistics of the selected pieces. */
export interface DrawnStats {
  /** In view. */
  readonly triangles: number;
  /** Maximum distance from the original in view, in pixels. */
  readonly pixelError: number;
  /** Whether everything in view has the requested detail. */
  readonly complete: boolean;
  /** Objects in view that are omitted for lack of memory (only without levels). */
  readonly leftOut: number;
  /** Bytes of GPU buffers; for a picture also of its targets. */
  readonly gpuBytes: number;
  /** Bytes in main memory: the directory, cached pieces; for a picture also pending uploads. */
  readonly memoryBytes: number;
  /** Bytes read from the store so far. */
  readonly bytesRead: number;
}

export interface PictureStats extends DrawnStats {
  /** Of the last frame: time of the main thread, and draw calls. */
  readonly frameMs: number;
  readonly drawCalls: number;
  /** Complete, and the last frame shows it in full quality, which a slow GPU reaches only at rest. */
  readonly sharp: boolean;
}

/** A press and release at one position, in CSS pixels of the canvas. */
export interface Tap {
  readonly x: number;
  readonly y: number;
  readonly event: PointerEvent;
}
