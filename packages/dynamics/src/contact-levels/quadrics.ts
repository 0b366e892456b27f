/**
 * Where the squared distances to the planes of a surface are least: Garland and Heckbert's quadrics, one per vertex,
 * weighted by area.
 *
 * Layout: ten numbers: the upper half of a symmetric 3 × 3 matrix by rows, a vector, a constant.
 */
import type { ClosedSurface } from './closed-surface.js';

const SIZE = 10;

export class Quadrics {
  readonly #q: Float64Array;

  constructor({ x, corner, alive }: ClosedSurface) {
    this.#q = new Float64Array((SIZE * x.length) / 3);
    for (let t = 0; t < alive.length; t++) {
      if (!alive[t]) continue;
      const [a, b, c] = [3 * corner[3 * t], 3 * corner[3 * t + 1], 3 * corner[3 * t + 2]];
      const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
      const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
      const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const length = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
      if (!(length > 0)) continue;
      const d = -(n[0] * x[a] + n[1] * x[a + 1] + n[2] * x[a + 2]);
      for (let k = 0; k < 3; k++) this.#addPlane(corner[3 * t + k], n, d, 1 / length);
    }
  }

  /** n and d are the unit ones times the area twice, so that dividing by it once leaves its weight. */
  #addPlane(v: number, n: readonly number[], d: number, weight: number): void {
    const q = this.#q;
    const at = SIZE * v;
    q[at] += n[0] * n[0] * weight;
    q[at + 1] += n[0] * n[1] * weight;
    q[at + 2] += n[0] * n[2] * weight;
    q[at + 3] += n[1] * n[1] * weight;
    q[at + 4] += n[1] * n[2] * weight;
    q[at + 5] += n[2] * n[2] * weight;
    q[at + 6] += n[0] * d * weight;
    q[at + 7] += n[1] * d * weight;
    q[at + 8] += n[2] * d * weight;
    q[at + 9] += d * d * weight;
  }

  /** Vertex v has become part of u. */
  add(u: number, v: number): void {
    for (let k = 0; k < SIZE; k++) this.#q[SIZE * u + k] += this.#q[SIZE * v + k];
  }

  /**
   * The best place for one vertex instead of u and v, into `out`: that of the least sum, pulled towards the middle of
   * the edge by a thousandth, which decides along a ridge or in a plane.
   */
  place(x: Float64Array, u: number, v: number, out: Float64Array): void {
    const q = this.#q;
    const [i, j] = [SIZE * u, SIZE * v];
    const at = (k: number): number => q[i + k] + q[j + k];
    const pull = 1e-3 * (at(0) + at(3) + at(5));
    const m = [0, 1, 2].map((k) => (x[3 * u + k] + x[3 * v + k]) / 2);
    const [a, b, c, d, e, f] = [at(0) + pull, at(1), at(2), at(3) + pull, at(4), at(5) + pull];
    const [rx, ry, rz] = [pull * m[0] - at(6), pull * m[1] - at(7), pull * m[2] - at(8)];
    const [c0, c1, c2] = [d * f - e * e, c * e - b * f, b * e - c * d];
    const det = a * c0 + b * c1 + c * c2;
    if (!(det > 0)) {
      out.set(m);
      return;
    }
    out[0] = (c0 * rx + c1 * ry + c2 * rz) / det;
    out[1] = (c1 * rx + (a * f - c * c) * ry + (b * c - a * e) * rz) / det;
    out[2] = (c2 * rx + (b * c - a * e) * ry + (a * d - b * b) * rz) / det;
  }
}
