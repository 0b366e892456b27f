/**
 * How a shape touches a triangle where it is: which way it has to move to be free of it, and how far.
 *
 * Idea: of planes that could keep them apart, the one that takes the least: that of the triangle, those around a convex
 * shape, or the one between a capsule's axis and the triangle. Moving along its normal by the depth leaves it between
 * the two.
 */
import { distanceSqApart } from '../../geometry/distance/segment-triangle.js';
import { intersectsSegmentTriangle } from '../../geometry/intersect/segment-triangle.js';
import type { LocalShape } from './local-shape.js';

export interface StartContact {
  /** Of length 1, the way for the shape to move. */
  readonly normal: Float64Array;
  readonly depth: number;
}

/** Of a shape, with the triangles that it meets, in the mesh's numbers. */
export class StartContacts {
  readonly #shape: LocalShape;
  readonly #points: Float64Array;
  readonly #radius: number;
  /** The best way so far. */
  readonly #way = new Float64Array(3);
  /** On which sides of the triangle's plane the shape's points are, at least and at most. */
  #least = 0;
  #most = 0;
  readonly #closest = new Float64Array(8);
  readonly #trial = new Float64Array(8);

  constructor(shape: LocalShape) {
    this.#shape = shape;
    this.#points = shape.kind === 2 ? shape.points : Float64Array.from(shape.axis);
    this.#radius = shape.kind === 2 ? 0 : shape.radius;
  }

  /** The contact with a triangle, if it is deeper than `above`. */
  deeper(t: Float64Array, above: number): StartContact | undefined {
    const own = this.#ownPlane(t);
    if (own <= above) return undefined;
    let depth = this.#shape.kind === 2 ? this.#shapePlane(t, own) : this.#axisPlane(t, own);
    if (depth === Infinity) {
      this.#way.set([0, 0, 1]);
      depth = 0;
    }
    return depth > above ? { normal: this.#way.slice(), depth } : undefined;
  }

  /** By the triangle's own plane, to the side that is nearer; Infinity where it has none. */
  #ownPlane(t: Float64Array): number {
    const [p, way] = [this.#points, this.#way];
    const ux = t[3] - t[0];
    const uy = t[4] - t[1];
    const uz = t[5] - t[2];
    const vx = t[6] - t[0];
    const vy = t[7] - t[1];
    const vz = t[8] - t[2];
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const length = lengthOf(nx, ny, nz);
    this.#least = Infinity;
    this.#most = -Infinity;
    if (!(length > 0)) return Infinity;
    nx /= length;
    ny /= length;
    nz /= length;
    for (let i = 0; i < p.length; i += 3) {
      const side = nx * (p[i] - t[0]) + ny * (p[i + 1] - t[1]) + nz * (p[i + 2] - t[2]);
      if (side < this.#least) this.#least = side;
      if (side > this.#most) this.#most = side;
    }
    const up = this.#radius - this.#least;
    const down = this.#radius + this.#most;
    const sign = up <= down ? 1 : -1;
    way[0] = sign * nx;
    way[1] = sign * ny;
    way[2] = sign * nz;
    return Math.max(0, Math.min(up, down));
  }

  /** The same, or less: by the plane of the convex shape that the triangle is least below. */
  #shapePlane(t: Float64Array, own: number): number {
    const shape = this.#shape;
    let best = own;
    let found = false;
    for (let i = 0; shape.kind === 2 && i < shape.planes.length; i += 5) {
      const { planes } = shape;
      const nx = planes[i];
      const ny = planes[i + 1];
      const nz = planes[i + 2];
      let lowest = Infinity;
      for (let k = 0; k < 9; k += 3) lowest = Math.min(lowest, nx * t[k] + ny * t[k + 1] + nz * t[k + 2]);
      const depth = Math.max(0, planes[i + 3] - lowest);
      if (!(found ? depth < best : depth <= best)) continue;
      found = true;
      best = depth;
      this.#way[0] = -nx;
      this.#way[1] = -ny;
      this.#way[2] = -nz;
    }
    return best;
  }

  /** The same, or less: by the way from the triangle to a capsule's axis; none where that passes through it. */
  #axisPlane(t: Float64Array, own: number): number {
    const [p, out, way] = [this.#points, this.#closest, this.#way];
    const radius = this.#radius;
    // beyond rounding on one side of the triangle, it does not pass through
    const clear = 1e-9 * radius;
    const isApart = this.#least > clear || this.#most < -clear;
    if (!isApart && intersectsSegmentTriangle(p, 0, 3, t, 0)) return own;
    const core = Math.sqrt(distanceSqApart(p, 0, 3, t, 0, out, this.#trial));
    const depth = Math.max(0, radius - core);
    if (!(core > clear) || !(depth <= own)) return own;
    const x = out[0] - out[3];
    const y = out[1] - out[4];
    const z = out[2] - out[5];
    const length = lengthOf(x, y, z);
    if (!(length > 0)) return own;
    way[0] = x / length;
    way[1] = y / length;
    way[2] = z / length;
    return depth;
  }
}

/** Without overflow; `Math.hypot` takes many times as long. */
function lengthOf(x: number, y: number, z: number): number {
  const square = x * x + y * y + z * z;
  return square > 1e-280 && square < 1e280 ? Math.sqrt(square) : Math.hypot(x, y, z);
}
