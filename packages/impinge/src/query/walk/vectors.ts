/** Vectors of three numbers. */
import type { Vec3 } from '../../math/pose.js';

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** a + b · share. */
export function plus(a: ArrayLike<number>, b: ArrayLike<number>, share = 1): Vec3 {
  return [a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]];
}

export function times(a: ArrayLike<number>, factor: number): Vec3 {
  return [factor * a[0], factor * a[1], factor * a[2]];
}

export function cross(a: ArrayLike<number>, b: ArrayLike<number>): Vec3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function lengthOf(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a));
}

/** The same direction with length 1; zero stays zero. */
export function unit(a: ArrayLike<number>): Vec3 {
  const length = lengthOf(a);
  return length > 0 ? times(a, 1 / length) : [0, 0, 0];
}

/** What of a vector is across a unit vector. */
export function across(a: ArrayLike<number>, along: ArrayLike<number>): Vec3 {
  return plus(a, along, -dot(a, along));
}
