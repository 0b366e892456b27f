/**
 * Names points: the same number for points that are equal but for rounding.
 *
 * Idea: a hash of the cell a point lies in, cells being a thousand times as wide as the points may differ; only the few
 * points next to a cell's side have to be looked for in the neighbouring cell as well. Bound: the cells of x − t and of
 * x + t are the same or adjacent, whatever x is. Where t is less than half a step of float64 at x, both round to x.
 * Else x is below 2^54 t: its cell number, rounded, is off by less than 2^-8, and the two are 0.002 apart.
 */

const CELLS_PER_TOLERANCE = 1e-3;

export class PointIds {
  count = 0;
  readonly #tolerance: number;
  readonly #perCell: number;
  #points: Float64Array;
  /** By hash: the last id with it, plus 1; by id: the one before. */
  #heads: Uint32Array;
  #before: Uint32Array;

  /** Points that differ by no more than `tolerance` in each coordinate are the same. */
  constructor(tolerance: number, expected: number) {
    this.#tolerance = tolerance;
    this.#perCell = CELLS_PER_TOLERANCE / tolerance;
    const capacity = Math.max(16, expected);
    this.#points = new Float64Array(3 * capacity);
    this.#before = new Uint32Array(capacity);
    this.#heads = new Uint32Array(2 ** Math.ceil(Math.log2(2 * capacity)));
  }

  /** The number of the point at `at`; a new one when it was not there yet. */
  add(points: Float64Array, at: number): number {
    const known = this.find(points, at);
    if (known >= 0) return known;
    if (this.count === this.#before.length) this.#grow();
    for (let k = 0; k < 3; k++) this.#points[3 * this.count + k] = points[at + k];
    this.#enter(this.count);
    return this.count++;
  }

  /** The number of the point at `at`, or −1. */
  find(points: Float64Array, at: number): number {
    const t = this.#tolerance;
    const s = this.#perCell;
    const x = points[at];
    const y = points[at + 1];
    const z = points[at + 2];
    const x0 = Math.floor((x - t) * s);
    const y0 = Math.floor((y - t) * s);
    const z0 = Math.floor((z - t) * s);
    const x1 = Math.floor((x + t) * s);
    const y1 = Math.floor((y + t) * s);
    const z1 = Math.floor((z + t) * s);
    if (x0 === x1 && y0 === y1 && z0 === z1) return this.#findIn(hash(x0, y0, z0), x, y, z);
    // both ends are in the same cell or in adjacent ones: counting from one to the other never ends where cell numbers
    // are so large that adding 1 changes nothing
    for (let corner = 0; corner < 8; corner++) {
      if ((corner & 1 && x0 === x1) || (corner & 2 && y0 === y1) || (corner & 4 && z0 === z1)) continue;
      const cell = hash(corner & 1 ? x1 : x0, corner & 2 ? y1 : y0, corner & 4 ? z1 : z0);
      const id = this.#findIn(cell, x, y, z);
      if (id >= 0) return id;
    }
    return -1;
  }

  #findIn(cell: number, x: number, y: number, z: number): number {
    const t = this.#tolerance;
    const p = this.#points;
    for (let next = this.#heads[cell & (this.#heads.length - 1)]; next > 0; next = this.#before[next - 1]) {
      const at = 3 * (next - 1);
      if (Math.abs(p[at] - x) <= t && Math.abs(p[at + 1] - y) <= t && Math.abs(p[at + 2] - z) <= t)
        return next - 1;
    }
    return -1;
  }

  #enter(id: number): void {
    const s = this.#perCell;
    const p = this.#points;
    const cell = hash(
      Math.floor(p[3 * id] * s),
      Math.floor(p[3 * id + 1] * s),
      Math.floor(p[3 * id + 2] * s),
    );
    const head = cell & (this.#heads.length - 1);
    this.#before[id] = this.#heads[head];
    this.#heads[head] = id + 1;
  }

  #grow(): void {
    const points = new Float64Array(2 * this.#points.length);
    points.set(this.#points);
    this.#points = points;
    this.#before = new Uint32Array(2 * this.#before.length);
    this.#heads = new Uint32Array(2 * this.#heads.length);
    for (let id = 0; id < this.count; id++) this.#enter(id);
  }
}

/** Cell numbers may be larger than 32 bits hold: their high parts are mixed in. */
function hash(i: number, j: number, k: number): number {
  let h = Math.imul(i | 0, 0x9e3779b1) ^ Math.imul((i / 4294967296) | 0, 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15) ^ (j | 0) ^ Math.imul((j / 4294967296) | 0, 0x846ca68b), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13) ^ (k | 0) ^ Math.imul((k / 4294967296) | 0, 0x2c1b3c6d), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
