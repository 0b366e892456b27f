/**
 * How far a path keeps from what is around it: nothing of how it was found is trusted.
 *
 * At the middle of a piece of a motion, less what any point moves within half of it, the distance bounds that of the
 * whole piece from below. Pieces are halved until the bound of all is at least half of the least distance seen. Motions
 * along a surface would be halved without end: whether what is left of them comes nearer than that is searched by
 * directions. `verifyPath` asks `timeOfImpact`, which shares nothing with the search for paths. For a path that is
 * found the kernel is asked first, which takes a twentieth of the time along a thread.
 * Where the body may be in contact with an obstacle, it is the body drawn in that is looked at, and how far it keeps
 * away tells nothing but that it does.
 * Errs: the bound is outward by more than rounding. Inside and outside of solids are looked at where the path begins.
 */
import { type Motion, timeOfImpact } from 'impinge';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { FreeSpace } from '../free-space.js';
import type { HeldPair } from '../held-pair.js';
import { checkMotion } from '../kernel-queries.js';
import { MotionReach } from '../motion-reach.js';
import { NearObstacles } from '../near-obstacles.js';
import type { UprightTurns } from './upright.js';

export interface JointPathCertificate {
  /** Whether all of the path is proved to keep more than the clearance, and upright if it is to. */
  readonly free: boolean;
  /** At every time, what may not touch keeps at least this far apart; 0 where nothing is proved. */
  readonly clearance: number;
  /** The first motion of the path, counted from 0, which is not proved; −1 where all are. */
  readonly motion: number;
  /** The most that things get into each other between which contact is allowed; 0 where none touch at the ends. */
  readonly depth: number;
}

export interface PathCertificate extends JointPathCertificate {
  /** Somewhere it comes this near. */
  readonly nearest: number;
  /** The most that the body leans at any time, in radians, where it is to be upright. */
  readonly lean?: number;
  /** Distances asked for. */
  readonly distances: number;
}

/** More than float64 loses in poses and distances, relative to the largest number that appears. */
const ROUNDING = 1e-13;
/** The proved bound is at least this share of the least distance seen, beyond the clearance. */
const SHARE = 0.5;
/** Distances asked for along a motion before the rest of it is searched. */
const MOST_DISTANCES = 64;

/** Obstacles that the body, drawn in or not, is held to the same clearance to. */
interface Held {
  readonly space: FreeSpace;
  readonly pairs: NearObstacles<HeldPair>;
  readonly clearance: number;
}

/** Finds how near an obstacle comes somewhere along a motion, if that is below `kept`; Infinity where it is not. */
type MotionSearch = (held: Held, motion: Motion, kept: number, slack: number) => number;

interface Certifying {
  readonly upright?: UprightTurns | undefined;
  readonly search?: MotionSearch;
}

export function certify(
  space: FreeSpace,
  poses: readonly RigidPose[],
  { upright, search = searchByImpact }: Certifying = {},
): PathCertificate {
  const before = space.counts.distances;
  const { pairs, depth } = space;
  const held = (isHeld: (pair: HeldPair) => boolean) => new NearObstacles(pairs.filter(isHeld));
  const apart = { space, pairs: held((pair) => pair.depth === 0), clearance: space.clearance };
  const inContact = { space, pairs: held((pair) => pair.depth > 0), clearance: 0 };
  const { clearance, nearest, motion: first } = certifyHeld(apart, poses, search);
  const second = depth > 0 ? certifyHeld(inContact, poses, search).motion : -1;
  const failed = [first, second].filter((motion) => motion >= 0);
  if (!space.isFree(poses[0])) failed.push(0);
  const leans = upright && leansOf(space, poses, upright);
  if (leans) failed.push(...leans.flatMap((lean, i) => (upright.holds(lean) ? [] : [i])));
  const free = failed.length === 0;
  return {
    free,
    clearance: free ? clearance : 0,
    nearest,
    motion: free ? -1 : Math.min(...failed),
    depth,
    ...(leans && { lean: Math.max(...leans) }),
    distances: space.counts.distances - before,
  };
}

/** The most that the body leans along every motion. */
function leansOf(space: FreeSpace, poses: readonly RigidPose[], upright: UprightTurns): number[] {
  if (poses.length === 1) return [upright.leanOf(poses[0])];
  return poses.slice(1).map((pose, i) => upright.leanAlong(space.motion(poses[i], pose)));
}

/** Bounds, and the first motion that is not proved. */
function certifyHeld(
  held: Held,
  poses: readonly RigidPose[],
  search: MotionSearch,
): Bounds & { readonly motion: number } {
  let nearest = distanceAt(held, poses[0], Infinity);
  let clearance = nearest;
  for (let i = 1; i < poses.length; i++) {
    const found = certifyMotion(held, [poses[i - 1], poses[i]], nearest, search);
    nearest = found.nearest;
    clearance = Math.min(clearance, found.clearance);
    if (!(clearance > held.clearance)) return { clearance, nearest, motion: i - 1 };
  }
  return { clearance, nearest, motion: nearest > held.clearance ? -1 : 0 };
}

