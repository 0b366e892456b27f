/**
 * Bodies by shape matching: every region of nodes is fitted by the rigid motion of its rest shape that comes nearest,
 * and nodes are drawn towards the mean of where their regions want them.
 *
 * Stored energy: ½ stiffness Σ weight · |x − fit(x)|² over the members of all regions. With the fits held, the implicit
 * Euler step is a weighted mean of free motion and fit; that is the step made. Rotations come from those of the last
 * step by a few of Newton's steps uphill, which never mirror, so that inverted regions find back; a rotation that is
 * not yet the best one only overstates the energy. `StepGuard` keeps momentum and energy.
 * Layout: three numbers per node, four (a quaternion) per region. A step that is never finished leaves no trace.
 *
 * Paper: Müller et al., Meshless deformations based on shape matching (2005); Rivers & James, FastLSM (2007).
 */
import type { Body, Frame } from './body.js';
import { fitRegion } from './fit-region.js';
import { embed, type MatchedShape, spreadPushes } from './matched-shape.js';
import type { StateReader, StateWriter } from './state-bytes.js';
import { kineticEnergy, momentumOf, type StepGuard, type Stored } from './step-guard.js';
import { Touch, type TouchOptions } from './touch.js';

export interface ShapeMatchingOptions extends TouchOptions {
  /** 1 / s²: (2π · frequency)² of vibrations. */
  readonly stiffness: number;
  /** Rate at which motion other than rigid dies away, 1 / s. */
  readonly damping: number;
}

/** Relative error of the energy where large terms cancel, as a share of Σ mass · size². */
const CANCELLATION = 1e-14;

/** Memory of a body; views into that of all. */
export interface MatchingState {
  /** Places and velocities of the nodes; at the end of the step as solved, and with pushes. */
  readonly x: Float64Array;
  readonly v: Float64Array;
  readonly solved: Float64Array;
  readonly solvedVelocity: Float64Array;
  readonly pushedNodes: Float64Array;
  /** One of each region, now and at the end of the step. */
  readonly rotations: Float64Array;
  readonly nextRotations: Float64Array;
  readonly positions: Float64Array;
  readonly proposed: Float64Array;
  readonly pushes: Float64Array;
}

/** Scratch memory that bodies use in turn; nothing in it outlives a call. */
export interface MatchingScratch {
  readonly guard: StepGuard;
  readonly goals: Float64Array;
  readonly fit: Float64Array;
}

export class ShapeMatchingBody implements Body, Stored {
  readonly kind = 'dynamic';
  readonly self = false;
  readonly name: string;
  readonly touch: Touch;
  readonly shape: MatchedShape;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  readonly positions: Float64Array;
  readonly proposed: Float64Array;
  /** Places of the nodes now. */
  readonly nodes: Float64Array;
  readonly energyNoise: number;
  readonly frame: Frame;
  protected readonly state: MatchingState;
  protected readonly options: ShapeMatchingOptions;
  readonly #scratch: MatchingScratch;
  readonly #pushed: Uint32Array;
  readonly #isPushed: Uint8Array;
  #pushedCount = 0;
  /** Share of the distance to the fits covered in a step. */
  #pull = 0;
  #stored = 0;
  #nextStored = 0;

  /** Precondition: `state` holds the places and velocities of the nodes, positions, and rotations near the best. */
  constructor(
    name: string,
    shape: MatchedShape,
    state: MatchingState,
    options: ShapeMatchingOptions,
    scratch: MatchingScratch,
  ) {
    this.name = name;
    this.touch = new Touch(name, options);
    this.shape = shape;
    this.vertexCount = shape.embedding.vertexCount;
    this.indices = shape.indices;
    this.positions = state.positions;
    this.proposed = state.proposed;
    this.nodes = state.x;
    const { start, nodes, weights } = shape.embedding;
    this.frame = { masses: shape.particles.masses, proposed: state.pushedNodes, start, nodes, weights };
    this.state = state;
    this.options = options;
    this.#scratch = scratch;
    const spread = shape.regions.spreads.reduce((sum, one) => sum + one, 0);
    this.energyNoise = CANCELLATION * options.stiffness * spread;
    this.#pushed = new Uint32Array(this.vertexCount);
    this.#isPushed = new Uint8Array(this.vertexCount);
    state.nextRotations.set(state.rotations);
    this.#stored = this.storedEnergy(state.x);
    state.rotations.set(state.nextRotations);
  }

  propose(dt: number, gravity: readonly [number, number, number]): void {
    const { x, v, solved, solvedVelocity, pushedNodes, rotations, nextRotations } = this.state;
    const { stiffness, damping } = this.options;
    const { goals, guard } = this.#scratch;
    for (let k = 0; k < x.length; k++) solved[k] = x[k] + dt * (v[k] + dt * gravity[k % 3]);
    nextRotations.set(rotations);
    this.#match(solved, goals);
    const pull = (stiffness * dt * dt) / (1 + stiffness * dt * dt);
    this.#pull = pull;
    for (let k = 0; k < x.length; k++) {
      solved[k] += pull * (goals[k] - solved[k]);
      solvedVelocity[k] = (solved[k] - x[k]) / dt;
    }
    const keep = Math.exp(-damping * dt);
    this.#nextStored = guard.close(
      this.shape.particles,
      { x0: x, v0: v, x1: solved, v1: solvedVelocity, dt, gravity, keep, stored: this.#stored },
      this,
    );
    pushedNodes.set(solved);
    embed(this.shape.embedding, solved, this.proposed);
    this.#forgetPushes();
  }

