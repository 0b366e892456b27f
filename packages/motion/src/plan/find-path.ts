/**
 * A path of a rigid body from one pose to another among obstacles, of which every motion is proved free.
 */
import { ImpingeError, type Mesh, type Point, type Pose } from 'impinge';
import { type OptionNames, readKnown, readPositive } from 'impinge/internal/base/options.js';
import type { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { type RigidPose, toRigidPose } from 'impinge/internal/math/pose.js';
import { assertMesh } from 'impinge/internal/mesh/mesh.js';
import { type Bounds, readBounds, readPoint } from '../bounds.js';
import { FreeSpace } from '../free-space.js';
import type { AllowedDepth, StartContact } from '../held-pair.js';
import { Obstacle, type Obstacles, readObstacles } from '../obstacles.js';
import { checkEnds } from './check-ends.js';
import { oneSided } from './one-sided.js';
import { boundsAround, RigidSpace } from './rigid-space.js';
import {
  answerPath,
  type Moved,
  PATH_OPTION_NAMES,
  type PathOptions,
  type PathResult,
  readSearch,
} from './search-path.js';
import { clearPath } from './shorten-path.js';
import type { State } from './state-space.js';
import { type Upright, UprightTurns } from './upright.js';
import { certify, type PathCertificate, searchByKernel } from './verify-path.js';

export interface FindPathOptions extends PathOptions<Pose> {
  /** The point of the body that moves straight, in its coordinates (default: the middle of its box). */
  readonly centre?: Point;
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
  const { start, goals, allowed = 0, ...given } = readKnown('findPath', options, NAMES);
  const poses = readEnds('findPath', start, goals);
  assertMesh(body);
  const around = obstacles.map(({ mesh, pose, source }) => new Obstacle(oneSided.of(mesh), pose, source));
  const moved = new MovedBody('findPath', oneSided.of(body), around, given, { poses, allowed });
  return answerPath('findPath', moved, { ...readSearch(given), start, goals, began });
}

/** A body among obstacles. */
export class MovedBody implements Moved<Pose, MotionPath> {
  readonly space: RigidSpace;
  readonly #call: string;
  readonly #upright: UprightTurns | undefined;
  readonly #rates: Rates;

  /** Poses of `contact` are within bounds that are not given. */
  constructor(
    call: string,
    body: Mesh,
    obstacles: readonly Obstacle[],
    { clearance, accuracy, centre, bounds, upright, speed }: Omit<FindPathOptions, 'start' | 'goals'>,
    contact: StartContact,
  ) {
    this.#call = call;
    this.#upright = upright && new UprightTurns(upright);
    this.#rates = readSpeed(speed);
    const free = new FreeSpace(body, obstacles, {
      ...(clearance !== undefined && { clearance }),
      ...(accuracy !== undefined && { accuracy }),
      ...(centre !== undefined && { centre }),
      contact,
    });
    const within = bounds ? readBounds(bounds) : boundsAround(free, contact.poses);
    this.space = new RigidSpace(free, within, this.#upright);
  }

  /** Poses stay, meshes may deform. */
  get revision(): number {
    const { body, pairs } = this.space.free;
    return pairs.reduce((sum, { obstacle }) => sum + obstacle.mesh.revision, body.revision);
  }

  statesOf(start: Pose, goals: readonly Pose[]): State[] {
    const poses = readEnds(this.#call, start, goals);
    checkEnds(this.#call, this.space, poses);
    return poses.map((pose) => this.space.stateOf(pose));
  }

  pathOf(states: readonly State[], random: SeededRandom, isLate: () => boolean): MotionPath {
    const { space } = this;
    const poses = clearPath(space, states, random, isLate).map((state) => space.poseOf(state));
    return {
      poses,
      times: timesOf(space.free, poses, this.#rates),
      centre: space.free.centre,
      certificate: certify(space.free, poses, { upright: this.#upright, search: searchByKernel }),
    };
  }
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
  return certify(space, read, { upright: upright && new UprightTurns(upright) });
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
