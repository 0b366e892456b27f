/** Points and boxes as callers give them. */
import { ImpingeError, type Point, type Vec3 } from 'impinge';
import { readPoint as readAnyPoint } from 'impinge/internal/math/point.js';
import { dot, times } from 'impinge/internal/query/walk/vectors.js';

/** Minimum and maximum of where the centre of the body may be. */
export interface Bounds {
  readonly min: Point;
  readonly max: Point;
}

/** The same as numbers. */
export interface Room {
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

export function readBounds(bounds: Bounds): Room {
  const { min: low, max: high } = Object(bounds) as Bounds;
  const [min, max] = [readPoint('bounds.min', low), readPoint('bounds.max', high)];
  for (let k = 0; k < 3; k++) {
    if (min[k] > max[k]) {
      throw new ImpingeError('bad-option', `bounds leave no room: min is ${min[k]} and max ${max[k]}`);
    }
  }
  return { min, max };
}

/** Three finite numbers. */
export function readPoint(name: string, point: Point): Vec3 {
  const [x, y, z] = readAnyPoint(name, point, [0, 0, 0], 0, 'bad-option');
  return [x, y, z];
}

/** Three finite numbers that are not all zero, as a vector of length 1. */
export function readDirection(name: string, given: Point): Vec3 {
  const way = readPoint(name, given);
  const length = Math.sqrt(dot(way, way));
  if (!(length > 0)) throw new ImpingeError('bad-option', `${name} has no direction`);
  return times(way, 1 / length);
}
