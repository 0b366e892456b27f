/**
 * Whether a search can begin: its ends are within bounds, upright and free, or the error says why not, and what is free
 * near.
 */
import { ImpingeError, penetration } from 'impinge';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { Obstacle } from '../obstacles.js';
import { InnerBalls } from '../place/inner-balls.js';
import { NearestPlace } from '../place/nearest-place.js';
import type { RigidSpace } from './rigid-space.js';

/** Of the body's radius: how far a free place is looked for, and how well. */
const FARTHEST = 2;
const ACCURACY = 0.01;
const MOST_CELLS = 400;

/** The first pose is the start, the others are goals. */
export function checkEnds(call: string, space: RigidSpace, poses: readonly RigidPose[]): void {
  poses.forEach((pose, i) => {
    const name = i === 0 ? 'the start' : poses.length > 2 ? `goals[${i - 1}]` : 'the goal';
    const state = space.stateOf(pose);
    if (!space.isInBounds(state)) {
      const centre = [...state.subarray(0, 3)].map(shortly).join(', ');
      throw new ImpingeError('bad-input', `${call}: ${name} is out of bounds: its centre is at ${centre}`);
    }
    if (!space.isUpright(space.poseOf(state))) {
      const lean = shortly(space.upright!.leanOf(pose));
      const most = shortly(space.upright!.angle);
      const message = `${call}: ${name} is not upright: it leans by ${lean} radians, and ${most} are allowed`;
      throw new ImpingeError('bad-input', message, { end: name, lean: space.upright!.leanOf(pose) });
    }
    // the pose that motions begin at, which rounds differently
    if (!space.keepsClear(state)) refuse(call, space, space.poseOf(state), name);
  });
}

function refuse(call: string, space: RigidSpace, pose: RigidPose, name: string): never {
  const { obstacle, depth, source } = whatIsHit(space, pose);
  const free = nearestFree(space, pose);
  const offer = free ? `; free nearby: translation ${[...free.subarray(9)].map(shortly).join(', ')}` : '';
  const how =
    depth === undefined
      ? 'nearer than the clearance to'
      : depth > 0
        ? `${shortly(depth)} deep in`
        : 'touching';
  const message = `${call}: ${name} is not free: ${how} ${obstacle}${offer}`;
  throw new ImpingeError('bad-input', message, { end: name, obstacle, depth, source, ...(free && { free }) });
}

interface Met {
  readonly obstacle: string;
  readonly source: Obstacle['source'] | undefined;
  /** Undefined: it is only too near. */
  readonly depth: number | undefined;
}

/** The obstacle that the body is deepest in. */
function whatIsHit({ free }: RigidSpace, pose: RigidPose): Met {
  let deepest: Met = { obstacle: 'obstacles', source: undefined, depth: undefined };
  for (const { pair } of free.near(pose, free.clearance)) {
    const { mesh, pose: poseA, source } = pair.obstacle;
    const obstacle = source.name || ('id' in source ? `object ${source.id}` : 'an obstacle');
    const { overlapping, depth } = penetration(mesh, pair.body, { poseA, poseB: pose });
    if (overlapping && depth > (deepest.depth ?? -1)) deepest = { obstacle, source, depth };
    else if (deepest.depth === undefined && free.contactAt(pair, pose, free.clearance))
      deepest = { obstacle, source, depth: undefined };
  }
  return deepest;
}

/** A free pose near one, undefined where none was found quickly. */
function nearestFree(space: RigidSpace, pose: RigidPose): RigidPose | undefined {
  const { free } = space;
  const near = [0, 0, 0];
  posePoint(pose, free.ball.centre[0], free.ball.centre[1], free.ball.centre[2], near, 0);
  const { radius } = free.ball;
  const search = new NearestPlace({
    ...{ free, balls: new InnerBalls(free.body), turn: pose, near, up: undefined },
    region: { min: near.map((x) => x - FARTHEST * radius), max: near.map((x) => x + FARTHEST * radius) },
    accuracy: ACCURACY * radius,
    most: Infinity,
  });
  while (search.cells < MOST_CELLS && search.step());
  const found = search.best?.pose;
  return found && space.keepsClear(space.stateOf(found)) ? found : undefined;
}

function shortly(x: number): string {
  return String(Number(x.toPrecision(6)));
}