  inverseMass(vertex: number): number {
    return this.shape.embedding.inverseMasses[vertex];
  }

  push(vertex: number, dx: number, dy: number, dz: number): void {
    if (this.#isPushed[vertex] === 0) {
      this.#isPushed[vertex] = 1;
      this.#pushed[this.#pushedCount++] = vertex;
    }
    const { pushes } = this.state;
    pushes[3 * vertex] += dx;
    pushes[3 * vertex + 1] += dy;
    pushes[3 * vertex + 2] += dz;
  }

  settle(): void {
    if (this.#pushedCount > 0) this.#applyPushes();
    embed(this.shape.embedding, this.state.pushedNodes, this.proposed);
  }

  /** Draws the pushed nodes towards the fits of their regions, as a step does. */
  relax(): void {
    const { pushedNodes } = this.state;
    const { goals } = this.#scratch;
    this.#match(pushedNodes, goals);
    for (let k = 0; k < pushedNodes.length; k++) pushedNodes[k] += this.#pull * (goals[k] - pushedNodes[k]);
  }

  /** Vertices that were kept from where the nodes want them pull their nodes along. */
  finish(end: Float64Array, dt: number): void {
    const { x, v, solved, solvedVelocity, pushedNodes, rotations, nextRotations } = this.state;
    const { proposed, positions } = this;
    for (let k = 0; k < end.length; k += 3) {
      if (
        end[k] !== Math.fround(proposed[k]) ||
        end[k + 1] !== Math.fround(proposed[k + 1]) ||
        end[k + 2] !== Math.fround(proposed[k + 2])
      ) {
        this.push(k / 3, end[k] - proposed[k], end[k + 1] - proposed[k + 1], end[k + 2] - proposed[k + 2]);
      }
    }
    if (this.#pushedCount > 0) this.#applyPushes();
    let strayed = false;
    for (let k = 0; k < x.length; k++) {
      const way = pushedNodes[k] - solved[k];
      strayed ||= way !== 0;
      x[k] = pushedNodes[k];
      v[k] = solvedVelocity[k] + way / dt;
    }
    positions.set(end);
    this.#stored = strayed ? this.storedEnergy(x) : this.#nextStored;
    rotations.set(nextRotations);
  }

  slow(share: number): void {
    const { v } = this.state;
    for (let k = 0; k < v.length; k++) v[k] *= share;
  }

  save(out: StateWriter): void {
    const { x, v, rotations, positions } = this.state;
    for (const numbers of [x, v, rotations, positions]) out.array(numbers);
    out.number(this.#stored);
  }

  restore(from: StateReader): void {
    const { x, v, rotations, positions } = this.state;
    for (const numbers of [x, v, rotations, positions]) from.into(numbers);
    this.#stored = from.number();
  }

  energy(): number {
    return this.#stored + kineticEnergy(this.shape.particles, this.state.v);
  }

  momentum(out: Float64Array): void {
    momentumOf(this.shape.particles, this.state.x, this.state.v, out);
  }

  storedEnergy(x: Float64Array): number {
    return 0.5 * this.options.stiffness * this.#match(x, undefined);
  }

  #applyPushes(): void {
    const { pushes, pushedNodes } = this.state;
    const shift = this.#scratch.goals.subarray(0, pushedNodes.length);
    spreadPushes(this.shape, this.#pushed, this.#pushedCount, pushes, shift);
    for (let k = 0; k < pushedNodes.length; k++) pushedNodes[k] += shift[k];
    this.#forgetPushes();
  }

  #forgetPushes(): void {
    const { pushes } = this.state;
    for (let i = 0; i < this.#pushedCount; i++) {
      const v = this.#pushed[i];
      this.#isPushed[v] = 0;
      pushes.fill(0, 3 * v, 3 * v + 3);
    }
    this.#pushedCount = 0;
  }

  /** Fits all regions; writes their goals for the nodes, if given. Returns Σ weight · |x − fit|². */
  #match(x: Float64Array, goals: Float64Array | undefined): number {
    const { fit } = this.#scratch;
    const { particles, regions } = this.shape;
    const { start, nodes, weights, offsets } = regions;
    if (goals) goals.fill(0, 0, x.length);
    let misfit = 0;
    for (let r = 0; r < regions.count; r++) {
      misfit += fitRegion(regions, r, x, this.state.nextRotations, fit);
      if (!goals) continue;
      const r0 = fit[0];
      const r1 = fit[1];
      const r2 = fit[2];
      const r3 = fit[3];
      const r4 = fit[4];
      const r5 = fit[5];
      const r6 = fit[6];
      const r7 = fit[7];
      const r8 = fit[8];
      const cx = fit[9];
      const cy = fit[10];
      const cz = fit[11];
      for (let m = start[r]; m < start[r + 1]; m++) {
        const n = 3 * nodes[m];
        const qx = offsets[3 * m];
        const qy = offsets[3 * m + 1];
        const qz = offsets[3 * m + 2];
        const w = weights[m];
        goals[n] += w * (r0 * qx + r1 * qy + r2 * qz + cx);
        goals[n + 1] += w * (r3 * qx + r4 * qy + r5 * qz + cy);
        goals[n + 2] += w * (r6 * qx + r7 * qy + r8 * qz + cz);
      }
    }
    if (goals) {
      for (let i = 0, k = 0; i < particles.count; i++, k += 3) {
        const perMass = 1 / particles.masses[i];
        goals[k] *= perMass;
        goals[k + 1] *= perMass;
        goals[k + 2] *= perMass;
      }
    }
    return misfit;
  }
}
