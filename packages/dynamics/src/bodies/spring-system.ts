/**
 * Point masses on springs, and their implicit step: the places x at which masses that would go to `aim` are held back
 * by their springs, M (x − aim) / h² = forces(x).
 *
 * These x are a minimum of Σ m |x − aim|² / 2 h² + stored energy. Newton's method goes down to it, each time by
 * preconditioned conjugate gradients on M / h² + stiffness, in which compressed springs resist along their length alone
 * (else that would not be positive), in float32: the forces left over are float64. Invariants: no round ends higher
 * than it began; where forces balance, nothing moves, however few rounds are made: so what hangs at rest hangs as its
 * springs say, at any h. As M / h² is part of the stiffness, h² times the residual bounds, where springs are not
 * compressed, how far x is from the solution.
 *
 * Papers: Baraff, Witkin, Large steps in cloth simulation (1998); Choi, Ko, Stable but responsive cloth (2002).
 */
import { arena } from 'impinge/internal/base/arena.js';
import { signedVolumeTimes6 } from 'impinge/internal/mesh/signed-volume.js';
import { OwnedMemory } from '../rigid/exact/owned-memory.js';
import { type SpringsKernels, springsKernels } from './kernels.generated.js';
import { VECTOR_BYTES } from './layout.generated.js';
import { volumeGradient } from './springs.js';

/** A round of Newton's method that leads up is halved this many times, and then not made. */
const HALVINGS = 6;
/** Share of the imbalance at which a round of conjugate gradients ends. */
const FORCING = 0.1;
/** Relative to the tolerance: less at the end of a round makes another one needless. */
const AIMED = 0.5;

/** Springs of one kind: pairs of vertices, and their stiffness, newtons per metre. */
export interface SpringSet {
  readonly ends: Uint32Array;
  readonly stiffness: number;
}

export interface SpringSystemInput {
  /** Kilograms; 0 for those held in place. */
  readonly masses: Float64Array;
  readonly springs: readonly SpringSet[];
  /** Where the springs are at rest. */
  readonly rest: Float64Array;
  /** A closed surface, if the volume resists. */
  readonly indices: Uint32Array;
  /** Resistance to change of volume, pascals; 0 for none. */
  readonly bulkModulus: number;
}

export interface Effort {
  /** The residual to reach, m/s². */
  readonly tolerance: number;
  /** Most products of the stiffness with a vector. */
  readonly iterations: number;
}

export class SpringSystem {
  /** Force left unbalanced when it was last asked for, per mass, m/s²: root mean square over the mass. */
  residual = 0;
  readonly #mass: number;
  readonly #indices: Uint32Array;
  /** Six-fold; 0 if the volume may change. */
  readonly #restVolume: number;
  /** Joules per square of the six-fold volume, twice. */
  readonly #volumeStiffness: number;
  readonly #memory = new OwnedMemory();
  readonly #size: number;
  /** Offsets in the arena, in bytes. */
  readonly #places: number;
  readonly #aims: number;
  readonly #origins: number;
  readonly #gradient: number;
  readonly #open: (kernel: SpringsKernels) => void;

