/** What is asked about two targets, as targets are asked that know a faster way to the answer than part by part. */
import { readLength } from '../../base/options.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Scene } from '../../scene/scene.js';
import type { Target } from '../target.js';
import type { Allowed } from './allowed.js';
import type { Budget } from './budget.js';

/** A place that a limit of error is asked about: a box, in which a pair's point of a is, and what is known of both. */
export interface ErrorBounds {
  /** Minimum and maximum, in the world (in a's frame when only `pose` is given). */
  readonly box: Float64Array;
  /** The largest extents of a and b. */
  readonly sizeA: number;
  readonly sizeB: number;
  /** How far a point of b has moved at most, seen from a, since the two were last asked about; 0 the first time. */
  readonly moved: number;
}

/**
 * How far answers may be off: a length; one that follows size, speed and view; or a function that returns the least
 * error permitted anywhere in a box, so that a decision for the box holds for all that is in it. For a box within
 * another it must not return less.
 */
export type ErrorLimit = number | Allowed | ((bounds: ErrorBounds) => number);

export interface ErrorOptions {
  /** How far the answer may be off, where it saves time: for models with levels (default 0). */
  readonly error?: ErrorLimit;
  /** Goes on to the original triangles whatever the error: the answer is the same as without one (default false). */
  readonly exact?: boolean;
}

export const ERROR_NAMES = { error: true, exact: true } as const;

export function readErrorLimit({ error = 0, exact }: ErrorOptions): ErrorLimit {
  // what depends on the place is read by targets that know of errors
  const limit = Object(error) === error ? error : readLength('error', error as number);
  return exact ? 0 : limit;
}

/** Two targets that answer at once are answered for at once; where one of the two promises, so does the answer. */
export type PairAnswer<A extends Target, B extends Target, One> = A extends Mesh | Scene
  ? B extends Mesh | Scene
    ? One
    : Promise<One>
  : Promise<One>;

export interface PairRequest {
  readonly a: Target;
  readonly b: Target;
  /** From b's frame to a's, and from a's to the world. */
  readonly bToA: RigidPose;
  readonly aToWorld: RigidPose;
  /** How far the answer may be off. A target may always do better. */
  readonly error: ErrorLimit;
  /** Who moves: what a target remembers between questions, it remembers for that one (default: for the other side). */
  readonly mover?: object;
}

export interface PairsRequest extends PairRequest {
  readonly distance: number;
  readonly limit: number;
  /** What it may cost, as callers gave it: targets that know of errors read it. */
  readonly budget?: Budget | undefined;
  /** How large patches may be that answers with an error are made of; whole pieces if undefined. */
  readonly patch?: number | undefined;
}

export interface HitsRequest extends PairRequest {
  readonly distance: number;
  /** Whether pairs of triangles are counted, or not. */
  readonly mode: 'all' | 'any';
}

export interface ClosestRequest extends PairRequest {
  readonly atMost: number;
}

export interface ContactsRequest extends PairRequest {
  readonly distance: number;
}
