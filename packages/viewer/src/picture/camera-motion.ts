/** The camera's position and its flights. */
import { anglesOf, between, type CameraState, RADIANS } from './camera-state.js';

/** Long enough to follow, short enough that the next clash is visible within a third of a second. */
const FLIGHT_MS = 150;

const FIRST: CameraState = {
  eye: [0, 0, 0],
  ...anglesOf([0.55, 0.75, -0.42]),
  distance: 1,
  fieldOfView: 50 * RADIANS,
  height: 1,
};

export class CameraMotion {
  #state = FIRST;
  #flight: { from: CameraState; to: CameraState; began: number } | undefined;
  readonly #moved: () => void;

  constructor(moved: () => void) {
    this.#moved = moved;
  }

  get state(): CameraState {
    return this.#state;
  }

  /** The end of the current flight, or the current position. */
  get goal(): CameraState {
    return this.#flight?.to ?? this.#state;
  }

  get isFlying(): boolean {
    return this.#flight !== undefined;
  }

  /** Moves immediately, and cancels a flight. */
  set(state: CameraState): void {
    this.#flight = undefined;
    if (![...state.eye, state.distance, state.height].every(Number.isFinite)) return;
    this.#state = state;
    this.#moved();
  }

  /** Starts a flight, unless reduced motion is preferred. Returns whether it flies. */
  go(to: CameraState, flight: boolean): boolean {
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (flight && !isCalm) this.#flight = { from: this.#state, to, began: performance.now() };
    else this.set(to);
    return this.isFlying;
  }

  fly(now: number): void {
    if (!this.#flight) return;
    const { from, to, began } = this.#flight;
    const t = Math.min(1, (now - began) / FLIGHT_MS);
    if (t === 1) this.#flight = undefined;
    this.#state = t === 1 ? to : between(from, to, t * t * (3 - 2 * t));
    this.#moved();
  }
}
