/**
 * A path of a body through a stored model, as far as memory allows around it, and its certificate.
 *
 * The certificate is about the poses as they are handed out and written down, whose numbers differ from those of the
 * search by rounding: they are verified once more.
 */
import {
  type FindPathResult,
  type FindWalkResult,
  findPath,
  findWalk,
  motionFree,
  type PathCertificate,
  type PathProgress,
  verifyPath,
  verifyWalk,
} from '@impinge/motion';
import { ImpingeError, type Vec3 } from 'impinge';
import { CommandError } from '../command-error.js';
import { decimal } from '../terminal.js';
import { aroundPoints, grown, type Region, scaled, widestRegion } from '../wire/path-region.js';
import { feetIn, type PathAsked, reachBeyond, uprightOf, walkOf } from './path-asked.js';
import { bodyMiddle, bodyRadius, farthestMoved, type PathBody } from './path-body.js';
import {
  bodyPose,
  inverseOf,
  meshPose,
  type PlacedPose,
  placedPose,
  poseText,
  transformed,
} from './path-poses.js';
import { regionTooLarge, type StandingModel, type Surroundings } from './standing-model.js';

export interface PathQuestion extends PathAsked {
  /** Rigid matrices of the body's own point, in metres. */
  readonly from: Float64Array;
  readonly to: Float64Array;
  /** Where the middle of the body may be, in metres; undefined: around the way, as far as memory allows. */
  readonly bounds?: Region;
  /** How far the start and the goal may be moved to become free, in metres (default 0). */
  readonly snap?: number;
  readonly seed?: number;
  /** Seconds. */
  readonly timeLimit: number;
  /** Poses that the search may keep (default: as many as the library allows). */
  readonly mostPoses?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: PathProgress) => void;
}

/** Poses in metres; from each to the next the centre moves straight, and the body turns by the shorter angle. */
export interface WrittenPath {
  readonly poses: readonly PlacedPose[];
  /** Of each, in seconds, at 1 m/s and 1 rad/s. */
  readonly times: readonly number[];
  /** The point that moves straight, in the body's own coordinates. */
  readonly centre: readonly number[];
}

/** Lengths in metres. */
export type Certified = Pick<PathCertificate, 'free' | 'clearance' | 'nearest' | 'motion' | 'lean'>;

interface Searched {
  readonly seconds: number;
  readonly nodes: number;
  /** Where the middle of the body was looked for, in metres. */
  readonly bounds: Region;
  /** Whether these are narrower than they would be with more memory. */
  readonly isCutByMemory: boolean;
}

export type PathAnswer = Searched &
  (
    | { readonly found: true; readonly path: WrittenPath; readonly certificate: Certified }
    | {
        readonly found: false;
        readonly reason: 'time' | 'nodes' | 'places';
        /** On the straight way; undefined where nothing there tells. */
        readonly hit: PathHit | undefined;
        /** Where a search for a way to walk came nearest to the goal, in metres. */
        readonly closest: { readonly pose: PlacedPose; readonly distance: number } | undefined;
      }
  );

/** An object in the way, and where, in metres. */
export interface PathHit {
  readonly object: number;
  readonly point: Vec3;
}

/** A start or a goal that is not free. */
export class BlockedEnd extends CommandError {
  readonly end: End;
  /** The object in the way. */
  readonly obstacle: number | undefined;
  /** How deep the body is in it, in metres; undefined: it is only too near. */
  readonly depth: number | undefined;
  /** Near by, and how far the body has to move for it. */
  readonly free: { readonly pose: PlacedPose; readonly away: number } | undefined;

  constructor(
    message: string,
    { end, obstacle, depth, free }: Pick<BlockedEnd, 'end' | 'obstacle' | 'depth' | 'free'>,
  ) {
    super(message);
    this.end = end;
    this.obstacle = obstacle;
    this.depth = depth;
    this.free = free;
  }
}

export type End = 'start' | 'goal';

