/**
 * The state of a rigid body from step to step: its pose and its motion.
 *
 * Layout: `numbers` are centre, rotation, velocity, angular momentum, force and moment, one after the other; each of
 * these is a view of them.
 */
import { inertiaOf, inverseInertiaOf, rotatedTensor, writeMatrix } from './rotation.js';
import type { SolidMass } from './solid-mass.js';

/** In `numbers`. */
export const ROTATION = 3;
export const VELOCITY = 7;
export const ANGULAR = 10;
/** The count of numbers for pose and motion; force and moment follow. */
export const MOTION = 13;
export const TORQUE = 16;
const END = 19;

export class RigidState {
  readonly numbers: Float64Array = new Float64Array(END);
  readonly mass: SolidMass;
  /** About the centre, at rest, row by row. */
  readonly inertia: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly centre: Float64Array = this.numbers.subarray(0, ROTATION);
  /** From rest: x, y, z, w of a unit quaternion. */
  readonly rotation: Float64Array = this.numbers.subarray(ROTATION, VELOCITY);
  readonly velocity: Float64Array = this.numbers.subarray(VELOCITY, ANGULAR);
  /** Angular momentum about the centre. */
  readonly angular: Float64Array = this.numbers.subarray(ANGULAR, MOTION);
  /** The force in the next step, and its moment about the centre. */
  readonly force: Float64Array = this.numbers.subarray(MOTION, TORQUE);
  readonly torque: Float64Array = this.numbers.subarray(TORQUE, END);
  asleep = false;
  /**
   * The number of times the caller has moved it, each of which invalidates the simulation's data about its
   * surroundings.
   */
  placed = 0;
  /** Whether the caller has changed anything since the last step. */
  disturbed = true;
  readonly #matrix = new Float64Array(9);

  constructor(mass: SolidMass) {
    this.mass = mass;
    this.inertia = inertiaOf(mass.second);
    this.inverseInertia = inverseInertiaOf(mass.second);
    this.centre.set(mass.centre);
    this.rotation[3] = 1;
  }

  /** The velocity of turning that an angular momentum means, with the body turned like this. */
  spinOf(rotation: Float64Array, angular: ArrayLike<number>): [number, number, number] {
    return rotatedTensor(writeMatrix(rotation, 0, this.#matrix, 0), this.inverseInertia, angular);
  }

  /** And the other way round. */
  angularOf(rotation: Float64Array, spin: ArrayLike<number>): [number, number, number] {
    return rotatedTensor(writeMatrix(rotation, 0, this.#matrix, 0), this.inertia, spin);
  }
}
