/**
 * Bodies of point masses and springs: cloth and soft solids.
 *
 * A step is one implicit step of the springs (spring-system.ts), from where the masses would be by their velocities.
 * `StepGuard` ensures that momentum is conserved and energy does not grow, so any step and any stiffness is stable. At
 * rest, springs and loads balance at any step; in motion and in contact, `residual` tells by how much they do not.
 *
 * Contacts push vertices, but springs pass a push on, so that what keeps a vertex where it was pushed is more than its
 * own mass calls for. In a chain of masses m and springs k, a force on one of them in an implicit step h moves it like
 * the mass m √(1 + 4 h² k / m): that of each vertex is estimated likewise, and pushes count with it. Until the springs
 * answer, the motion shows less of the push than it has given: the rest is owed to the velocity.
 *
 * Layout: x, y, z per vertex. The state is (`#x`, `#v`, `#acceleration`); `#x` lies within float32 rounding of
 * `positions`, so that rounding does not act as a force. A step that is never finished leaves no trace.
 */
import type { Point } from 'impinge/internal/math/point.js';
import type { Body } from './body.js';
import { SpringSystem, type SpringSystemInput } from './spring-system.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import {
  keepMomentum,
  kineticEnergy,
  momentumOf,
  type Particles,
  StepGuard,
  type Stored,
} from './step-guard.js';
import { readVector } from './surface-input.js';
import { Touch } from './touch.js';

/** The residual at which springs and loads balance, as a share of gravity, and at least, m/s². */
const BALANCED = 0.002;
const LEAST_BALANCED = 0.001;
/** Iterations in which the springs answer to contacts. */
const RELAXING = 2;
/** Share of the stiffness around a vertex that a push feels: 2 in a chain, pushed along; for sheets by measurement. */
const FELT = 0.03;

export interface MassSpringInput extends Omit<SpringSystemInput, 'rest' | 'indices'> {
  readonly name: string;
  /** On the float32 grid; the springs are at rest in `rest`, or here without it. */
  readonly positions: ArrayLike<number>;
  readonly rest?: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  /** Decay rate of non-rigid motion, 1 / s, in addition to the losses of implicit steps. */
  readonly damping: number;
  /** Most iterations of a step in search of the balance. */
  readonly iterations: number;
  readonly self: boolean;
  readonly velocity?: Point;
  readonly touch?: Touch;
}

export class MassSpringBody implements Body, Stored {
  readonly name: string;
  readonly touch: Touch;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly positions: Float64Array;
  readonly proposed: Float64Array;
  readonly kind = 'dynamic';
  /** Springs at rest store nothing, to the square of rounding. */
  readonly energyNoise = 0;
  readonly self: boolean;
  readonly #particles: Particles;
  readonly #inverseMasses: Float64Array;
  readonly #springs: SpringSystem;
  readonly #damping: number;
  readonly #iterations: number;
  readonly #guard = new StepGuard();
  readonly #x: Float64Array;
  readonly #v: Float64Array;
  /** Of the last step. */
  readonly #acceleration: Float64Array;
  /** Where masses would go without springs, pushed as they are. */
  readonly #aim: Float64Array;
  readonly #way: Float64Array;
  /** The end of the step as solved, without pushes. */
  readonly #solved: Float64Array;
  readonly #solvedVelocity: Float64Array;
  readonly #pushes: Float64Array;
  /** Of each vertex: the sum of the stiffness of its springs; by how much more than its mass a push feels. */
  readonly #stiffness: Float64Array;
  readonly #felt: Float64Array;
  /** What pushes gave beyond what the proposal shows, as displacements in this step. */
  readonly #owed: Float64Array;
  #dt = 0;
  #tolerance = 0;
  #residual = 0;
  #stored: number;
  #nextStored = 0;

