/**
 * How a frame is drawn, by how long frames take: on a slow card, while the camera moves, fewer pixels and only the
 * objects that show most; when it rests everything, in parts, so that whoever moves on does not wait.
 *
 * Idea: the time of a frame is about proportional to its triangles, times a factor for the effort. So every frame,
 * however it was drawn, tells how long any other would take.
 */
export interface Effort {
  /** Per pixel; 0: one, in its middle. */
  readonly samples: number;
  /** Pixels drawn per pixel of the screen, along an edge. */
  readonly scale: number;
  /** Only the objects that show most. */
  readonly isFew: boolean;
  /** Of the time that the plain frame takes, per triangle; as software and small cards have it. */
  readonly cost: number;
}

export const FINE: Effort = { samples: 4, scale: 1, isFew: false, cost: 2.5 };
export const PLAIN: Effort = { samples: 0, scale: 1, isFew: false, cost: 1 };
export const ROUGH: Effort = { samples: 0, scale: 0.5, isFew: true, cost: 0.6 };

/** Triangles of a frame: of all that is in view, and of the objects that show most. */
export interface FrameSize {
  readonly triangles: number;
  readonly fewTriangles: number;
}

/** Milliseconds that a frame may take while the camera moves. */
const MOVING_MS = 40;
/** The same while it rests: with all samples, and without. */
const RESTING_FINE_MS = 100;
const RESTING_PLAIN_MS = 400;
/** Of a part of a frame. */
const PART_MS = 60;
/** Frames of fewer triangles take no less time. */
const LEAST_TRIANGLES = 1e5;
/** Until it is known how fast the card is. */
const FIRST_FEW = 3e5;
/** Programs are compiled in the first frames: these tell nothing. */
const FRAMES_SKIPPED = 2;

export class FramePace {
  /** Milliseconds per triangle of a plain frame; undefined: not known. */
  #rate: number | undefined;
  #frames = 0;

  /** Records the time of a frame. */
  learn(effort: Effort, size: FrameSize, ms: number): void {
    if (this.#frames++ < FRAMES_SKIPPED) return;
    const rate = ms / (effort.cost * counted(effort, size));
    this.#rate = this.#rate === undefined ? rate : (this.#rate + rate) / 2;
  }

  /** How long a frame takes, probably. */
  expected(effort: Effort, size: FrameSize): number {
    return (this.#rate ?? 0) * effort.cost * counted(effort, size);
  }

  /** The best that is quick enough. */
  effort(size: FrameSize, isMoving: boolean): Effort {
    if (this.#rate === undefined) return size.triangles > FIRST_FEW ? PLAIN : FINE;
    const [fine, plain] = isMoving ? [MOVING_MS, MOVING_MS] : [RESTING_FINE_MS, RESTING_PLAIN_MS];
    if (this.expected(FINE, size) <= fine) return FINE;
    return this.expected(PLAIN, size) <= plain ? PLAIN : ROUGH;
  }

  /** As many triangles as can be drawn roughly while the camera moves. */
  get few(): number {
    if (this.#rate === undefined) return FIRST_FEW;
    return Math.max(LEAST_TRIANGLES, Math.round(MOVING_MS / (this.#rate * ROUGH.cost)));
  }

  /** Triangles for a part of a frame. */
  part(effort: Effort): number {
    if (!this.#rate) return LEAST_TRIANGLES;
    return Math.max(1, Math.round(PART_MS / (this.#rate * effort.cost)));
  }
}

function counted({ isFew }: Effort, { triangles, fewTriangles }: FrameSize): number {
  return Math.max(LEAST_TRIANGLES, isFew ? fewTriangles : triangles);
}
