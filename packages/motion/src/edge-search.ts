/**
 * Whether a motion keeps clear of one obstacle, and if not, when it first comes near.
 *
 * Idea: the kernel walks both trees over space and time (kernels/motion/motion.ts). It proves that a motion is free, or
 * finds some hit. `timeOfImpact` finds the first contact before a hit, and decides what the kernel leaves open: motions
 * that graze the obstacle, for which it knows more directions.
 * Errs: `free` is a proof. Times are never later than the first contact. What comes nearer than the clearance and the
 * accuracy without a contact that is found is `undecided`.
 */
import {
  type Mesh,
  type Motion,
  type SceneObject,
  type TimeOfImpactResult,
  timeOfImpact,
  type Vec3,
} from 'impinge';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import type { HeldPair } from './held-pair.js';
import { checkMotion } from './kernel-queries.js';
import { type Ball, MotionReach } from './motion-reach.js';

export type MotionVerdict = 'free' | 'hit' | 'undecided';

/** Where a body comes nearest to an obstacle. */
export interface MotionContact {
  /** The mesh, or the object of a scene. */
  readonly obstacle: Mesh | SceneObject;
  readonly distance: number;
  /** The closest points, in the world. */
  readonly pointObstacle: Vec3;
  readonly pointBody: Vec3;
  /** Unit vector from the obstacle to the body; zero where the points are one. */
  readonly normal: Vec3;
  readonly triangleObstacle: number;
  readonly triangleBody: number;
}

export interface Found {
  readonly verdict: MotionVerdict;
  /** Never later than the first contact; the motion is proved free up to here. Infinity where it is free. */
  readonly time: number;
  readonly contact: MotionContact | undefined;
}

/** What a search asks of a body among obstacles. */
export interface EdgeSpace {
  readonly ball: Ball;
  readonly clearance: number;
  readonly accuracy: number;
  readonly counts: { searches: number; impacts: number };
  /** Whether they are at most their clearance apart. */
  touches(pair: HeldPair, pose: RigidPose): boolean;
  contactAt(pair: HeldPair, pose: RigidPose): MotionContact | undefined;
}

const FREE: Found = { verdict: 'free', time: Infinity, contact: undefined };

/** Share of the accuracy that the first step of looking for a certain hit goes, in reach. */
const FIRST_STEP = 0.25;

/** More than float64 loses in poses and distances, relative to the numbers that appear. */
const ROUNDING = 4e-14;

export class EdgeSearch {
  readonly #space: EdgeSpace;
  readonly #motion: RigidMotion;
  readonly #given: Motion;
  readonly #speed: number;
  /** More than rounding takes from distances. */
  readonly #slack: number;
  /** All of the body, at all times, is within this of the middle of its ball at the start. */
  readonly #middle = new Float64Array(3);
  readonly #most: number;

  /** `far` is the largest coordinate of what stands and of the body. */
  constructor(space: EdgeSpace, motion: Motion, far: number) {
    this.#space = space;
    this.#given = motion;
    const { start } = (this.#motion = new RigidMotion(motion, 'motion'));
    const reach = new MotionReach(this.#motion, space.ball);
    const { centre, radius } = space.ball;
    const most = Math.max(Math.abs(start[9]), Math.abs(start[10]), Math.abs(start[11]));
    this.#speed = reach.speed;
    this.#slack = ROUNDING * (far + most + reach.speed);
    posePoint(start, centre[0], centre[1], centre[2], this.#middle, 0);
    this.#most = radius + reach.within(1) + this.#slack;
  }

  /** Around all of the motion. */
  get box(): Float64Array {
    const box = new Float64Array(6);
    for (let k = 0; k < 3; k++) {
      box[k] = this.#middle[k] - this.#most;
      box[3 + k] = this.#middle[k] + this.#most;
    }
    return box;
  }

  /** Whether all of the motion keeps clear of a box, minimum and maximum. */
  passesBy(box: Float64Array): boolean {
    const middle = this.#middle;
    let gapSq = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(0, box[k] - middle[k], middle[k] - box[3 + k]);
      gapSq += gap * gap;
    }
    return gapSq > (this.#most + this.#space.clearance) ** 2;
  }

  /** Looks at times up to `end`; with `first` for the first contact, else for any. */
  against(pair: HeldPair, end: number, first: boolean): Found {
    const { accuracy, counts } = this.#space;
    const { obstacle, body, clearance } = pair;
    counts.searches++;
    const asked = { clearance, accuracy, slack: this.#slack };
    const { verdict, hit } = checkMotion(obstacle, body, this.#motion, asked);
    if (verdict === 'free') return FREE;
    if (verdict === 'hit' && !first) return { verdict, time: hit, contact: undefined };
    if (verdict === 'long' && !first) return { verdict: 'undecided', time: 0, contact: undefined };
    const until = Math.min(hit, end);
    const met = this.#firstImpact(pair, until);
    if (met.time <= 1) {
      const time = met.time * until;
      const isHit = hit <= end || this.#touchesFrom(pair, time, end);
      return { verdict: isHit ? 'hit' : 'undecided', time, contact: contactOf(pair, met) };
    }
    if (hit > end) return FREE;
    // only where the search, which rounds otherwise, takes the last instant for free
    return { verdict: 'hit', time: hit, contact: this.#space.contactAt(pair, this.#motion.poseAt(hit)) };
  }

  /** The first contact up to a time, or none; its time is a share of that. */
  #firstImpact({ obstacle, body, clearance }: HeldPair, until: number): TimeOfImpactResult {
    const { accuracy, counts } = this.#space;
    counts.impacts++;
    const { kind = 'linear', centre = [0, 0, 0] } = this.#given;
    const piece =
      until === 1 ? this.#given : { from: this.#motion.start, to: this.#motion.poseAt(until), kind, centre };
    return timeOfImpact(obstacle.mesh, body, {
      motionA: { from: obstacle.pose },
      motionB: piece,
      distance: clearance + this.#slack,
      accuracy,
    });
  }

  /** Whether there certainly is a contact soon after a time at which the body is nearly in contact. */
  #touchesFrom(pair: HeldPair, time: number, end: number): boolean {
    if (this.#touchesAt(pair, time)) return true;
    const { accuracy } = this.#space;
    if (this.#speed === 0) return false;
    for (let step = (FIRST_STEP * accuracy) / this.#speed; ; step *= 2) {
      if (this.#touchesAt(pair, Math.min(time + step, end))) return true;
      if (time + step >= end) return false;
    }
  }

  #touchesAt(pair: HeldPair, time: number): boolean {
    return this.#space.touches(pair, this.#motion.poseAt(time));
  }
}

function contactOf({ obstacle }: HeldPair, met: TimeOfImpactResult): MotionContact {
  return {
    obstacle: obstacle.source,
    distance: met.distance,
    pointObstacle: met.pointA!,
    pointBody: met.pointB!,
    normal: met.normal!,
    triangleObstacle: met.triangleA,
    triangleBody: met.triangleB,
  };
}
