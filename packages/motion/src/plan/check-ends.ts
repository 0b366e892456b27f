/** Whether a search can begin: its ends are within bounds and free, or the error says why not and what is free near. */
import { ImpingeError, penetration } from 'impinge';
import { SeededRandom } from 'impinge/internal/base/seeded-random.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import type { RigidSpace } from './rigid-space.js';
import { apart } from './state-space.js';

/** States tried near one that is not free, at distances from a small share of the body to about its size. */
const TRIES = 200;
const NEAREST = 1e-3;

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
  const { obstacle, depth } = whatIsHit(space, pose);
  const free = nearestFree(space, pose);
  const offer = free ? `; free nearby: translation ${[...free.subarray(9)].map(shortly).join(', ')}` : '';
  const message = `findPath: ${name} is not free: ${depth} ${obstacle}${offer}`;
  throw new ImpingeError('bad-input', message, { end: name, ...(free && { free }) });
}

function whatIsHit({ free }: RigidSpace, pose: RigidPose): { obstacle: string; depth: string } {
  let deepest = { obstacle: 'obstacles', depth: 'nearer than the clearance to' };
  let most = -1;
  for (const pair of free.pairs) {
    const { mesh, pose: poseA, source } = pair.obstacle;
    const obstacle = 'id' in source ? `object ${source.id}` : source.name || 'an obstacle';
    const { overlapping, depth } = penetration(mesh, pair.body, { poseA, poseB: pose });
    if (overlapping && depth > most) {
      most = depth;
      deepest = { obstacle, depth: depth > 0 ? `${shortly(depth)} deep in` : 'touching' };
    } else if (most < 0 && free.clearance > 0 && free.contactAt(pair, pose, free.clearance)) {
      deepest.obstacle = obstacle;
    }
  }
  return deepest;
}

/** A free pose near one, undefined where none was found quickly. */
function nearestFree(space: RigidSpace, pose: RigidPose): RigidPose | undefined {
  const random = new SeededRandom(1);
  const state = space.stateOf(pose);
  const size = space.free.ball.radius;
  let best: Float64Array | undefined;
  let least = Infinity;
  for (let i = 0; i < TRIES; i++) {
    const distance = Math.min(least, size * NEAREST ** (1 - (i % 20) / 20));
    const near = space.sampleNear(state, distance, random);
    const way = apart(space, state, near);
    if (way < least && space.keepsClear(near)) {
      least = way;
      best = near;
    }
  }
  return best && space.poseOf(best);
}

function shortly(x: number): string {
  return String(Number(x.toPrecision(6)));
}
