/** The error in space of a selection, as callers give it, in the form that fronts take. */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import { readAtMost, readKnown, shown } from 'impinge/internal/base/options.js';
import { steady } from 'impinge/internal/mesh/mesh-arrays.js';
import type { Demand } from './object-front.js';
import type { ErrorNear, SelectLevelsOptions } from './types.js';

type Given = NonNullable<SelectLevelsOptions['collisionError']>;

export function readCollisionError(given: Given): Pick<Demand, 'error' | 'near'> {
  if (typeof given === 'function') {
    return { error: (box) => readAtMost('collisionError', given(box)), near: undefined };
  }
  if (typeof given !== 'object' || given === null) {
    return { error: readAtMost('collisionError', given), near: undefined };
  }
  const near = readErrorNear(given);
  const { box, error } = near;
  const meets = (other: Float64Array) =>
    [0, 1, 2].every((k) => other[k] <= box[k + 3] && other[k + 3] >= box[k]);
  return { error: (other) => (meets(other) ? error : Infinity), near };
}

function readErrorNear(given: ErrorNear): ErrorNear {
  const { box, error } = readKnown('collisionError', given, { box: true, error: true });
  const own = Float64Array.from(steady(box as number[]) ?? []);
  if (own.length === 6 && !own.some(Number.isNaN)) return { box: own, error: readAtMost('error', error) };
  throw new ImpingeError('bad-option', `collisionError needs a box of six numbers, got ${shown(box)}`, {
    option: 'collisionError',
  });
}

/** Whether two selections ask for the same. */
export function isSameNear(a: ErrorNear | undefined, b: ErrorNear | undefined): boolean {
  if (!a || !b) return a === b;
  return a.error === b.error && Array.from(a.box).every((x, k) => x === b.box[k]);
}
