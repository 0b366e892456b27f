/** What the page of the gallery and its worker say to each other. */

export interface Slider {
  readonly key: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  readonly value: number;
  /** Takes effect while it runs; others begin anew. */
  readonly live?: boolean;
  readonly text?: (value: number) => string;
}

export type Values = Readonly<Record<string, number>>;

/** A surface of the picture. What is not said is as before. */
export interface Surface {
  readonly id: number;
  readonly positions: Float32Array;
  /** When it appears. */
  readonly indices?: Uint32Array;
  readonly colour?: number;
  /** Sheets are seen from both sides. */
  readonly isOpen?: boolean;
}

/** Many of one shape. */
export interface Instances {
  /** When they appear. */
  readonly shape?: { readonly positions: Float32Array; readonly indices: Uint32Array };
  /** Sixteen each, column by column. */
  readonly matrices: Float32Array;
  /** 1 where it meets another. */
  readonly isHit: Uint8Array;
}

export interface Look {
  readonly centre: readonly [x: number, y: number, z: number];
  readonly radius: number;
}

export interface Frame {
  readonly surfaces: readonly Surface[];
  /** Surfaces that are no longer there. */
  readonly gone: readonly number[];
  /** Of the first: a ball that is worth looking at. */
  readonly look?: Look;
  readonly instances?: Instances;
  /** Milliseconds, in order. */
  readonly stages: readonly (readonly [name: string, ms: number])[];
  readonly figures: readonly (readonly [name: string, value: string])[];
}

export type Request =
  | { readonly kind: 'start'; readonly run: number; readonly demo: string; readonly values: Values }
  | { readonly kind: 'set'; readonly values: Values }
  | { readonly kind: 'step' };

export type Answer =
  | { readonly kind: 'frame'; readonly run: number; readonly frame: Frame }
  | { readonly kind: 'failed'; readonly run: number; readonly message: string };

/** A demo that runs, in the worker. */
export interface Running {
  step(values: Values): Frame | Promise<Frame>;
  dispose(): void | Promise<void>;
}

/** A demo that can be run. */
export interface Demo {
  start(values: Values): Running | Promise<Running>;
}
