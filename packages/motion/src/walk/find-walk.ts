/**
 * A way to walk from one place to another: over floors, through doors and up stairs, proved at every instant.
 */
import { ImpingeError, type Mesh, type Pose } from 'impinge';
import { type OptionNames, readKnown, readLength } from 'impinge/internal/base/options.js';
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { plus } from 'impinge/internal/query/walk/vectors.js';
import { readBounds, readPoint } from '../bounds.js';
import { type Obstacles, readObstacles } from '../obstacles.js';
import { checkEnds } from '../plan/check-ends.js';
import {
  type FindPathOptions,
  type MotionPath,
  PATH_NAMES,
  readEnds,
  readSpeed,
  timesOf,
} from '../plan/find-path.js';
import { PATH_OPTION_NAMES, type PathResult, readSearch, searchPath } from '../plan/search-path.js';
import type { State } from '../plan/state-space.js';
import type { PathCertificate } from '../plan/verify-path.js';
import { WalkLattice } from './walk-lattice.js';
import { feetOf, WALK_NAMES, type Walk, WalkSpace } from './walk-space.js';

/** `bounds` limit where the feet may be, the point below the middle of the body's box. */
export interface FindWalkOptions
  extends Walk,
    Omit<FindPathOptions, 'planner' | 'centre' | 'allowed' | 'upright'> {}

export type FindWalkResult =
  | Extract<PathResult<MotionPath>, { readonly found: true }>
  | (Extract<PathResult<MotionPath>, { readonly found: false }> & {
      /** Where the search came nearest to a goal, and how near, straight. */
      readonly closest: { readonly pose: RigidPose; readonly distance: number };
    });

const { planner: _, ...SEARCH_NAMES } = PATH_OPTION_NAMES;
const NAMES: OptionNames<FindWalkOptions> = { ...SEARCH_NAMES, ...WALK_NAMES, bounds: true, speed: true };

/** Points of a body nearer to each other than this share of its size are one. */
const SAME = 1e-6;

/** Looks for a way to walk. A way that is returned is proved; that none was found proves nothing. */
export async function findWalk(
  body: Mesh,
  obstacles: Obstacles,
  options: FindWalkOptions,
): Promise<FindWalkResult> {
  const began = performance.now();
  const {
    start,
    goals,
    speed,
    bounds,
    clearance = 0,
    accuracy,
    ...rest
  } = readKnown('findWalk', options, NAMES);
  const { stepHeight, maxSlope, up, own, ...given } = rest;
  const search = readSearch(given);
  const rates = readSpeed(speed);
  const poses = readEnds('findWalk', start, goals);
  const space = WalkSpace.of(body, readObstacles(obstacles), walkOf({ stepHeight, maxSlope, up, own }), {
    clearance: readLength('clearance', clearance),
    poses,
    ...(accuracy !== undefined && { accuracy }),
    ...(bounds && { bounds: readBounds(bounds) }),
  });
  const standing = poses.map((pose, i) => standAt(space, pose, i, poses.length));
  checkEnds('findWalk', space, standing);
  const [from, ...to] = standing.map((pose) => space.stateOf(pose));
  let lattice!: WalkLattice;
  const plan = (_space: unknown, begin: State, ends: readonly State[], _random: SeededRandom) =>
    (lattice = new WalkLattice(space, begin, ends));
  const found = await searchPath('findWalk', space, from, to, { ...search, began }, plan);
  if (!found.states) {
    const { state, distance } = lattice.closest;
    const closest = { pose: space.poseOf(state), distance };
    return { found: false, reason: found.reason, closest, stats: found.stats() };
  }
  const walked = found.states.map((state) => space.poseOf(state));
  const path = {
    poses: walked,
    times: timesOf(space.free, walked, rates),
    centre: space.free.centre,
    certificate: space.certify(walked),
  };
  return { found: true, path, stats: found.stats() };
}

/** Looks at a way again, with distances and rays alone. Its motions are linear, about the feet. */
export function verifyWalk(
  body: Mesh,
  obstacles: Obstacles,
  path: Pick<MotionPath, 'poses' | 'centre'>,
  options: Walk & Pick<FindWalkOptions, 'clearance'>,
): PathCertificate {
  const { clearance = 0, ...walk } = readKnown('verifyWalk', options, { ...WALK_NAMES, clearance: true });
  const { poses, centre } = readKnown('path', path as MotionPath, PATH_NAMES);
  const middle = readPoint('centre', centre);
  if (!Array.isArray(poses) || poses.length === 0)
    throw new ImpingeError('bad-input', 'verifyWalk: poses must be an array of one pose or more');
  const read = poses.map((pose: Pose) => toRigidPose(pose));
  const given = { clearance: readLength('clearance', clearance), poses: read };
  const space = WalkSpace.of(body, readObstacles(obstacles), walk, given);
  const { centre: feet, ball } = space.free;
  const off = Math.hypot(...feet.map((x, k) => x - middle[k]));
  if (off > SAME * ball.radius)
    throw new ImpingeError(
      'bad-input',
      `verifyWalk: the centre is not at the feet, which are at ${feet.join(', ')}`,
    );
  return space.certify(read);
}

/** Without what was not given. */
function walkOf(given: { readonly [Name in keyof Walk]: Walk[Name] | undefined }): Walk {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as unknown as Walk;
}

/** A pose put on its floor. */
function standAt(space: WalkSpace, pose: RigidPose, end: number, count: number): RigidPose {
  if (!space.isUpright(pose)) return pose; // said with the other ends
  const state = space.stateOf(pose);
  const height = space.floor.below(feetOf(state));
  if (height !== undefined) {
    state.set(plus(feetOf(state), space.up, height));
    const [lowest = state] = space.standing(state);
    return space.poseOf(lowest);
  }
  const name = end === 0 ? 'the start' : count > 2 ? `goals[${end - 1}]` : 'the goal';
  const message = `findWalk: ${name} has no floor: none is within ${space.stepHeight} above or below its feet`;
  throw new ImpingeError('bad-input', message, { end: name });
}
