/**
 * Rigid bodies: a centre, a rotation, a velocity, an angular momentum.
 *
 * Contacts push masses that the surface follows (affine-frame.ts). What they did to these counts as impulses, which
 * shift and turn the body as a whole; what is left of it as a dent lasts for one step.
 * Invariant: positions are an affine image of the surface at rest, to rounding, so what is apart at rest is apart.
 * Momentum is kept, and so is energy in free flight, up to the third power of the angle turned in a step. A step that
 * is never finished leaves no trace.
 */
import { affineFrame, followNodes, NODES, placeNodes, placesOf, spreadOf } from './affine-frame.js';
import type { Body, Frame } from './body.js';
import { fitRegion } from './fit-region.js';
import type { Blow } from './part-motions.js';
import {
  inertiaOf,
  inverseInertiaOf,
  rotatedTensor,
  rotationMatrix,
  turnBetween,
  turnBy,
} from './rotation.js';
import { type SolidMass, solidMass } from './solid-mass.js';
import {
  checkOption,
  outwardIndices,
  readSurface,
  readVector,
  type SurfaceArrays,
  withDefaults,
} from './surface-input.js';

export interface RigidBodyOptions {
  /** Kilograms per cubic metre. */
  readonly density?: number;
  readonly velocity?: readonly [number, number, number];
  /** Radians per second about each axis. */
  readonly spin?: readonly [number, number, number];
}

export const RIGID_BODY_DEFAULTS = { density: 1000 } as const;

/** Makes a rigid body of a closed surface, filled with one material. */
export function rigidBody(surface: SurfaceArrays, options: RigidBodyOptions = {}): RigidBody {
  const input = readSurface(surface, 'rigid body');
  const { name, positions } = input;
  const { density } = withDefaults(RIGID_BODY_DEFAULTS, options);
  checkOption(`${name}: density`, density, density > 0);
  const indices = outwardIndices(name, positions, input.indices);
  return new RigidBody({ name, positions, indices, mass: solidMass(positions, indices, density) }, options);
}

export interface RigidShape {
  readonly name: string;
  /** At rest, on the float32 grid. */
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  /** At rest, too. */
  readonly mass: SolidMass;
}

/** Where a body is and how it moves; without, at rest. */
export interface RigidState {
  readonly centre?: ArrayLike<number>;
  /** From rest: x, y, z, w of a unit quaternion. */
  readonly rotation?: ArrayLike<number>;
  readonly velocity?: ArrayLike<number>;
  readonly spin?: ArrayLike<number>;
}

/** The rotation at rest. */
const UNTURNED = Float64Array.of(0, 0, 0, 1);

export class RigidBody implements Body {
  readonly kind = 'dynamic';
  readonly self = false;
  readonly name: string;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly positions: Float64Array;
  readonly proposed: Float64Array;
  readonly frame: Frame;
  readonly mass: number;
  protected readonly shape: RigidShape;
  protected readonly centre = new Float64Array(3);
  protected readonly rotation = new Float64Array(4);
  protected readonly velocity = new Float64Array(3);
  protected readonly angular = new Float64Array(3);
  readonly #inverseInertia: Float64Array;
  readonly #spread: Float64Array;
  readonly #places: Float64Array;
  /** At the end of the step. */
  readonly #nextCentre = new Float64Array(3);
  readonly #nextRotation = new Float64Array(4);
  readonly #nextVelocity = new Float64Array(3);
  readonly #matrix = new Float64Array(9);
  /** Nodes as they were given to the contacts. */
  readonly #given = new Float64Array(3 * NODES);
  /** What contacts did to the nodes in this step: masses times ways; and in all: its sum, and its moment. */
  readonly #pushedNodes = new Float64Array(3 * NODES);
  readonly #push = new Float64Array(3);
  readonly #moment = new Float64Array(3);

