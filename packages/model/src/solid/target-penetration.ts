/**
 * How far b must be moved to get it out of a, at an error: between two numbers.
 *
 * Not more than the second. Along a few directions n: moved so far that a plane across n lies between the boxes of all
 * originals, neither solid contains the other. From there b is moved back. Where originals are at least l apart, moving
 * by less than l cannot make surfaces meet on the way, and while they do not meet, neither solid comes to contain the
 * other. So b is out of a at every place that is reached this way.
 *
 * Nothing, where surfaces are apart and no component of one solid has a point inside the other: it would be inside as a
 * whole, since it does not cross the surface.
 *
 * Not less than the first. A point of b's surface that lies inside an object of a, at least r from that object's
 * surface, has to leave it, and moves as far as b does: by r at least. The same with a and b exchanged. Only closed
 * objects have an inside.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { IDENTITY, posePoint, type RigidPose, relativePose, type Vec3 } from 'impinge/internal/math/pose.js';
import { closestWithin } from 'impinge/internal/query/pair/distance.js';
import { askPair } from 'impinge/internal/query/pair/near-pairs.js';
import type { ClosestRequest, PairRequest } from 'impinge/internal/query/pair/pair-request.js';
import { addStats, noStats } from 'impinge/internal/query/pair/stats.js';
import { requireKernel } from 'impinge/internal/query/solid/depth.js';
import type { PenetrationResult } from 'impinge/internal/query/solid/penetration.js';
import { writeWorldBox } from 'impinge/internal/scene/world-box.js';
import { isPieceTarget, type PieceSide, pieceSide } from './piece-target.js';
import { MeshSolid, type Solid } from './solids.js';
import { targetContacts } from './target-contacts.js';

/** Regions of contact whose normals are tried, those with the most pairs. */
const MOST_REGIONS = 4;
/** Places tried along a direction. */
const MOST_TRIALS = 16;
/** Moving back by less than this share of the error, or of the way, is not worth another question. */
const ENOUGH = 0.25;
const PRECISION = 1e-4;
/** Directions for which the innermost points are looked for, the best ones. */
const MOST_POINTS = 3;
/** Points that were posed are off by less than this share of the coordinates. */
const ROUNDING = 2 ** -40;

/** Finds a translation that gets b out of a, and a bound that none is below: of meshes, or targets with pieces. */
export async function targetPenetration(request: PairRequest): Promise<PenetrationResult> {
  const [a, b] = [pieceSide('penetration', request.a), pieceSide('penetration', request.b)];
  requireKernel('penetration');
  const { aToWorld, bToA } = request;
  const stats = noStats();
  const ask = async (asked: ClosestRequest) => {
    const found = await askPair('closest', asked, closestWithin);
    addStats(stats, found.stats);
    return found;
  };
  const { bounds, error } = await ask({ ...request, atMost: Infinity });
  const [solidA, solidB] = [solidOf(a), solidOf(b)];
  const isSolid = solidA.isClosed && solidB.isClosed;
  const nothing = (trials: number): PenetrationResult => ({
    ...{ overlapping: false, depth: 0, direction: [0, 0, 0], exact: true, atLeast: 0 },
    ...{ error, stats: { ...stats, trials } },
  });
  // surfaces that are apart are in nobody's way, unless there is an inside to be in
  if (bounds[0] > 0 && !isSolid) return nothing(1);
  const aToB = relativePose(bToA, IDENTITY as RigidPose);
  const rounding =
    ROUNDING * (largest(a) + largest(b) + Math.hypot(...bToA.subarray(9), ...aToB.subarray(9)));
  if (bounds[0] > rounding) {
    const isInside =
      (await isAnyIn(solidB, { box: a.box, solid: solidA }, bToA, aToB)) ||
      (await isAnyIn(solidA, { box: b.box, solid: solidB }, aToB, bToA));
    if (!isInside) return nothing(1);
  }
  const extent = (n: Vec3) => {
    const against = n.map((x) => -x) as unknown as Vec3;
    const along = n[0] * bToA[9] + n[1] * bToA[10] + n[2] * bToA[11];
    return solidA.reach(n) + solidB.reach(turned(bToA, against)) - along;
  };
  // in a's frame, at the error that was chosen
  const own = { a, b, bToA, aToWorld: IDENTITY as RigidPose, error };
  const search = new WaysOut(own, rounding, extent, ask);
  const normals = bounds[0] > 0 ? [] : await normalsOf(own);
  const ways = await search.run([...normals, between(a, b, bToA), ...AXES]);
  const { trials } = search;
  if (ways[0].depth === 0) return nothing(trials);
  let atLeast = 0;
  for (const { direction } of isSolid ? ways.slice(0, MOST_POINTS) : []) {
    const against = direction.map((x) => -x) as unknown as Vec3;
    const ofB = posed(bToA, await solidB.farthest(turned(bToA, against)));
    const ofA = posed(aToB, await solidA.farthest(direction));
    atLeast = Math.max(atLeast, await solidA.depthOf(ofB), await solidB.depthOf(ofA));
  }
  const [{ depth, direction }] = ways;
  return {
    overlapping: true,
    depth,
    direction: rotated(aToWorld, direction),
    exact: false,
    atLeast: Math.min(Math.max(0, atLeast - rounding), depth),
    error,
    stats: { ...stats, trials },
  };
}

