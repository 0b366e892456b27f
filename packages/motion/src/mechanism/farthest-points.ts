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

  /** Those of all cells, one after the other, as `near` counts them. */
  all(): readonly Int32Array[] {
    for (let cell = 0; cell < this.#lists.length; cell++) {
      const [face, i, j] = [Math.floor(cell / CELLS ** 2), Math.floor(cell / CELLS) % CELLS, cell % CELLS];
      this.#lists[cell] ??= this.#listOf(face, i, j);
    }
    return this.#lists as Int32Array[];
  }

  #listOf(face: number, i: number, j: number): Int32Array {
    const p = this.#points;
    const axis = face >>> 1;
    const n = new Float64Array(12);
    for (let c = 0; c < 4; c++) {
      n[3 * c + axis] = (face & 1) === 0 ? 1 : -1;
      n[3 * c + ((axis + 1) % 3)] = (2 * (i + (c & 1))) / CELLS - 1;
      n[3 * c + ((axis + 2) % 3)] = (2 * (j + (c >>> 1))) / CELLS - 1;
    }
    const along = (c: number, at: number) =>
      p[at] * n[3 * c] + p[at + 1] * n[3 * c + 1] + p[at + 2] * n[3 * c + 2];
    // how far what leads at one corner is at each
    const lead = new Float64Array(16);
    for (let leader = 0; leader < 4; leader++) {
      let best = 0;
      for (let at = 3; at < p.length; at += 3) if (along(leader, at) > along(leader, best)) best = at;
      for (let c = 0; c < 4; c++) lead[4 * leader + c] = along(c, best) - this.#ahead;
    }
    const list: number[] = [];
    for (let at = 0; at < p.length; at += 3) {
      const [a, b, c, d] = [along(0, at), along(1, at), along(2, at), along(3, at)];
      let isBehind = false;
      for (let of = 0; of < 16 && !isBehind; of += 4)
        isBehind = lead[of] > a && lead[of + 1] > b && lead[of + 2] > c && lead[of + 3] > d;
      if (!isBehind) list.push(at);
    }
    return Int32Array.from(list);
  }
}