interface Bounds {
  readonly clearance: number;
  readonly nearest: number;
}

/** `nearest` is a distance that the path has elsewhere: bounds that are as large need not be better. */
function certifyMotion(
  held: Held,
  [from, to]: readonly [RigidPose, RigidPose],
  nearest: number,
  search: MotionSearch,
): Bounds {
  const { space } = held;
  const given = space.motion(from, to);
  const motion = new RigidMotion(given, 'path');
  const reach = new MotionReach(motion, space.ball);
  const slack = slackOf(space, from, to);
  let most = nearest;
  let clearance = Infinity;
  const waiting: [from: number, to: number][] = [[0, 1]];
  const hopeless: typeof waiting = [];
  let i = 0;
  // in the order they come: what is left is spread over the whole motion
  for (; i < waiting.length && i < MOST_DISTANCES; i++) {
    const [begin, end] = waiting[i];
    const middle = 0.5 * (begin + end);
    const moves = reach.within(0.5 * (end - begin)) + slack;
    const here = distanceAt(held, motion.poseAt(middle), most + moves);
    most = Math.min(most, here);
    if (!(most > held.clearance)) return { clearance: 0, nearest: most };
    // half of any distance that is still to be found will do, so this is enough for now
    const bound = here - moves;
    if (bound > keptOf(held, most)) clearance = Math.min(clearance, bound);
    else if (moves > MOST_DISTANCES * most) hopeless.push([begin, end]);
    else waiting.push([begin, middle], [middle, end]);
  }
  for (const [begin, end] of [...hopeless, ...waiting.slice(i)]) {
    const piece = { ...given, from: motion.poseAt(begin), to: motion.poseAt(end) };
    for (;;) {
      const kept = keptOf(held, most);
      const met = search(held, piece, kept, slack);
      if (met === Infinity) {
        clearance = Math.min(clearance, kept);
        break;
      }
      most = Math.min(most, met);
      if (!(most > held.clearance + space.accuracy)) return { clearance: 0, nearest: most };
    }
  }
  return { clearance, nearest: most };
}

/** What a motion is to keep, if the path comes as near as `most` elsewhere: more than the clearance. */
function keptOf({ clearance }: Held, most: number): number {
  return clearance + SHARE * (most - clearance);
}

/** By `timeOfImpact`. */
function searchByImpact(held: Held, motionB: Motion, kept: number, slack: number): number {
  for (const { obstacle, body } of pairsAlong(held, motionB, kept, slack)) {
    const options = {
      motionA: { from: obstacle.pose },
      motionB,
      distance: kept + slack,
      accuracy: 1e-3 * kept,
    };
    const met = timeOfImpact(obstacle.mesh, body, options);
    if (met.time < Infinity) return met.distance;
  }
  return Infinity;
}

/** By the kernel that proves motions; by `timeOfImpact` what that leaves open. */
export function searchByKernel(held: Held, given: Motion, kept: number, slack: number): number {
  const motion = new RigidMotion(given, 'path');
  const asked = { clearance: kept, accuracy: 1e-3 * kept, slack };
  for (const pair of pairsAlong(held, given, kept, slack)) {
    const { verdict, hit } = checkMotion(pair.obstacle, pair.body, motion, asked);
    if (verdict === 'free') continue;
    if (verdict !== 'hit') return searchByImpact(held, given, kept, slack);
    return distanceAt(held, motion.poseAt(hit), kept);
  }
  return Infinity;
}

function pairsAlong({ space, pairs }: Held, given: Motion, kept: number, slack: number): HeldPair[] {
  const motion = new RigidMotion(given, 'path');
  const reach = new MotionReach(motion, space.ball).within(0.5);
  return space.near(motion.poseAt(0.5), reach + kept + 2 * slack, pairs).map(({ pair }) => pair);
}

/** How far the next obstacle is, at most `atMost`. */
function distanceAt({ space, pairs }: Held, pose: RigidPose, atMost: number): number {
  return space.nearest(pose, atMost, pairs)?.distance ?? atMost;
}

function slackOf({ pairs, ball }: FreeSpace, from: RigidPose, to: RigidPose): number {
  const own = Math.hypot(...ball.centre) + ball.radius;
  const numbers = pairs
    .flatMap(({ obstacle }) => [...obstacle.box])
    .concat(...from.subarray(9), ...to.subarray(9));
  return ROUNDING * numbers.reduce((sum, x) => Math.max(sum, Math.abs(x)), own) * 4;
}
