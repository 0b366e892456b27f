/**
 * The distance of a point from a convex hull: 0 inside, else that of the nearest face.
 *
 * Distance from a convex set is a convex function, so over another hull it is greatest at a vertex of that: the
 * directed Hausdorff distance of two hulls is a maximum over vertices.
 * Errs: by rounding only, bounded in hausdorff.ts.
 */
import { distanceSqPointTriangle } from 'impinge/internal/geometry/distance/point-triangle.js';

export class HullDistance {
  readonly #points: Float64Array;
  readonly #faces: Int32Array;
  /** Unit normal and value of each face's plane; a face without area has none. */
  readonly #planes: Float64Array;
  readonly #isFlat: boolean;
  /** More than a height above a plane can be off by. */
  readonly #rounding: number;
  readonly #triangle = new Float64Array(9);

  constructor(points: Float64Array, faces: Int32Array) {
    this.#points = points;
    this.#faces = faces;
    this.#planes = new Float64Array((4 * faces.length) / 3);
    for (let f = 0, at = 0; f < faces.length; f += 3, at += 4) {
      const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
      const p = points;
      const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
      const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
      const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      if (!(length > 0)) continue;
      this.#planes.set(
        [nx / length, ny / length, nz / length, (nx * p[a] + ny * p[a + 1] + nz * p[a + 2]) / length],
        at,
      );
    }
    let most = 0;
    for (const value of points) most = Math.max(most, Math.abs(value));
    this.#rounding = 2 ** -36 * most;
    this.#isFlat = faces.length < 12 || isTwoSided(points, faces);
  }

  /** The distance of the point at `at`, or any number up to `enough` when it is no more than that. */
  from(points: Float64Array, at: number, enough: number): number {
    const planes = this.#planes;
    const x = points[at];
    const y = points[at + 1];
    const z = points[at + 2];
    let best = this.#nearVertex(x, y, z, enough);
    if (best <= enough * enough) return enough;
    let outside = this.#isFlat;
    for (let f = 0; f < planes.length; f += 4) {
      const over = planes[f] * x + planes[f + 1] * y + planes[f + 2] * z - planes[f + 3];
      if (over > 0) outside = true;
      // the nearest face is one that the point is above, but rounding may hide that
      else if (!this.#isFlat && over < -this.#rounding) continue;
      if (over * over >= best) continue;
      this.#read(f / 4);
      best = Math.min(best, distanceSqPointTriangle(points, at, this.#triangle, 0));
      if (best <= enough * enough) return enough;
    }
    return outside ? Math.sqrt(best) : 0;
  }

  /** The squared distance of the nearest vertex, or of one near enough. */
  #nearVertex(x: number, y: number, z: number, enough: number): number {
    const p = this.#points;
    const enoughSq = enough * enough;
    let best = Infinity;
    for (let i = 0; i < p.length; i += 3) {
      const dx = p[i] - x;
      const dy = p[i + 1] - y;
      const dz = p[i + 2] - z;
      const sq = dx * dx + dy * dy + dz * dz;
      if (sq < best) {
        best = sq;
        if (best <= enoughSq) return best;
      }
    }
    return best;
  }

  #read(face: number): void {
    for (let k = 0; k < 3; k++) {
      const v = 3 * this.#faces[3 * face + k];
      this.#triangle[3 * k] = this.#points[v];
      this.#triangle[3 * k + 1] = this.#points[v + 1];
      this.#triangle[3 * k + 2] = this.#points[v + 2];
    }
  }
}

/** Whether the second half of the faces is the first turned round. */
function isTwoSided(points: Float64Array, faces: Int32Array): boolean {
  const half = faces.length / 2;
  if (half !== points.length - 6) return false;
  for (let i = 0; i < half; i += 3) {
    if (faces[half + i] !== faces[i] || faces[half + i + 1] !== faces[i + 2]) return false;
  }
  return true;
}
