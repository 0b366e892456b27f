/**
 * Queries about two meshes of which one or both are scaled, stretched, sheared or mirrored by their poses: the trees of
 * the meshes as they are, and the kernels of kernels/stretched.ts.
 *
 * Idea: kernels ask in the frame of one mesh, the other posed into it; how far apart things are is the same there as in
 * the world where the frame's own pose is rigid, or scales everything alike. The frame of a rigid pose decides, too.
 * Where both poses stretch, what lies between them is rounded in either frame in another way: kernels only find
 * candidates, and what meets is decided about the corners of both in the world, each rounded once. So it does not
 * matter which comes first, and numbers that need no rounding get none. Errs: towards keeping, until triangles are
 * decided about, exactly.
 */
import { arena } from '../../base/arena.js';
import { ImpingeError } from '../../base/errors.js';
import { FAR, HierarchyHeader, Q } from '../../kernel/layout.generated.js';
import {
  invertLinear,
  type LinearPose,
  nearestRotation,
  type Stretch,
  stretchOf,
} from '../../math/linear-map.js';
import { composePoses, IDENTITY, type RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { WorldPairReader } from '../../mesh/pair-reader.js';
import { LEAST_NORMAL } from '../../mesh/reach.js';
import { slackOfStretch, writeWorldBox } from '../../scene/world-box.js';
import { gapOfBoxes } from './box-gap.js';
import { nothingMeets, ONE_TEST } from './boxes-apart.js';
import { NOWHERE, searchClosest, witnessIn, witnessOf } from './closest-search.js';
import { type Ask, QueryContext, tooFar, writeRotations } from './context.js';
import { hierarchyOf, portableTreesFor } from './hierarchy-of.js';
import { pairKernels } from './kernels.generated.js';
import { swapPairs } from './pair-list.js';
import type { StretchedPlacement } from './placement.js';
import type { CollideResult, DistanceResult } from './results.js';
import { runToLimit } from './run-query.js';

/** A mesh, and where it is in the world. */
interface Side {
  readonly mesh: Mesh;
  readonly pose: LinearPose;
  readonly stretch: Stretch;
}

/** The mesh in whose frame is asked, the other, and how to read the answer. */
interface Arranged {
  readonly first: Side;
  readonly second: Side;
  readonly toFirst: LinearPose;
  /** Of the first mesh's frame, in units of the world; 0 where it has none. */
  readonly unit: number;
  readonly swapped: boolean;
  /** How far apart in that frame may be what meets in the world; 0 where the frame decides. */
  readonly doubt: number;
}

/** Pairs that meet, or come within `distance`. */
export function withinStretched(
  a: Mesh,
  b: Mesh,
  placed: StretchedPlacement,
  limit: number,
  distance: number,
): CollideResult {
  const arranged = arrange(a, b, placed);
  if (distance > 0) assertUnit(arranged.unit);
  if (gapInWorld(arranged) > distance) return nothingMeets();
  const found = findPairs(arranged, limit, distance);
  return arranged.swapped ? { ...found, pairs: swapPairs(found.pairs) } : found;
}

/** The closest points. */
export function distanceStretched(
  a: Mesh,
  b: Mesh,
  placed: StretchedPlacement,
  atMost: number,
): DistanceResult {
  const arranged = arrange(a, b, placed);
  const { first, second, unit, swapped, doubt } = arranged;
  assertUnit(unit);
  if (gapInWorld(arranged) > atMost) return { ...NOWHERE, error: 0, stats: ONE_TEST };
  const { query } = openStretched(arranged, { limit: 1, bound: atMost / unit + doubt });
  try {
    const { pair, stats } = searchClosest(query, () => pairKernels.kernels().stretchedClosest(query.block));
    const found =
      pair &&
      (doubt > 0
        ? closestInWorld(arranged, pair)
        : witnessOf(first.mesh, second.mesh, query.pose, pair, first.pose));
    if (!found || found.distance > atMost) return { ...NOWHERE, error: 0, stats };
    if (!swapped) return { ...found, error: 0, stats };
    return {
      distance: found.distance,
      bounds: found.bounds,
      pointA: found.pointB,
      pointB: found.pointA,
      triangleA: found.triangleB,
      triangleB: found.triangleA,
      featureA: found.featureB,
      featureB: found.featureA,
      error: 0,
      stats,
    };
  } finally {
    query.release();
  }
}

/** Pairs of triangles of first and second. */
function findPairs(arranged: Arranged, limit: number, distance: number): CollideResult {
  const { unit, doubt } = arranged;
  const bound = distance === 0 ? doubt : (distance / unit) * (1 + 1e-14) + doubt;
  const { query, rounding } = openStretched(arranged, { limit, bound });
  try {
    if (distance > 0) arena().f64()[(query.block + Q.bound) >>> 3] = bound + rounding;
    const decide = distance === 0 && doubt > 0 ? () => inWorld(arranged) : undefined;
    return runToLimit(query, limit, () => pairKernels.kernels().stretchedWithin(query.block), decide);
  } finally {
    query.release();
  }
}

function inWorld({ first, second }: Arranged): WorldPairReader {
  return new WorldPairReader(first.mesh, second.mesh, first.pose, second.pose);
}

/**
 * Where the pair is nearest that is so in the frame of the first mesh, or one that meets in the world: in the frame
 * that is no farther apart than the doubt, nor is what was found then, and in the world no farther than twice that.
 */
function closestInWorld(arranged: Arranged, [i, j]: readonly [number, number]) {
  const found = witnessInWorld(arranged, i, j);
  if (found.distance > 3 * arranged.unit * arranged.doubt) return found;
  const { pairs, count } = findPairs(arranged, 1, 0);
  return count === 0
    ? found
    : { ...witnessInWorld(arranged, pairs[0], pairs[1]), distance: 0, bounds: [0, 0] as const };
}

function witnessInWorld(arranged: Arranged, triangleA: number, triangleB: number) {
  const corners = inWorld(arranged).read(triangleA, triangleB);
  return { ...witnessIn(corners, IDENTITY as RigidPose, [0, 0, 0]), triangleA, triangleB };
}

const boxes = new Float64Array(12);

/** How far apart the boxes are in the world, which hold all that is decided about. */
function gapInWorld({ first, second }: Arranged): number {
  writeWorldBox(first.mesh, first.pose, boxes, 0, slackOfStretch(first.stretch));
  writeWorldBox(second.mesh, second.pose, boxes, 6, slackOfStretch(second.stretch));
  return gapOfBoxes(boxes, 0, boxes, 6);
}

/** Asks in the frame of a, unless only that of b has a unit of length, or only b is rigid. */
function arrange(a: Mesh, b: Mesh, { a: poseA, b: poseB, stretchA, stretchB }: StretchedPlacement): Arranged {
  if (portableTreesFor(a, b))
    throw new ImpingeError('unsupported', 'poses that scale need the kernels and trees of oriented boxes');
  const swapped = !stretchA.rigid && (stretchB.rigid || (stretchA.scale === 0 && stretchB.scale > 0));
  const sides = [
    { mesh: a, pose: poseA, stretch: stretchA },
    { mesh: b, pose: poseB, stretch: stretchB },
  ];
  const [first, second] = swapped ? sides.reverse() : sides;
  const toFirst = composePoses(invertLinear(first.pose), second.pose);
  const doubt = first.stretch.rigid ? 0 : doubtOf(first, second, toFirst);
  return { first, second, toFirst, unit: first.stretch.scale, swapped, doubt };
}

/**
 * How far apart in the frame of the first mesh corners may be that are at one place in the world, rounded there.
 *
 * Let A and B be the two poses with shifts a and b, T the one between them with shift t, and x and y the norms of the
 * farthest corners. In the world, corners are off by less than 2⁻⁵⁰ of |A| x + |a| and of |B| y + |b|: five roundings
 * each. In the frame, those of the second are off from where A⁻¹ B would have them by |A⁻¹| times what A T − B makes of
 * them; that is computed, to 2⁻⁵⁰ of its terms. To this comes what the kernel rounds by: its pose and its distances,
 * 1e-14 of what is added up there. `leastInverse` is |A⁻¹| to a thousandth part, as the condition of A is at most 1e6:
 * twice as much is taken, and 2⁻⁴⁸ for all the roundings.
 */
function doubtOf(first: Side, second: Side, toFirst: LinearPose): number {
  const [x, y] = [farthest(first.mesh), farthest(second.mesh)];
  const off = composePoses(first.pose, toFirst).map((entry, i) => entry - second.pose[i]);
  const inFrame = x + turned(toFirst) * y + shifted(toFirst);
  const terms =
    turned(first.pose) * inFrame + shifted(first.pose) + turned(second.pose) * y + shifted(second.pose);
  const apart = turned(off) * y + shifted(off) + 2 ** -48 * terms;
  return 2 * first.stretch.leastInverse * apart + 1e-14 * inFrame + LEAST_NORMAL;
}

/** Norms of the two parts of a pose. */
function turned(pose: LinearPose): number {
  return Math.hypot(...pose.subarray(0, 9));
}
function shifted(pose: LinearPose): number {
  return Math.hypot(...pose.subarray(9, 12));
}

/** No corner, nor the origin it is stored about, is farther from zero. */
function farthest({ box: { min, max }, origin }: Mesh): number {
  return Math.hypot(
    ...[0, 1, 2].map((k) => Math.max(Math.abs(min[k]), Math.abs(max[k]), Math.abs(origin[k]))),
  );
}

function assertUnit(unit: number): void {
  if (unit === 0)
    throw new ImpingeError(
      'bad-pose',
      'both poses stretch unevenly: bake one into its mesh, by mesh.transformed(matrix)',
    );
}

/** A query whose walk maps the boxes of b; and more than distances lose to rounding. */
function openStretched(
  { first: { mesh: a }, second: { mesh: b }, toFirst }: Arranged,
  ask: Ask,
): { readonly query: QueryContext; readonly rounding: number } {
  const { most, leastInverse } = stretchOf(toFirst);
  const query = new QueryContext(hierarchyOf(a), hierarchyOf(b), toFirst, ask);
  const floats = arena().f32();
  const p = query.pose;
  const forward = (query.block + Q.bToA) >>> 2;
  const radius = (tree: number) => floats[(tree >>> 2) + HierarchyHeader.radius];
  const apart = Math.hypot(floats[forward + 4], floats[forward + 5], floats[forward + 6]);
  const reach = radius(query.treeA.block) + most * radius(query.treeB.block) + apart;
  if (!(reach < FAR)) {
    query.release();
    throw tooFar();
  }
  const far = largest(a) + most * largest(b) + Math.abs(p[9]) + Math.abs(p[10]) + Math.abs(p[11]);
  writeRotations(query.block, nearestRotation(p));
  floats[forward + 7] = 1e-5 * reach + 4e-15 * far + LEAST_NORMAL;
  // leaves round by 3e-6 of their coordinates where the pose is rigid, and by its condition more where it is not
  arena().f64()[(query.block + Q.slack) >>> 3] =
    1e-5 * most * leastInverse * reach + 4e-15 * far + LEAST_NORMAL;
  return { query, rounding: 2e-15 * far };
}

/** The largest coordinate that is stored. */
function largest({ box: { min, max }, origin }: Mesh): number {
  let most = 0;
  for (let k = 0; k < 3; k++) {
    most = Math.max(most, Math.abs(min[k] - origin[k]), Math.abs(max[k] - origin[k]));
  }
  return most;
}
