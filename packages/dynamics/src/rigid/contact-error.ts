/** The permitted error of contacts in a simulation: a length, or what a `ContactPair` takes as `allowed`. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readLength } from 'impinge/internal/base/options.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import {
  type Allowance,
  type Allowed,
  type BodyMotion,
  readAllowed,
} from 'impinge/internal/query/pair/allowed.js';

/** As `Allowed`, but for how bodies move: the simulation knows that. */
export interface AllowedError extends Omit<Allowed, 'speed'> {
  /** This many seconds, times the relative velocity of the two bodies where they touch. */
  readonly speed?: { readonly seconds: number };
}

/** How two bodies are placed and move in the world. */
export interface PlacedPair {
  /** The frame of a about its centre. */
  readonly aToWorld: RigidPose;
  readonly motionA: BodyMotion;
  readonly motionB: BodyMotion;
}

const STILL: BodyMotion = { velocity: [0, 0, 0] };
const AT_REST: PlacedPair = {
  aToWorld: Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0) as RigidPose,
  motionA: STILL,
  motionB: STILL,
};

/** Throws for an error outside its domain; a copy, so that it does not change unnoticed. */
export function readContactError(name: string, error: number | AllowedError): number | AllowedError {
  const speed: object | undefined = Object(error).speed;
  if (speed && ('a' in speed || 'b' in speed))
    throw new ImpingeError('bad-option', `${name}.speed takes seconds only: how bodies move is known`);
  allowanceAt(error, undefined, [0, 0, 0], name);
  return typeof error === 'number' ? error : structuredClone(error);
}

/**
 * What is allowed for two bodies, in the numbers of a, to which `origin` is added for its frame about the centre;
 * without a place, for two at rest in the world.
 */
export function allowanceAt(
  error: number | AllowedError,
  placed: (() => PlacedPair) | undefined,
  origin: Vec3,
  name = 'error',
): Allowance {
  if (typeof error === 'number') return { size: readLength(name, error) };
  const { aToWorld, motionA, motionB } = placed?.() ?? AT_REST;
  const { speed } = Object(error) as AllowedError;
  const allowed: Allowed = speed
    ? { ...error, speed: { ...speed, a: motionA, b: motionB } }
    : (error as Allowed);
  return readAllowed(name, allowed, aToWorld, origin);
}

/** Whether two are the same. */
export function sameAllowance(one: Allowance, other: Allowance): boolean {
  return one.size === other.size && JSON.stringify(one) === JSON.stringify(other);
}

/** The length in it; 0 where there is none. */
export function lengthOf(error: number | AllowedError): number {
  return typeof error === 'number' ? error : (error.size ?? 0);
}
