/**
 * When frames are drawn, and how: when something has changed, as well as the card can in the time there is; and better
 * once nothing changes any more.
 *
 * Frames never queue up on the card, and what comes in from the store is carried out between them, for a few
 * milliseconds at a time. Better means in parts: a part takes the card no longer than a frame while the camera moves,
 * so that whoever moves on is followed at once. What has been drawn of it is forgotten then.
 */
import type { CardTime } from './card-time.js';
import { type Effort, FINE, FramePace, type FrameSize, ROUGH } from './frame-pace.js';
import type { Lens } from './lens.js';
import type { Marks } from './marks.js';
import type { SlabScene } from './slab-scene.js';
import type { StreamClient } from './stream-client.js';
import type { SurfaceRenderer } from './surface-renderer.js';

/**
 * Milliseconds at a time for what has come, and between two such times: while the camera moves, and while it does not.
 */
const WORK_MOVING = { work: 2, pause: 16 };
const WORK_STILL = { work: 6, pause: 0 };
/** So long after it has moved it still moves. */
const MOVING_MS = 120;
/** What comes in is shown by drawing for at most this share of the time. */
const SHOWING_SHARE = 1 / 5;
/**
 * So long after the last change what is drawn is drawn better: where all is there, and where something is still
 * awaited.
 */
const REST_MS = 150;
const WAITING_REST_MS = 1500;

/** What frames are made of. */
export interface FrameParts {
  readonly slabs: SlabScene;
  readonly surface: SurfaceRenderer;
  readonly marks: Marks;
  readonly card: CardTime;
}

export interface FrameHost {
  /** Moves the camera by its flight and by keys that are held; true while it moves. */
  advance(now: number, seconds: number): boolean;
  /** For what is drawn with so many pixels per pixel of the screen. */
  lens(scale: number): Lens;
  /** Pixels of the screen per CSS pixel. */
  density(): number;
  /** The camera stands elsewhere than when this was called last. Roughly: what is drawn has fewer pixels. */
  tellCamera(isRough: boolean): void;
  /** Asks for all that the camera needs, where it was told roughly last. */
  sendCamera(): void;
  isComplete(): boolean;
  /** A frame was drawn in which the camera or what is there changed. */
  drawn(): void;
}

export class FrameLoop {
  readonly pace = new FramePace();
  /** Of the last frame: the time of the main thread, and draw calls. */
  last = { ms: 0, calls: 0 };
  /** While someone else draws, the screen stands still. */
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
  /** Something else can be drawn since the last frame. */
  #isOther = false;
  #movedAt = -Infinity;
  #changedAt = -Infinity;
  /** What the card is at work on, and how that is shown on the screen. */
  #pending: { effort: Effort; size: FrameSize } | undefined;
  #shown: Effort = ROUGH;
  /** A better frame, of which parts have been drawn. */
  #better: { size: FrameSize; ms: number } | undefined;
  #isStopped = false;
  /** Nothing is drawn, because the camera is about to go elsewhere. */
  #isHeld = false;

  constructor(host: FrameHost, stream: StreamClient) {
    this.#host = host;
    this.#stream = stream;
  }

  open(parts: FrameParts): void {
    this.#parts = parts;
  }

  /** The last frame shows all there is, with all its pixels and samples. */
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

  /** Nothing is drawn until `release`, or until the camera moves. */
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    this.schedule();
  }

  /** Nothing is drawn until `start`. */
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

  /** Carries out what has come, apart from frames: where those are slow, loading must not be. */
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
        this.#better = undefined; // its ranges are others now
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
    if (isHeld || this.#isDirty || this.#better) this.schedule();
    else if (this.#shown !== FINE) this.#drawBetterSoon();
  }

  /** Frames do not queue up where the card is slow; and what comes in does not keep it busy. */
  #isDue(now: number, { card }: FrameParts): boolean {
    if (!card.isDone()) return false;
    if (this.#pending) this.pace.learn(this.#pending.effort, this.#pending.size, card.ms);
    this.#pending = undefined;
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
    this.#changedAt = performance.now();
    this.#shown = effort;
    this.#pending = { effort, size };
  }

  /** What is drawn with fewer pixels needs fewer triangles; what rests needs all of them. */
  #tell(isRough: boolean, card: CardTime): void {
    clearTimeout(this.#refineTimer);
    this.#host.tellCamera(isRough);
    if (isRough) this.#tellFinelySoon(card);
  }

  /** Where frames are slow, nobody hears of the next movement before the card is done with the last one. */
  #tellFinelySoon(card: CardTime): void {
    this.#refineTimer = setTimeout(() => {
      if (this.#isMoved) return;
      if (card.isDone() && performance.now() - card.doneAt >= MOVING_MS) this.#host.sendCamera();
      else this.#tellFinelySoon(card);
    }, MOVING_MS);
  }

  /** When nothing changes until then. */
  #drawBetterSoon(): void {
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => this.schedule(), this.#host.isComplete() ? REST_MS : WAITING_REST_MS);
  }

  /** A part of a better frame. True: it is on the screen. */
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
