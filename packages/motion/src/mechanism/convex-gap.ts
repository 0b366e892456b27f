/**
 * How far apart two convex solids are, from below and from above.
 *
 * Idea: the search for the closest points of Gilbert, Johnson and Keerthi (1988), which proposes directions. What
 * counts is not the search: along any unit vector n, no point of a is farther than a's extent and none of b nearer than
 * b's, so that −(extent of a along n) − (extent of b along −n) is a lower bound of the distance, whatever n is. From
 * above, the difference of two points of the solids is one. The search ends as soon as either is good enough.
 * Errs: both by rounding, some 10⁻¹⁵ of the coordinates.
 */
import type { ConvexSolid } from './convex-solid.js';

const MOST_STEPS = 48;
/** Of the coordinates: differences below are 0. */
const NOTHING = 1e-14;

export class ConvexGap {
  /** Unit vector from a to b along which `least` holds; kept between questions as long as it is not set. */
  nx = 1;
  ny = 0;
  nz = 0;
  /** The distance is at least this; below 0 nothing is known. */
  least = 0;
  /** And at most this: 0 where the solids meet. */
  most = 0;
  /** Corners of the simplex, at most four; then its point closest to the origin. */
  readonly #w = new Float64Array(12);
  #count = 0;
  #vx = 0;
  #vy = 0;
  #vz = 0;
  /** Bits of the corners that bear it. */
  #kept = 0;
  readonly #weights = new Float64Array(4);
  readonly #point = new Float64Array(3);

  /**
   * Bounds the distance: ends where `least` exceeds `enough`, where `most` is at most `near`, or where the two differ
   * by at most `slack`. Poses begin at the offsets; it begins along the direction that it has.
   */
  measure(
    a: ConvexSolid,
    poseA: Float64Array,
    atA: number,
    b: ConvexSolid,
    poseB: Float64Array,
    atB: number,
    enough: number,
    near: number,
    slack: number,
  ): void {
    const radii = a.radius + b.radius;
    const size =
      a.reach +
      b.reach +
      Math.abs(poseA[atA + 9] - poseB[atB + 9]) +
      Math.abs(poseA[atA + 10] - poseB[atB + 10]) +
      Math.abs(poseA[atA + 11] - poseB[atB + 11]);
    this.#count = 0;
    this.least = -Infinity;
    this.most = Infinity;
    let [x, y, z] = [this.nx, this.ny, this.nz];
    for (let step = 0; step < MOST_STEPS; step++) {
      const gap = this.#support(a, poseA, atA, b, poseB, atB, x, y, z) - radii;
      if (gap > this.least) {
        this.least = gap;
        this.nx = x;
        this.ny = y;
        this.nz = z;
        if (gap > enough) break;
      }
      if (this.most - this.least <= slack) break;
      if (this.#isKnown()) break;
      this.#count++;
      if (!this.#reduce()) {
        this.most = 0;
        return;
      }
      const length = Math.sqrt(this.#vx * this.#vx + this.#vy * this.#vy + this.#vz * this.#vz);
      if (length - radii < this.most) this.most = Math.max(0, length - radii);
      if (this.most <= near || !(length > NOTHING * size)) {
        if (!(length > NOTHING * size)) this.most = 0;
        return;
      }
      x = -this.#vx / length;
      y = -this.#vy / length;
      z = -this.#vz / length;
    }
    if (this.most < this.least) this.most = this.least;
  }

  /** Adds the difference of the points farthest along (x, y, z); returns the gap along it, without radii. */
  #support(
    a: ConvexSolid,
    p: Float64Array,
    i: number,
    b: ConvexSolid,
    q: Float64Array,
    j: number,
    x: number,
    y: number,
    z: number,
  ): number {
    a.extent(
      p[i] * x + p[i + 3] * y + p[i + 6] * z,
      p[i + 1] * x + p[i + 4] * y + p[i + 7] * z,
      p[i + 2] * x + p[i + 5] * y + p[i + 8] * z,
    );
    b.extent(
      -(q[j] * x + q[j + 3] * y + q[j + 6] * z),
      -(q[j + 1] * x + q[j + 4] * y + q[j + 7] * z),
      -(q[j + 2] * x + q[j + 5] * y + q[j + 8] * z),
    );
    const w = this.#w;
    const at = 3 * this.#count;
    for (let k = 0; k < 3; k++) {
      w[at + k] =
        p[i + 3 * k] * a.x +
        p[i + 3 * k + 1] * a.y +
        p[i + 3 * k + 2] * a.z +
        p[i + 9 + k] -
        (q[j + 3 * k] * b.x + q[j + 3 * k + 1] * b.y + q[j + 3 * k + 2] * b.z + q[j + 9 + k]);
    }
    return -(w[at] * x + w[at + 1] * y + w[at + 2] * z);
  }

  /** Whether the corner that was added last is there already: nothing is gained by it. */
  #isKnown(): boolean {
    const w = this.#w;
    const at = 3 * this.#count;
    for (let i = 0; i < at; i += 3) {
      if (w[i] === w[at] && w[i + 1] === w[at + 1] && w[i + 2] === w[at + 2]) return true;
    }
    return false;
  }

  /** Finds the closest point, leaves the corners that bear it. False: the origin is inside of four. */
  #reduce(): boolean {
    if (this.#count === 1) this.#take(0, 1);
    else if (this.#count === 2) this.#ofSegment();
    else if (this.#count === 3) {
      this.#ofTriangle(0, 3, 6, Infinity);
      this.#keep();
    } else return this.#ofFour();
    return true;
  }

  #take(at: number, weight: number): void {
    const w = this.#w;
    this.#vx = weight * w[at];
    this.#vy = weight * w[at + 1];
    this.#vz = weight * w[at + 2];
  }

