/**
 * The picture, as the rest of the page sees it. Coordinates are those of the model: the store's units, Z up, float64;
 * objects are numbers, as in the store.
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

export interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly stats: PictureStats;
  /** Of all objects. */
  readonly box: Box;
  readonly objectCount: number;
  boxOf(object: number): Box;
  /** Called after frames in which the camera or `stats` changed. Returns what ends that. */
  onFrame(listener: () => void): () => void;
  /** Called for a click or tap that did not move the camera. Returns what ends that. */
  onTap(listener: (tap: Tap) => void): () => void;
  /** Draws again soon. Nothing is drawn while nothing changes. */
  invalidate(): void;

  readonly view: View;
  /** Goes to a view, at once or in a short flight. */
  look(view: View, flight?: boolean): void;
  /** Goes to where a box fills the picture, from the present side or from `from` (a direction towards the box). */
  fit(box: Box, from?: Point, flight?: boolean): void;
  /**
   * Goes to where the contact of two objects is seen: of some directions the one in which most of it is not hidden by
   * the two or by what else is solid (`others`), within the present sections. `shown` then fills the picture. False if
   * somebody has moved the camera meanwhile, or asked for another one. Until it is known where to go, nothing is drawn.
   */
  seeClash(
    objects: readonly [number, number],
    boxes: { readonly contact: Box; readonly shown: Box },
    others?: readonly number[] | 'all',
    flight?: boolean,
  ): Promise<boolean>;
  navigation: Navigation;
  /** Asked before each step of a walk; says how far one gets. Null: through everything. */
  walkLimit: ((from: Point, towards: Point) => Promise<Point>) | null;

  /** Styles of all objects at once: one number into `styles` (at most 256) per object. */
  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): void;
  /** At most six planes. */
  setSections(planes: readonly SectionPlane[]): void;
  setMarks(marks: readonly Mark[]): void;
  /** Puts an object elsewhere: a rotation row by row and a translation, as poses in stores; null: back. At most 256. */
  move(object: number, pose: Float64Array | null): void;
  setTheme(theme: 'light' | 'dark'): void;

  /** At a place of the canvas, in CSS pixels. What is solid comes before ghosts. */
  pick(x: number, y: number): Promise<Pick | undefined>;
  /** A picture of its own, complete at a pixel's error or after `withinMs`; a PNG. */
  snapshot(view: View, width: number, height: number, withinMs?: number): Promise<Blob>;
  dispose(): void;
}
