/**
 * The picture, as the rest of the page sees it. Coordinates are those of the model: metres, Z up, float64; objects are
 * numbers, as in the store.
 */
export type Point = readonly [x: number, y: number, z: number];

export interface Box {
  readonly min: Point;
  readonly max: Point;
}

/** A look at the model. */
export interface View {
  readonly eye: Point;
  /** What turning goes around. */
  readonly target: Point;
  readonly up: Point;
  /** Vertical, in degrees; 0: without perspective, `height` metres high. */
  readonly fieldOfView: number;
  readonly height: number;
}

/** How pointers and keys move the camera. */
export type Navigation = 'orbit' | 'walk' | 'fly';

/** How an object is drawn; what is not said is as ever. */
export interface ObjectStyle {
  readonly hidden?: boolean;
  /** Drawn as a faint veil that hides nothing. */
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
  readonly point: Point;
  readonly normal: Point;
}

/** Lines over the model, drawn through everything, thin where something hides them. */
export interface Mark {
  readonly kind: 'line' | 'arrow' | 'dot';
  /** Three numbers each; of lines two points are a segment. */
  readonly points: Float64Array;
  readonly colour: number;
  readonly label?: string;
}

export interface PictureStats {
  /** Of the last frame: the time of the main thread, draw calls, triangles. */
  readonly frameMs: number;
  readonly drawCalls: number;
  readonly triangles: number;
  /** What is in view is no farther from the original, in pixels. */
  readonly pixelError: number;
  /** Everything in view is as asked. */
  readonly complete: boolean;
  /** Of buffers of the graphics card, and of what waits to get there. */
  readonly gpuBytes: number;
  readonly memoryBytes: number;
  /** Read from the store so far. */
  readonly bytesRead: number;
}

export interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly stats: PictureStats;
  /** Called after frames in which the camera or `stats` changed. Returns what ends that. */
  onFrame(listener: () => void): () => void;
  /** Draws again soon. Nothing is drawn while nothing changes. */
  invalidate(): void;

  readonly view: View;
  /** Goes to a view, at once or in a short flight. */
  look(view: View, flight?: boolean): void;
  /** Goes to where a box fills the picture, from the present side or from `from` (a direction towards the box). */
  fit(box: Box, from?: Point, flight?: boolean): void;
  navigation: Navigation;

  /** Styles of all objects at once: one number into `styles` per object. */
  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): void;
  /** At most six planes. */
  setSections(planes: readonly SectionPlane[]): void;
  setMarks(marks: readonly Mark[]): void;
  /** Puts an object elsewhere: a rotation row by row and a translation, as poses in stores; null: back. */
  move(object: number, pose: Float64Array | null): void;
  setTheme(theme: 'light' | 'dark'): void;

  /** At a place of the canvas, in CSS pixels. */
  pick(x: number, y: number): Promise<Pick | undefined>;
  /** A picture of its own, complete at a pixel's error or after `withinMs`; a PNG. */
  snapshot(view: View, width: number, height: number, withinMs?: number): Promise<Blob>;
  dispose(): void;
}
