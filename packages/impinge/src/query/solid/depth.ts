/**
 * How deep two objects lie in each other: the largest distance to the other's surface over all points of one's surface
 * that are inside the other, from either side. A property of the solids, whatever their triangles; the kernel
 * (kernels/deepest.ts) searches both surfaces as a whole, not their vertices.
 *
 * Inside is decided by parity where the other object is closed. Where it is open, its nearest face decides by the way
 * it faces, points nearest to its border count as outside, and the faces of its box count as part of its surface: what is
 * open has no depth beyond them.
 * Errs: `depth` is attained at `point`. Nothing inside a closed object is deeper than `bound`; for open ones that holds
 * as far as the sampled points tell their surroundings.
 */
import { kernel } from '../../kernel/kernel.js';
import { posePoint, type RigidPose, type Vec3 } from '../../math/pose.js';
import { storedPose } from '../pair/context.js';
import type { Parts } from './parts.js';
import { P, PLANE_CAPACITY, PointQuery } from './point-query.js';
import { deepestSeed } from './seed-depth.js';

export interface DepthOptions {
  /** Depths up to this need not be told apart: the search ends when nothing can be deeper (default 0). */
  readonly atLeast?: number;
  /** Closest-point queries, each about a microsecond, after which the search is cut short (default 400). */
  readonly budget?: number;
}

export const DEPTH_DEFAULTS = { atLeast: 0, budget: 400 } as const satisfies DepthOptions;

export interface Depth {
  readonly depth: number;
  /** Nothing lies deeper; 1 % above `depth` or less, unless the search was cut short. */
  readonly bound: number;
  /** The deepest point found, in the frame of a; of no meaning where the depth is 0. */
  readonly point: Vec3;
  /** Whose surface the point lies on: 0 a's, 1 b's. */
  readonly side: 0 | 1;
  /** Closest-point queries made. */
  readonly evaluations: number;
}

/** Depths are told apart down to this share of the thinner object's half width. */
const RESOLUTION = 1e-4;
/** Points closer than this to the other surface, relative to the coordinates, count as being on it. */
const ON_SURFACE = 1e-13;

/**
 * The depth of a and b; `bToA` takes b's frame to a's. Each has at least one part. Needs the kernels ('unsupported'
 * elsewhere). The same answer whichever treelets of lazy trees exist.
 */
export function measureDepth(a: Parts, b: Parts, bToA: RigidPose, options: DepthOptions = {}): Depth {
  const { atLeast, budget } = { ...DEPTH_DEFAULTS, ...options };
  const pose = storedPose(a.meshes[0], b.meshes[0], bToA);
  const query = new PointQuery(a, b);
  query.setNumbers(P.bToA, pose);
  query.setNumbers(P.aToB, inverseOf(pose));
  query.setWord(P.budget, budget);
  query.setNumber(P.atLeast, atLeast);
  const caps = [0, 1].map((side) => writeBoxPlanes(query, side));
  query.setNumber(P.resolution, RESOLUTION * Math.min(caps[0], caps[1]));
  const rounding = ON_SURFACE * reachOf(query, pose);
  query.setNumber(P.tolerance, rounding);
  query.run(kernel().deepest);
  let depth = query.number(P.depth);
  const bound = query.number(P.bound);
  const side = query.word(P.bestSide) === 0 ? 0 : 1;
  const evaluations = query.word(P.evaluations);
  const point = [0, 8, 16].map((k) => query.number(P.point + k));
  query.release();
  if (side === 0) posePoint(pose, point[0], point[1], point[2], point, 0);
  if (depth <= rounding) depth = 0;
  // cut short before anything was reached
  const seed = depth === 0 && evaluations >= budget ? deepestSeed(a, b, pose) : undefined;
  const found = seed && seed.depth > rounding ? seed : ({ depth, point, side } as const);
  const [x, y, z] = a.meshes[0].origin;
  return {
    depth: found.depth,
    bound: Math.max(bound, found.depth) + rounding,
    point: [found.point[0] + x, found.point[1] + y, found.point[2] + z],
    side: found.side,
    evaluations,
  };
}

/** The faces of a side's box as its first planes; returns half its smallest width, beyond which no point is deep. */
function writeBoxPlanes(query: PointQuery, side: number): number {
  const planes = query.word(P.planes) + 32 * PLANE_CAPACITY * side;
  let cap = Infinity;
  for (let k = 0; k < 3; k++) {
    const min = query.number(P.boxA + 48 * side + 8 * k);
    const max = query.number(P.boxA + 48 * side + 24 + 8 * k);
    for (const sign of [-1, 1]) {
      const at = planes + 32 * (2 * k + (sign > 0 ? 1 : 0)) - query.block;
      for (let j = 0; j < 3; j++) query.setNumber(at + 8 * j, j === k ? sign : 0);
      query.setNumber(at + 24, sign > 0 ? max : -min);
    }
    cap = Math.min(cap, (max - min) / 2);
  }
  query.setWord(P.planeCountA + 4 * side, 6);
  query.setNumber(P.capA + 8 * side, cap);
  return cap;
}

/** The size of the numbers involved. */
function reachOf(query: PointQuery, pose: RigidPose): number {
  let reach = Math.abs(pose[9]) + Math.abs(pose[10]) + Math.abs(pose[11]);
  for (let k = 0; k < 12; k++) reach += Math.abs(query.number(P.boxA + 8 * k));
  return reach;
}

/** The inverse of a pose, exact also where its rotation is off by the little that poses may be. */
function inverseOf(p: RigidPose): RigidPose {
  const out = new Float64Array(12);
  for (let i = 0; i < 3; i++) {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    // row i of the inverse: the cross product of the other two columns, over the determinant
    for (let r = 0; r < 3; r++) {
      const [s, t] = [3 * ((r + 1) % 3), 3 * ((r + 2) % 3)];
      out[3 * i + r] = p[s + j] * p[t + k] - p[t + j] * p[s + k];
    }
  }
  const det = p[0] * out[0] + p[3] * out[1] + p[6] * out[2];
  for (let i = 0; i < 9; i++) out[i] /= det;
  for (let i = 0; i < 3; i++) {
    out[9 + i] = -(out[3 * i] * p[9] + out[3 * i + 1] * p[10] + out[3 * i + 2] * p[11]);
  }
  return out;
}