  constructor(shape: RigidShape, state: RigidState) {
    const { name, positions, indices, mass } = shape;
    const { centre = mass.centre, rotation = [0, 0, 0, 1] } = state;
    const velocity = readVector(`${name}: velocity`, state.velocity ?? [0, 0, 0]);
    const spin = readVector(`${name}: spin`, state.spin ?? [0, 0, 0]);
    this.shape = shape;
    this.name = name;
    this.vertexCount = positions.length / 3;
    this.indices = indices;
    this.positions = positions.slice();
    this.proposed = positions.slice();
    this.mass = mass.mass;
    this.#inverseInertia = inverseInertiaOf(mass.second);
    this.#spread = spreadOf(mass);
    this.#places = placesOf(positions, mass.centre, this.#spread);
    this.frame = affineFrame(mass.mass, this.#places);
    this.centre.set(centre);
    this.rotation.set(rotation);
    this.velocity.set(velocity);
    this.angular.set(
      rotatedTensor(rotationMatrix(this.rotation, this.#matrix), inertiaOf(mass.second), spin),
    );
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const { centre, rotation, velocity, angular } = this;
    const next = this.#nextRotation;
    // by the spin in the middle of the step
    for (const [share, from] of [
      [0.5, rotation],
      [1, next],
    ] as const) {
      const [wx, wy, wz] = this.#spinOf(from, angular);
      next.set(rotation);
      turnBy(next, share * dt * wx, share * dt * wy, share * dt * wz);
    }
    for (let k = 0; k < 3; k++) {
      this.#nextVelocity[k] = velocity[k] + dt * gravity[k];
      this.#nextCentre[k] = centre[k] + dt * this.#nextVelocity[k];
    }
    this.#push.fill(0);
    this.#moment.fill(0);
    this.#pushedNodes.fill(0);
    this.#giveNodes();
    this.settle();
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

  settle(): void {
    followNodes(this.#places, this.frame.proposed, this.proposed);
  }

  /** Makes one motion of the whole body of what contacts did to the nodes. */
  relax(): void {
    this.#takePushes();
    this.#giveNodes();
  }

  finish(end: Float64Array, dt: number): void {
    const { centre, rotation, velocity, angular, positions, proposed } = this;
    this.#takePushes();
    for (let k = 0; k < 3; k++) {
      velocity[k] = this.#nextVelocity[k] + this.#push[k] / (this.mass * dt);
      angular[k] += this.#moment[k] / dt;
    }
    centre.set(this.#nextCentre);
    rotation.set(this.#nextRotation);
    if (end.some((x, k) => x !== Math.fround(proposed[k]))) this.#followSurface(end, dt);
    positions.set(end);
  }

  energy(): number {
    const { velocity: v, angular } = this;
    const w = this.#spinOf(this.rotation, angular);
    const turning = angular[0] * w[0] + angular[1] * w[1] + angular[2] * w[2];
    return 0.5 * (this.mass * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + turning);
  }

  /** Writes the momentum and, if there is room for six numbers, the angular momentum about the origin. */
  momentum(out: Float64Array): void {
    const { mass, centre, velocity, angular } = this;
    for (let k = 0; k < 3; k++) out[k] = mass * velocity[k];
    if (out.length < 6) return;
    for (let k = 0; k < 3; k++) {
      const [l, m] = [(k + 1) % 3, (k + 2) % 3];
      out[3 + k] = angular[k] + centre[l] * out[m] - centre[m] * out[l];
    }
  }

  /** The velocity of the turning, radians per second. */
  get spin(): [number, number, number] {
    return this.#spinOf(this.rotation, this.angular);
  }

  /** What contacts did in the last step, as one blow: their sum, at the mean of the places that they pushed its way. */
  protected blow(dt: number): Blow {
    const { centre } = this.shape.mass;
    const push = this.#push;
    const lengthSq = push[0] * push[0] + push[1] * push[1] + push[2] * push[2];
    const nodes = new Float64Array(3 * NODES);
    placeNodes(this.#spread, Float64Array.from(centre), rotationMatrix(UNTURNED, this.#matrix), nodes);
    const place: [number, number, number] = [0, 0, 0];
    for (let a = 0; a < NODES && lengthSq > 0; a++) {
      const [px, py, pz] = this.#pushedNodes.subarray(3 * a, 3 * a + 3);
      const share = (px * push[0] + py * push[1] + pz * push[2]) / lengthSq;
      for (let k = 0; k < 3; k++) place[k] += share * nodes[3 * a + k];
    }
    return { impulse: this.turnedBack(push.map((x) => x / dt)), place };
  }

  /** A direction of the body at rest, in the world; and back; and a place of it. */
  protected turned(v: ArrayLike<number>): [number, number, number] {
    const m = rotationMatrix(this.rotation, this.#matrix);
    return [0, 3, 6].map((k) => m[k] * v[0] + m[k + 1] * v[1] + m[k + 2] * v[2]) as [number, number, number];
  }

  protected turnedBack(v: ArrayLike<number>): [number, number, number] {
    const m = rotationMatrix(this.rotation, this.#matrix);
    return [0, 1, 2].map((k) => m[k] * v[0] + m[k + 3] * v[1] + m[k + 6] * v[2]) as [number, number, number];
  }

  protected placeOf(place: readonly [number, number, number]): [number, number, number] {
    const { centre } = this.shape.mass;
    const [x, y, z] = this.turned(place.map((p, k) => p - centre[k]));
    return [this.centre[0] + x, this.centre[1] + y, this.centre[2] + z];
  }

  /** Shifts and turns the end of the step by what contacts did to the nodes since they were given. */
  #takePushes(): void {
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
      const rx = given[k] - this.#nextCentre[0];
      const ry = given[k + 1] - this.#nextCentre[1];
      const rz = given[k + 2] - this.#nextCentre[2];
      [px, py, pz].forEach((p, axis) => {
        push[axis] += p;
        this.#pushedNodes[k + axis] += p;
      });
      moment[0] += ry * pz - rz * py;
      moment[1] += rz * px - rx * pz;
      moment[2] += rx * py - ry * px;
    }
    if (!moved) return;
    const [tx, ty, tz] = this.#spinOf(this.#nextRotation, moment);
    turnBy(this.#nextRotation, tx, ty, tz);
    for (let k = 0; k < 3; k++) {
      this.#nextCentre[k] += push[k] / this.mass;
      this.#push[k] += push[k];
      this.#moment[k] += moment[k];
    }
  }

  #giveNodes(): void {
    placeNodes(this.#spread, this.#nextCentre, rotationMatrix(this.#nextRotation, this.#matrix), this.#given);
    this.frame.proposed.set(this.#given);
  }

  /** The surface was kept from where the body wants it: takes the place and the motion that fit it best. */
  #followSurface(end: Float64Array, dt: number): void {
    const { positions, mass } = this.shape;
    const count = this.vertexCount;
    const rest = [0, 1, 2].map((k) => meanOf(positions, k));
    const region = {
      count: 1,
      start: Uint32Array.of(0, count),
      nodes: Uint32Array.from({ length: count }, (_, v) => v),
      weights: new Float64Array(count).fill(1 / count),
      offsets: positions.map((x, k) => x - rest[k % 3]),
      masses: Float64Array.of(1),
      spreads: new Float64Array(1),
    };
    for (const x of region.offsets) region.spreads[0] += (x * x) / count;
    const { centre, rotation, velocity, angular } = this;
    const before = rotation.slice();
    const fit = new Float64Array(12);
    fitRegion(region, 0, end, rotation, fit);
    const turn = turnBetween(before, rotation);
    const moment = rotatedTensor(rotationMatrix(rotation, this.#matrix), inertiaOf(mass.second), turn);
    for (let k = 0; k < 3; k++) {
      let at = fit[9 + k];
      for (let l = 0; l < 3; l++) at += fit[3 * k + l] * (mass.centre[l] - rest[l]);
      velocity[k] += (at - centre[k]) / dt;
      angular[k] += moment[k] / dt;
      centre[k] = at;
    }
  }

  /** The spin that an angular momentum means for a body turned like this. */
  #spinOf(rotation: Float64Array, angular: ArrayLike<number>): [number, number, number] {
    return rotatedTensor(rotationMatrix(rotation, this.#matrix), this.#inverseInertia, angular);
  }

  #weightsSq(vertex: number): number {
    const { weights } = this.frame;
    let sum = 0;
    for (let i = NODES * vertex; i < NODES * (vertex + 1); i++) sum += weights[i] * weights[i];
    return sum;
  }
}

function meanOf(positions: Float64Array, axis: number): number {
  let sum = 0;
  for (let k = axis; k < positions.length; k += 3) sum += positions[k];
  return (3 * sum) / positions.length;
}
