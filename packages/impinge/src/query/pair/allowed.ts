/**
 * The detail that may be left out at a place: a length, from the size of the bodies, their relative velocity there or
 * the distance of the camera. Questions with an error and contact levels share it.
 */
import { ImpingeError } from '../../base/errors.js';
import {
  type OptionNames,
  readChoice,
  readKnown,
  readLength,
  readPositive,
  shown,
} from '../../base/options.js';
import { type Point, readPoint } from '../../math/point.js';
import type { RigidPose, Vec3 } from '../../math/pose.js';

/** How a body moves: the velocity of its centre, radians per second about each axis, in the world. */
export interface BodyMotion {
  readonly velocity: Point;
  readonly spin?: Point;
  readonly centre?: Point;
}

export interface Allowed {
  /** A constant length, such as a share of the bodies' size. */
  readonly size?: number;
  /** This many seconds, times the relative velocity of the bodies there: details of fast motion are hard to see. */
  readonly speed?: { readonly seconds: number; readonly a?: BodyMotion; readonly b?: BodyMotion };
  /** This many pixels there: the camera's position, its vertical angle in radians, the height of the picture. */
  readonly view?: {
    readonly pixels: number;
    readonly camera: Point;
    readonly angle: number;
    readonly height: number;
  };
  /**
   * Where several are given: the smallest (default), the largest, or their product, the lengths after the first as
   * factors.
   */
  readonly combined?: 'min' | 'max' | 'product';
}

/** The same in the frame of a. */
export interface Allowance {
  readonly size?: number;
  /** Seconds, times the speed: of b against a, at a's origin, and its spin. */
  readonly speed?: {
    readonly seconds: number;
    readonly velocity: readonly number[];
    readonly spin: readonly number[];
  };
  /** Metres per metre from the camera. */
  readonly view?: { readonly perDistance: number; readonly camera: readonly number[] };
  readonly combined?: Allowed['combined'];
}

/** `name` is that of the option; `origin` is added to numbers in the frame of a. */
export function readAllowed(
  name: string,
  allowed: number | Allowed,
  aToWorld: RigidPose,
  origin: Vec3 = [0, 0, 0],
): Allowance {
  if (typeof allowed === 'number') return { size: readLength(name, allowed) };
  const names = { size: true, speed: true, view: true, combined: true } as const;
  const { size, speed, view, combined = 'min' } = readPart(name, allowed, names);
  if (size === undefined && speed === undefined && view === undefined) {
    throw new ImpingeError('bad-option', `${name} needs size, speed or view`);
  }
  return {
    combined: readChoice(`${name}.combined`, combined, ['min', 'max', 'product']),
    ...(size !== undefined && { size: readLength(`${name}.size`, size) }),
    ...(speed !== undefined && { speed: readSpeed(`${name}.speed`, speed, aToWorld, origin) }),
    ...(view !== undefined && { view: readView(`${name}.view`, view, aToWorld, origin) }),
  };
}

function readSpeed(
  name: string,
  speed: NonNullable<Allowed['speed']>,
  aToWorld: RigidPose,
  origin: Vec3,
): NonNullable<Allowance['speed']> {
  const { seconds, a, b } = readPart(name, speed, { seconds: true, a: true, b: true });
  // at the point x of the world: shift + turn × x
  const [ofA, ofB] = [fieldOf(`${name}.a`, a), fieldOf(`${name}.b`, b)];
  const shift = ofB.shift.map((x, k) => x - ofA.shift[k]);
  const turn = ofB.turn.map((x, k) => x - ofA.turn[k]);
  const at = placeOf(aToWorld, origin);
  const here = cross(turn, at).map((x, k) => x + shift[k]);
  return {
    seconds: readFinite(`${name}.seconds`, seconds),
    velocity: turnedBack(aToWorld, here),
    spin: turnedBack(aToWorld, turn),
  };
}

function fieldOf(name: string, motion: BodyMotion | undefined): { shift: number[]; turn: number[] } {
  if (motion === undefined) return { shift: [0, 0, 0], turn: [0, 0, 0] };
  const names = { velocity: true, spin: true, centre: true } as const;
  const { velocity, spin = [0, 0, 0], centre = [0, 0, 0] } = readPart(name, motion, names);
  const vector = (part: string, value: Point) =>
    readPoint(`${name}.${part}`, value, [0, 0, 0], 0, 'bad-option');
  const turn = vector('spin', spin);
  const lever = cross(turn, vector('centre', centre));
  return { shift: vector('velocity', velocity).map((x, k) => x - lever[k]), turn };
}

function readView(
  name: string,
  view: NonNullable<Allowed['view']>,
  aToWorld: RigidPose,
  origin: Vec3,
): NonNullable<Allowance['view']> {
  const names = { pixels: true, camera: true, angle: true, height: true } as const;
  const { pixels, camera, angle, height } = readPart(name, view, names);
  readFinite(`${name}.pixels`, pixels);
  readFinite(`${name}.height`, height);
  if (!(readPositive(`${name}.angle`, angle) < Math.PI)) {
    throw new ImpingeError('bad-option', `${name}.angle must be below π, got ${shown(angle)}`);
  }
  const from = readPoint(`${name}.camera`, camera, [0, 0, 0], 0, 'bad-option').map(
    (x, k) => x - aToWorld[9 + k],
  );
  return {
    perDistance: (pixels * 2 * Math.tan(angle / 2)) / height,
    camera: turnedBack(aToWorld, from).map((x, k) => x - origin[k]),
  };
}

function readPart<Part extends object>(name: string, part: Part, names: OptionNames<Part>): Part {
  if (typeof part === 'object' && part !== null) return readKnown(name, part, names);
  throw new ImpingeError('bad-option', `${name} must be an object, got ${shown(part)}`);
}

function readFinite(name: string, value: number): number {
  return readLength(name, readPositive(name, value));
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
function placeOf(m: RigidPose, [x, y, z]: Vec3): number[] {
  return [0, 1, 2].map((k) => m[3 * k] * x + m[3 * k + 1] * y + m[3 * k + 2] * z + m[9 + k]);
}
function turnedBack(m: RigidPose, [x, y, z]: readonly number[]): number[] {
  return [0, 1, 2].map((k) => m[k] * x + m[k + 3] * y + m[k + 6] * z);
}
