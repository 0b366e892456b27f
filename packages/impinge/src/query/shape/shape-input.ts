/** Shapes as callers give them. */
import { ImpingeError } from '../../base/errors.js';
import { readLength, shown } from '../../base/options.js';
import { type LinearPose, readLinearPose } from '../../math/linear-map.js';
import { type Point, readPoint } from '../../math/point.js';
import { carvePose, type MatrixLike, type Pose, posePoint } from '../../math/pose.js';
import { steady } from '../../mesh/mesh-arrays.js';

/** All points within `radius` of a centre; `center`, as `Sphere` of three.js has it, is the same. */
export type SphereShape = { readonly radius: number } & (
  | { readonly centre: Point }
  | { readonly center: Point }
);
/** All points within `radius` of a segment. */
export interface CapsuleShape {
  readonly from: Point;
  readonly to: Point;
  readonly radius: number;
}
/** All points within `radius` of a line, between two planes across it. */
export interface CylinderShape {
  readonly bottom: Point;
  readonly top: Point;
  readonly radius: number;
}
/** A box by its least and greatest coordinates, as `Box3` of three.js, and where it is. */
export interface BoxShape {
  readonly min: Point;
  readonly max: Point;
  readonly pose?: Pose;
}
/** All points p with normal · p ≤ offset; `constant` is −offset, as `Plane` of three.js has it. */
export type HalfSpaceShape = { readonly normal: Point } & (
  | { readonly offset: number }
  | { readonly constant: number }
);
/**
 * What a camera sees: sixteen column-major numbers that take it to −1 … 1 along each axis, as projection × view of
 * three.js.
 */
export interface FrustumShape {
  readonly projection: ArrayLike<number> | MatrixLike;
}
/** The convex hull of points, three numbers each. */
export interface HullShape {
  readonly points: ArrayLike<number>;
}

/** The kind of a shape follows from its properties. All are solid and closed. */
export type Shape =
  | SphereShape
  | CapsuleShape
  | CylinderShape
  | BoxShape
  | HalfSpaceShape
  | FrustumShape
  | HullShape;

/** A sphere or capsule: the ends of its axis, six numbers. */
export interface RoundWorldShape {
  readonly form: 'round';
  readonly axis: readonly number[];
  readonly radius: number;
}

/** A cylinder: the middles of its ends, which are apart, six numbers; the radius is not 0. */
export interface CylinderWorldShape {
  readonly form: 'cylinder';
  readonly axis: readonly number[];
  readonly radius: number;
}

/** A box: its least and greatest coordinates, six numbers, and where it is. */
export interface BoxWorldShape {
  readonly form: 'box';
  readonly ends: readonly number[];
  readonly pose: LinearPose | undefined;
}

/** A shape that was read, in the world. Its points are nobody else's. */
export type WorldShape =
  | RoundWorldShape
  | CylinderWorldShape
  | { readonly form: 'half-space'; readonly normal: readonly number[]; readonly offset: number }
  | BoxWorldShape
  | { readonly form: 'hull'; readonly points: Float64Array };

const MAX_POINTS = 1024;
const KEYS = ['centre', 'center', 'from', 'bottom', 'min', 'normal', 'projection', 'points'] as const;

/** Reads a shape; `call` is whose argument it is. */
export function readShape(call: string, shape: Shape): WorldShape {
  if (typeof shape !== 'object' || shape === null)
    throw new ImpingeError('bad-input', `${call}: a shape is an object, got ${shown(shape)}`);
  const given = shape as unknown as Record<string, unknown>;
  // methods are no parts: vectors of three.js have min and max
  const key = KEYS.find((name) => given[name] !== undefined && typeof given[name] !== 'function');
  switch (key) {
    case 'centre':
    case 'center':
      return readRound(call, given, key, key);
    case 'from':
      return readRound(call, given, 'from', 'to');
    case 'bottom':
      return readCylinder(call, given);
    case 'min':
      return readBox(call, given);
    case 'normal':
      return readHalfSpace(call, given);
    case 'projection':
      return { form: 'hull', points: frustumCorners(call, given) };
    case 'points':
      return { form: 'hull', points: readNumbers(call, given, 'points', 0) };
    default:
      throw new ImpingeError(
        'bad-input',
        `${call}: a shape has centre, from, bottom, min, normal, projection or points, but this one has ${Object.keys(given).join(', ') || 'none of them'}`,
      );
  }
}

function readRound(call: string, given: Record<string, unknown>, from: string, to: string): RoundWorldShape {
  const axis = [0, 0, 0, 0, 0, 0];
  readPoint(`${call}: ${from}`, given[from] as Point, axis);
  readPoint(`${call}: ${to}`, given[to] as Point, axis, 3);
  return { form: 'round', axis, radius: readLength('radius', given['radius'] as number) };
}

