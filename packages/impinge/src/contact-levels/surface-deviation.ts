/**
 * s: how far the triangles of a hull's patch, or the faces of a box, are from the first surface.
 *
 * Measured at corners and middles of triangles, exactly there: good for choosing levels, but no bound of what lies between.
 * Bounds of answers rest on h, which is one.
 */
import { distanceSqPointTriangle } from '../geometry/distance/point-triangle.js';
import { BoxTree } from './box-tree.js';

export class SurfaceDeviation {
  /** Nine numbers per triangle. */
  readonly #corners: Float64Array;
  readonly #tree: BoxTree;
  readonly #box = new Float64Array(6);
  readonly #point = new Float64Array(3);
  readonly #least: number;
  /** Where the next search begins. */
  #reach = 0;

  /** From triangles, nine numbers each. */
  constructor(corners: Float64Array) {
    const count = corners.length / 9;
    this.#corners = corners;
    const boxes = new Float64Array(6 * count);
    let most = 0;
    for (let t = 0; t < count; t++) {
      for (let k = 0; k < 3; k++) {
        const [a, b, c] = [corners[9 * t + k], corners[9 * t + 3 + k], corners[9 * t + 6 + k]];
        boxes[6 * t + k] = Math.min(a, b, c);
        boxes[6 * t + 3 + k] = Math.max(a, b, c);
        most = Math.max(most, Math.abs(a), Math.abs(b), Math.abs(c));
      }
    }
    this.#tree = new BoxTree(
      boxes,
      Int32Array.from({ length: count }, (_, t) => t),
    );
    this.#least = 2 ** -20 * most || 1;
  }

  /** The greatest distance of the corners and middles of triangles (three places in `points` each). */
  of(points: Float64Array, triangles: Int32Array, known: Float64Array): number {
    let most = 0;
    for (let h = 0; h < triangles.length; h += 3) {
      const [a, b, c] = [3 * triangles[h], 3 * triangles[h + 1], 3 * triangles[h + 2]];
      for (let i = h; i < h + 3; i++) {
        const v = triangles[i];
        if (known[v] < 0) known[v] = this.#from(points[3 * v], points[3 * v + 1], points[3 * v + 2]);
        most = Math.max(most, known[v]);
      }
      const [x, y, z] = [0, 1, 2].map((k) => (points[a + k] + points[b + k] + points[c + k]) / 3);
      most = Math.max(most, this.#from(x, y, z));
    }
    return most;
  }

  #from(x: number, y: number, z: number): number {
    const point = this.#point;
    point[0] = x;
    point[1] = y;
    point[2] = z;
    for (let reach = Math.max(this.#least, this.#reach); ; reach *= 2) {
      for (let k = 0; k < 3; k++) {
        this.#box[k] = point[k] - reach;
        this.#box[3 + k] = point[k] + reach;
      }
      this.#tree.find(this.#box, 0);
      let best = Infinity;
      for (const t of this.#tree.found) {
        best = Math.min(best, distanceSqPointTriangle(point, 0, this.#corners, 9 * t));
      }
      // what was not found is no nearer than reach
      if (best <= reach * reach) {
        const distance = Math.sqrt(best);
        this.#reach = 1.5 * distance;
        return distance;
      }
    }
  }
}