  constructor(input: MassSpringInput) {
    const { name, masses, springs, bulkModulus } = input;
    const count = masses.length;
    this.name = name;
    this.touch = input.touch ?? new Touch(name);
    this.vertexCount = count;
    this.indices = Uint32Array.from(input.indices);
    this.positions = Float64Array.from(input.positions);
    this.proposed = this.positions.slice();
    this.self = input.self;
    this.#particles = { masses, count, anchored: masses.includes(0) };
    this.#inverseMasses = masses.map((m) => (m > 0 ? 1 / m : 0));
    const rest = input.rest ? Float64Array.from(input.rest) : this.positions;
    this.#springs = new SpringSystem({ masses, springs, rest, indices: this.indices, bulkModulus });
    this.#damping = input.damping;
    this.#iterations = input.iterations;
    this.#x = this.positions.slice();
    this.#v = new Float64Array(3 * count);
    if (input.velocity !== undefined) {
      const velocity = readVector(`${input.name}: velocity`, input.velocity);
      for (let k = 0; k < 3 * count; k++) {
        this.#v[k] = masses[Math.floor(k / 3)] > 0 ? velocity[k % 3] : 0;
      }
    }
    this.#acceleration = new Float64Array(3 * count);
    this.#aim = this.#x.slice();
    this.#way = new Float64Array(3 * count);
    this.#solved = this.#x.slice();
    this.#solvedVelocity = this.#v.slice();
    this.#pushes = new Float64Array(3 * count);
    this.#stiffness = new Float64Array(count);
    for (const { ends, stiffness } of springs) for (const end of ends) this.#stiffness[end] += stiffness;
    this.#felt = new Float64Array(count).fill(1);
    this.#owed = new Float64Array(3 * count);
    this.#stored = this.storedEnergy(this.#x);
  }

