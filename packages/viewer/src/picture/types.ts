/**
 * What the picture is asked and told (picture.ts). Coordinates are those of the model: the store's units, Z up,
 * float64; objects are numbers, as in the store.
 */
export type Point = readonly [x: number, y: number, z: number];

export interface Box {
  readonly min: Point;
  readonly max: Point;
}

/** A look at the model. What is up stays up: a view that leans to a side is set upright. */
export interface View {
  readonly eye: Point;
  /** What turning goes around. */
  readonly target: Point;
  /** Tells only where one is turned to when looking straight down or up. */
  readonly up: Point;
  /** Vertical, in degrees; 0: without perspective, `height` units of the model high. */
  readonly fieldOfView: number;
  readonly height: number;
}

/** How pointers and keys move the camera. */
export type Navigation = 'orbit' | 'walk' | 'fly';

/** How an object is drawn; what is not said is as ever. */
export interface ObjectStyle {
  readonly hidden?: boolean;
  /** Drawn faintly, behind everything that is solid: it hides nothing. */
  readonly ghost?: boolean;
  /** 0xrrggbb; null: its own. */
  readonly colour?: number | null;
}

/** Half of space is cut away: points with normal · p > offset. */
export interface SectionPlane {
  readonly normal: Point;
  readonly offset: number;
}

/** Where a pointer is. */
export interface Pick {
  readonly object: number;
  /** On the triangle that is drawn there. */
  readonly point: Point;
  /** Of that triangle, towards the eye. */
  readonly normal: Point;
}

/** Lines over the model, drawn through everything, thin and dashed where something hides them. */
export interface Mark {
  readonly kind: 'line' | 'arrow' | 'dot';
  /** Three numbers each; of lines and arrows two points are a segment. */
  readonly points: Float64Array;
  readonly colour: number;
  /** At the middle of the first segment, or at the first dot. */
  readonly label?: string;
}

export interface PictureOptions {
  /** Bytes on the card and in memory, together; never more. Default: 600 MB. */
  readonly memory?: number;
  /** Most triangles in view. Default: 3 million. */
  readonly budget?: number;
  readonly theme?: 'light' | 'dark';
  /** Of the canvas, for those who cannot see it. */
  readonly label?: string;
  /** When the store can no longer be read; one line for people. */
  readonly onFailure?: (message: string) => void;
}

/** The selected pieces, as the selection reports them. */
export interface DrawnStats {
  /** In view. */
  readonly triangles: number;
  /** What is in view is no farther from the original, in pixels. */
  readonly pixelError: number;
  /** Everything in view is as asked. */
  readonly complete: boolean;
  /** Objects in view that are not drawn because they do not fit in memory (only without levels). */
  readonly leftOut: number;
  /** Of buffers of the graphics card; of a picture also of its targets. */
  readonly gpuBytes: number;
  /** In memory: the directory, what is kept of pieces; of a picture also what waits to get to the card. */
  readonly memoryBytes: number;
  /** Read from the store so far. */
  readonly bytesRead: number;
}

export interface PictureStats extends DrawnStats {
  /** Of the last frame: the time of the main thread, and draw calls. */
  readonly frameMs: number;
  readonly drawCalls: number;
  /** Complete, and the last frame shows all of it, with all its pixels: not while a slow card draws less to keep up. */
  readonly sharp: boolean;
}

/** A press and release at one place, in CSS pixels of the canvas. */
export interface Tap {
  readonly x: number;
  readonly y: number;
  readonly event: PointerEvent;
}
