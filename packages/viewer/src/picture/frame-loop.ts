/**
 * Schedules frames: draws when something has changed, as well as the GPU can in the available time, and in full quality
 * once nothing changes any more.
 *
 * Frames never queue up on the GPU, and data from the store is processed between them, for a few milliseconds at a
 * time. Full quality is drawn in parts, each no longer than a frame of a moving camera, so that a new movement is
 * followed immediately; the parts drawn so far are then discarded.
 */
import type { CardTime } from './card-time.js';
import { type Effort, FINE, FramePace, type FrameSize, ROUGH } from './frame-pace.js';
import type { Lens } from './lens.js';
import type { Marks } from './marks.js';
import type { SlabScene } from './slab-scene.js';
import type { StreamClient } from './stream-client.js';
import type { SurfaceRenderer } from './surface-renderer.js';

/**
 * Time slices for incoming data and the pauses between them, in milliseconds: while the camera moves, and while it
 * rests.
 */
const WORK_MOVING = { work: 2, pause: 16 };
const WORK_STILL = { work: 6, pause: 0 };
/** The camera counts as moving for this long after a movement. */
const MOVING_MS = 120;
/** Maximum share of time for drawing incoming data. */
const SHOWING_SHARE = 1 / 5;
/** Delay from the last change to full quality: when everything is loaded, and while data is awaited. */
const REST_MS = 150;
const WAITING_REST_MS = 1500;

/** The components of a frame. */
export interface FrameParts {
  readonly slabs: SlabScene;
  readonly surface: SurfaceRenderer;
  readonly marks: Marks;
  readonly card: CardTime;
}

export interface FrameHost {
  /** Moves the camera by its flight and by held keys; returns whether it moves. */
  advance(now: number, seconds: number): boolean;
  /** The lens for this many rendered pixels per screen pixel. */
  lens(scale: number): Lens;
  /** Screen pixels per CSS pixel. */
  density(): number;
  /** Reports a moved camera to the stream. `isRough`: the frame has fewer pixels. */
  tellCamera(isRough: boolean): void;
  /** Requests full detail if the camera was last reported as rough. */
  sendCamera(): void;
  isComplete(): boolean;
  /** Called after a frame in which the camera or the data changed. */
  drawn(): void;
}

export class FrameLoop {
  readonly pace = new FramePace();
  /** Of the last frame: time of the main thread, and draw calls. */
  last = { ms: 0, calls: 0 };
  /** While set, it is called instead of drawing to the screen. */
  guest: (() => void) | undefined;
  readonly #host: FrameHost;
  readonly #stream: StreamClient;
  #parts: FrameParts | undefined;
  #frame = 0;
  #lastTime = 0;
  #work: ReturnType<typeof setTimeout> | undefined;
  #rest: ReturnType<typeof setTimeout> | undefined;
  #refineTimer: ReturnType<typeof setTimeout> | undefined;
  #workMs = 0;
  #isDirty = true;
  #isMoved = true;
  /** Whether the drawable data has changed since the last frame. */
  #isOther = false;
  #movedAt = -Infinity;
  #changedAt = -Infinity;
  /** The frame that the GPU is drawing, and the quality shown on the screen. */
  #pending: { effort: Effort; size: FrameSize } | undefined;
  #shown: Effort = ROUGH;
  /** A full-quality frame that is partly drawn. */
  #better: { size: FrameSize; ms: number } | undefined;
  #isStopped = false;
  /** Pauses drawing, because the camera is about to move. */
  #isHeld = false;
  /** Waiting for a frame: for its beginning, and for its end. */
  #asked: ((ms: number) => void)[] = [];
  #awaited: ((ms: number) => void)[] = [];

  constructor(host: FrameHost, stream: StreamClient) {
    this.#host = host;
    this.#stream = stream;
  }

  open(parts: FrameParts): void {
    this.#parts = parts;
  }

  /** Draws a frame; resolves when the GPU has finished it, with the time of the main thread and of the GPU. */
  drawn(): Promise<number> {
    return new Promise((resolve) => {
      this.#asked.push(resolve);
      this.invalidate();
    });
  }

  /** Whether the last frame shows everything in full quality. */
  get isSharp(): boolean {
    return this.#shown === FINE && !this.#isDirty && !this.#isOther && !this.#isMoved;
  }

  invalidate(): void {
    this.#isDirty = true;
    this.schedule();
  }

  moved(): void {
    this.#isMoved = true;
    this.#isHeld = false;
    this.invalidate();
  }

