/** Messages between the page of the gallery and its worker. */

export interface Slider {
  readonly key: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Takes effect while the demo runs; other sliders restart it. */
  readonly live?: boolean;
  readonly text?: (value: number) => string;
}

export type Values = Readonly<Record<string, number>>;

/** A surface of the picture; omitted properties stay unchanged. */
export interface Surface {
  readonly id: number;
  readonly positions?: Float32Array;
  /** Set when the surface appears. */
  readonly indices?: Uint32Array;
  readonly colour?: number;
  /** Red, green, blue (linear) and opacity of each vertex, instead of one colour. */
  readonly colours?: Uint8Array;
  /** Seen through, from both sides, where colours are not opaque. */
  readonly isGlass?: boolean;
  /** Open sheets are drawn from both sides. */
  readonly isOpen?: boolean;
}

/** Many copies of one shape. */
export interface Instances {
  /** Set when they appear. */
  readonly shape?: { readonly positions: Float32Array; readonly indices: Uint32Array };
  /** Sixteen numbers each, column-major. */
  readonly matrices: Float32Array;
  /** 1 for instances that touch another one. */
  readonly isHit: Uint8Array;
}

export interface Look {
  readonly centre: readonly [x: number, y: number, z: number];
  readonly radius: number;
}

/** A line below the picture's sliders, with a colour of the picture that it explains. */
export type Figure = readonly [name: string, value: string, colour?: number];

export interface Frame {
  readonly surfaces: readonly Surface[];
  /** Ids of removed surfaces. */
  readonly gone: readonly number[];
  /** The ball to look at; in the first frame only. */
  readonly look?: Look;
  readonly instances?: Instances;
  /** Milliseconds, in order. */
  readonly stages: readonly (readonly [name: string, ms: number])[];
  readonly figures: readonly Figure[];
}

export type Request =
  | { readonly kind: 'start'; readonly run: number; readonly demo: string; readonly values: Values }
  | { readonly kind: 'set'; readonly values: Values }
  | { readonly kind: 'step' };

export type Answer =
  | { readonly kind: 'progress'; readonly run: number; readonly text: string }
  | { readonly kind: 'frame'; readonly run: number; readonly frame: Frame }
  | { readonly kind: 'failed'; readonly run: number; readonly message: string };

/** A running demo, in the worker. */
export interface Running {
  step(values: Values): Frame | Promise<Frame>;
  dispose(): void | Promise<void>;
}

/** A demo that can be started. */
export interface Demo {
  /** `tell` shows the progress of a long preparation. */
  start(values: Values, tell: (text: string) => void): Running | Promise<Running>;
}