/** Whether a part of a solid that hangs together is in another; surfaces must be apart, so that it is as a whole. */
async function isAnyIn(
  inner: Solid,
  { box, solid: outer }: { readonly box: PieceSide['box']; readonly solid: Solid },
  toOuter: RigidPose,
  toInner: RigidPose,
): Promise<boolean> {
  const within = new Float64Array(6);
  writeWorldBox({ box }, toInner, within, 0);
  for (const point of await inner.pointsWithin(within)) {
    if ((await outer.depthOf(posed(toOuter, point))) > 0) return true;
  }
  return false;
}

/** Tries directions (in a's frame) for the shortest way out. */
class WaysOut {
  trials = 1;
  readonly #request: PairRequest & { readonly error: number };
  readonly #rounding: number;
  /** How far b has to move at most until a plane lies between the two. */
  readonly #extent: (direction: Vec3) => number;
  readonly #ask: (request: ClosestRequest) => Promise<{ readonly bounds: readonly [number, number] }>;

  constructor(
    request: PairRequest & { readonly error: number },
    rounding: number,
    extent: (direction: Vec3) => number,
    ask: (request: ClosestRequest) => Promise<{ readonly bounds: readonly [number, number] }>,
  ) {
    this.#request = request;
    this.#rounding = rounding;
    this.#extent = extent;
    this.#ask = ask;
  }

  /** The ways along some directions, the shortest first; only that one where b is out of a already. */
  async run(directions: readonly Vec3[]): Promise<{ readonly depth: number; readonly direction: Vec3 }[]> {
    const byExtent = directions
      .map((direction) => ({ direction, extent: this.#extent(direction) }))
      .sort((p, q) => p.extent - q.extent);
    const ways: { depth: number; direction: Vec3 }[] = [];
    let best = Infinity;
    for (const { direction, extent } of byExtent) {
      const depth = extent + this.#rounding < 0 ? 0 : await this.#back(direction, extent, best);
      if (depth === 0) return [{ depth, direction }];
      best = Math.min(best, depth);
      ways.push({ depth, direction });
    }
    return ways.sort((p, q) => p.depth - q.depth);
  }

  /** How far along a direction b is still out of a: moved back from `extent`, as long as it may become the best way. */
  async #back(direction: Vec3, extent: number, best: number): Promise<number> {
    const { error, bToA } = this.#request;
    let depth = Math.max(0, extent) + 2 * error + 2 * this.#rounding;
    for (let left = MOST_TRIALS; left > 0; left--) {
      const moved = bToA.slice() as RigidPose;
      for (let k = 0; k < 3; k++) moved[9 + k] += depth * direction[k];
      this.trials++;
      // farther than all the way back is far enough
      const { bounds } = await this.#ask({ ...this.#request, bToA: moved, atMost: 2 * depth });
      const step = (bounds[0] - this.#rounding) * (1 - 1e-9);
      if (step > depth) return 0;
      if (step > 0) depth -= step;
      if (step < Math.max(ENOUGH * error, PRECISION * depth) || depth - left * step > best) break;
    }
    return depth;
  }
}

function solidOf(side: PieceSide): Solid {
  return isPieceTarget(side) ? side.solid() : new MeshSolid(side);
}

/** The normals of the largest regions of contact, in a's frame; none where there are more than can be told apart. */
async function normalsOf(request: PairRequest): Promise<Vec3[]> {
  try {
    const { regions } = await targetContacts({ ...request, distance: 0 });
    const largest = [...regions].sort((p, q) => q.pairs.length - p.pairs.length).slice(0, MOST_REGIONS);
    return largest.map(({ normal }) => normal);
  } catch (cause) {
    if (cause instanceof ImpingeError && cause.code === 'out-of-memory') return [];
    throw cause;
  }
}

const AXES: readonly Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/** From the middle of a to that of b, in a's frame; any direction where they coincide. */
function between(a: PieceSide, b: PieceSide, bToA: RigidPose): Vec3 {
  const [p, q] = [a, b].map(({ box: { min, max } }) => min.map((x, k) => 0.5 * (x + max[k])));
  const to = posed(bToA, q as unknown as Vec3);
  const way = to.map((x, k) => x - p[k]);
  const length = Math.hypot(...way);
  return length > 0 ? (way.map((x) => x / length) as unknown as Vec3) : AXES[4];
}

function largest({ box: { min, max } }: PieceSide): number {
  return Math.hypot(...min, ...max);
}

function posed(pose: RigidPose, [x, y, z]: Vec3): Vec3 {
  const out: [number, number, number] = [0, 0, 0];
  posePoint(pose, x, y, z, out, 0);
  return out;
}

function rotated(pose: RigidPose, v: Vec3): Vec3 {
  const turn = pose.slice();
  turn.fill(0, 9);
  return posed(turn, v);
}

/** By the transposed rotation: n·(R x) = (Rᵀ n)·x. */
function turned(pose: RigidPose, v: Vec3): Vec3 {
  const column = (k: number) => pose[k] * v[0] + pose[3 + k] * v[1] + pose[6 + k] * v[2];
  return [column(0), column(1), column(2)];
}