  /** Pauses drawing until `release`, or until the camera moves. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.schedule();
  }

  /** Pauses drawing until `start`. */
  stop(): void {
    this.#isStopped = true;
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    clearTimeout(this.#work);
    clearTimeout(this.#rest);
    clearTimeout(this.#refineTimer);
    this.#work = this.#rest = this.#better = this.#pending = undefined;
  }

  start(): void {
    this.#isStopped = false;
    this.invalidate();
  }

  schedule(): void {
    if (this.#frame !== 0 || this.#isStopped || this.#isHeld) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      if (!this.#isStopped && !this.#isHeld && this.#parts) this.#tick(time, this.#parts);
    });
  }

  /** Processes incoming data, independently of frames: slow frames must not delay loading. */
  workSoon(): void {
    if (this.#work !== undefined || this.#isStopped) return;
    const isMoving = performance.now() - this.#movedAt < MOVING_MS;
    const { work, pause } = isMoving ? WORK_MOVING : WORK_STILL;
    this.#work = setTimeout(() => {
      this.#work = undefined;
      if (this.#isStopped || !this.#parts) return;
      const began = performance.now();
      if (this.#stream.work(this.#parts.slabs, work)) {
        this.#isOther = true;
        this.#better = undefined; // its ranges have changed
        this.schedule();
      }
      this.#workMs += performance.now() - began;
      if (this.#stream.isWaiting) this.workSoon();
    }, pause);
  }

  #tick(time: number, parts: FrameParts): void {
    const began = performance.now();
    if (!this.#isDue(began, parts)) {
      this.schedule();
      return;
    }
    const isHeld = this.#host.advance(began, Math.min(0.1, (time - this.#lastTime) / 1000));
    this.#lastTime = time;
    const isMoving = this.#isMoved || isHeld;
    if (isMoving) this.#movedAt = began;
    const isChanged = this.#isOther || isMoving;
    let isOver = false;
    if (this.guest) {
      this.#better = undefined;
      this.guest();
    } else if (this.#isDirty || this.#isOther)
      this.#draw(parts, isMoving || began - this.#movedAt < MOVING_MS);
    else if (this.#shown !== FINE) isOver = this.#drawBetter(parts, began);
    this.last.ms = performance.now() - began + this.#workMs;
    this.#workMs = 0;
    if (isChanged || isOver) this.#host.drawn();
    if (isHeld || this.#isDirty || this.#better || this.#awaited.length > 0) this.schedule();
    else if (this.#shown !== FINE) this.#drawBetterSoon();
  }

  /** Prevents frames from queueing up on a slow GPU, and incoming data from keeping it busy. */
  #isDue(now: number, { card }: FrameParts): boolean {
    if (!card.isDone()) return false;
    if (this.#pending) this.pace.learn(this.#pending.effort, this.#pending.size, card.ms);
    this.#pending = undefined;
    for (const resolve of this.#awaited.splice(0)) resolve(this.last.ms + card.ms);
    if (this.#isDirty || this.guest || !this.#isOther || this.#host.isComplete()) return true;
    const size = this.#size;
    const next = this.pace.expected(this.pace.effort(size, false), size);
    return now >= card.doneAt + Math.max(card.ms, next) * (1 / SHOWING_SHARE - 1);
  }

  get #size(): FrameSize {
    return this.#stream.stats;
  }

  #draw({ slabs, surface, marks, card }: FrameParts, isMoving: boolean): void {
    this.#isDirty = false;
    this.#isOther = false;
    this.#better = undefined;
    const size = this.#size;
    const effort = this.pace.effort(size, isMoving);
    if (this.#isMoved) {
      this.#isMoved = false;
      this.#tell(isMoving && effort === ROUGH, card);
    }
    const lens = this.#host.lens(effort.scale);
    const before = slabs.calls;
    const density = effort.scale * this.#host.density();
    marks.look(lens, density);
    surface.draw(lens, effort, marks.isEmpty ? undefined : marks.scene);
    marks.placeLabels(lens, density);
    this.last.calls = slabs.calls - before + (marks.isEmpty ? 0 : 2);
    card.begin();
    this.#awaited.push(...this.#asked.splice(0));
    this.#changedAt = performance.now();
    this.#shown = effort;
    this.#pending = { effort, size };
  }

  /** A frame with fewer pixels needs fewer triangles; at rest, all are needed. */
  #tell(isRough: boolean, card: CardTime): void {
    clearTimeout(this.#refineTimer);
    this.#host.tellCamera(isRough);
    if (isRough) this.#tellFinelySoon(card);
  }

  /** With slow frames, the next movement is known only when the GPU has finished the last one. */
  #tellFinelySoon(card: CardTime): void {
    this.#refineTimer = setTimeout(() => {
      if (this.#isMoved) return;
      if (card.isDone() && performance.now() - card.doneAt >= MOVING_MS) this.#host.sendCamera();
      else this.#tellFinelySoon(card);
    }, MOVING_MS);
  }

  /** Schedules full quality, unless something changes first. */
  #drawBetterSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.schedule(), this.#host.isComplete() ? REST_MS : WAITING_REST_MS);
  }

  /** Draws a part of a full-quality frame; returns whether it is complete. */
  #drawBetter({ slabs, surface, marks, card }: FrameParts, now: number): boolean {
    const rest = this.#host.isComplete() ? REST_MS : WAITING_REST_MS;
    if (now - Math.max(this.#changedAt, this.#movedAt) < rest) return false;
    const lens = this.#host.lens(FINE.scale);
    if (!this.#better) {
      this.#better = { size: this.#size, ms: 0 };
      slabs.calls = 0;
      surface.begin(lens, FINE);
    } else this.#better.ms += card.ms;
    const { size, ms } = this.#better;
    if (!surface.drawPart(this.pace.part(FINE))) {
      card.begin();
      return false;
    }
    marks.look(lens, this.#host.density());
    surface.end(marks.isEmpty ? undefined : marks.scene);
    this.last.calls = slabs.calls + (marks.isEmpty ? 0 : 2);
    this.#better = undefined;
    card.begin();
    this.#shown = FINE;
    if (ms > 0) this.pace.learn(FINE, size, ms);
    return true;
  }
}
