/**
 * Chooses the quality of frames by their duration: on a slow GPU, fewer pixels and only the most visible objects while
 * the camera moves; at rest everything, in parts, so that a new movement need not wait.
 *
 * The time of a frame is about proportional to its triangles, times a factor for the quality. So every frame predicts
 * the time of any other.
 */
export interface Effort {
  /** Samples per pixel; 0: one, at its centre. */
  readonly samples: number;
  /** Rendered pixels per screen pixel, along an edge. */
  readonly scale: number;
  /** Only the most visible objects. */
  readonly isFew: boolean;
  /** Time per triangle relative to a plain frame, as measured with software and small GPUs. */
  readonly cost: number;
}

export const FINE: Effort = { samples: 4, scale: 1, isFew: false, cost: 2.5 };
export const PLAIN: Effort = { samples: 0, scale: 1, isFew: false, cost: 1 };
export const ROUGH: Effort = { samples: 0, scale: 0.5, isFew: true, cost: 0.6 };

/** Triangles of a frame: of all objects in view, and of the most visible ones. */
export interface FrameSize {
  readonly triangles: number;
  readonly fewTriangles: number;
}

/** Maximum time of a frame while the camera moves, in milliseconds. */
const MOVING_MS = 40;
/** The same at rest: with all samples, and without. */
const RESTING_FINE_MS = 100;
const RESTING_PLAIN_MS = 400;
/** Time of a part of a frame. */
const PART_MS = 60;
/** Frames with fewer triangles are not faster. */
const LEAST_TRIANGLES = 1e5;
/** Used until the speed of the GPU is known. */
const FIRST_FEW = 3e5;
/** The first frames are not measured, since programs are compiled in them. */
const FRAMES_SKIPPED = 2;

export class FramePace {
  /** Milliseconds per triangle of a plain frame; undefined: unknown. */
  #rate: number | undefined;
  #frames = 0;

  /** Records the time of a frame. */
  learn(effort: Effort, size: FrameSize, ms: number): void {
    if (this.#frames++ < FRAMES_SKIPPED) return;
    const rate = ms / (effort.cost * counted(effort, size));
    this.#rate = this.#rate === undefined ? rate : (this.#rate + rate) / 2;
  }

  /** The expected time of a frame. */
  expected(effort: Effort, size: FrameSize): number {
    return (this.#rate ?? 0) * effort.cost * counted(effort, size);
  }

  /** The best quality that is fast enough. */
  effort(size: FrameSize, isMoving: boolean): Effort {
    if (this.#rate === undefined) return size.triangles > FIRST_FEW ? PLAIN : FINE;
    const [fine, plain] = isMoving ? [MOVING_MS, MOVING_MS] : [RESTING_FINE_MS, RESTING_PLAIN_MS];
    if (this.expected(FINE, size) <= fine) return FINE;
    return this.expected(PLAIN, size) <= plain ? PLAIN : ROUGH;
  }

  /** The number of triangles that can be drawn roughly while the camera moves. */
  get few(): number {
    if (this.#rate === undefined) return FIRST_FEW;
    return Math.max(LEAST_TRIANGLES, Math.round(MOVING_MS / (this.#rate * ROUGH.cost)));
  }

  /** Number of triangles for a part of a frame. */
  part(effort: Effort): number {
    if (!this.#rate) return LEAST_TRIANGLES;
    return Math.max(1, Math.round(PART_MS / (this.#rate * effort.cost)));
  }
}

function counted({ isFew }: Effort, { triangles, fewTriangles }: FrameSize): number {
  return Math.max(LEAST_TRIANGLES, isFew ? fewTriangles : triangles);
}
