/** Points and vectors as callers give them: every call reads them here. */
import { ImpingeError, type ImpingeErrorCode } from '../base/errors.js';
import { shown } from '../base/options.js';

/** A place, a direction or lengths along axes: a list of three numbers, or x, y and z, as `Vector3` of three.js. */
export type Point = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** Where three numbers are written. */
export type ThreeNumbers = Float64Array | number[];

/**
 * Writes the three finite numbers of a point to `out` from `at` on, and returns `out`. Anything else is refused by its
 * name, which says whose argument it is; `code` is that of what is no point.
 */
export function readPoint<Out extends ThreeNumbers>(
  name: string,
  given: Point | undefined,
  out: Out,
  at = 0,
  code: ImpingeErrorCode = 'bad-input',
): Out {
  const p = given as { readonly [k: number]: number; x: number; y: number; z: number; length: unknown };
  // vectors of three.js have a method named length; engines keep numbers as such where the two ways stay apart
  const isList = p?.length === 3;
  if (isList ? put(p[0], p[1], p[2], out, at) : put(p?.x, p?.y, p?.z, out, at)) return out;
  const got: unknown[] = isList ? [p[0], p[1], p[2]] : [p?.x, p?.y, p?.z];
  const isPoint = got.every((one) => typeof one === 'number');
  throw new ImpingeError(
    isPoint ? 'non-finite' : code,
    `${name} must be 3 finite numbers, or x, y and z, got ${shown(isPoint ? got : given)}`,
  );
}

function put(x: number, y: number, z: number, out: ThreeNumbers, at: number): boolean {
  if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) return false;
  out[at] = x;
  out[at + 1] = y;
  out[at + 2] = z;
  return true;
}
