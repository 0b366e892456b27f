/** Whether a search can begin: its ends are within bounds and free, or the error says why not and what is free near. */
import { ImpingeError, penetration } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { Obstacle } from '../obstacles.js';
import type { RigidSpace } from './rigid-space.js';
import { apart, type State } from './state-space.js';

/** States tried near one that is not free, at distances from a small share of the body to about its size. */
const TRIES = 200;
const STEPS = 20;
const NEAREST = 1e-3;
/** Of the step before a free pose. */
const HALVINGS = 4;

/** The first pose is the start, the others are goals. */
export function checkEnds(space: RigidSpace, poses: readonly RigidPose[]): void {
  poses.forEach((pose, i) => {
    const name = i === 0 ? 'the start' : poses.length > 2 ? `goals[${i - 1}]` : 'the goal';
    const state = space.stateOf(pose);
    if (!space.isInBounds(state)) {
      const centre = [...state.subarray(0, 3)].map(shortly).join(', ');
      throw new ImpingeError('bad-input', `findPath: ${name} is out of bounds: its centre is at ${centre}`);
    }
    // the pose that motions begin at, which rounds differently
    if (!space.keepsClear(state)) refuse(space, space.poseOf(state), name);
  });
}

function refuse(space: RigidSpace, pose: RigidPose, name: string): never {
  const { obstacle, depth, source } = whatIsHit(space, pose);
  const free = nearestFree(space, pose);
  const offer = free ? `; free nearby: translation ${[...free.subarray(9)].map(shortly).join(', ')}` : '';
  const how =
    depth === undefined
      ? 'nearer than the clearance to'
      : depth > 0
        ? `${shortly(depth)} deep in`
        : 'touching';
  const message = `findPath: ${name} is not free: ${how} ${obstacle}${offer}`;
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
  for (const { obstacle: one } of free.near(pose, free.clearance)) {
    const { source } = one;
    const obstacle = source.name || ('id' in source ? `object ${source.id}` : 'an obstacle');
    const { overlapping, depth } = penetration(one.mesh, free.body, { poseA: one.pose, poseB: pose });
    if (overlapping && depth > (deepest.depth ?? -1)) deepest = { obstacle, source, depth };
    else if (deepest.depth === undefined && free.contactAt(one, pose, free.clearance))
      deepest = { obstacle, source, depth: undefined };
  }
  return deepest;
}

/** A free pose near one, undefined where none was found quickly: moved straight, or turned where that does not do. */
function nearestFree(space: RigidSpace, pose: RigidPose): RigidPose | undefined {
  const state = space.stateOf(pose);
  const free = nearestMoved(space, state) ?? nearestTurned(space, state);
  return free && space.poseOf(free);
}

/** Along the axes and between them. */
function nearestMoved(space: RigidSpace, state: State): State | undefined {
  const size = space.free.ball.radius;
  let below = 0;
  for (let i = 0; i <= STEPS; i++) {
    const distance = size * NEAREST ** (1 - i / STEPS);
    for (let n = 0; n < 27; n++) {
      const way = [n % 3, Math.floor(n / 3) % 3, Math.floor(n / 9)].map((x) => x - 1);
      const length = Math.hypot(...way);
      if (length === 0) continue;
      const at = (far: number) => state.map((x, k) => (k < 3 ? x + (far * way[k]) / length : x));
      if (!space.keepsClear(at(distance))) continue;
      let free = distance;
      for (let halving = 0; halving < HALVINGS; halving++) {
        const middle = 0.5 * (below + free);
        if (space.keepsClear(at(middle))) free = middle;
        else below = middle;
      }
      return at(free);
    }
    below = distance;
  }
  return undefined;
}

function nearestTurned(space: RigidSpace, state: State): State | undefined {
  const random = new SeededRandom(1);
  const size = space.free.ball.radius;
  let best: State | undefined;
  let least = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const distance = Math.min(least, size * NEAREST ** (1 - (i % STEPS) / STEPS));
    const near = space.sampleNear(state, distance, random);
    const way = apart(space, state, near);
    if (way < least && space.keepsClear(near)) {
      least = way;
      best = near;
    }
  }
  return best;
}

function shortly(x: number): string {
  return String(Number(x.toPrecision(6)));
}
