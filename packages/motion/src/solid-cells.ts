/**
 * Whether points are inside a solid, for many points.
 *
 * Idea: a ball about the middle of a cell that the surface does not reach lies on one side of it, and so does every
 * point of the cell. Cells are looked at when a point first falls into them; points of cells that the surface may pass
 * are located exactly.
 */
import type { Mesh } from 'impinge';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { componentEndsOf } from 'impinge/internal/query/solid/component-seeds.js';
import { locatePoint, signedDepth } from 'impinge/internal/query/solid/locate.js';

/** Cells along the longest side of the box. */
const CELLS = 32;
const UNKNOWN = 0;
const OUTSIDE = 1;
const INSIDE = 2;
const MIXED = 3;
/** Numbers of six points. */
const ENDS = 18;

export class SolidCells {
  readonly mesh: Mesh;
  readonly #revision: number;
  readonly #low = new Float64Array(3);
  readonly #counts = new Int32Array(3);
  readonly #cell: number;
  readonly #states: Uint8Array;
  readonly #point = new Float64Array(3);

  /** The mesh must be closed. */
  constructor(mesh: Mesh) {
    this.mesh = mesh;
    this.#revision = mesh.revision;
    const { min, max } = mesh.box;
    const size = max.map((high, k) => high - min[k]);
    this.#cell = Math.max(...size) / CELLS || 1;
    for (let k = 0; k < 3; k++) {
      this.#low[k] = min[k] - mesh.origin[k];
      this.#counts[k] = Math.max(1, Math.ceil(size[k] / this.#cell));
    }
    this.#states = new Uint8Array(this.#counts[0] * this.#counts[1] * this.#counts[2]);
  }

  /** Whether they are those of the mesh as it is now. */
  get isCurrent(): boolean {
    return this.mesh.revision === this.#revision;
  }

  /** Whether some component of a mesh whose surface does not meet that of the solid is inside. */
  holdsAny(mesh: Mesh, pose: RigidPose): boolean {
    const ends = componentEndsOf(mesh);
    for (let at = 0; at < ends.length; at += ENDS) if (this.#holds(mesh, pose, ends, at)) return true;
    return false;
  }

  /** Any of the ends of a component tells; that in a cell on one side does so at once. */
  #holds({ origin }: Mesh, pose: RigidPose, ends: Float64Array, from: number): boolean {
    const p = this.#point;
    const own = this.mesh.origin;
    for (let at = from; at < from + ENDS; at += 3) {
      posePoint(pose, ends[at] + origin[0], ends[at + 1] + origin[1], ends[at + 2] + origin[2], p, 0);
      for (let k = 0; k < 3; k++) p[k] -= own[k];
      const state = this.#stateAt(p[0], p[1], p[2]);
      if (state !== MIXED) return state === INSIDE;
    }
    return locatePoint({ meshes: [this.mesh], closed: true }, p) === 'inside';
  }

  #stateAt(x: number, y: number, z: number): number {
    const low = this.#low;
    const cell = this.#cell;
    const [nx, ny, nz] = this.#counts;
    const i = Math.floor((x - low[0]) / cell);
    const j = Math.floor((y - low[1]) / cell);
    const k = Math.floor((z - low[2]) / cell);
    // the last cells may be rounded away from the box's side
    if (i < 0 || j < 0 || k < 0 || i >= nx || j >= ny || k >= nz) return this.#beyond(x, y, z);
    const number = (k * ny + j) * nx + i;
    const known = this.#states[number];
    return known === UNKNOWN ? (this.#states[number] = this.#look(i, j, k)) : known;
  }

  /** Outside of the box there is nothing; at its side, rounding tells nothing. */
  #beyond(x: number, y: number, z: number): number {
    const slack = 1e-9 * this.#cell;
    const [p, low, counts] = [[x, y, z], this.#low, this.#counts];
    const isOut = p.some((c, k) => c < low[k] - slack || c > low[k] + counts[k] * this.#cell + slack);
    return isOut ? OUTSIDE : MIXED;
  }

  #look(i: number, j: number, k: number): number {
    const middle = Float64Array.of(i, j, k).map((n, axis) => this.#low[axis] + (n + 0.5) * this.#cell);
    const depth = signedDepth({ meshes: [this.mesh], closed: true }, middle);
    // half of the diagonal is 0.866 of the side
    if (Math.abs(depth) < 0.867 * this.#cell) return MIXED;
    return depth > 0 ? INSIDE : OUTSIDE;
  }
}
