/**
 * The picture: streams a store to the card, draws it, and moves the camera.
 *
 * A frame is drawn when something has changed. All that is done for one here is to carry out what the worker has sent, for a
 * few milliseconds, and to draw the ranges that it has chosen: nothing is done object by object.
 */
import { WebGLRenderer } from 'three';
import type { Opened } from '../streaming/protocol.js';
import {
  anglesOf,
  axesOf,
  between,
  type CameraState,
  fitted,
  RADIANS,
  stateOf,
  viewOf,
} from './camera-state.js';
import { CardTime } from './card-time.js';
import { Controls } from './controls.js';
import { type Depths, type Lens, lensOf } from './lens.js';
import { Marks } from './marks.js';
import { ObjectState } from './object-state.js';
import { THEMES } from './palette.js';
import { Picker } from './picker.js';
import { MOST_SECTIONS } from './shaders.js';
import { SlabScene } from './slab-scene.js';
import { drawnPng } from './snapshot.js';
import { StreamClient } from './stream-client.js';
import { SurfaceRenderer } from './surface-renderer.js';
import type {
  Box,
  Mark,
  Navigation,
  ObjectStyle,
  Pick,
  Picture,
  PictureOptions,
  PictureStats,
  Point,
  SectionPlane,
  Tap,
  View,
} from './types.js';
import './picture.css';

const MEMORY = 600e6;
const BUDGET = 3e6;
/** Milliseconds at a time for what has come, and between two such times: while the camera moves, and while it does not. */
const WORK_MOVING = { work: 2, pause: 16 };
const WORK_STILL = { work: 6, pause: 0 };
/** So long after it has moved it still moves. */
const MOVING_MS = 120;
/** What comes in is shown by drawing for at most this share of the time. */
const SHOWING_SHARE = 1 / 5;
const FLIGHT_MS = 350;
const FIELD_OF_VIEW = 50;
/** More is chosen than is seen, by this factor, so that nothing is missing at the border while one turns. */
const WIDER = 1.2;
const FIRST_LOOK: Point = [0.55, 0.75, -0.42];
const MOST_DENSITY = 2;

/** What the picture consists of once the store is open. */
interface Parts {
  readonly opened: Opened;
  readonly objects: ObjectState;
  readonly slabs: SlabScene;
  readonly surface: SurfaceRenderer;
  readonly picker: Picker;
  readonly marks: Marks;
  readonly controls: Controls;
  readonly depths: Depths;
}