  /**
   * Force that springs, loads and contacts left unbalanced in the last step, per mass, m/s²: root mean square over the
   * mass.
   */
  get residual(): number {
    return this.#residual;
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const x = this.#solved;
    const v = this.#solvedVelocity;
    const start = this.#x;
    if (dt !== this.#dt) this.#feel(dt);
    this.#dt = dt;
    this.#tolerance = Math.max(LEAST_BALANCED, BALANCED * Math.hypot(...gravity));
    this.#takeAim(x, dt, gravity);
    this.#solve(x, this.#iterations);
    for (let k = 0; k < x.length; k++) v[k] = (x[k] - start[k]) / dt;
    const keep = Math.exp(-this.#damping * dt);
    const step = { x0: start, v0: this.#v, x1: x, v1: v, dt, gravity, keep, stored: this.#stored };
    this.#nextStored = this.#guard.close(this.#particles, step, this);
    this.proposed.set(x);
    this.#pushes.fill(0);
    this.#owed.fill(0);
  }

  inverseMass(vertex: number): number {
    return this.#inverseMasses[vertex];
  }

  inverseMassFelt(vertex: number): number {
    return this.#inverseMasses[vertex] / this.#felt[vertex];
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    if (this.#inverseMasses[vertex] === 0) return;
    this.#pushes[3 * vertex] += dx;
    this.#pushes[3 * vertex + 1] += dy;
    this.#pushes[3 * vertex + 2] += dz;
  }

  settle(): void {
    const pushes = this.#pushes;
    for (let k = 0; k < pushes.length; k++) {
      const given = this.#felt[Math.floor(k / 3)] * pushes[k];
      this.proposed[k] += pushes[k];
      this.#aim[k] += given;
      this.#owed[k] += given - pushes[k];
    }
    pushes.fill(0);
  }

  relax(): void {
    this.#solve(this.proposed, RELAXING);
    this.#owed.fill(0);
  }

  finish(end: Float64Array, dt: number): void {
    const { proposed, positions } = this;
    const x = this.#x;
    const v = this.#v;
    const solved = this.#solved;
    let strayed = false;
    for (let k = 0; k < end.length; k++) {
      x[k] = Math.fround(proposed[k]) === end[k] ? proposed[k] : end[k];
      const pushed = x[k] - solved[k];
      this.#acceleration[k] = -v[k] / dt;
      v[k] = this.#solvedVelocity[k] + pushed / dt;
      strayed ||= pushed !== 0;
    }
    if (strayed && !this.#particles.anchored) this.#payOwed(dt);
    for (let k = 0; k < end.length; k++) this.#acceleration[k] += v[k] / dt;
    positions.set(end);
    this.#stored = strayed ? this.storedEnergy(x) : this.#nextStored;
    if (strayed) this.#residual = this.#springs.measure(x, this.#aim, dt);
  }

  slow(share: number): void {
    for (let k = 0; k < this.#v.length; k++) this.#v[k] *= share;
  }

  save(out: StateWriter): void {
    for (const numbers of [this.#x, this.#v, this.#acceleration, this.positions]) out.array(numbers);
    for (const number of [this.#stored, this.#residual]) out.number(number);
  }

  restore(from: StateReader): void {
    for (const numbers of [this.#x, this.#v, this.#acceleration, this.positions]) from.into(numbers);
    this.#stored = from.number();
    this.#residual = from.number();
  }

  energy(): number {
    return this.#stored + kineticEnergy(this.#particles, this.#v);
  }

  momentum(out: Float64Array): void {
    momentumOf(this.#particles, this.#x, this.#v, out);
  }

  /** The energy in the springs and in the compressed volume, joules. */
  storedEnergy(x: Float64Array): number {
    return this.#springs.storedEnergy(x);
  }

  /** Gives the momentum that pushes gave, and the proposal does not show, to the velocity of the whole. */
  #payOwed(dt: number): void {
    const x = this.#x;
    const v = this.#v;
    const owed = this.#owed;
    const paid = this.#solvedVelocity;
    paid.set(x);
    for (let k = 0; k < x.length; k++) owed[k] += x[k];
    keepMomentum(this.#particles, paid, owed, this.#way);
    for (let k = 0; k < x.length; k++) v[k] += (paid[k] - x[k]) / dt;
  }

  #feel(dt: number): void {
    for (let i = 0; i < this.vertexCount; i++) {
      this.#felt[i] = Math.sqrt(1 + FELT * dt * dt * this.#stiffness[i] * this.#inverseMasses[i]);
    }
  }

  #solve(x: Float64Array, iterations: number): void {
    this.#springs.solve(x, this.#aim, this.#dt, { tolerance: this.#tolerance, iterations });
    this.#residual = this.#springs.residual;
    // at the balance they are kept; the way there need not keep them
    if (!this.#particles.anchored) keepMomentum(this.#particles, x, this.#aim, this.#way);
  }

  /**
   * Writes the aim, and as a first guess of x where the masses come by their velocity and that part of gravity that
   * acted in the last step: all of it in free fall, none where they hang or lie.
   */
  #takeAim(x: Float64Array, dt: number, [gx, gy, gz]: readonly [number, number, number]): void {
    const start = this.#x;
    const v = this.#v;
    const a = this.#acceleration;
    const aim = this.#aim;
    const square = gx * gx + gy * gy + gz * gz;
    const perSquare = square > 0 ? 1 / square : 0;
    for (let i = 0, k = 0; i < this.vertexCount; i++, k += 3) {
      const held = this.#inverseMasses[i] === 0;
      const fall = (a[k] * gx + a[k + 1] * gy + a[k + 2] * gz) * perSquare;
      const h = held ? 0 : dt;
      const share = Math.min(1, Math.max(0, fall)) * h * h;
      const fx = start[k] + h * v[k];
      const fy = start[k + 1] + h * v[k + 1];
      const fz = start[k + 2] + h * v[k + 2];
      aim[k] = fx + h * h * gx;
      aim[k + 1] = fy + h * h * gy;
      aim[k + 2] = fz + h * h * gz;
      x[k] = fx + share * gx;
      x[k + 1] = fy + share * gy;
      x[k + 2] = fz + share * gz;
    }
  }
}
