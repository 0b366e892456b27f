/**
 * The side of a rigid body that soft bodies push: masses that its surface follows, and their displacements in this
 * step.
 */
import { affineFrame, NODES, placeNodes, placesOf, spreadOf } from './affine-frame.js';
import type { Frame } from './body.js';
import type { RigidState } from './rigid-state.js';
import { turnBy } from './rotation.js';
import type { SolidMass } from './solid-mass.js';

export class SoftSide {
  readonly frame: Frame;
  readonly places: Float64Array;
  readonly #spread: Float64Array;
  /** Nodes as they were given to the contacts. */
  readonly #given = new Float64Array(3 * NODES);
  /** Masses times ways: of each node; their sum, and its moment. */
  readonly #pushedNodes = new Float64Array(3 * NODES);
  readonly #push = new Float64Array(3);
  readonly #moment = new Float64Array(3);

  constructor({ positions, mass }: { readonly positions: Float64Array; readonly mass: SolidMass }) {
    this.#spread = spreadOf(mass);
    this.places = placesOf(positions, mass.centre, this.#spread);
    this.frame = affineFrame(mass.mass, this.places);
  }

  get isPushed(): boolean {
    return this.#pushedNodes.some((x) => x !== 0);
  }

  forget(): void {
    this.#pushedNodes.fill(0);
    this.#push.fill(0);
    this.#moment.fill(0);
    this.#given.set(this.frame.proposed);
  }

  give(centre: Float64Array, matrix: Float64Array): void {
    placeNodes(this.#spread, centre, matrix, this.#given);
    this.frame.proposed.set(this.#given);
  }

  /** Shifts and turns the end of the step by the displacements of the nodes since they were given. */
  take(state: RigidState, mass: number, centre: Float64Array, rotation: Float64Array): void {
    const { masses, proposed } = this.frame;
    const given = this.#given;
    const push = [0, 0, 0];
    const moment = [0, 0, 0];
    let moved = false;
    for (let a = 0; a < NODES; a++) {
      const k = 3 * a;
      const px = masses[a] * (proposed[k] - given[k]);
      const py = masses[a] * (proposed[k + 1] - given[k + 1]);
      const pz = masses[a] * (proposed[k + 2] - given[k + 2]);
      if (px === 0 && py === 0 && pz === 0) continue;
      moved = true;
      const rx = given[k] - centre[0];
      const ry = given[k + 1] - centre[1];
      const rz = given[k + 2] - centre[2];
      [px, py, pz].forEach((p, axis) => {
        push[axis] += p;
        this.#pushedNodes[k + axis] += p;
      });
      moment[0] += ry * pz - rz * py;
      moment[1] += rz * px - rx * pz;
      moment[2] += rx * py - ry * px;
    }
    if (!moved) return;
    const [tx, ty, tz] = state.spinOf(rotation, moment);
    turnBy(rotation, tx, ty, tz);
    for (let k = 0; k < 3; k++) {
      centre[k] += push[k] / mass;
      this.#push[k] += push[k];
      this.#moment[k] += moment[k];
    }
    given.set(proposed);
  }

  /** Adds the effect of a step's pushes to velocities. */
  addPushes(velocity: Float64Array, angular: Float64Array, mass: number, dt: number): void {
    for (let k = 0; k < 3; k++) {
      velocity[k] += this.#push[k] / (mass * dt);
      angular[k] += this.#moment[k] / dt;
    }
  }

  eachPush(
    centre: ArrayLike<number>,
    dt: number,
    visit: (place: Float64Array, impulse: Float64Array) => void,
  ): void {
    const nodes = new Float64Array(3 * NODES);
    placeNodes(this.#spread, Float64Array.from(centre), Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1), nodes);
    for (let k = 0; k < 3 * NODES; k += 3) {
      visit(
        nodes.subarray(k, k + 3),
        this.#pushedNodes.slice(k, k + 3).map((p) => p / dt),
      );
    }
  }
}
