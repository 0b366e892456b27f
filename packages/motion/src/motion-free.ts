/**
 * Whether a rigid body moves freely from one pose to another: a proof, the first contact, or neither within accuracy.
 */
import type { Mesh, Motion } from 'impinge';
import { readKnown } from 'impinge/internal/base/options.js';
import { RigidMotion } from 'impinge/internal/math/motion.js';
import type { MotionContact, MotionVerdict } from './edge-search.js';
import { FreeSpace } from './free-space.js';
import type { AllowedDepth } from './held-pair.js';
import type { Obstacles } from './obstacles.js';

export interface MotionFreeOptions extends Motion {
  /** Distances of at most this are contacts (default 0: touching is). */
  readonly clearance?: number;
  /** How near the motion may come beyond the clearance and be `undecided` (default: 10⁻⁶ of the body's size). */
  readonly accuracy?: number;
  /**
   * How deep the body may be in an obstacle that it touches, or is too near to, at the start (default 0). These are not
   * held to the clearance, and get no deeper than `depth`.
   */
  readonly allowed?: AllowedDepth;
}

export interface MotionFreeResult {
  /**
   * `free`: proved, at every time the body keeps more than the clearance, and neither lies in the other. `hit`: at some
   * time it does not. `undecided`: it comes within the clearance and the accuracy, and no contact was found.
   */
  readonly verdict: MotionVerdict;
  /** From 0 to 1, never later than the first contact: proved free before. Infinity where all is free. */
  readonly time: number;
  /** At that time: nearer than the clearance and the accuracy. Undefined where free, or where one is in the other. */
  readonly contact: MotionContact | undefined;
  /** The most that the body is in an obstacle, at any time that is proved: 0 where it touches none at the start. */
  readonly depth: number;
  readonly stats: {
    /** Obstacles near which the motion was searched, and those for which `timeOfImpact` was asked. */
    readonly searches: number;
    readonly impacts: number;
  };
}

const NAMES = {
  from: true,
  to: true,
  kind: true,
  centre: true,
  clearance: true,
  accuracy: true,
  allowed: true,
} as const;

/**
 * Finds out whether a body moves freely among obstacles. Those with closed meshes are solids, as is the body: being
 * inside is a hit, too. The obstacles stand still.
 */
export function motionFree(body: Mesh, obstacles: Obstacles, options: MotionFreeOptions): MotionFreeResult {
  const { from, to, kind, centre, allowed = 0, ...limits } = readKnown('motionFree', options, NAMES);
  const motion: Motion = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(kind !== undefined && { kind }),
    ...(centre !== undefined && { centre }),
  };
  const start = new RigidMotion(motion, 'motionFree').start;
  const contact = { poses: [start], allowed };
  const space = new FreeSpace(body, obstacles, { ...limits, contact });
  const found = space.along(motion, true);
  const { searches, impacts } = space.counts;
  const about = { depth: space.depth, stats: { searches, impacts } };
  // without contact, what is inside at the start stays inside
  if (found.time > 0 && !space.isFree(start)) {
    return { verdict: 'hit', time: 0, contact: undefined, ...about };
  }
  return { ...found, ...about };
}
