/**
 * Answers written into objects of the caller, which allocates nothing. What such an object has of an answer is written
 * to; points and normals are lists of three numbers, or have x, y and z, as `Vector3` of three.js.
 */
import { ImpingeError } from '../../base/errors.js';
import { shown } from '../../base/options.js';
import type { Vec3 } from '../../math/pose.js';
import type { BriefHit } from './hit-columns.js';

/** Where three numbers of an answer go. */
export type PointTarget = { x: number; y: number; z: number } | ArrayLike<number>;

/** Where a hit goes, or a closest point. */
export interface HitTarget {
  distance?: number;
  triangle?: number;
  readonly point?: PointTarget;
  readonly barycentrics?: PointTarget;
  readonly normal?: PointTarget;
  /** Of rays. */
  back?: boolean;
  /** Of targets that are no meshes: the object, and the piece of it. */
  object?: unknown;
  piece?: number | undefined;
}

/** The option. */
export interface Into<To extends HitTarget = HitTarget> {
  /** What is there of it is written to, and it is what is returned: nothing is allocated. */
  readonly into?: To | undefined;
}

export function readInto(options: (Into & { readonly mode?: unknown }) | undefined): HitTarget | undefined {
  const into = options?.into;
  if (into === undefined || (Object(into) === into && options?.mode !== 'all')) return into;
  throw new ImpingeError('bad-option', `into must be an object, for one hit, got ${shown(into)}`, {
    option: 'into',
  });
}

/** A hit of whatever was asked about. */
interface FullHit {
  readonly distance: number;
  readonly triangle: number;
  readonly point: Vec3;
  readonly barycentrics: Vec3;
  readonly normal: Vec3;
  readonly back?: boolean;
  readonly object?: unknown;
  readonly piece?: number | undefined;
}

/** Writes a hit, or makes one: its point and its normal are the six numbers of `place`. */
export function writeHit<To extends HitTarget>(
  to: To | undefined,
  { distance, triangle, u, v }: BriefHit,
  p: ArrayLike<number>,
  back?: boolean,
): HitTarget {
  if (to === undefined) {
    const point = [p[0], p[1], p[2]];
    const barycentrics = [1 - u - v, u, v];
    const normal = [p[3], p[4], p[5]];
    // one literal each: a property that comes later takes longer than the rest of the question
    return back === undefined
      ? { distance, point, triangle, barycentrics, normal }
      : { distance, triangle, point, barycentrics, normal, back };
  }
  try {
    to.distance = distance;
    to.triangle = triangle;
    writePoint(to.point, p[0], p[1], p[2]);
    writePoint(to.barycentrics, 1 - u - v, u, v);
    writePoint(to.normal, p[3], p[4], p[5]);
    if (back !== undefined) to.back = back;
    return to;
  } catch {
    throw new ImpingeError('bad-option', 'into cannot be written to', { option: 'into' });
  }
}

/** The same of a hit that is there: undefined of none. Of all targets but meshes, and stretched meshes. */
export function copyHit<To extends HitTarget>(to: To | undefined, hit: FullHit): To | FullHit;
export function copyHit<To extends HitTarget>(
  to: To | undefined,
  hit: FullHit | undefined,
): To | FullHit | undefined;
export function copyHit<To extends HitTarget>(to: To | undefined, hit: FullHit | undefined) {
  if (!to || !hit) return hit;
  const { distance, triangle, point, barycentrics, normal, back, object, piece } = hit;
  const [, u, v] = barycentrics;
  writeHit(to, { distance, triangle, u, v }, [...point, ...normal], back);
  return Object.assign(to, { object, piece });
}

function writePoint(to: PointTarget | undefined, x: number, y: number, z: number): void {
  if (to === undefined) return;
  const vector = to as { x: number; y: number; z: number };
  if (vector.x === undefined) {
    const list = to as number[];
    list[0] = x;
    list[1] = y;
    list[2] = z;
  } else {
    vector.x = x;
    vector.y = y;
    vector.z = z;
  }
}