export async function searchPath(
  standing: StandingModel,
  body: PathBody,
  question: PathQuestion,
): Promise<PathAnswer> {
  const unit = standing.model.meta.metresPerUnit;
  const { region, surroundings, isCutByMemory } = await openRegion(standing, body, question);
  try {
    const { found, start, goal } = await searchFromFree(standing, body, surroundings, region, question);
    const { seconds, nodes } = found.stats;
    const searched = { seconds, nodes, isCutByMemory, bounds: scaled(region, unit) };
    if (!found.found) {
      const hit = straightHit(
        body,
        surroundings,
        { start, goal, clearance: question.clearance / unit },
        unit,
      );
      const closest = 'closest' in found ? found.closest : undefined;
      return {
        ...{ ...searched, found: false, reason: found.reason, hit },
        closest: closest && {
          pose: bodyPose(closest.pose, body.frame, unit),
          distance: closest.distance * unit,
        },
      };
    }
    const { poses, times, centre } = found.path;
    const path = {
      poses: poses.map((pose) => bodyPose(pose, body.frame, unit)),
      times: Array.from(times),
      centre: transformed(body.frame, centre).map((x) => x * unit),
    };
    const certificate = certify(body, surroundings, path, question, unit);
    if (certificate.free) return { ...searched, found: true, path, certificate };
    throw new ImpingeError('unsupported', 'a path was found that rounding its poses makes touch');
  } finally {
    surroundings.dispose();
  }
}

/** Poses of the mesh, once they are free. */
interface SearchedEnds {
  readonly start: Float64Array;
  readonly goal: Float64Array;
}

/** What a straight motion meets first. */
function straightHit(
  body: PathBody,
  { obstacles, objectOf }: Surroundings,
  { start, goal, clearance }: SearchedEnds & { readonly clearance: number },
  unit: number,
): PathHit | undefined {
  const motion = { from: start, to: goal, centre: bodyMiddle(body), clearance };
  const { contact } = motionFree(body.mesh, obstacles, motion);
  if (!contact || !('id' in contact.obstacle)) return undefined;
  const point = contact.pointObstacle.map((x) => x * unit) as unknown as Vec3;
  return { object: objectOf(contact.obstacle), point };
}

/** Looks at a path again, with distances alone. */
export async function verifyWritten(
  standing: StandingModel,
  body: PathBody,
  path: WrittenPath,
  asked: PathAsked,
): Promise<Certified> {
  const unit = standing.model.meta.metresPerUnit;
  const poses = path.poses.map((pose) => meshPose(pose, body.frame, unit));
  const centre = meshCentre(body, path, unit);
  const middle = bodyMiddle(body);
  const away = Math.hypot(...middle.map((x, k) => x - centre[k]));
  const centres = aroundPoints(poses.map((pose) => transformed(pose, centre)));
  const surroundings = await standing.near(
    grown(centres, away + bodyRadius(body) + reachBeyond(asked) / unit),
  );
  if (!surroundings) throw regionTooLarge(standing, 'all of the path', '--bounds');
  try {
    if ((await standing.enclosing(body.mesh, poses[0])) !== undefined)
      return { free: false, clearance: 0, nearest: 0, motion: 0 };
    return certify(body, surroundings, path, asked, unit);
  } finally {
    surroundings.dispose();
  }
}

function certify(
  body: PathBody,
  { obstacles }: Surroundings,
  path: WrittenPath,
  { clearance, upright, walk }: PathAsked,
  unit: number,
): Certified {
  const poses = path.poses.map((pose) => meshPose(pose, body.frame, unit));
  const given = { poses, centre: Float64Array.from(meshCentre(body, path, unit)) };
  const asked = { clearance: clearance / unit };
  const certificate = walk
    ? verifyWalk(body.mesh, obstacles, given, { ...asked, ...walkOf(body, walk, unit) })
    : verifyPath(body.mesh, obstacles, given, {
        ...asked,
        ...(upright !== undefined && { upright: uprightOf(body, upright) }),
      });
  return {
    ...certificate,
    clearance: certificate.clearance * unit,
    nearest: certificate.nearest * unit,
  };
}

function meshCentre(body: PathBody, { centre }: WrittenPath, unit: number): Vec3 {
  return transformed(
    inverseOf(body.frame),
    centre.map((x) => x / unit),
  );
}

/** All of the way, and as much room beside it as memory allows. */
async function openRegion(standing: StandingModel, body: PathBody, question: PathQuestion) {
  const { from, to, bounds } = question;
  const unit = standing.model.meta.metresPerUnit;
  const radius = bodyRadius(body);
  // of a body that walks, the feet are bounded: their place beside its middle is not known to the last bit
  const reach = (question.walk ? 2 : 1) * radius + reachBeyond(question) / unit;
  const ends = [from, to].map((end) =>
    transformed(meshPose(placedPose(end), body.frame, unit), bodyMiddle(body)),
  );
  if (bounds) {
    const region = scaled(bounds, 1 / unit);
    assertWithin(region, ends, unit);
    const surroundings = await standing.near(grown(region, reach));
    if (surroundings) return { region, surroundings, isCutByMemory: false };
    throw regionTooLarge(standing, '--bounds', '--bounds');
  }
  const widest = await widestRegion(ends, { radius, reach }, (region) => standing.near(region));
  if (!widest) throw regionTooLarge(standing, 'the box around start and goal', '--bounds');
  return { region: widest.region, surroundings: widest.held, isCutByMemory: widest.isCut };
}

