/**
 * The detail that contact levels may omit at a contact: a length, from the size of the bodies, their relative velocity
 * there or the distance of the camera.
 */
import { ImpingeError } from 'impinge/internal/base/errors.js';
import {
  readBag,
  readChoice,
  readKnown,
  readLength,
  readPositive,
  shown,
} from 'impinge/internal/base/options.js';
import type { RigidPose, Vec3 } from 'impinge/internal/math/pose.js';
import type { Allowance } from './hull-walk.js';

/** How a body moves: the velocity of its centre, radians per second about each axis, in the world. */
export interface PairMotion {
  readonly velocity: Vec3;
  readonly spin?: Vec3;
  readonly centre?: Vec3;
}

export interface AllowedOptions {
  /** A constant length, such as a share of the bodies' size. */
  readonly size?: number;
  /**
   * This many seconds, times the relative velocity of the bodies at the contact: details of fast motion are hard to
   * see.
   */
  readonly speed?: { readonly seconds: number; readonly a?: PairMotion; readonly b?: PairMotion };
  /**
   * This many pixels at the contact: the camera's position, its vertical angle in radians, the height of the picture.
   */
  readonly view?: {
    readonly pixels: number;
    readonly camera: Vec3;
    readonly angle: number;
    readonly height: number;
  };
  /**
   * Where several are given: the smallest (default), the largest, or their product, the lengths after the first as
   * factors.
   */
  readonly combined?: 'min' | 'max' | 'product';
}

/** In the frame of a; `origin` is added to its numbers. */
export function readAllowed(allowed: number | AllowedOptions, aToWorld: RigidPose, origin: Vec3): Allowance {
  if (typeof allowed === 'number') return { size: readLength('allowed', allowed) };
  const {
    size,
    speed,
    view,
    combined = 'min',
  } = readKnown('allowed', allowed, { size: true, speed: true, view: true, combined: true });
  if (size === undefined && !speed && !view) {
    throw new ImpingeError('bad-option', 'allowed needs size, speed or view');
  }
  readChoice('combined', combined, ['min', 'max', 'product'] as const);
  return {
    combined,
    ...(size !== undefined && { size: readLength('size', size) }),
    ...(speed && { speed: readSpeed(speed, aToWorld, origin) }),
    ...(view && { view: readView(view, aToWorld, origin) }),
  };
}

function readSpeed(
  { seconds, a, b }: NonNullable<AllowedOptions['speed']>,
  aToWorld: RigidPose,
  origin: Vec3,
): NonNullable<Allowance['speed']> {
  // at the point x of the world: shift + turn × x
  const [one, other] = [fieldOf('a', b), fieldOf('b', a)];
  const shift = one.shift.map((x, k) => x - other.shift[k]);
  const turn = one.turn.map((x, k) => x - other.turn[k]);
  const at = placeOf(aToWorld, origin);
  const here = cross(turn, at).map((x, k) => x + shift[k]);
  return {
    seconds: readPositive('seconds', seconds),
    velocity: turnedBack(aToWorld, here),
    spin: turnedBack(aToWorld, turn),
  };
}

function fieldOf(name: string, motion: PairMotion | undefined): { shift: number[]; turn: number[] } {
  if (!motion) return { shift: [0, 0, 0], turn: [0, 0, 0] };
  const { velocity, spin = [0, 0, 0], centre = [0, 0, 0] } = readBag(motion);
  const turn = readVector(`spin of ${name}`, spin);
  const lever = cross(turn, readVector(`centre of ${name}`, centre));
  return { shift: readVector(`velocity of ${name}`, velocity).map((x, k) => x - lever[k]), turn };
}

function readView(
  { pixels, camera, angle, height }: NonNullable<AllowedOptions['view']>,
  aToWorld: RigidPose,
  origin: Vec3,
): NonNullable<Allowance['view']> {
  readPositive('pixels', pixels);
  readPositive('height', height);
  if (!(readPositive('angle', angle) < Math.PI)) {
    throw new ImpingeError('bad-option', `angle of the view cannot be ${shown(angle)}`);
  }
  const from = readVector('camera', camera).map((x, k) => x - aToWorld[9 + k]);
  return {
    perDistance: (pixels * 2 * Math.tan(angle / 2)) / height,
    camera: turnedBack(aToWorld, from).map((x, k) => x - origin[k]),
  };
}

function readVector(name: string, value: ArrayLike<number>): number[] {
  if (value?.length === 3 && [0, 1, 2].every((k) => Number.isFinite(value[k]))) return Array.from(value);
  throw new ImpingeError('bad-option', `${name} cannot be ${shown(value)}`);
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
