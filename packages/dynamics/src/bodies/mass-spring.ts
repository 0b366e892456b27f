/**
 * Bodies of point masses and springs: cloth and soft solids.
 *
 * A step is a number of substeps; in each, masses move freely, then every spring is solved once, implicitly, in a fixed
 * order. One sweep realises a stiffness of about 1 / (h² · inverse masses); stiffer springs are limited to that, so
 * that the solver and the stored energy agree. `StepGuard` ensures that momentum is conserved and energy does not grow.
 * So any step and any stiffness is stable; smaller substeps make stiffer bodies. Layout: x, y, z per vertex. The state
 * is (`#x`, `#v`); `#x` lies within float32 rounding of `positions`, so that rounding does not act as a force. A step
 * that is never finished leaves no trace.
 *
 * Paper: Macklin et al., XPBD (2016) and Small steps in physics simulation (2019).
 */
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import type { Body } from './body.js';
import { orderByColour, volumeGradient } from './springs.js';
import { kineticEnergy, momentumOf, type Particles, StepGuard, type Stored } from './step-guard.js';
import { readVector } from './surface-input.js';
import { Touch } from './touch.js';

/** Springs shorter than this, relative to their rest length, have no direction and are left alone. */
const SHORTEST = 1e-12;
/**
 * Sweeps in which the springs answer to contacts. Two, and cloth on a ball gains 3 % of its energy in a step; four, 1
 * %.
 */
const RELAXING_SWEEPS = 4;
/** Compliance · inverse mass · h² of the stiffest springs. Less, and sweeps leave energy behind that is not there. */
const RESOLVED = 1;

/** Springs of one kind: sorted ends and their stiffness, newtons per metre. */
export interface SpringSet {
  readonly ends: Uint32Array;
  readonly stiffness: number;
}

export interface MassSpringInput {
  readonly name: string;
  /** On the float32 grid; the springs are at rest in `rest`, or here without it. */
  readonly positions: ArrayLike<number>;
  readonly rest?: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  /** Per vertex, kilograms; 0 for vertices that are held in place. */
  readonly masses: Float64Array;
  readonly springs: readonly SpringSet[];
  /** Resistance of a closed body to change of volume, pascals; 0 for none. */
  readonly bulkModulus: number;
  /** Decay rate of non-rigid motion, 1 / s, in addition to the losses of implicit steps. */
  readonly damping: number;
  /** Parts of a step; springs are solved for once in each. */
  readonly substeps: number;
  readonly self: boolean;
  readonly velocity?: readonly [number, number, number];
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
  readonly #ends: Uint32Array;
  readonly #restLengths: Float64Array;
  /** 1 / stiffness. */
  readonly #compliances: Float64Array;
  /**
   * As substeps of `#h` seconds allow: the stiffness, and the share of a spring's error that is corrected, per mass.
   */
  readonly #stiffness: Float64Array;
  readonly #gains: Float64Array;
  #h = 0;
  /** Six-fold; 0 if the volume may change. */
  readonly #restVolume: number;
  readonly #volumeCompliance: number;
  readonly #gradient: Float64Array;
  readonly #damping: number;
  readonly #substeps: number;
  readonly #guard = new StepGuard();
  readonly #x: Float64Array;
  readonly #v: Float64Array;
  /** The end of the step as solved, without pushes. */
  readonly #solved: Float64Array;
  readonly #solvedVelocity: Float64Array;
  /** Where the masses were before the substep. */
  readonly #last: Float64Array;
  readonly #pushes: Float64Array;
  #stored: number;
  #nextStored = 0;

