/**
 * How far two convex solids are apart that are known by what is farthest of them along a direction: for cylinders,
 * which have no corners.
 *
 * Idea (Gilbert, Johnson and Keerthi 1988): the differences of points of a and b are a convex solid, too, whose
 * distance from the origin is looked for. A few of its points, a simplex, have a closest point v; what is farthest
 * along −v joins them, and those that do not bear the new closest point leave. Along v nothing is closer than what is
 * farthest the other way: that says how good v is. Errs: by less than 1e-8 of the coordinates where edges are parallel,
 * mostly 1e-14; solids that are closer than 2e-14 of them may count as meeting.
 */
import { distanceSqPointTriangle } from '../../geometry/distance/point-triangle.js';
import type { Vec3 } from '../../math/pose.js';

/** Writes the point of a solid that is farthest along a direction, which has any length but 0. */
export type Farthest = (x: number, y: number, z: number, out: Float64Array, at: number) => void;

/** Of the hull of some points, three numbers each. */
export function farthestOfPoints(points: ArrayLike<number>): Farthest {
  return (x, y, z, out, at) => {
    let most = -Infinity;
    let best = 0;
    for (let i = 0; i < points.length; i += 3) {
      const own = points[i] * x + points[i + 1] * y + points[i + 2] * z;
      if (own <= most) continue;
      most = own;
      best = i;
    }
    for (let k = 0; k < 3; k++) out[at + k] = points[best + k];
  };
}

/** 0 where they meet; the closest points where they do not. */
export interface Gap {
  readonly distance: number;
  readonly points: readonly [Vec3, Vec3] | undefined;
}

export const MET: Gap = { distance: 0, points: undefined };

/** Of the coordinates: how good is good enough, and what is as good as 0. */
const GOOD = 2e-15;
const MEETS = 2e-14;
const MOST_STEPS = 256;
const MOST_STALLS = 12;
/** Corners of the sides of a simplex. */
const SIDES = [0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3];

/** The distance of two convex solids whose coordinates are at most `size`. */
export function gapOfConvex(a: Farthest, b: Farthest, size: number): Gap {
  const simplex = new Simplex(a, b);
  simplex.join(1, 0, 0);
  simplex.reduce();
  let best = simplex.gap();
  let bound = 0;
  let stalls = 0;
  for (let step = 0; step < MOST_STEPS; step++) {
    const before = simplex.distance;
    if (!(before > MEETS * size)) return MET;
    const [x, y, z] = simplex.closest;
    bound = Math.max(bound, simplex.join(-x, -y, -z) / before);
    if (best.distance - bound <= GOOD * size) break;
    const held = simplex.closestSoFar();
    if (!simplex.reduce()) return MET;
    // where points lie too close together to tell, the closest so far stands for those before
    if (!(simplex.distance < before)) simplex.restart(held);
    if (simplex.distance < best.distance) best = simplex.gap();
    // a step towards something far off gains less than rounding tells, and leads to one that gains
    else if (++stalls > MOST_STALLS) break;
  }
  return best;
}

/** Up to four differences, with the points that they are of, and their closest point to the origin. */
class Simplex {
  readonly closest = new Float64Array(3);
  distance = Infinity;
  readonly #a: Farthest;
  readonly #b: Farthest;
  #count = 0;
  readonly #differences = new Float64Array(12);
  readonly #ofA = new Float64Array(12);
  readonly #ofB = new Float64Array(12);
  /** The points of a and b whose difference is the closest: six numbers. */
  readonly #between = new Float64Array(6);

  constructor(a: Farthest, b: Farthest) {
    this.#a = a;
    this.#b = b;
  }

  /** Adds what is farthest along a direction; returns how far it is the other way. */
  join(x: number, y: number, z: number): number {
    const at = 3 * this.#count++;
    this.#a(x, y, z, this.#ofA, at);
    this.#b(-x, -y, -z, this.#ofB, at);
    for (let k = at; k < at + 3; k++) this.#differences[k] = this.#ofA[k] - this.#ofB[k];
    const d = this.#differences;
    return -(d[at] * x + d[at + 1] * y + d[at + 2] * z);
  }