function assertWithin({ min, max }: Region, ends: readonly Vec3[], unit: number): void {
  for (const [i, end] of ends.entries()) {
    if (end.every((x, k) => x >= min[k] && x <= max[k])) continue;
    const at = end.map((x) => Number((x * unit).toPrecision(6))).join(',');
    const option = i === 0 ? '--from' : '--to';
    throw new CommandError(
      `${option}: the middle of the body is at ${at} there, which is outside of --bounds`,
    );
  }
}

/** Moves ends that are not free by no more than `snap`. */
async function searchFromFree(
  standing: StandingModel,
  body: PathBody,
  { obstacles, objectOf }: Surroundings,
  bounds: Region,
  question: PathQuestion,
): Promise<SearchedEnds & { readonly found: FindPathResult | FindWalkResult }> {
  const unit = standing.model.meta.metresPerUnit;
  const { upright, walk, seed, timeLimit, mostPoses, signal, onProgress, snap = 0 } = question;
  const given = { start: placedPose(question.from), goal: placedPose(question.to) };
  const ends: Record<End, PlacedPose> = { ...given };
  const clearance = question.clearance / unit;
  for (;;) {
    const [start, goal] = [ends.start, ends.goal].map((end) => meshPose(end, body.frame, unit));
    // what surfaces tell, the library says better
    const { verdict } = motionFree(body.mesh, obstacles, { from: start, to: start, clearance });
    const around = verdict === 'free' || walk ? await standing.enclosing(body.mesh, start) : undefined;
    if (around !== undefined) throw insideOf(standing, around);
    try {
      const options = {
        ...{ start, goals: [goal], bounds, clearance, timeLimit },
        speed: { along: 1 / unit, turning: 1 },
        ...(seed !== undefined && { seed }),
        ...(mostPoses !== undefined && { limits: { nodes: mostPoses } }),
        ...(signal && { signal }),
        ...(onProgress && { onProgress }),
      };
      const found = walk
        ? await findWalk(body.mesh, obstacles, {
            ...{ ...options, ...walkOf(body, walk, unit) },
            bounds: feetIn(bounds, body),
          })
        : await findPath(body.mesh, obstacles, {
            ...options,
            ...(upright !== undefined && { upright: uprightOf(body, upright) }),
          });
      return { found, start, goal };
    } catch (error) {
      const blocked = blockedEnd(error, body, given, objectOf, unit, clearance);
      if (!blocked) throw error;
      const { end, free } = blocked;
      if (!free || free.away > snap || ends[end] !== given[end]) throw blocked;
      ends[end] = free.pose;
    }
  }
}

function insideOf({ model }: StandingModel, obstacle: number): BlockedEnd {
  return new BlockedEnd(`start: the body is inside of ${model.text(obstacle, 'path')}`, {
    ...{ end: 'start', obstacle, depth: undefined, free: undefined },
  });
}

/** What an error of the library says about an end that is not free. */
function blockedEnd(
  error: unknown,
  body: PathBody,
  given: Record<End, PlacedPose>,
  objectOf: Surroundings['objectOf'],
  unit: number,
  clearance: number,
): BlockedEnd | undefined {
  if (!(error instanceof ImpingeError) || typeof error.detail['obstacle'] !== 'string') return undefined;
  const { obstacle, source, depth: inUnits, free: near } = error.detail;
  const end = error.detail['end'] === 'the start' ? 'start' : 'goal';
  const depth = typeof inUnits === 'number' ? inUnits * unit : undefined;
  const pose = near instanceof Float64Array ? bodyPose(near, body.frame, unit) : undefined;
  const free = pose && { pose, away: farthestMoved(body, given[end], pose, unit) };
  return new BlockedEnd(blockedText(end, String(obstacle), depth, free, clearance * unit), {
    ...{ end, obstacle: source ? objectOf(source as { readonly id: number }) : undefined, depth, free },
  });
}

function blockedText(
  end: End,
  obstacle: string,
  depth: number | undefined,
  free: BlockedEnd['free'],
  clearance: number,
): string {
  const how =
    depth === undefined
      ? `nearer than ${decimal(clearance)} m to`
      : depth > 0
        ? `${decimal(depth)} m deep in`
        : 'touching';
  const option = end === 'start' ? '--from' : '--to';
  const offer = free
    ? `; free is ${option} ${poseText(free.pose)}, for which it moves by ${decimal(free.away)} m`
    : '';
  return `${end}: the body is ${how} ${obstacle}${offer}`;
}