export class ShownPicture implements Picture {
  readonly canvas = document.createElement('canvas');
  readonly #container: HTMLElement;
  readonly #labels = document.createElement('div');
  readonly #renderer: WebGLRenderer;
  readonly #stream: StreamClient;
  readonly #resizing = new ResizeObserver(() => this.#resize());
  readonly #ends = new AbortController();
  readonly #frameListeners = new Set<() => void>();
  readonly #tapListeners = new Set<(tap: Tap) => void>();
  #parts: Parts | undefined;
  #state: CameraState = {
    eye: [0, 0, 0],
    ...anglesOf(FIRST_LOOK),
    distance: 1,
    fieldOfView: FIELD_OF_VIEW * RADIANS,
    height: 1,
  };
  #size = { width: 1, height: 1, density: 1 };
  #theme: 'light' | 'dark';
  #flight: { from: CameraState; to: CameraState; began: number } | undefined;
  #frame = 0;
  #lastTime = 0;
  #lastFrame = { ms: 0, calls: 0 };
  #card: CardTime | undefined;
  #isDirty = true;
  /** Something else can be drawn since the last frame, and has been since when. */
  #isOther = false;
  #work: ReturnType<typeof setTimeout> | undefined;
  #workMs = 0;
  #movedAt = -Infinity;
  #isMoved = true;
  #isLost = false;
  #cameraId = 0;
  /** Pictures that are not on the screen come one after the other; meanwhile the screen stands still. */
  #snapshots: Promise<unknown> = Promise.resolve();
  #guest: (() => void) | undefined;
  #sections: readonly SectionPlane[] = [];

  constructor(container: HTMLElement, options: PictureOptions) {
    this.#container = container;
    this.#theme = options.theme ?? 'light';
    this.#renderer = new WebGLRenderer({
      canvas: this.canvas,
      antialias: false,
      depth: false,
      stencil: false,
      alpha: false,
      powerPreference: 'high-performance',
      reversedDepthBuffer: true,
    });
    this.canvas.setAttribute('role', 'application');
    this.canvas.setAttribute('aria-label', options.label ?? 'The model in 3-D');
    this.#labels.className = 'mark-labels';
    this.#labels.setAttribute('aria-hidden', 'true');
    container.classList.add('picture');
    container.append(this.canvas, this.#labels);
    this.#stream = new StreamClient({
      arrived: () => this.#workSoon(),
      coloured: (ofObject) => {
        this.#parts?.objects.setOwnColours(ofObject);
        this.invalidate();
      },
      failed: (message) => options.onFailure?.(message),
    });
  }

  async open(storeUrl: string, options: PictureOptions): Promise<void> {
    const { memory = MEMORY, budget = BUDGET } = options;
    const opened = await this.#stream.open(storeUrl, memory, budget);
    const renderer = this.#renderer;
    const slabs = new SlabScene(renderer);
    const objects = new ObjectState(opened);
    const [origin, theme] = [opened.origin as unknown as Point, THEMES[this.#theme]];
    const surface = new SurfaceRenderer(renderer, slabs, objects, { origin, step: opened.step, theme });
    const isReversed = renderer.capabilities.reversedDepthBuffer;
    const depths = { reach: reachOf(opened.boxes, origin), middle: origin, isReversed };
    this.#card = new CardTime(renderer.getContext() as WebGL2RenderingContext);
    this.#parts = {
      opened,
      objects,
      slabs,
      surface,
      picker: new Picker(surface),
      marks: new Marks(this.#labels, isReversed),
      controls: this.#listen(),
      depths,
    };
    this.#resize();
    this.#resizing.observe(this.#container);
    this.fit(this.box, FIRST_LOOK);
  }

  get stats(): PictureStats {
    const { triangles, pixelError, complete, leftOut, cameraId, ...stream } = this.#stream.stats;
    const parts = this.#parts;
    const copies = parts ? parts.opened.poses.byteLength + parts.opened.boxes.byteLength : 0;
    return {
      frameMs: this.#lastFrame.ms,
      drawCalls: this.#lastFrame.calls,
      triangles,
      pixelError,
      complete: complete && cameraId === this.#cameraId && !this.#stream.isWaiting,
      leftOut,
      gpuBytes: this.#ownBytes + (parts?.slabs.bytes ?? 0),
      memoryBytes: stream.memoryBytes + this.#stream.waitingBytes + copies,
      bytesRead: stream.bytesRead,
    };
  }

  get box(): Box {
    const { boxes } = this.#opened.opened;
    const [min, max] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (let i = 0; i < boxes.length; i += 6) {
      for (let k = 0; k < 3; k++) {
        min[k] = Math.min(min[k], boxes[i + k]);
        max[k] = Math.max(max[k], boxes[i + k + 3]);
      }
    }
    return boxes.length > 0 ? ({ min, max } as unknown as Box) : { min: [-1, -1, -1], max: [1, 1, 1] };
  }

  get objectCount(): number {
    return this.#opened.objects.count;
  }

  boxOf(object: number): Box {
    const [a, b, c, d, e, f] = this.#opened.opened.boxes.subarray(6 * object, 6 * object + 6);
    return { min: [a, b, c], max: [d, e, f] };
  }

  onFrame(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  onTap(listener: (tap: Tap) => void): () => void {
    this.#tapListeners.add(listener);
    return () => this.#tapListeners.delete(listener);
  }

  invalidate(): void {
    this.#isDirty = true;
    this.#schedule();
  }

  get view(): View {
    return viewOf(this.#flight?.to ?? this.#state);
  }

  look(view: View, flight = false): void {
    this.#go(stateOf(view), flight);
  }

  fit(box: Box, from?: Point, flight = false): void {
    this.#go(fitted(this.#state, box, this.#size.width / this.#size.height, from), flight);
  }

  async seeClash(
    objects: readonly [number, number],
    { contact, shown }: { readonly contact: Box; readonly shown: Box },
    others: readonly number[] | 'all' = [],
    flight = false,
  ): Promise<boolean> {
    const before = this.#state;
    const from = axesOf(before).forward;
    const question = { objects, contact: visibly(contact, shown), others, sections: this.#sections, from };
    const direction = await this.#stream.sideOf(question);
    if (this.#state !== before) return false;
    this.fit(shown, direction ?? from, flight);
    return true;
  }

  get navigation(): Navigation {
    return this.#opened.controls.navigation;
  }

  set navigation(navigation: Navigation) {
    this.#opened.controls.navigation = navigation;
    this.#opened.controls.keys.release();
  }

  get walkLimit(): ((from: Point, towards: Point) => Promise<Point>) | null {
    return this.#opened.controls.keys.limit;
  }

  set walkLimit(limit: ((from: Point, towards: Point) => Promise<Point>) | null) {
    this.#opened.controls.keys.limit = limit;
  }

  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): void {
    const hidden = this.#opened.objects.setStyles(styles, ofObject);
    this.#stream.say({ kind: 'hide', hidden });
    this.invalidate();
  }

  setSections(planes: readonly SectionPlane[]): void {
    this.#sections = planes.slice(0, MOST_SECTIONS);
    this.#opened.surface.setSections(this.#sections);
    this.invalidate();
  }

  setMarks(marks: readonly Mark[]): void {
    this.#opened.marks.set(marks);
    this.invalidate();
  }

  move(object: number, pose: Float64Array | null): void {
    if (!this.#opened.objects.move(object, pose)) return;
    this.#stream.say({ kind: 'move', object, pose });
    this.invalidate();
  }

  setTheme(theme: 'light' | 'dark'): void {
    this.#theme = theme;
    this.#opened.surface.setTheme(THEMES[theme]);
    this.invalidate();
  }

  async pick(x: number, y: number): Promise<Pick | undefined> {
    if (this.#isLost || this.#guest) return undefined;
    const { density } = this.#size;
    return this.#opened.picker.pick(this.#lens(), x * density, y * density);
  }

  snapshot(view: View, width: number, height: number, withinMs = 4000): Promise<Blob> {
    const next = this.#snapshots.then(() => this.#snapshot(stateOf(view), width, height, withinMs));
    this.#snapshots = next.catch(() => {});
    return next;
  }

  dispose(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#work);
    this.#isLost = true; // nothing is drawn any more
    this.#ends.abort();
    this.#resizing.disconnect();
    this.#stream.dispose();
    const parts = this.#parts;
    if (parts) {
      parts.controls.dispose();
      for (const part of [parts.picker, parts.marks, parts.surface, parts.slabs, parts.objects])
        part.dispose();
    }
    this.#renderer.dispose();
    this.#renderer.forceContextLoss();
    this.canvas.remove();
    this.#labels.remove();
    this.#frameListeners.clear();
    this.#tapListeners.clear();
  }

  get #opened(): Parts {
    if (!this.#parts) throw new Error('the picture is not open');
    return this.#parts;
  }

  /** Of targets and textures. */
  get #ownBytes(): number {
    if (!this.#parts) return 0;
    return this.#parts.surface.bytes + this.#parts.objects.bytes + 4 * this.canvas.width * this.canvas.height;
  }

  #listen(): Controls {
    const { signal } = this.#ends;
    this.canvas.addEventListener('webglcontextlost', () => (this.#isLost = true), { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.#restore(), { signal });
    const picture = this;
    const controls = new Controls({
      canvas: this.canvas,
      get state() {
        return picture.#state;
      },
      set state(state) {
        picture.#flight = undefined;
        picture.#setState(state);
      },
      lens: () => this.#lens(1),
      pick: (x, y) => this.pick(x, y),
      tapped: (tap) => {
        for (const listener of this.#tapListeners) listener(tap);
      },
    });
    controls.keys.onMotion(() => this.#schedule());
    return controls;
  }

  #setState(state: CameraState): void {
    if (![...state.eye, state.distance, state.height].every(Number.isFinite)) return;
    this.#state = state;
    this.#isMoved = true;
    this.invalidate();
  }

  #go(to: CameraState, flight: boolean): void {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.#flight = undefined;
    if (flight && !isCalm) {
      this.#flight = { from: this.#state, to, began: performance.now() };
      this.#tellCamera(to);
      this.#schedule();
    } else this.#setState(to);
  }

  #lens(density = this.#size.density): Lens {
    const { width, height } = this.#size;
    const [w, h] = [Math.round(width * density), Math.round(height * density)];
    return lensOf(this.#state, w, h, this.#opened.depths);
  }

  #resize(): void {
    const width = Math.max(1, this.#container.clientWidth);
    const height = Math.max(1, this.#container.clientHeight);
    const density = Math.min(MOST_DENSITY, devicePixelRatio || 1);
    this.#size = { width, height, density };
    this.#renderer.setSize(Math.round(width * density), Math.round(height * density), false);
    this.#isMoved = true;
    this.invalidate();
  }

  #restore(): void {
    this.#isLost = false;
    this.#card!.forget();
    this.#opened.slabs.restore();
    this.#opened.objects.upload();
    this.#stream.lost();
    this.invalidate();
  }

  #schedule(): void {
    if (this.#frame !== 0 || this.#isLost) return;
    this.#frame = requestAnimationFrame((time) => {
      this.#frame = 0;
      if (!this.#isLost && this.#parts) this.#tick(time, this.#parts);
    });
  }

  #tick(time: number, parts: Parts): void {
    const began = performance.now();
    const seconds = Math.min(0.1, (time - this.#lastTime) / 1000);
    if (!this.#isDue(began)) {
      this.#schedule();
      return;
    }
    this.#lastTime = time;
    if (this.#flight) this.#fly(began);
    const isHeld = parts.controls.keys.tick(seconds);
    const isMoving = this.#isMoved || isHeld || this.#flight !== undefined;
    if (isMoving) this.#movedAt = began;
    const isChanged = this.#isOther || isMoving;
    if (this.#guest) this.#guest();
    else if (this.#isDirty || this.#isOther) this.#draw(parts);
    this.#lastFrame.ms = performance.now() - began + this.#workMs;
    this.#workMs = 0;
    if (isChanged) for (const listener of this.#frameListeners) listener();
    if (isHeld || this.#flight || this.#isDirty) this.#schedule();
  }

  /** Frames do not queue up where the card is slow; and what comes in does not keep it busy. */
  #isDue(now: number): boolean {
    const card = this.#card!;
    if (!card.isDone()) return false;
    if (this.#isDirty || this.#isMoved || this.#flight || this.#guest || this.stats.complete) return true;
    return now >= card.doneAt + card.ms * (1 / SHOWING_SHARE - 1);
  }

  /** Carries out what has come, apart from frames: where those are slow, loading must not be. */
  #workSoon(): void {
    if (this.#work !== undefined || this.#isLost) return;
    const isMoving = performance.now() - this.#movedAt < MOVING_MS;
    const { work, pause } = isMoving ? WORK_MOVING : WORK_STILL;
    this.#work = setTimeout(() => {
      this.#work = undefined;
      if (this.#isLost || !this.#parts) return;
      const began = performance.now();
      if (this.#stream.work(this.#parts.slabs, work)) {
        this.#isOther = true;
        this.#schedule();
      }
      this.#workMs += performance.now() - began;
      if (this.#stream.isWaiting) this.#workSoon();
    }, pause);
  }

  #draw({ slabs, surface, marks }: Parts): void {
    this.#isDirty = false;
    this.#isOther = false;
    if (this.#isMoved) {
      this.#isMoved = false;
      if (!this.#flight) this.#tellCamera(this.#state);
    }
    const lens = this.#lens();
    const before = slabs.calls;
    marks.look(lens, this.#size.density);
    surface.draw(lens, marks.isEmpty ? undefined : marks.scene);
    marks.placeLabels(lens, this.#size.density);
    this.#lastFrame.calls = slabs.calls - before + (marks.isEmpty ? 0 : 2);
    this.#card!.begin();
  }

  #fly(now: number): void {
    const { from, to, began } = this.#flight!;
    const t = Math.min(1, (now - began) / FLIGHT_MS);
    if (t === 1) this.#flight = undefined;
    this.#state = t === 1 ? to : between(from, to, t * t * (3 - 2 * t));
    this.#isMoved = true;
    this.#isDirty = true;
  }

  /** What is chosen is for CSS pixels: denser screens show the same triangles. */
  #tellCamera(state: CameraState, width = this.#size.width, height = this.#size.height): void {
    const { pose, projection } = lensOf(state, width, height, this.#opened.depths);
    const wide = [...projection];
    wide[0] /= WIDER;
    wide[5] /= WIDER;
    this.#stream.say({ kind: 'reserve', bytes: this.#ownBytes });
    this.#stream.say({
      kind: 'look',
      camera: {
        id: ++this.#cameraId,
        pose,
        projection: wide,
        width: Math.round(width * WIDER),
        height: Math.round(height * WIDER),
        pixelError: 1,
      },
    });
  }

  async #snapshot(state: CameraState, width: number, height: number, withinMs: number): Promise<Blob> {
    const { depths, surface, marks } = this.#opened;
    const lens = lensOf(state, width, height, depths);
    this.#tellCamera(state, width, height);
    const end = performance.now() + withinMs;
    await new Promise<void>((resolve) => {
      const done = () => {
        if (this.stats.complete || performance.now() > end) resolve();
        else setTimeout(() => this.#schedule(), 16);
      };
      this.#guest = done;
      done();
    });
    try {
      return await drawnPng(surface, lens, marks);
    } finally {
      this.#guest = undefined;
      this.#isMoved = true;
      this.invalidate();
    }
  }
}

/** A contact in a point has no pixels: as large as can be seen. */
function visibly({ min, max }: Box, shown: Box): Box {
  const room = 0.04 * Math.hypot(...shown.max.map((x, k) => x - shown.min[k]));
  return { min: min.map((x) => x - room), max: max.map((x) => x + room) } as unknown as Box;
}

function reachOf(boxes: Float64Array, middle: Point): number {
  let reach = 0;
  for (let i = 0; i < boxes.length; i++) reach = Math.max(reach, Math.abs(boxes[i] - middle[i % 3]));
  return reach || 1;
}
