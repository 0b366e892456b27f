/**
 * Which of many points may be the farthest along a direction.
 *
 * Idea: directions are grouped by where they leave a cube, in cells of its faces, each with a list of points. How far a
 * point p is ahead of another along a direction is linear in the direction: where p is ahead at the four corners of a
 * cell, it is in all of it, and the other is not listed. Lists are made when they are first needed.
 * Errs: towards listing, by more than rounding.
 */

/** Cells along an edge of the cube. */
const CELLS = 8;
/** Of the size: more than rounding changes in products. */
const SURELY = 1e-12;

export class FarthestPoints {
  readonly #points: Float64Array;
  readonly #ahead: number;
  readonly #lists: (Int32Array | undefined)[] = new Array(6 * CELLS * CELLS).fill(undefined);

  /** Three numbers for each point; no coordinate differs from the others by more than `size`. */
  constructor(points: Float64Array, size: number) {
    this.#points = points;
    this.#ahead = SURELY * size;
  }

  /** Offsets of points, the farthest along a direction among them. */
  near(x: number, y: number, z: number): Int32Array {
    const [ax, ay, az] = [Math.abs(x), Math.abs(y), Math.abs(z)];
    let face = 0;
    let [most, u, v] = [x, y, z];
    if (ay > ax && ay >= az) {
      face = 2;
      most = y;
      u = z;
      v = x;
    } else if (az > ax && az > ay) {
      face = 4;
      most = z;
      u = x;
      v = y;
    }
    if (most < 0) face++;
    const scale = (0.5 * CELLS) / Math.abs(most);
    const i = Math.min(CELLS - 1, Math.floor(u * scale + 0.5 * CELLS)) | 0;
    const j = Math.min(CELLS - 1, Math.floor(v * scale + 0.5 * CELLS)) | 0;
    const cell = (face * CELLS + i) * CELLS + j;
    return this.#lists[cell] ?? (this.#lists[cell] = this.#listOf(face, i, j));
  }

  #listOf(face: number, i: number, j: number): Int32Array {
    const p = this.#points;
    const axis = face >>> 1;
    const corners = [0, 1, 2, 3].map((c) => {
      const n = [0, 0, 0];
      n[axis] = (face & 1) === 0 ? 1 : -1;
      n[(axis + 1) % 3] = (2 * (i + (c & 1))) / CELLS - 1;
      n[(axis + 2) % 3] = (2 * (j + (c >>> 1))) / CELLS - 1;
      return n;
    });
    const along = (n: readonly number[], at: number) => p[at] * n[0] + p[at + 1] * n[1] + p[at + 2] * n[2];
    const leaders = corners.map((n) => {
      let best = 0;
      for (let at = 3; at < p.length; at += 3) if (along(n, at) > along(n, best)) best = at;
      return best;
    });
    const lead = leaders.map((leader) => corners.map((n) => along(n, leader) - this.#ahead));
    const list: number[] = [];
    for (let at = 0; at < p.length; at += 3) {
      const own = corners.map((n) => along(n, at));
      if (!lead.some((of) => of.every((far, c) => far > own[c]))) list.push(at);
    }
    return Int32Array.from(list);
  }
}
