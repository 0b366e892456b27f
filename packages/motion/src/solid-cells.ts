/**
 * Whether points are inside a solid, for many points.
 *
 * Idea: a ball about the middle of a cell that the surface does not reach lies on one side of it, and so does every
 * point of the cell. Cells are looked at when a point first falls into them; points of cells that the surface may pass
 * are located exactly.
 * Layout: cells are in the arena, where kernels read what is known of them (kernels/motion/surfaces.ts).
 */
import type { Mesh } from 'impinge';
import { arena } from 'impinge/internal/base/arena.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { Derived } from 'impinge/internal/mesh/revisions.js';
import { componentEndsOf } from 'impinge/internal/query/solid/component-seeds.js';
import { locatePoint, signedDepth } from 'impinge/internal/query/solid/locate.js';
import { CELLS, CELLS_BYTES, CellState } from './layout.generated.js';

/** Cells along the longest side of the box. */
const ALONG = 32;
/** Numbers of six points. */
const ENDS = 18;

const reclaim = new FinalizationRegistry<number>((block) => arena().free(block));

/** Bytes of the arena that are given back when nobody holds them. */
class Held {
  readonly at: number;

  constructor(bytes: number) {
    this.at = arena().alloc(bytes);
    reclaim.register(this, this.at);
  }
}

/** The cells of a closed mesh as it is now. */
export const solidCells = new Derived((mesh: Mesh) => new SolidCells(mesh));

/** The ends of a mesh's components where kernels read them. */
export const endsInArena = new Derived((mesh: Mesh) => {
  const ends = componentEndsOf(mesh);
  const held = new Held(8 * ends.length);
  arena()
    .f64()
    .set(ends, held.at >>> 3);
  return { held, components: ends.length / ENDS };
});

export class SolidCells {
  readonly mesh: Mesh;
  readonly #held: Held;
  readonly #low = new Float64Array(3);
  readonly #counts = new Int32Array(3);
  readonly #cell: number;
  readonly #point = new Float64Array(3);

  /** The mesh must be closed. */
  constructor(mesh: Mesh) {
    this.mesh = mesh;
    const { min, max } = mesh.box;
    const size = max.map((high, k) => high - min[k]);
    this.#cell = Math.max(...size) / ALONG || 1;
    for (let k = 0; k < 3; k++) {
      this.#low[k] = min[k] - mesh.origin[k];
      this.#counts[k] = Math.max(1, Math.ceil(size[k] / this.#cell));
    }
    const cells = this.#counts[0] * this.#counts[1] * this.#counts[2];
    const { at } = (this.#held = new Held(CELLS_BYTES + cells));
    const memory = arena();
    memory.f64().set([...this.#low, this.#cell], (at + CELLS.low) >>> 3);
    memory.i32().set(this.#counts, (at + CELLS.counts) >>> 2);
    memory.u8().fill(CellState.cellUnknown, at + CELLS_BYTES, at + CELLS_BYTES + cells);
  }

  /** Where they are in the arena. */
  get at(): number {
    return this.#held.at;
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
      if (state !== CellState.cellMixed) return state === CellState.cellInside;
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
    const number = this.at + CELLS_BYTES + (k * ny + j) * nx + i;
    const known = arena().u8()[number];
    if (known !== CellState.cellUnknown) return known;
    const seen = this.#look(i, j, k);
    arena().u8()[number] = seen;
    return seen;
  }

  /** Outside of the box there is nothing; at its side, rounding tells nothing. */
  #beyond(x: number, y: number, z: number): number {
    const slack = 1e-9 * this.#cell;
    const [p, low, counts] = [[x, y, z], this.#low, this.#counts];
    const isOut = p.some((c, k) => c < low[k] - slack || c > low[k] + counts[k] * this.#cell + slack);
    return isOut ? CellState.cellOutside : CellState.cellMixed;
  }

  #look(i: number, j: number, k: number): number {
    const middle = Float64Array.of(i, j, k).map((n, axis) => this.#low[axis] + (n + 0.5) * this.#cell);
    const depth = signedDepth({ meshes: [this.mesh], closed: true }, middle);
    // half of the diagonal is 0.866 of the side
    if (Math.abs(depth) < 0.867 * this.#cell) return CellState.cellMixed;
    return depth > 0 ? CellState.cellInside : CellState.cellOutside;
  }
}
