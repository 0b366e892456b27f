/**
 * Moves the camera by pointer, wheel, touch and keys.
 *
 * Rotation is about the point under the pointer, zoom towards it. That point is read back from the GPU; until it is
 * known, the last one is used. Each movement is a small step of its own, so nothing jumps.
 */
import {
  axesOf,
  type CameraState,
  metresPerPixel,
  orbited,
  targetOf,
  turned,
  zoomed,
} from './camera-state.js';
import { KeyMotion } from './key-motion.js';
import { type Lens, rayThrough } from './lens.js';
import type { Navigation, Pick, Point, Tap } from './types.js';
import { add, dot, subtract } from './vectors.js';

/** Radians per CSS pixel, and zoom per wheel unit. */
const TURN = 0.006;
const ZOOM = 0.0016;
/** A press that moves no farther is a tap. */
const TAP_PIXELS = 4;

export interface ControlsHost {
  readonly canvas: HTMLCanvasElement;
  /** The current camera; set to move it. */
  state: CameraState;
  readonly metresPerUnit: number;
  /** Of the picture in CSS pixels. */
  lens(): Lens;
  pick(x: number, y: number): Promise<Pick | undefined>;
  tapped(tap: Tap): void;
}

interface Finger {
  x: number;
  y: number;
  readonly startX: number;
  readonly startY: number;
  readonly button: number;
  moved: boolean;
}

export class Controls {
  navigation: Navigation = 'orbit';
  readonly keys: KeyMotion;
  readonly #host: ControlsHost;
  readonly #fingers = new Map<number, Finger>();
  readonly #ends = new AbortController();
  /** The centre of rotation and zoom. */
  #pivot: Point | undefined;
  #pivotFor = '';

  constructor(host: ControlsHost) {
    this.#host = host;
    this.keys = new KeyMotion(host, () => this.navigation);
    const { canvas } = host;
    canvas.tabIndex = 0;
    canvas.style.touchAction = 'none';
    const { signal } = this.#ends;
    const listen = <K extends keyof HTMLElementEventMap>(
      name: K,
      listener: (event: HTMLElementEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => canvas.addEventListener(name, listener, { signal, ...options });
    listen('pointerdown', (event) => this.#down(event));
    listen('pointermove', (event) => this.#move(event));
    listen('pointerup', (event) => this.#up(event));
    listen('pointercancel', (event) => this.#fingers.delete(event.pointerId));
    listen('wheel', (event) => this.#wheel(event), { passive: false });
    listen('contextmenu', (event) => event.preventDefault());
    listen('keydown', (event) => this.keys.down(event));
    listen('keyup', (event) => this.keys.up(event));
    listen('blur', () => this.keys.release());
  }

  dispose(): void {
    this.#ends.abort();
  }

  #down(event: PointerEvent): void {
    const { canvas } = this.#host;
    canvas.focus({ preventScroll: true });
    canvas.setPointerCapture(event.pointerId);
    const [x, y] = [event.offsetX, event.offsetY];
    this.#fingers.set(event.pointerId, { x, y, startX: x, startY: y, button: event.button, moved: false });
    const middle = this.#middle();
    this.#pickPivot(middle.x, middle.y, `press ${event.pointerId} ${event.timeStamp}`);
  }

  #move(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    if (!finger) return;
    const far = Math.hypot(event.offsetX - finger.startX, event.offsetY - finger.startY);
    finger.moved ||= far > TAP_PIXELS || this.#fingers.size > 1;
    const before = { ...this.#middle(), spread: this.#spread() };
    [finger.x, finger.y] = [event.offsetX, event.offsetY];
    if (!finger.moved) return;
    const after = { ...this.#middle(), spread: this.#spread() };
    const [dx, dy] = [after.x - before.x, after.y - before.y];
    if (this.#fingers.size > 1) {
      if (before.spread > 0 && after.spread > 0) {
        this.#zoom(after.x, after.y, before.spread / after.spread);
      }
      this.#pan(dx, dy);
    } else if (finger.button === 1 || finger.button === 2 || event.shiftKey) this.#pan(dx, dy);
    else this.#turn(dx, dy);
  }

  #up(event: PointerEvent): void {
    const finger = this.#fingers.get(event.pointerId);
    this.#fingers.delete(event.pointerId);
    if (finger && !finger.moved) this.#host.tapped({ x: event.offsetX, y: event.offsetY, event });
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    const [x, y] = [event.offsetX, event.offsetY];
    const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
    this.#pickPivot(
      x,
      y,
      `wheel ${Math.round(x / 6)} ${Math.round(y / 6)} ${Math.round(event.timeStamp / 400)}`,
    );
    const amount = Math.max(-240, Math.min(240, event.deltaY * unit)) * (event.ctrlKey ? 4 : 1);
    if (this.navigation === 'orbit') this.#zoom(x, y, Math.exp(amount * ZOOM));
    else this.keys.changeSpeed(Math.exp(-amount * ZOOM));
  }

  #turn(dx: number, dy: number): void {
    const { state } = this.#host;
    if (this.navigation !== 'orbit') this.#host.state = turned(state, dx * TURN * 0.6, dy * TURN * 0.6);
    else {
      const around = this.#pivot ?? targetOf(state);
      this.#host.state = orbited(state, around, -dx * TURN, -dy * TURN);
    }
  }

  #pan(dx: number, dy: number): void {
    const { state, canvas } = this.#host;
    const { right, up, forward } = axesOf(state);
    const deep = this.#pivot ? dot(subtract(this.#pivot, state.eye), forward) : state.distance;
    const size = metresPerPixel(state, Math.max(deep, 1e-9), canvas.clientHeight || 1);
    this.#host.state = { ...state, eye: add(add(state.eye, right, -dx * size), up, dy * size) };
  }

  #zoom(x: number, y: number, factor: number): void {
    const { state } = this.#host;
    const { from, direction } = rayThrough(this.#host.lens(), x, y);
    // at the depth of the last pivot
    const { forward } = axesOf(state);
    const deep = this.#pivot ? dot(subtract(this.#pivot, state.eye), forward) : state.distance;
    const along = Math.max(deep, 1e-9) / Math.max(dot(direction, forward), 1e-9);
    this.#host.state = zoomed(state, add(from, direction, along), factor);
  }

  /** Looks up the point under a position, once per `occasion`. If there is none, the pivot keeps its depth. */
  async #pickPivot(x: number, y: number, occasion: string): Promise<void> {
    if (this.#pivotFor === occasion) return;
    this.#pivotFor = occasion;
    const found = await this.#host.pick(x, y);
    if (this.#pivotFor !== occasion) return;
    this.#pivot = found?.point;
  }

  #middle(): { x: number; y: number } {
    let [x, y] = [0, 0];
    for (const finger of this.#fingers.values()) [x, y] = [x + finger.x, y + finger.y];
    const count = this.#fingers.size || 1;
    return { x: x / count, y: y / count };
  }

  /** Distance of two fingers; 0 with fewer. */
  #spread(): number {
    const [a, b] = this.#fingers.values();
    return a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  }
}
