/**
 * A path of a rigid body from one pose to another among obstacles, of which every motion is proved free.
 */
import { ImpingeError, type Mesh, type Pose } from 'impinge';
import { type OptionNames, readKnown, readPositive } from 'impinge/internal/base/options.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { type Bounds, readBounds, readPoint } from '../bounds.js';
import { FreeSpace } from '../free-space.js';
import type { AllowedDepth } from '../held-pair.js';
import { type Obstacle, type Obstacles, readObstacles } from '../obstacles.js';
import { checkEnds } from './check-ends.js';
import { boundsAround, RigidSpace } from './rigid-space.js';
import {
  PATH_OPTION_NAMES,
  type PathOptions,
  type PathResult,
  readSearch,
  searchPath,
} from './search-path.js';
import { clearPath } from './shorten-path.js';
import { type Upright, UprightTurns } from './upright.js';
import { certify, type PathCertificate } from './verify-path.js';

export interface FindPathOptions extends PathOptions<Pose> {
  /** The point of the body that moves straight, in its coordinates (default: the middle of its box). */
  readonly centre?: ArrayLike<number>;
  /** Where `centre` may be (default: around the obstacles, the start and the goals, with room for the body). */
  readonly bounds?: Bounds;
  /**
   * How deep the body may be in an obstacle that it touches, or is too near to, at the start or a goal (default 0).
   * These are not held to the clearance; `certificate.depth` is the most that it gets into them.
   */
  readonly allowed?: AllowedDepth;
  /** The body is kept upright, at every instant (default: it may turn anyhow). */
  readonly upright?: Upright;
  /** Lengths and radians per second, for the time stamps (default 1 and 1). */
  readonly speed?: { readonly along?: number; readonly turning?: number };
}

/** Poses, and the motion between each and the next: `linear`, about `centre`. */
export interface MotionPath {
  readonly poses: readonly RigidPose[];
  readonly times: Float64Array;
  readonly centre: Float64Array;
  readonly certificate: PathCertificate;
}

export type FindPathResult = PathResult<MotionPath>;

const NAMES: OptionNames<FindPathOptions> = {
  ...PATH_OPTION_NAMES,
  bounds: true,
  allowed: true,
  upright: true,
  speed: true,
  centre: true,
};

export const PATH_NAMES = { poses: true, times: true, centre: true, certificate: true } as const;

/** Looks for a path. A path that is returned is proved; that none was found proves nothing. */
export async function findPath(
  body: Mesh,
  obstacles: Obstacles,
  options: FindPathOptions,
): Promise<FindPathResult> {
  return findPathAmong(body, readObstacles(obstacles), options);
}

/** The same among obstacles that were taken apart before. */
export async function findPathAmong(
  body: Mesh,
  obstacles: readonly Obstacle[],
  options: FindPathOptions,
): Promise<FindPathResult> {
  const began = performance.now();
  const { start, goals, speed, bounds, allowed = 0, ...rest } = readKnown('findPath', options, NAMES);
  const { clearance, accuracy, centre, upright, ...given } = rest;
  const turns = upright && new UprightTurns(upright);
  const rates = readSpeed(speed);
  const search = readSearch(given);
  const poses = readEnds('findPath', start, goals);
  if (centre !== undefined) readPoint('centre', centre);
  const geometry = new FreeSpace(body, obstacles, {
    ...(clearance !== undefined && { clearance }),
    ...(accuracy !== undefined && { accuracy }),
    ...(centre !== undefined && { centre }),
    contact: { poses, allowed },
  });
  const within = bounds ? readBounds(bounds) : boundsAround(geometry, poses);
  const space = new RigidSpace(geometry, within, turns);
  checkEnds('findPath', space, poses);
  const [from, ...to] = poses.map((pose) => space.stateOf(pose));
  const searched = await searchPath('findPath', space, from, to, { ...search, began });
  if (!searched.states) return { found: false, reason: searched.reason, stats: searched.stats() };
  const { states, random, isLate } = searched;
  const clear = clearPath(space, states, random, isLate);
  const found = clear.map((state) => space.poseOf(state));
  const path = {
    poses: found,
    times: timesOf(geometry, found, rates),
    centre: geometry.centre,
    certificate: certify(geometry, found, turns),
  };
  return { found: true, path, stats: searched.stats() };
}

/** Looks at a path again, with distances alone. Its motions are those of `findPath`: linear, about its centre. */
export function verifyPath(
  body: Mesh,
  obstacles: Obstacles,
  path: Pick<MotionPath, 'poses' | 'centre'>,
  options: Pick<FindPathOptions, 'clearance' | 'allowed' | 'upright'> = {},
): PathCertificate {
  const {
    clearance = 0,
    allowed = 0,
    upright,
  } = readKnown('verifyPath', options, { clearance: true, allowed: true, upright: true });
  const { poses, centre } = readKnown('path', path as MotionPath, PATH_NAMES);
  if (!Array.isArray(poses) || poses.length === 0) {
    throw new ImpingeError('bad-input', 'verifyPath: poses must be an array of one pose or more');
  }
  const read = poses.map((pose: Pose) => toRigidPose(pose));
  const contact = { poses: [read[0], read[read.length - 1]], allowed };
  const space = new FreeSpace(body, obstacles, { clearance, contact, centre: readPoint('centre', centre) });
  return certify(space, read, upright && new UprightTurns(upright));
}

export function readEnds(call: string, start: Pose, goals: readonly Pose[]): RigidPose[] {
  if (!Array.isArray(goals) || goals.length === 0) {
    throw new ImpingeError('bad-input', `${call}: goals must be an array of one pose or more`);
  }
  if (start === undefined) throw new ImpingeError('bad-input', `${call}: there is no start`);
  return [start, ...goals].map((pose) => toRigidPose(pose));
}

/** Lengths and radians per second. */
interface Rates {
  readonly along: number;
  readonly turning: number;
}

export function readSpeed(speed: FindPathOptions['speed']): Rates {
  const { along = 1, turning = 1 } = readKnown('speed', speed ?? {}, { along: true, turning: true });
  return { along: readPositive('speed.along', along), turning: readPositive('speed.turning', turning) };
}

export function timesOf(
  space: FreeSpace,
  poses: readonly RigidPose[],
  { along, turning }: Rates,
): Float64Array {
  const times = new Float64Array(poses.length);
  for (let i = 1; i < poses.length; i++) {
    const { velocity, angle } = new RigidMotion(space.motion(poses[i - 1], poses[i]), 'path');
    times[i] = times[i - 1] + Math.max(Math.hypot(...velocity) / along, angle / turning);
  }
  return times;
}
