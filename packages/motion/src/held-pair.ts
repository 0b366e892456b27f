/**
 * Which body must keep away from an obstacle: the body itself, or, where the two are in contact from the start and may
 * be, the body drawn in by just enough (drawn-in.ts); or from the obstacle drawn in, which proves the same.
 *
 * Of the halves of halves of the depth that is allowed, the least that parts them is taken, or √2 times that, for a
 * motion to have some room: so they get at most three times as deep as drawing in needs at the start. That is looked
 * for once, and holds for all of the motion.
 */
import type { Mesh, SceneObject } from 'impinge';
import { ImpingeError } from 'impinge';
import { shown } from 'impinge/internal/base/options.js';
import type { RigidPose } from 'impinge/internal/math/pose.js';
import { DrawnIn } from './drawn-in.js';
import { Obstacle } from './obstacles.js';

/**
 * How deep the body may be in an obstacle that it touches at the start, or in each: Infinity where it may pass through.
 */
export type AllowedDepth = number | ((obstacle: Mesh | SceneObject) => number);

export interface HeldPair {
  readonly obstacle: Obstacle;
  /** What is compared with the obstacle. */
  readonly body: Mesh;
  /** It is held to more than this distance. */
  readonly clearance: number;
  /** The two get nowhere deeper into each other than this: 0 where they do not touch. */
  readonly depth: number;
}

/** Where contact is allowed, and how deep. */
export interface StartContact {
  readonly poses: readonly RigidPose[];
  readonly allowed: AllowedDepth;
}

/** Depths that are tried: the finest is this often halved. */
const HALVINGS = 10;

/** `isFree` tells whether a pair is apart at a pose. */
export function holdPairs(
  body: Mesh,
  obstacles: readonly Obstacle[],
  clearance: number,
  contact: StartContact | undefined,
  isFree: (pair: HeldPair, pose: RigidPose) => boolean,
): HeldPair[] {
  const whole = obstacles.map((obstacle) => ({ obstacle, body, clearance, depth: 0 }));
  if (!contact) return whole;
  const parts = (pair: HeldPair) => contact.poses.every((pose) => isFree(pair, pose));
  const drawnBody = new DrawnIn(body);
  const pairs = whole.flatMap((pair) => {
    const { obstacle } = pair;
    const most = readAllowed(contact.allowed, obstacle);
    if (most === Infinity) return [];
    if (most === 0 || parts(pair)) return [pair];
    const first = leastParting(most, parts, (length) => {
      const { mesh, depth } = drawnBody.by(length);
      return { obstacle, body: mesh, clearance: 0, depth };
    });
    if (first) return [first];
    // a thin body has little to draw in: then the obstacle may
    const drawn = new DrawnIn(obstacle.mesh);
    const second = leastParting(most, parts, (length) => {
      const { mesh, depth } = drawn.by(length);
      return { obstacle: new Obstacle(mesh, obstacle.pose, obstacle.source), body, clearance: 0, depth };
    });
    drawn.keep(new Set(second && [second.obstacle.mesh]));
    return [second ?? pair];
  });
  drawnBody.keep(new Set(pairs.map((pair) => pair.body)));
  return pairs;
}

/** The pair drawn in by the least of the depths up to `most` that parts it, and a little more. */
export function leastParting<Pair>(
  most: number,
  parts: (pair: Pair) => boolean,
  drawnBy: (length: number) => Pair | undefined,
): Pair | undefined {
  // from the finest: what is thin may be turned inside out by more, and meet again
  for (let halvings = HALVINGS; halvings >= 0; halvings--) {
    const length = most * 2 ** -halvings;
    const pair = drawnBy(length);
    if (!pair || !parts(pair)) continue;
    const [finer, roomier] = [drawnBy(length * Math.SQRT1_2), halvings > 0 && drawnBy(length * Math.SQRT2)];
    return !roomier || (finer && parts(finer)) || !parts(roomier) ? pair : roomier;
  }
  return undefined;
}

function readAllowed(allowed: AllowedDepth, { source }: Obstacle): number {
  return readDepth(typeof allowed === 'function' ? allowed(source) : allowed);
}

/** A depth that is allowed, as callers give it. */
export function readDepth(depth: unknown): number {
  if (typeof depth !== 'number' || !(depth >= 0))
    throw new ImpingeError('bad-option', `allowed must be at least 0, got ${shown(depth)}`);
  return depth;
}
