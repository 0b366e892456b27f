/**
 * The shortest translation that separates the convex hulls of two point sets.
 *
 * Idea: b moved by t meets a exactly when t lies in the Minkowski difference a − b, a convex polytope known by its
 * support points. A hull is grown inside it, always at the face nearest to the origin, until that face belongs to the
 * polytope itself: its plane is the answer. (Expanding polytope; a face that has the origin outside counts as
 * nearest, so no separate search for the origin is needed.)
 * Errs: `depth` is the exact extent along `direction`, so that translation separates; the shortest one is less by no
 * more than 1e-12 of the sets' size, plus the effect of rounding on the normals of slivers.
 */
import { HullBuilder } from './hull-builder.js';

export interface HullSeparation {
  /** The distance b must move; negative when the hulls are apart, by no more than their distance. */
  readonly depth: number;
  /** Unit vector in which b must move. */
  readonly direction: readonly [number, number, number];
}

const ENOUGH = 1e-12;
/** More than any pair of meshes has needed; the best bound so far is returned then. */
const MAX_STEPS = 20_000;

/**
 * Separates b from a; three numbers per point. `undefined` when the Minkowski difference is flat: both sets lie in
 * parallel planes.
 */
export function separateHulls(a: Float64Array, b: Float64Array): HullSeparation | undefined {
  const support = (x: number, y: number, z: number): [number, number, number] => {
    const i = farthest(a, x, y, z);
    const j = farthest(b, -x, -y, -z);
    return [a[i] - b[j], a[i + 1] - b[j + 1], a[i + 2] - b[j + 2]];
  };
  const hull = firstHull(support);
  if (!hull) return undefined;
  let best: HullSeparation = { depth: Infinity, direction: [1, 0, 0] };
  for (let step = 0; step < MAX_STEPS; step++) {
    const [x, y, z, distance] = hull.nearestPlane();
    const point = support(x, y, z);
    const depth = x * point[0] + y * point[1] + z * point[2];
    if (depth < best.depth) best = { depth, direction: [x, y, z] };
    const size = Math.abs(point[0]) + Math.abs(point[1]) + Math.abs(point[2]);
    // apart along this direction, or the nearest face of all is reached
    if (best.depth < 0 || best.depth - distance <= ENOUGH * size) return best;
    if (!hull.add(...point)) return best;
  }
  return best;
}

function farthest(points: Float64Array, x: number, y: number, z: number): number {
  let best = 0;
  let most = -Infinity;
  for (let i = 0; i < points.length; i += 3) {
    const along = points[i] * x + points[i + 1] * y + points[i + 2] * z;
    if (along > most) {
      most = along;
      best = i;
    }
  }
  return best;
}

type Support = (x: number, y: number, z: number) => [number, number, number];

/** Four support points that span space: the ends along an axis, the farthest off their line, and off their plane. */
function firstHull(support: Support): HullBuilder | undefined {
  const hull = new HullBuilder();
  for (let axis = 0; axis < 3; axis++) {
    const e = [0, 0, 0] as [number, number, number];
    e[axis] = 1;
    const p = support(...e);
    const q = support(-e[0], -e[1], -e[2]);
    const line = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    const side = [0, 0, 0] as [number, number, number];
    side[(axis + 1) % 3] = line[axis];
    side[axis] = -line[(axis + 1) % 3];
    for (const r of [support(...side), support(-side[0], -side[1], -side[2])]) {
      const v = [r[0] - q[0], r[1] - q[1], r[2] - q[2]];
      const n = [
        line[1] * v[2] - line[2] * v[1],
        line[2] * v[0] - line[0] * v[2],
        line[0] * v[1] - line[1] * v[0],
      ] as const;
      for (const s of [support(...n), support(-n[0], -n[1], -n[2])]) {
        if (hull.begin(Float64Array.of(...p, ...q, ...r, ...s))) return hull;
      }
    }
  }
  return undefined;
}
