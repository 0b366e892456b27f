/**
 * The aim of a rigid body, its pose at the end of a step, and the effect of soft bodies on it.
 *
 * Soft bodies push masses that the surface follows (affine-frame.ts); the displacements of these count as impulses,
 * which shift and turn the body as a whole. A step that is never finished leaves no trace in the state of the body.
 */
import type { BodyTable } from '../rigid/body-table.js';
import { followNodes, NODES } from './affine-frame.js';
import type { Frame } from './body.js';
import { ANGULAR, MOTION, type RigidState, ROTATION, VELOCITY } from './rigid-state.js';
import { turnBetween, turnBy, writeMatrix } from './rotation.js';
import { SoftSide } from './soft-side.js';

export class RigidAim {
  readonly #state: RigidState;
  readonly #rest: Float64Array;
  /** As those of the state. */
  readonly #numbers = new Float64Array(MOTION);
  readonly #centre = this.#numbers.subarray(0, ROTATION);
  readonly #rotation = this.#numbers.subarray(ROTATION, VELOCITY);
  readonly #velocity = this.#numbers.subarray(VELOCITY, ANGULAR);
  readonly #angular = this.#numbers.subarray(ANGULAR, MOTION);
  readonly #matrix = new Float64Array(9);
  #soft: SoftSide | undefined;

  /** `rest` is the surface of the body at rest. */
  constructor(state: RigidState, rest: Float64Array) {
    this.#state = state;
    this.#rest = rest;
  }

  get frame(): Frame {
    return this.#softSide.frame;
  }

  /** Sets the aim to the body's pose in a table. */
  take({ place, turn, velocity, angular }: BodyTable, index: number): void {
    const x = this.#numbers;
    for (let k = 0; k < 3; k++) {
      x[k] = place[3 * index + k];
      x[VELOCITY + k] = velocity[3 * index + k];
      x[ANGULAR + k] = angular[3 * index + k];
    }
    for (let k = 0; k < 4; k++) x[ROTATION + k] = turn[4 * index + k];
    this.#soft?.forget();
  }

  /** Wants to stay. */
  stay(): void {
    const { numbers } = this.#state;
    for (let k = 0; k < MOTION; k++) this.#numbers[k] = numbers[k];
    this.#soft?.forget();
  }

  /** Writes the aim; returns whether soft bodies have pushed it. */
  read(place: Float64Array, turn: Float64Array, index: number): boolean {
    place.set(this.#centre, 3 * index);
    turn.set(this.#rotation, 4 * index);
    return this.#soft?.isPushed ?? false;
  }

  inverseMass(vertex: number): number {
    return this.#weightsSq(vertex) / this.frame.masses[0];
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    const { proposed, weights } = this.frame;
    const perWeight = 1 / this.#weightsSq(vertex);
    for (let a = 0; a < NODES; a++) {
      const share = perWeight * weights[NODES * vertex + a];
      proposed[3 * a] += share * dx;
      proposed[3 * a + 1] += share * dy;
      proposed[3 * a + 2] += share * dz;
    }
  }

  /** Writes the surface where the nodes have it. */
  write(surface: Float64Array): void {
    followNodes(this.#softSide.places, this.frame.proposed, surface);
  }

  /** Places the nodes at the aim. */
  giveNodes(): void {
    this.#softSide.give(this.#centre, writeMatrix(this.#rotation, 0, this.#matrix, 0));
  }

  /** Turns the displacements of the nodes by contacts into one motion of the whole body. */
  takePushes(): void {
    this.#soft?.take(this.#state, this.#state.mass.mass, this.#centre, this.#rotation);
  }

  /** Keeps a share of the motion, relative to a shift. The velocity loses the rest. */
  shorten(share: number, shift: ArrayLike<number>, dt: number): void {
    const state = this.#state;
    this.takePushes();
    const turn = turnBetween(state.rotation, this.#rotation);
    this.#rotation.set(state.rotation);
    turnBy(this.#rotation, share * turn[0], share * turn[1], share * turn[2]);
    const lost = state.angularOf(state.rotation, turn);
    for (let k = 0; k < 3; k++) {
      const way = this.#centre[k] - state.centre[k];
      const left = shift[k] + share * (way - shift[k]);
      this.#centre[k] = state.centre[k] + left;
      this.#velocity[k] -= (way - left) / dt;
      this.#angular[k] -= ((1 - share) * lost[k]) / dt;
    }
  }

  /** Ends the contacts with soft bodies: their pushes change velocities, too. */
  endPushes(dt: number): void {
    this.takePushes();
    this.#softSide.addPushes(this.#velocity, this.#angular, this.#state.mass.mass, dt);
  }

  /** Impulses of soft bodies in the last step, at places of the body at rest. */
  eachPush(dt: number, visit: (place: Float64Array, impulse: Float64Array) => void): void {
    this.#soft?.eachPush(this.#state.mass.centre, dt, visit);
  }

  /** Moves the body to its aim. */
  reach(): void {
    const { numbers } = this.#state;
    for (let k = 0; k < MOTION; k++) numbers[k] = this.#numbers[k];
    for (let k = MOTION; k < numbers.length; k++) numbers[k] = 0;
  }

  get #softSide(): SoftSide {
    return (this.#soft ??= new SoftSide({ positions: this.#rest, mass: this.#state.mass }));
  }

  #weightsSq(vertex: number): number {
    const { weights } = this.frame;
    let sum = 0;
    for (let i = NODES * vertex; i < NODES * (vertex + 1); i++) sum += weights[i] * weights[i];
    return sum;
  }
}
