/** Where a rigid body is and how it moves: what lasts from step to step. */
import { inertiaOf, inverseInertiaOf, rotatedTensor, rotationMatrix } from './rotation.js';
import type { SolidMass } from './solid-mass.js';

export class RigidState {
  readonly mass: SolidMass;
  /** About the centre, at rest, row by row. */
  readonly inertia: Float64Array;
  readonly inverseInertia: Float64Array;
  readonly centre = new Float64Array(3);
  /** From rest: x, y, z, w of a unit quaternion. */
  readonly rotation = new Float64Array(4);
  readonly velocity = new Float64Array(3);
  /** Angular momentum about the centre. */
  readonly angular = new Float64Array(3);
  /** What acts in the next step, and its moment about the centre. */
  readonly force = new Float64Array(3);
  readonly torque = new Float64Array(3);
  asleep = false;
  /** How often the caller has moved it: what the simulation knows of its surroundings is void. */
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
    return rotatedTensor(rotationMatrix(rotation, this.#matrix), this.inverseInertia, angular);
  }

  /** And the other way round. */
  angularOf(rotation: Float64Array, spin: ArrayLike<number>): [number, number, number] {
    return rotatedTensor(rotationMatrix(rotation, this.#matrix), this.inertia, spin);
  }
}
