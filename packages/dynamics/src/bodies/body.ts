/**
 * The interface of a body in a simulation: it has a surface, proposes its positions after a step, and takes corrections
 * from contacts.
 *
 * A step: `propose(dt)` → the simulation reads `proposed`, finds contacts of the motion `positions` → `proposed`, calls
 * `push` for surface vertices in contact (or moves the nodes that they follow), lets the body apply them to all its
 * vertices in `settle()`, lets it `relax()`, and repeats; at the end `finish(end)` gives the body the actual positions
 * of its surface vertices (on the float32 grid, perhaps short of the proposal), from which it takes its new velocities.
 * Invariant: `positions` are on the float32 grid and free of intersections.
 */
import type { StateReader, StateWriter } from './state-bytes.js';
import type { Touch } from './touch.js';

/** A body. */
export interface Body {
  readonly name: string;
  /** Its friction, restitution, and which bodies it meets; without it, as the simulation has them, and all. */
  readonly touch?: Touch;
  readonly vertexCount: number;
  readonly indices: Uint32Array;
  /** Surface vertices at the start of the step: x, y, z. */
  readonly positions: Float64Array;
  /** Where the body wants them at the end of the step. Written by `propose` and `settle`. */
  readonly proposed: Float64Array;
  /** `fixed` bodies never move; `kinematic` ones follow a prescribed motion, and cannot be pushed. */
  readonly kind: 'dynamic' | 'kinematic' | 'fixed';
  /**
   * Whether it can meet itself. A body that cannot is assumed to keep its shape: a step that must be shortened is
   * shortened for all its vertices.
   */
  readonly self: boolean;
  /**
   * Whether it is a rigid body: the effect of contacts on its nodes becomes one motion of the whole before its surface
   * follows.
   */
  readonly rigid?: boolean;
  /**
   * For rigid bodies: leaves a share of the motion of the step, of length `dt`, relative to a shift, and writes
   * `proposed`.
   */
  shorten?(share: number, shift: ArrayLike<number>, dt: number): void;
  /** The coarser body that surface vertices follow; without it they are masses of their own. */
  readonly frame?: Frame;
  /** Advances the body's own solver by dt under `gravity` and writes `proposed`. */
  propose(dt: number, gravity: readonly [number, number, number]): void;
  /** 1 / effective mass of a surface vertex; 0 if it cannot be pushed. */
  inverseMass(vertex: number): number;
  /**
   * The same as a push feels it in a step, if what holds the vertex adds to its mass. `settle` counts pushes with it.
   */
  inverseMassFelt?(vertex: number): number;
  /** Asks that a surface vertex end up `(dx, dy, dz)` further; several pushes on one vertex add up. */
  push(vertex: number, dx: number, dy: number, dz: number): void;
  /** Applies the pushes, or changes of the frame, to `proposed`, and clears the pushes. */
  settle(): void;
  /**
   * Lets the pushes act on the rest of the body: draws `proposed`, or the frame if there is one (then `settle`
   * follows), some way towards the shape the body wants, keeping momentum. Bodies that are stiff over a step need it:
   * contacts would else put energy into them.
   */
  relax?(): void;
  /**
   * For bodies whose own solver goes on until forces balance: what it and contacts left, per mass, m/s², root mean
   * square over the mass.
   */
  readonly residual?: number;
  /** The step is over: surface vertices are at `end`. Updates positions and velocities. */
  finish(end: Float64Array, dt: number): void;
  /** Leaves a share of all velocities. Bodies that have it sleep when they have been at rest for a while. */
  slow?(share: number): void;
  /**
   * After `finish`: if the body breaks now, the bodies that replace it (their surfaces free of intersections with
   * everything, lying inside the old one). Bodies that never break leave it out.
   */
  broken?(): readonly Body[] | undefined;
  /** Writes all that its next steps depend on, and takes it over again. Without these, there are no snapshots. */
  save?(out: StateWriter): void;
  restore?(from: StateReader): void;
  /** Kinetic plus stored energy without gravity, and the momentum: for checks. */
  energy(): number;
  momentum(out: Float64Array): void;
}

/** A body in a simulation. */
export interface BodyHandle {
  /** Never given twice in a simulation. */
  readonly id: number;
  readonly body: Body;
  /** Whether it rests, so that the simulation does not look at it until something comes near. */
  readonly asleep: boolean;
  /** Takes the body out. Throws `removed` if it has left already, or broke. */
  remove(): void;
}

/** Masses that surface vertices follow: vertex v is at Σ weights[i] · node nodes[i], i in start[v] … start[v + 1]. */
export interface Frame {
  /** The mass of each node; 0 if it is held in place. */
  readonly masses: Float64Array;
  /** The proposed positions of the nodes at the end of the step: x, y, z. Contacts write here, then call `settle`. */
  readonly proposed: Float64Array;
  readonly start: Uint32Array;
  readonly nodes: Uint32Array;
  readonly weights: Float64Array;
}
