/** Points and boxes as callers give them. */
import { ImpingeError, type Vec3 } from 'impinge';
import { readKnown } from 'impinge/internal/base/options.js';
import { dot, times } from 'impinge/internal/query/walk/vectors.js';

/** Minimum and maximum of where the centre of the body may be. */
export interface Bounds {
  readonly min: ArrayLike<number>;
  readonly max: ArrayLike<number>;
}

export function readBounds(bounds: Bounds): Bounds {
  const { min, max } = readKnown('bounds', bounds, { min: true, max: true });
  readPoint('bounds.min', min);
  readPoint('bounds.max', max);
  for (let k = 0; k < 3; k++) {
    if (min[k] > max[k]) {
      throw new ImpingeError('bad-option', `bounds leave no room: min is ${min[k]} and max ${max[k]}`);
    }
  }
  return { min, max };
}

/** Three finite numbers. */
export function readPoint(name: string, point: ArrayLike<number>): ArrayLike<number> {
  const isPoint = point?.length === 3 && [0, 1, 2].every((k) => Number.isFinite(point[k]));
  if (!isPoint) throw new ImpingeError('bad-option', `${name} must be three finite numbers`);
  return point;
}

/** Three finite numbers that are not all zero, as a vector of length 1. */
export function readDirection(name: string, given: ArrayLike<number>): Vec3 {
  readPoint(name, given);
  const length = Math.sqrt(dot(given, given));
  if (!(length > 0)) throw new ImpingeError('bad-option', `${name} has no direction`);
  return times(given, 1 / length);
}