/** Without a radius it is a segment. */
function readCylinder(call: string, given: Record<string, unknown>): WorldShape {
  const { axis, radius } = readRound(call, given, 'bottom', 'top');
  if (radius === 0) return { form: 'round', axis, radius };
  if (axis[0] === axis[3] && axis[1] === axis[4] && axis[2] === axis[5])
    throw new ImpingeError('bad-input', `${call}: bottom and top of the cylinder coincide`);
  return { form: 'cylinder', axis, radius };
}

function readBox(call: string, given: Record<string, unknown>): WorldShape {
  const ends = [0, 0, 0, 0, 0, 0];
  readPoint(`${call}: min`, given['min'] as Point, ends);
  readPoint(`${call}: max`, given['max'] as Point, ends, 3);
  for (let k = 0; k < 3; k++) {
    if (ends[k] > ends[3 + k])
      throw new ImpingeError('bad-input', `${call}: the box has min ${ends[k]} above max ${ends[3 + k]}`);
  }
  if (given['pose'] === undefined) return { form: 'box', ends, pose: undefined };
  const pose = carvePose();
  readLinearPose(given['pose'] as Pose, pose);
  return { form: 'box', ends, pose };
}

function readHalfSpace(call: string, given: Record<string, unknown>): WorldShape {
  const normal = readPoint(`${call}: normal`, given['normal'] as Point, [0, 0, 0]);
  const { constant, offset = typeof constant === 'number' ? -constant : constant } = given;
  if (typeof offset !== 'number' || !Number.isFinite(offset))
    throw new ImpingeError('bad-input', `${call}: offset must be a finite number, got ${shown(offset)}`);
  if (normal.every((x) => x === 0)) throw new ImpingeError('bad-input', `${call}: the normal is zero`);
  return { form: 'half-space', normal, offset };
}

/** Finite numbers under a name: `count` of them, or three for each of 1 to MAX_POINTS points. */
function readNumbers(
  call: string,
  given: Record<string, unknown>,
  name: string,
  count: number,
): Float64Array {
  const numbers = steady(given[name] as ArrayLike<number>);
  const length = numbers?.length ?? 0;
  const fits = count > 0 ? length === count : length > 0 && length % 3 === 0 && length <= 3 * MAX_POINTS;
  if (!numbers || !fits) {
    const wanted = count > 0 ? `${count} numbers` : `3 numbers for each of 1 to ${MAX_POINTS} points`;
    throw new ImpingeError(
      'bad-input',
      `${call}: ${name} must be ${wanted}, got ${numbers?.length ?? shown(given[name])}`,
    );
  }
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    if (typeof numbers[i] !== 'number' || !Number.isFinite(numbers[i]))
      throw new ImpingeError('non-finite', `${call}: ${name} has a number that is ${shown(numbers[i])}`);
    out[i] = numbers[i];
  }
  return out;
}

/** Poses points in place. */
export function poseAll(points: Float64Array | number[], pose: LinearPose): void {
  for (let i = 0; i < points.length; i += 3)
    posePoint(pose, points[i], points[i + 1], points[i + 2], points, i);
}

/** The eight corners that the projection takes to ±1. */
function frustumCorners(call: string, given: Record<string, unknown>): Float64Array {
  const { projection } = given as unknown as Readonly<Record<'projection', Partial<MatrixLike>>>;
  const m = readNumbers(call, { projection: projection?.elements ?? projection }, 'projection', 16);
  const out = new Float64Array(24);
  for (let c = 0; c < 8; c++) {
    const [x, y, z] = [0, 1, 2].map((k) => ((c >> k) & 1 ? 1 : -1));
    // rows of the projection, less x, y and z times the last: three planes through the corner
    const rows = [x, y, z].map((side, r) =>
      [0, 1, 2, 3].map((column) => m[4 * column + r] - side * m[4 * column + 3]),
    );
    const corner = meetingPoint(rows);
    if (!corner.every(Number.isFinite))
      throw new ImpingeError('bad-input', `${call}: the frustum of the projection is infinite`);
    out.set(corner, 3 * c);
  }
  return out;
}

/** Where three planes a x + b y + c z + d = 0 meet. */
function meetingPoint([p, q, r]: readonly number[][]): number[] {
  const minor = (i: number, j: number, k: number) =>
    p[i] * (q[j] * r[k] - q[k] * r[j]) -
    p[j] * (q[i] * r[k] - q[k] * r[i]) +
    p[k] * (q[i] * r[j] - q[j] * r[i]);
  const whole = minor(0, 1, 2);
  return [-minor(3, 1, 2) / whole, -minor(0, 3, 2) / whole, -minor(0, 1, 3) / whole];
}