  constructor(input: MassSpringInput) {
    const { name, masses, springs } = input;
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
    const springCount = springs.reduce((sum, { ends }) => sum + ends.length / 2, 0);
    this.#ends = new Uint32Array(2 * springCount);
    this.#restLengths = new Float64Array(springCount);
    this.#compliances = new Float64Array(springCount);
    let at = 0;
    for (const { ends, stiffness } of springs) {
      this.#ends.set(ends, 2 * at);
      this.#compliances.fill(1 / stiffness, at, at + ends.length / 2);
      at += ends.length / 2;
    }
    orderByColour(this.#ends, this.#compliances, count);
    this.#stiffness = this.#compliances.map((compliance) => 1 / compliance);
    this.#gains = new Float64Array(springCount);
    for (let s = 0; s < springCount; s++)
      this.#restLengths[s] = lengthOf(rest, this.#ends[2 * s], this.#ends[2 * s + 1]);
    this.#restVolume = input.bulkModulus > 0 ? signedVolumeTimes6(rest, this.indices) : 0;
    this.#volumeCompliance = (6 * this.#restVolume) / input.bulkModulus;
    this.#gradient = new Float64Array(input.bulkModulus > 0 ? 3 * count : 0);
    this.#damping = input.damping;
    this.#substeps = input.substeps;
    this.#x = this.positions.slice();
    this.#v = new Float64Array(3 * count);
    if (input.velocity !== undefined) {
      const velocity = readVector(`${input.name}: velocity`, input.velocity);
      for (let k = 0; k < 3 * count; k++) {
        this.#v[k] = masses[Math.floor(k / 3)] > 0 ? velocity[k % 3] : 0;
      }
    }
    this.#solved = this.#x.slice();
    this.#solvedVelocity = this.#v.slice();
    this.#last = this.#x.slice();
    this.#pushes = new Float64Array(3 * count);
    this.#stored = this.storedEnergy(this.#x);
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const x = this.#solved;
    const v = this.#solvedVelocity;
    x.set(this.#x);
    v.set(this.#v);
    const h = dt / this.#substeps;
    this.#adapt(h);
    for (let substep = 0; substep < this.#substeps; substep++) {
      this.#drift(x, v, h, gravity);
      this.#sweepSprings(x, substep % 2 === 0);
      if (this.#restVolume > 0) this.#keepVolume(x, h);
      const last = this.#last;
      for (let k = 0; k < x.length; k++) v[k] = (x[k] - last[k]) / h;
    }
    const keep = Math.exp(-this.#damping * dt);
    const step = { x0: this.#x, v0: this.#v, x1: x, v1: v, dt, gravity, keep, stored: this.#stored };
    this.#nextStored = this.#guard.close(this.#particles, step, this);
    this.proposed.set(x);
    this.#pushes.fill(0);
  }

  inverseMass(vertex: number): number {
    return this.#inverseMasses[vertex];
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    if (this.#inverseMasses[vertex] === 0) return;
    this.#pushes[3 * vertex] += dx;
    this.#pushes[3 * vertex + 1] += dy;
    this.#pushes[3 * vertex + 2] += dz;
  }

  settle(): void {
    const pushes = this.#pushes;
    for (let k = 0; k < pushes.length; k++) this.proposed[k] += pushes[k];
    pushes.fill(0);
  }

  relax(): void {
    for (let sweep = 0; sweep < RELAXING_SWEEPS; sweep++) {
      this.#sweepSprings(this.proposed, sweep % 2 === 0);
      if (this.#restVolume > 0) this.#keepVolume(this.proposed, this.#h);
    }
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
      v[k] = this.#solvedVelocity[k] + pushed / dt;
      strayed ||= pushed !== 0;
    }
    positions.set(end);
    this.#stored = strayed ? this.storedEnergy(x) : this.#nextStored;
  }

  slow(share: number): void {
    for (let k = 0; k < this.#v.length; k++) this.#v[k] *= share;
  }

  energy(): number {
    return this.#stored + kineticEnergy(this.#particles, this.#v);
  }

  momentum(out: Float64Array): void {
    momentumOf(this.#particles, this.#x, this.#v, out);
  }

  /** The energy in the springs and in the compressed volume, joules. */
  storedEnergy(x: Float64Array): number {
    const ends = this.#ends;
    const rest = this.#restLengths;
    const stiffness = this.#stiffness;
    let sum = 0;
    for (let s = 0; s < rest.length; s++) {
      const i = 3 * ends[2 * s];
      const j = 3 * ends[2 * s + 1];
      const dx = x[i] - x[j];
      const dy = x[i + 1] - x[j + 1];
      const dz = x[i + 2] - x[j + 2];
      const stretch = Math.sqrt(dx * dx + dy * dy + dz * dz) - rest[s];
      sum += stiffness[s] * stretch * stretch;
    }
    if (this.#restVolume > 0) {
      const change = signedVolumeTimes6(x, this.indices) - this.#restVolume;
      sum += (change * change) / this.#volumeCompliance;
    }
    return 0.5 * sum;
  }

  /** Fits stiffness to substeps of h seconds: no spring is stiffer than one sweep in each can bear out. */
  #adapt(h: number): void {
    if (h === this.#h) return;
    this.#h = h;
    const w = this.#inverseMasses;
    for (let s = 0; s < this.#stiffness.length; s++) {
      const weight = w[this.#ends[2 * s]] + w[this.#ends[2 * s + 1]];
      const compliance = Math.max(this.#compliances[s] / (h * h), RESOLVED * weight);
      this.#stiffness[s] = 1 / (compliance * h * h);
      this.#gains[s] = 1 / (weight + compliance);
    }
    this.#stored = this.storedEnergy(this.#x);
  }

  /** Moves the masses on for h seconds as if there were no springs. */
  #drift(x: Float64Array, v: Float64Array, h: number, [gx, gy, gz]: readonly [number, number, number]): void {
    const w = this.#inverseMasses;
    this.#last.set(x);
    for (let i = 0, k = 0; i < w.length; i++, k += 3) {
      if (w[i] === 0) continue;
      x[k] += h * (v[k] + h * gx);
      x[k + 1] += h * (v[k + 1] + h * gy);
      x[k + 2] += h * (v[k + 2] + h * gz);
    }
  }

  /** Solves for each spring in turn. */
  #sweepSprings(x: Float64Array, forwards: boolean): void {
    const ends = this.#ends;
    const w = this.#inverseMasses;
    const rest = this.#restLengths;
    const gains = this.#gains;
    const count = rest.length;
    const stride = forwards ? 1 : -1;
    for (let n = 0, s = forwards ? 0 : count - 1; n < count; n++, s += stride) {
      const v = ends[2 * s];
      const u = ends[2 * s + 1];
      const i = 3 * v;
      const j = 3 * u;
      const dx = x[i] - x[j];
      const dy = x[i + 1] - x[j + 1];
      const dz = x[i + 2] - x[j + 2];
      const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
      if (!(length > SHORTEST * rest[s])) continue;
      const along = ((rest[s] - length) * gains[s]) / length;
      const wi = w[v] * along;
      const wj = w[u] * along;
      x[i] += wi * dx;
      x[i + 1] += wi * dy;
      x[i + 2] += wi * dz;
      x[j] -= wj * dx;
      x[j + 1] -= wj * dy;
      x[j + 2] -= wj * dz;
    }
  }

  /** Solves for the volume. */
  #keepVolume(x: Float64Array, h: number): void {
    const w = this.#inverseMasses;
    const gradient = this.#gradient;
    const volume = volumeGradient(x, this.indices, gradient);
    let weight = this.#volumeCompliance / (h * h);
    for (let i = 0, k = 0; i < w.length; i++, k += 3) {
      weight += w[i] * (gradient[k] ** 2 + gradient[k + 1] ** 2 + gradient[k + 2] ** 2);
    }
    const change = (this.#restVolume - volume) / weight;
    for (let i = 0, k = 0; i < w.length; i++, k += 3) {
      const scale = w[i] * change;
      x[k] += scale * gradient[k];
      x[k + 1] += scale * gradient[k + 1];
      x[k + 2] += scale * gradient[k + 2];
    }
  }
}

function lengthOf(x: Float64Array, v: number, w: number): number {
  return Math.hypot(x[3 * v] - x[3 * w], x[3 * v + 1] - x[3 * w + 1], x[3 * v + 2] - x[3 * w + 2]);
}
