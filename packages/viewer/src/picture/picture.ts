/**
 * The picture: streams a store to the GPU, draws it, and moves the camera.
 *
 * On this side, a frame only processes the worker's messages, for a few milliseconds, and draws the ranges that the
 * worker has selected: nothing is done per object.
 */
import { WebGLRenderer } from 'three';
import { CameraMotion } from './camera-motion.js';
import { axesOf, type CameraState, fitted, stateOf, viewOf } from './camera-state.js';
import { visibly } from './clash-frame.js';
import { Controls } from './controls.js';
import { type FrameHost, FrameLoop } from './frame-loop.js';
import { ROUGH } from './frame-pace.js';
import { targetBytes } from './frame-targets.js';
import { type Lens, lensOf, pixelAt } from './lens.js';
import { THEMES } from './palette.js';
import { disposeParts, makeParts, type PictureParts } from './picture-parts.js';
import { MOST_SECTIONS } from './shaders.js';
import { drawnPng } from './snapshot.js';
import { streamCamera } from './stream-camera.js';
import { StreamClient } from './stream-client.js';
import type {
  BodySurface,
  Box,
  Mark,
  Navigation,
  ObjectStyle,
  Pick,
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
const MOST_DENSITY = 2;
/** Error in rendered pixels while the camera moves on a slow GPU; full detail follows at rest. */
const ROUGH_ERROR = 2;

interface Parts extends PictureParts {
  readonly controls: Controls;
}

export class Picture {
  readonly canvas = document.createElement('canvas');
  /** Of the open store; empty: none yet. */
  storeUrl = '';
  readonly #container: HTMLElement;
  readonly #labels = document.createElement('div');
  readonly #renderer: WebGLRenderer;
  readonly #stream: StreamClient;
  readonly #resizing = new ResizeObserver(() => this.#resize());
  readonly #ends = new AbortController();
  readonly #frameListeners = new Set<() => void>();
  readonly #tapListeners = new Set<(tap: Tap) => void>();
  #parts: Parts | undefined;
  readonly #camera = new CameraMotion(() => this.#loop.moved());
  readonly #loop: FrameLoop;
  #size = { width: 1, height: 1, density: 1 };
  #theme: 'light' | 'dark';
  #isLost = false;
  #cameraId = 0;
  /** Whether the last request was for a moving camera, with less detail. */
  #isCameraRough = false;
  #clashes = 0;
  /** Snapshots are sequential. */
  #snapshots: Promise<unknown> = Promise.resolve();
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
      arrived: () => this.#loop.workSoon(),
      coloured: (ofObject) => {
        this.#parts?.objects.setOwnColours(ofObject);
        this.invalidate();
      },
      failed: (message) => options.onFailure?.(message),
    });
    this.#loop = new FrameLoop(this.#host(), this.#stream);
  }

  async open(storeUrl: string, options: PictureOptions): Promise<void> {
    const { memory = MEMORY, budget = BUDGET } = options;
    const opened = await this.#stream.open(storeUrl, memory, budget);
    this.storeUrl = storeUrl;
    const parts = makeParts(this.#renderer, opened, this.#labels, THEMES[this.#theme]);
    this.#parts = { ...parts, controls: this.#listen(opened.metresPerUnit) };
    this.#loop.open(this.#parts);
    this.#resize();
    this.#resizing.observe(this.#container);
    this.fit(this.box);
  }

  get stats(): PictureStats {
    const { triangles, pixelError, leftOut, ...stream } = this.#stream.stats;
    const complete = this.#isComplete;
    const parts = this.#parts;
    const copies = parts ? parts.opened.poses.byteLength + parts.opened.boxes.byteLength : 0;
    return {
      frameMs: this.#loop.last.ms,
      drawCalls: this.#loop.last.calls,
      triangles,
      pixelError,
      complete,
      sharp: complete && this.#loop.isSharp,
      leftOut,
      gpuBytes: this.#ownBytes + (parts?.slabs.bytes ?? 0),
      memoryBytes: stream.memoryBytes + this.#stream.waitingBytes + copies,
      bytesRead: stream.bytesRead,
    };
  }

  /** Bounds of all objects. */
  get box(): Box {
    return this.#opened.opened.box;
  }

  get objectCount(): number {
    return this.#opened.objects.count;
  }

  boxOf(object: number): Box {
    const [a, b, c, d, e, f] = this.#opened.opened.boxes.subarray(6 * object, 6 * object + 6);
    return { min: [a, b, c], max: [d, e, f] };
  }

  /** A port through which another worker can read the store: what was read for the picture is not read again. */
  pages(): MessagePort {
    return this.#stream.pages();
  }

  /** Called after frames in which the camera or `stats` changed. Returns a function that unsubscribes. */
  onFrame(listener: () => void): () => void {
    this.#frameListeners.add(listener);
    return () => this.#frameListeners.delete(listener);
  }

  /** Called for a click or tap that did not move the camera. Returns a function that unsubscribes. */
  onTap(listener: (tap: Tap) => void): () => void {
    this.#tapListeners.add(listener);
    return () => this.#tapListeners.delete(listener);
  }

  /** Requests a frame. Nothing is drawn while nothing changes. */
  invalidate(): void {
    this.#loop.invalidate();
  }

  get view(): View {
    return viewOf(this.#camera.goal);
  }

  /** Moves to a view, immediately or in a short flight. */
  look(view: View, flight = false): void {
    this.#go(stateOf(view), flight);
  }

  /** Fits a box into the picture, from the current side or in direction `from`. */
  fit(box: Box, from?: Point, flight = false): void {
    this.#go(fitted(this.#camera.state, box, this.#size.width / this.#size.height, from), flight);
  }

  /**
   * Moves to the side from which most of the contact of two objects is visible, hidden neither by the two nor by other
   * solids (`others`), within the current sections. `shown` then fills the picture. Returns false if the camera was
   * moved or another clash was requested meanwhile. Until the side is known, nothing is drawn.
   */
  async seeClash(
    objects: readonly [number, number],
    { contact, shown }: { readonly contact: Box; readonly shown: Box },
    others: readonly number[] | 'all' = [],
    flight = false,
  ): Promise<boolean> {
    const before = this.#camera.state;
    const from = axesOf(before).forward;
    const aspect = this.#size.width / this.#size.height;
    const framed = (direction: Point) => fitted(before, shown, aspect, direction, true);
    const { distance: away } = framed(from);
    const sections = this.#sections;
    const question = { objects, contact: visibly(contact, shown), others, sections, from, away };
    const asked = ++this.#clashes;
    this.#loop.hold(); // a frame at the old place would only delay the new one
    const direction = await this.#stream.sideOf(question);
    if (asked !== this.#clashes) return false;
    this.#loop.release();
    if (this.#camera.state !== before) return false;
    this.#go(framed(direction ?? from), flight);
    return true;
  }

  get navigation(): Navigation {
    return this.#opened.controls.navigation;
  }

  set navigation(navigation: Navigation) {
    this.#opened.controls.navigation = navigation;
    this.#opened.controls.keys.release();
  }

  /** Limits each step of a walk; null: no collisions. */
  set walkLimit(limit: ((from: Point, towards: Point) => Promise<Point>) | null) {
    this.#opened.controls.keys.limit = limit;
  }

  /** Styles of all objects, and of bodies, at once: an index into `styles` (at most 255) per object. */
  setStyles(styles: readonly ObjectStyle[], ofObject: Uint8Array): void {
    const hidden = this.#opened.objects.setStyles(styles, ofObject);
    this.#stream.say({ kind: 'hide', hidden });
    this.invalidate();
  }

  /** At most six planes. */
  setSections(planes: readonly SectionPlane[]): void {
    this.#sections = planes.slice(0, MOST_SECTIONS);
    this.#opened.surface.setSections(this.#sections);
    this.invalidate();
  }

  setMarks(marks: readonly Mark[]): void {
    this.#opened.marks.set(marks);
    this.invalidate();
  }

  /** Moves an object: a rotation row by row and a translation, like poses in stores; null: back. */
  move(object: number, pose: Float64Array | null): void {
    this.#opened.objects.move(object, pose);
    this.#stream.say({ kind: 'move', object, pose });
    this.invalidate();
  }

  /**
   * Shows bodies that are not in the store, at the origin until they are placed. In `setStyles` they come after the
   * objects.
   */
  setBodies(surfaces: readonly BodySurface[]): void {
    const { slabs, objects } = this.#opened;
    slabs.setBodies(surfaces, objects.count);
    objects.setBodies(surfaces.length);
    this.invalidate();
  }

  /** Places a body by any linear map, row by row, and a translation; and deforms it. */
  placeBody(body: number, place: Float64Array, positions?: Float32Array): void {
    const { slabs, objects } = this.#opened;
    objects.move(objects.count + body, place);
    if (positions) slabs.shapeBody(objects.count + body, positions);
    this.invalidate();
  }

  /** Resolves when all changes so far are drawn, with the milliseconds that the frame took: main thread and GPU. */
  drawn(): Promise<number> {
    return this.#loop.drawn();
  }

  /**
   * The size of a pixel at the nearest point of a box, rounded down to a power of two: it changes now and then, not
   * with every step.
   */
  pixelAt(box: Box): number {
    return pixelAt(this.#camera.goal, this.#size.height, box);
  }

  /** Draws what is in a box within an error, whatever else the picture leaves out; null: nowhere. */
  refine(near: { readonly box: Box; readonly error: number } | null): void {
    this.#stream.say({
      kind: 'refine',
      near: near && { box: Float64Array.of(...near.box.min, ...near.box.max), error: near.error },
    });
  }

  setTheme(theme: 'light' | 'dark'): void {
    this.#theme = theme;
    this.#opened.surface.setTheme(THEMES[theme]);
    this.invalidate();
  }

  /** At a position of the canvas, in CSS pixels. Solids take precedence over ghosts. */
  async pick(x: number, y: number): Promise<Pick | undefined> {
    if (this.#isLost || this.#loop.guest) return undefined;
    const { density } = this.#size;
    const found = await this.#opened.picker.pick(this.#lens(), x * density, y * density);
    // a body is no object
    return found && found.object < this.objectCount ? found : undefined;
  }

  /** Renders an image, complete at a pixel's error or after `withinMs`; a PNG. */
  snapshot(view: View, width: number, height: number, withinMs = 4000): Promise<Blob> {
    const next = this.#snapshots.then(() => this.#snapshot(stateOf(view), width, height, withinMs));
    this.#snapshots = next.catch(() => {});
    return next;
  }

  dispose(): void {
    this.#loop.stop();
    this.#isLost = true; // stops all drawing
    this.#ends.abort();
    this.#resizing.disconnect();
    this.#stream.dispose();
    const parts = this.#parts;
    if (parts) {
      parts.controls.dispose();
      disposeParts(parts);
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

  /** Bytes of targets and textures. */
  get #ownBytes(): number {
    if (!this.#parts) return 0;
    return this.#parts.surface.bytes + this.#parts.objects.bytes + 4 * this.canvas.width * this.canvas.height;
  }

  #listen(metresPerUnit: number): Controls {
    const { signal } = this.#ends;
    const lost = () => {
      this.#isLost = true;
      this.#loop.stop();
    };
    this.canvas.addEventListener('webglcontextlost', lost, { signal });
    this.canvas.addEventListener('webglcontextrestored', () => this.#restore(), { signal });
    const picture = this;
    const controls = new Controls({
      canvas: this.canvas,
      metresPerUnit,
      get state() {
        return picture.#camera.state;
      },
      set state(state) {
        picture.#camera.set(state);
      },
      lens: () => this.#lens(1),
      pick: (x, y) => this.pick(x, y),
      tapped: (tap) => {
        for (const listener of this.#tapListeners) listener(tap);
      },
    });
    controls.keys.onMotion(() => this.#loop.schedule());
    return controls;
  }

  /** The interface for the frame loop. */
  #host(): FrameHost {
    return {
      advance: (now, seconds) => {
        this.#camera.fly(now);
        const isHeld = this.#opened.controls.keys.tick(seconds);
        return isHeld || this.#camera.isFlying;
      },
      lens: (scale) => this.#lens(scale * this.#size.density),
      density: () => this.#size.density,
      tellCamera: (isRough) => {
        if (!this.#camera.isFlying) this.#tellCamera(this.#camera.state, this.#size, isRough);
      },
      sendCamera: () => {
        if (this.#isCameraRough) this.#tellCamera(this.#camera.state);
      },
      isComplete: () => this.#isComplete,
      drawn: () => {
        for (const listener of this.#frameListeners) listener();
      },
    };
  }

  /** Whether everything in view of the current camera is loaded. */
  get #isComplete(): boolean {
    const { complete, cameraId } = this.#stream.stats;
    return complete && cameraId === this.#cameraId && !this.#isCameraRough && !this.#stream.isWaiting;
  }

  #go(to: CameraState, flight: boolean): void {
    if (!this.#camera.go(to, flight)) return;
    this.#tellCamera(to);
    this.#loop.schedule();
  }

  #lens(density = this.#size.density): Lens {
    const { width, height } = this.#size;
    const [w, h] = [Math.round(width * density), Math.round(height * density)];
    return lensOf(this.#camera.state, w, h, this.#opened.depths);
  }

  #resize(): void {
    const width = Math.max(1, this.#container.clientWidth);
    const height = Math.max(1, this.#container.clientHeight);
    const density = Math.min(MOST_DENSITY, devicePixelRatio || 1);
    this.#size = { width, height, density };
    this.#renderer.setSize(Math.round(width * density), Math.round(height * density), false);
    this.#loop.moved();
  }

  #restore(): void {
    this.#isLost = false;
    this.#opened.card.forget();
    this.#opened.slabs.restore();
    this.#opened.objects.upload();
    this.#stream.lost();
    this.#loop.start();
  }

  #tellCamera(
    state: CameraState,
    size: { width: number; height: number } = this.#size,
    isRough = false,
  ): void {
    this.#isCameraRough = isRough;
    const { depths, objects } = this.#opened;
    // targets are created on demand; reserve memory for all
    const { width, height } = this.canvas;
    const bytes = targetBytes(width, height) + 4 * width * height + objects.bytes;
    this.#stream.say({ kind: 'reserve', bytes });
    const rest = {
      id: ++this.#cameraId,
      few: this.#loop.pace.few,
      pixelError: isRough ? ROUGH_ERROR / ROUGH.scale : 1,
    };
    const camera = { ...streamCamera(state, size, depths), ...rest };
    this.#stream.say({ kind: 'look', camera });
  }

  async #snapshot(state: CameraState, width: number, height: number, withinMs: number): Promise<Blob> {
    const { depths, surface, marks } = this.#opened;
    const lens = lensOf(state, width, height, depths);
    this.#tellCamera(state, { width, height });
    const end = performance.now() + withinMs;
    await new Promise<void>((resolve) => {
      const done = () => {
        if (this.stats.complete || performance.now() > end) resolve();
        else setTimeout(() => this.#loop.schedule(), 16);
      };
      this.#loop.guest = done;
      done();
    });
    try {
      return await drawnPng(surface, lens, marks);
    } finally {
      this.#loop.guest = undefined;
      this.#loop.moved();
    }
  }
}
