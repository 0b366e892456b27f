/** Moves the camera by keys: in steps when orbiting, continuously while held when walking or flying. */
import { axesOf, type CameraState, orbited, targetOf, turned, zoomed } from './camera-state.js';
import type { Navigation, Point } from './types.js';
import { add } from './vectors.js';

export interface KeyHost {
  state: CameraState;
  readonly metresPerUnit: number;
}

/** Right, up, forward; turns are yaw, pitch. */
const MOVES: Readonly<Record<string, Point>> = {
  KeyW: [0, 0, 1],
  KeyS: [0, 0, -1],
  KeyA: [-1, 0, 0],
  KeyD: [1, 0, 0],
  KeyE: [0, 1, 0],
  KeyQ: [0, -1, 0],
};
const TURNS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [1, 0],
  ArrowRight: [-1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
/** Radians per press, and per second. */
const STEP = Math.PI / 24;
const TURNING = 1.4;
/** Metres per second: a brisk walk. */
const WALKING = 2;

export class KeyMotion {
  /** Limits a step; null: no collisions. */
  limit: ((from: Point, towards: Point) => Promise<Point>) | null = null;
  readonly #host: KeyHost;
  readonly #navigation: () => Navigation;
  readonly #pressed = new Set<string>();
  #speed = WALKING;
  #isAsking = false;
  #moved = () => {};

  constructor(host: KeyHost, navigation: () => Navigation) {
    this.#host = host;
    this.#navigation = navigation;
  }

  /** Called when keys need a frame. */
  onMotion(listener: () => void): void {
    this.#moved = listener;
  }

  changeSpeed(factor: number): void {
    this.#speed = Math.max(WALKING / 50, Math.min(WALKING * 50, this.#speed * factor));
  }

  down(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isMotion = this.#navigation() === 'orbit' ? this.#step(event) : this.#hold(event);
    if (isMotion) event.preventDefault();
  }

  up(event: KeyboardEvent): void {
    this.#pressed.delete(event.code);
    if (event.key === 'Shift') this.#pressed.delete('Shift');
  }

  release(): void {
    this.#pressed.clear();
  }

  /** Moves by the held keys for `seconds`; returns whether any is held. */
  tick(seconds: number): boolean {
    if (this.#pressed.size === 0) return false;
    let { state } = this.#host;
    let way: Point = [0, 0, 0];
    let isMoving = false;
    const isWalk = this.#navigation() === 'walk';
    const { metresPerUnit } = this.#host;
    const { right, up, forward } = axesOf(isWalk ? { yaw: state.yaw, pitch: 0 } : state);
    for (const code of this.#pressed) {
      const move = MOVES[code];
      const turn = TURNS[code];
      if (turn) state = turned(state, turn[0] * TURNING * seconds, turn[1] * TURNING * seconds);
      if (!move) continue;
      way = add(add(add(way, right, move[0]), up, move[1]), forward, move[2]);
      isMoving = true;
    }
    const fast = this.#pressed.has('Shift') ? 3 : 1;
    const towards = add(state.eye, way, (this.#speed * fast * seconds) / metresPerUnit);
    if (isMoving && isWalk && this.limit) this.#ask(state.eye, towards);
    else state = { ...state, eye: towards };
    this.#host.state = state;
    return true;
  }

  /** One query at a time; the camera waits meanwhile. */
  async #ask(from: Point, towards: Point): Promise<void> {
    if (this.#isAsking || !this.limit) return;
    this.#isAsking = true;
    try {
      const eye = await this.limit(from, towards);
      this.#host.state = { ...this.#host.state, eye };
    } finally {
      this.#isAsking = false;
    }
  }

  #hold(event: KeyboardEvent): boolean {
    if (event.key === 'Shift') this.#pressed.add('Shift');
    if (!(event.code in MOVES) && !(event.code in TURNS)) return false;
    this.#pressed.add(event.code);
    this.#moved();
    return true;
  }

  #step(event: KeyboardEvent): boolean {
    const { state } = this.#host;
    const target = targetOf(state);
    const turn = TURNS[event.code];
    if (turn && event.shiftKey) {
      const { right, up } = axesOf(state);
      const size = 0.1 * (state.fieldOfView > 0 ? state.distance : state.height);
      const eye = add(add(state.eye, right, -turn[0] * size), up, turn[1] * size);
      this.#host.state = { ...state, eye };
    } else if (turn) this.#host.state = orbited(state, target, -turn[0] * STEP, -turn[1] * STEP);
    else if (event.key === '+' || event.key === '=') this.#host.state = zoomed(state, target, 0.8);
    else if (event.key === '-') this.#host.state = zoomed(state, target, 1.25);
    else return false;
    return true;
  }
}