  /** The closest point and what it is between, and what joined last: nine numbers each. */
  closestSoFar(): Float64Array {
    const at = 3 * (this.#count - 1);
    const last = [this.#differences, this.#ofA, this.#ofB].flatMap((list) => [...list.subarray(at, at + 3)]);
    return Float64Array.of(...this.closest, ...this.#between, ...last);
  }

  /** Begins anew with those two. */
  restart(two: Float64Array): void {
    [this.#differences, this.#ofA, this.#ofB].forEach((list, i) => {
      list.set(two.subarray(3 * i, 3 * i + 3), 0);
      list.set(two.subarray(9 + 3 * i, 12 + 3 * i), 3);
    });
    this.#count = 2;
    this.reduce();
  }

  /** Finds the closest point, and leaves what bears it. False: the origin is inside. */
  reduce(): boolean {
    const d = this.#differences;
    if (this.#count === 4 && this.#holdsOrigin()) return false;
    const origin = new Float64Array(3);
    const side = new Float64Array(9);
    const out = new Float64Array(8);
    let best = Infinity;
    let kept: number[] = [];
    for (let s = 0; s < (this.#count === 4 ? 12 : 3); s += 3) {
      // what has fewer corners than three has some of them twice
      const corners = [0, 1, 2].map((k) => Math.min(SIDES[s + k], this.#count - 1));
      corners.forEach((c, k) => {
        side.set(d.subarray(3 * c, 3 * c + 3), 3 * k);
      });
      const square = distanceSqPointTriangle(origin, 0, side, 0, out);
      if (square >= best) continue;
      best = square;
      this.closest.set(out.subarray(3, 6));
      const [u, v] = weightsAt(side, out);
      const weights = [0, 0, 0, 0];
      [1 - u - v, u, v].forEach((w, k) => {
        weights[corners[k]] += w;
      });
      kept = weights;
    }
    this.distance = Math.sqrt(best);
    this.#keep(kept);
    return true;
  }

  /** Leaves the corners with a weight. */
  #keep(weights: readonly number[]): void {
    for (let k = 0; k < 3; k++) {
      const sum = (list: Float64Array) => weights.reduce((total, w, i) => total + w * list[3 * i + k], 0);
      this.#between[k] = sum(this.#ofA);
      this.#between[3 + k] = sum(this.#ofB);
    }
    let count = 0;
    weights.forEach((w, from) => {
      if (!(w > 0)) return;
      for (const list of [this.#differences, this.#ofA, this.#ofB])
        list.copyWithin(3 * count, 3 * from, 3 * from + 3);
      count++;
    });
    this.#count = count;
  }

  #holdsOrigin(): boolean {
    const d = this.#differences;
    const volume = (p: readonly number[]): number => {
      const [a, b, c] = [3, 6, 9].map((at) => [0, 1, 2].map((k) => p[at + k] - p[k]));
      const [u, v, w] = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
      return a[0] * u + a[1] * v + a[2] * w;
    };
    const whole = volume(Array.from(d));
    if (whole === 0) return false;
    for (let i = 0; i < 4; i++) {
      const without = Array.from(d, (x, k) => (Math.floor(k / 3) === i ? 0 : x));
      if (!(volume(without) / whole > 0)) return false;
    }
    return true;
  }

  /** The closest points, and how far apart they are. */
  gap(): Gap {
    const [ax, ay, az, bx, by, bz] = this.#between;
    return {
      distance: this.distance,
      points: [
        [ax, ay, az],
        [bx, by, bz],
      ],
    };
  }
}

/**
 * Weights of the second and third corner at the point of a triangle that starts at the fourth number of `at`. Of
 * slivers, too, these put the point where it is: what one weight has too much, along the sliver, the other makes up
 * for.
 */
function weightsAt(t: Float64Array, at: Float64Array): [number, number] {
  const edge = (i: number) => [0, 1, 2].map((k) => t[i + k] - t[k]);
  const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [u, v] = [edge(3), edge(6)];
  const w = [0, 1, 2].map((k) => at[3 + k] - t[k]);
  const [uu, vv] = [dot(u, u), dot(v, v)];
  if (uu === 0) return [0, vv === 0 ? 0 : dot(w, v) / vv];
  const across = v.map((x, k) => x - (dot(u, v) / uu) * u[k]);
  const width = dot(across, across);
  const beside = w.map((x, k) => x - (dot(u, w) / uu) * u[k]);
  const onV = width > 1e-30 * vv ? dot(beside, across) / width : 0;
  return [
    dot(
      w.map((x, k) => x - onV * v[k]),
      u,
    ) / uu,
    onV,
  ];
}