  #ofSegment(): void {
    const w = this.#w;
    const [dx, dy, dz] = [w[3] - w[0], w[4] - w[1], w[5] - w[2]];
    const lengthSq = dx * dx + dy * dy + dz * dz;
    const t = lengthSq > 0 ? -(w[0] * dx + w[1] * dy + w[2] * dz) / lengthSq : 0;
    if (t <= 0) {
      this.#count = 1;
      this.#take(0, 1);
    } else if (t >= 1) {
      w.copyWithin(0, 3, 6);
      this.#count = 1;
      this.#take(0, 1);
    } else {
      this.#vx = w[0] + t * dx;
      this.#vy = w[1] + t * dy;
      this.#vz = w[2] + t * dz;
    }
  }

  /**
   * The point of a triangle closest to the origin, if that is less than `bestSq` away: writes it and notes its corners.
   * Returns its squared distance.
   */
  #ofTriangle(i: number, j: number, k: number, bestSq: number): number {
    const w = this.#w;
    const weights = this.#weights;
    closestOfTriangle(w, i, j, k, weights, this.#point);
    const [x, y, z] = this.#point;
    const distanceSq = x * x + y * y + z * z;
    if (!(distanceSq < bestSq)) return bestSq;
    this.#vx = x;
    this.#vy = y;
    this.#vz = z;
    this.#kept = 0;
    if (weights[0] > 0) this.#kept |= 1 << (i / 3);
    if (weights[1] > 0) this.#kept |= 1 << (j / 3);
    if (weights[2] > 0) this.#kept |= 1 << (k / 3);
    return distanceSq;
  }

  #keep(): void {
    const w = this.#w;
    let count = 0;
    for (let i = 0; i < this.#count; i++) {
      if ((this.#kept & (1 << i)) === 0) continue;
      if (count < i) w.copyWithin(3 * count, 3 * i, 3 * i + 3);
      count++;
    }
    this.#count = count;
  }

  #ofFour(): boolean {
    const w = this.#w;
    const whole = volume(w, 0, 3, 6, 9);
    // six times the volumes with the origin in place of each corner
    const size = Math.abs(whole);
    let inside = size > 0;
    let bestSq = Infinity;
    for (let without = 0; without < 4; without++) {
      const [i, j, k] = FACES[without];
      const part = volumeAtOrigin(w, i, j, k) * SIGNS[without] * (whole > 0 ? 1 : -1);
      if (size > 0 && part > 0) continue;
      inside = false;
      bestSq = this.#ofTriangle(i, j, k, bestSq);
    }
    if (inside) return false;
    this.#keep();
    return true;
  }
}

/** Corners of the faces without the first, second, third, fourth corner; how their volumes with the origin count. */
const FACES = [
  [3, 6, 9],
  [0, 6, 9],
  [0, 3, 9],
  [0, 3, 6],
] as const;
const SIGNS = [1, -1, 1, -1] as const;

/** Six times the signed volume of a tetrahedron. */
function volume(w: Float64Array, i: number, j: number, k: number, l: number): number {
  const [ax, ay, az] = [w[j] - w[i], w[j + 1] - w[i + 1], w[j + 2] - w[i + 2]];
  const [bx, by, bz] = [w[k] - w[i], w[k + 1] - w[i + 1], w[k + 2] - w[i + 2]];
  const [cx, cy, cz] = [w[l] - w[i], w[l + 1] - w[i + 1], w[l + 2] - w[i + 2]];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** Three corners as seen from the origin. */
function volumeAtOrigin(w: Float64Array, i: number, j: number, k: number): number {
  return (
    w[i] * (w[j + 1] * w[k + 2] - w[j + 2] * w[k + 1]) +
    w[i + 1] * (w[j + 2] * w[k] - w[j] * w[k + 2]) +
    w[i + 2] * (w[j] * w[k + 1] - w[j + 1] * w[k])
  );
}

/** Weights of the corners at the point closest to the origin, by the regions around a triangle, and that point. */
function closestOfTriangle(
  w: Float64Array,
  i: number,
  j: number,
  k: number,
  weights: Float64Array,
  out: Float64Array,
): void {
  const [ax, ay, az] = [w[i], w[i + 1], w[i + 2]];
  const [ux, uy, uz] = [w[j] - ax, w[j + 1] - ay, w[j + 2] - az];
  const [vx, vy, vz] = [w[k] - ax, w[k + 1] - ay, w[k + 2] - az];
  const d1 = -(ux * ax + uy * ay + uz * az);
  const d2 = -(vx * ax + vy * ay + vz * az);
  const d3 = -(ux * w[j] + uy * w[j + 1] + uz * w[j + 2]);
  const d4 = -(vx * w[j] + vy * w[j + 1] + vz * w[j + 2]);
  const d5 = -(ux * w[k] + uy * w[k + 1] + uz * w[k + 2]);
  const d6 = -(vx * w[k] + vy * w[k + 1] + vz * w[k + 2]);
  let s = 0;
  let t = 0;
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) s = t = 0;
  else if (d3 >= 0 && d4 <= d3) s = 1;
  else if (d6 >= 0 && d5 <= d6) t = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) s = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) t = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    t = (d4 - d3) / (d4 - d3 + (d5 - d6));
    s = 1 - t;
  } else {
    const sum = va + vb + vc;
    s = vb / sum;
    t = vc / sum;
  }
  weights[0] = 1 - s - t;
  weights[1] = s;
  weights[2] = t;
  out[0] = ax + s * ux + t * vx;
  out[1] = ay + s * uy + t * vy;
  out[2] = az + s * uz + t * vz;
}
