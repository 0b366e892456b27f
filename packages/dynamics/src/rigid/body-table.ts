/**
 * The bodies of a step in flat arrays.
 *
 * Layout: body i has numbers 3 i … of `place`, `velocity`, `spin` and `angular` (momentum about its centre), 4 i … of
 * `turn` (a unit quaternion), 9 i … of `matrix` (its rotation, row by row) and `inverseInertia` (in the world). Bodies
 * that cannot be pushed have inverse mass and inertia 0.
 */
import { ANGULAR, MOTION, type RigidState, ROTATION, TORQUE, VELOCITY } from '../bodies/rigid-state.js';
import { writeMatrix } from '../bodies/rotation.js';

export class BodyTable {
  count = 0;
  place: Float64Array = new Float64Array(0);
  turn: Float64Array = new Float64Array(0);
  velocity: Float64Array = new Float64Array(0);
  spin: Float64Array = new Float64Array(0);
  angular: Float64Array = new Float64Array(0);
  matrix: Float64Array = new Float64Array(0);
  inverseMass: Float64Array = new Float64Array(0);
  /** The greatest distance of its points from its centre. */
  radius: Float64Array = new Float64Array(0);
  inverseInertia: Float64Array = new Float64Array(0);
  /** By gravity and forces, in this step; and the moment of forces. */
  acceleration: Float64Array = new Float64Array(0);
  torque: Float64Array = new Float64Array(0);
  /** Whether a contact or joint pushed it in this part of the step. */
  pushed: Uint8Array = new Uint8Array(0);
  states: (RigidState | undefined)[] = [];
  readonly #product = new Float64Array(9);

  /** Makes room for bodies; the contents are lost. */
  resize(count: number): void {
    this.count = count;
    this.states = new Array(count).fill(undefined);
    for (const name of ['place', 'velocity', 'spin', 'angular', 'acceleration', 'torque'] as const)
      this[name] = new Float64Array(3 * count);
    this.turn = new Float64Array(4 * count);
    for (const name of ['matrix', 'inverseInertia'] as const) this[name] = new Float64Array(9 * count);
    this.inverseMass = new Float64Array(count);
    this.radius = new Float64Array(count);
    this.pushed = new Uint8Array(count);
  }

  /** Everything that outlasts a step. */
  get arrays(): (Float64Array | Uint8Array)[] {
    const { place, turn, velocity, spin, angular, matrix, inverseMass, inverseInertia, pushed } = this;
    return [place, turn, velocity, spin, angular, matrix, inverseMass, inverseInertia, pushed];
  }

  /** Takes over where a body is and how it moves. */
  load(i: number, state: RigidState, gravity: readonly [number, number, number]): void {
    this.states[i] = state;
    this.inverseMass[i] = 1 / state.mass.mass;
    const { numbers: x } = state;
    for (let k = 0; k < 4; k++) this.turn[4 * i + k] = x[ROTATION + k];
    for (let k = 0; k < 3; k++) {
      this.place[3 * i + k] = x[k];
      this.velocity[3 * i + k] = x[VELOCITY + k];
      this.angular[3 * i + k] = x[ANGULAR + k];
      this.acceleration[3 * i + k] = gravity[k] + x[MOTION + k] / state.mass.mass;
      this.torque[3 * i + k] = x[TORQUE + k];
    }
    this.orient(i);
  }

  /** The speed at which the spin of body i moves a point, given in its frame, about its centre. */
  speedAbout(i: number, at: ArrayLike<number>): number {
    const m = 9 * i;
    const [x, y, z] = [0, 3, 6].map(
      (k) => this.matrix[m + k] * at[0] + this.matrix[m + k + 1] * at[1] + this.matrix[m + k + 2] * at[2],
    );
    const [u, v, w] = this.spin.subarray(3 * i, 3 * i + 3);
    return Math.hypot(v * z - w * y, w * x - u * z, u * y - v * x);
  }

  /** Brings matrix, inertia and spin up to date with turn and angular momentum. */
  orient(i: number): void {
    writeMatrix(this.turn, 4 * i, this.matrix, 9 * i);
    const state = this.states[i];
    if (!state) return;
    rotateTensor(this.matrix, 9 * i, state.inverseInertia, this.#product, this.inverseInertia, 9 * i);
    times(this.inverseInertia, 9 * i, this.angular, 3 * i, this.spin, 3 * i);
  }
}

/** out = r · tensor · rᵀ. */
function rotateTensor(
  r: Float64Array,
  at: number,
  tensor: Float64Array,
  product: Float64Array,
  out: Float64Array,
  to: number,
): Float64Array {
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      product[3 * i + j] =
        r[at + 3 * i] * tensor[j] + r[at + 3 * i + 1] * tensor[3 + j] + r[at + 3 * i + 2] * tensor[6 + j];
    }
  }
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      out[to + 3 * i + j] =
        product[3 * i] * r[at + 3 * j] +
        product[3 * i + 1] * r[at + 3 * j + 1] +
        product[3 * i + 2] * r[at + 3 * j + 2];
    }
  }
  return out;
}

function times(
  m: Float64Array,
  at: number,
  v: Float64Array,
  from: number,
  out: Float64Array,
  to: number,
): void {
  const x = v[from];
  const y = v[from + 1];
  const z = v[from + 2];
  out[to] = m[at] * x + m[at + 1] * y + m[at + 2] * z;
  out[to + 1] = m[at + 3] * x + m[at + 4] * y + m[at + 5] * z;
  out[to + 2] = m[at + 6] * x + m[at + 7] * y + m[at + 8] * z;
}