  constructor({ masses, springs, rest, indices, bulkModulus }: SpringSystemInput) {
    const count = masses.length;
    const springCount = springs.reduce((sum, { ends }) => sum + ends.length / 2, 0);
    this.#mass = masses.reduce((sum, m) => sum + m, 0);
    this.#indices = indices;
    this.#restVolume = bulkModulus > 0 ? signedVolumeTimes6(rest, indices) : 0;
    this.#volumeStiffness = bulkModulus > 0 ? bulkModulus / (6 * this.#restVolume) : 0;
    this.#size = 3 * count;
    const memory = this.#memory;
    const numbers = (wanted: number) => memory.alloc(8 * Math.max(1, wanted));
    const mass = numbers(count);
    const start = memory.alloc(4 * (count + 1));
    const other = memory.alloc(4 * Math.max(1, springCount));
    const law = numbers(2 * springCount);
    const along = numbers(2 * springCount);
    this.#places = numbers(3 * count);
    this.#aims = numbers(3 * count);
    this.#origins = numbers(3 * count);
    const force = numbers(3 * count);
    this.#gradient = bulkModulus > 0 ? numbers(3 * count) : 0;
    const vectors = memory.alloc(VECTOR_BYTES * count);
    arena()
      .f64()
      .set(masses, mass / 8);
    const starts = arena()
      .u32()
      .subarray(start / 4, start / 4 + count + 1);
    const others = arena()
      .u32()
      .subarray(other / 4, other / 4 + springCount);
    layOut(
      springs,
      rest,
      starts,
      others,
      arena()
        .f64()
        .subarray(law / 8),
    );
    this.#open = (kernel) =>
      kernel.openSprings(
        ...[count, springCount, mass, start, other, law, along],
        ...([this.#places, this.#aims, this.#origins, force, this.#gradient, vectors] as const),
      );
  }

  /** Moves x to the balance; returns the number of products made. */
  solve(x: Float64Array, aim: Float64Array, h: number, { tolerance, iterations }: Effort): number {
    const kernel = this.#kernel();
    const perSquare = 1 / (h * h);
    const places = this.#view(this.#places);
    const origins = this.#view(this.#origins);
    places.set(x);
    this.#view(this.#aims).set(aim);
    let energy = this.#linearise(kernel, perSquare);
    let done = 0;
    while (this.residual > tolerance && done < iterations) {
      origins.set(places);
      const share = Math.max(FORCING, (AIMED * tolerance) / this.residual);
      kernel.invertOwn(perSquare);
      const products = kernel.descend(perSquare, share, iterations - done);
      done += products;
      const before = energy;
      for (let halvings = 0; halvings <= HALVINGS; halvings++) {
        kernel.go(0.5 ** halvings);
        energy = this.#linearise(kernel, perSquare);
        if (energy <= before) break;
      }
      if (energy <= before && products > 0) continue;
      if (energy > before) {
        places.set(origins);
        this.#linearise(kernel, perSquare);
      }
      break;
    }
    x.set(places);
    return done;
  }

  /** The residual of x. */
  measure(x: Float64Array, aim: Float64Array, h: number): number {
    const kernel = this.#kernel();
    this.#view(this.#places).set(x);
    this.#view(this.#aims).set(aim);
    this.#linearise(kernel, 1 / (h * h));
    return this.residual;
  }

  /** The energy in the springs and in the compressed volume, joules. */
  storedEnergy(x: Float64Array): number {
    this.#view(this.#places).set(x);
    const springs = this.#kernel().stored();
    const change = this.#restVolume > 0 ? signedVolumeTimes6(x, this.#indices) - this.#restVolume : 0;
    return 0.5 * (springs + this.#volumeStiffness * change * change);
  }

  #kernel(): SpringsKernels {
    const kernel = springsKernels.kernels();
    this.#open(kernel);
    return kernel;
  }

  #view(offset: number): Float64Array {
    return arena()
      .f64()
      .subarray(offset / 8, offset / 8 + this.#size);
  }

  /** Writes the forces left over, and the residual; returns twice what is to be minimised. */
  #linearise(kernel: SpringsKernels, perSquare: number): number {
    let energy = kernel.linearise(perSquare);
    if (this.#restVolume > 0) {
      const places = this.#view(this.#places);
      const change = volumeGradient(places, this.#indices, this.#view(this.#gradient)) - this.#restVolume;
      kernel.press(change, this.#volumeStiffness);
      energy += this.#volumeStiffness * change * change;
    }
    this.residual = Math.sqrt(kernel.imbalance() / this.#mass);
    return energy;
  }
}

/** Sorts springs by their first vertex: writes where those of each begin, second vertices, rest lengths, stiffness. */
function layOut(
  sets: readonly SpringSet[],
  rest: Float64Array,
  starts: Uint32Array,
  others: Uint32Array,
  laws: Float64Array,
): void {
  starts.fill(0);
  for (const { ends } of sets) for (let e = 0; e < ends.length; e += 2) starts[ends[e] + 1]++;
  for (let i = 1; i < starts.length; i++) starts[i] += starts[i - 1];
  const next = starts.slice();
  for (const { ends, stiffness } of sets) {
    for (let e = 0; e < ends.length; e += 2) {
      const s = next[ends[e]]++;
      others[s] = ends[e + 1];
      laws[2 * s] = lengthOf(rest, ends[e], ends[e + 1]);
      laws[2 * s + 1] = stiffness;
    }
  }
}

function lengthOf(x: Float64Array, v: number, w: number): number {
  return Math.hypot(x[3 * v] - x[3 * w], x[3 * v + 1] - x[3 * w + 1], x[3 * v + 2] - x[3 * w + 2]);
}
