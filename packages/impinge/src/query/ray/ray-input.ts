/** Rays and their options as callers give them. */
import { ImpingeError } from '../../base/errors.js';
import { readAtMost, readChoice, readKnown, shown } from '../../base/options.js';
import { type Point, readPoint } from '../../math/point.js';
import type { Pose, RigidPose } from '../../math/pose.js';
import { steady } from '../../mesh/mesh-arrays.js';
import type { Asked, RayAsk } from './asked.js';
import { Faces, Mode } from './layout.generated.js';

/** A ray without an end, or a segment. The direction may have any length but 0; distances are lengths all the same. */
export type Ray =
  | { readonly origin: Point; readonly direction: Point }
  | { readonly from: Point; readonly to: Point };

/** Many of them: three numbers for each, one after the other. */
export type Rays =
  | { readonly origins: ArrayLike<number>; readonly directions: ArrayLike<number> }
  | { readonly from: ArrayLike<number>; readonly to: ArrayLike<number> };

export interface RaycastOptions<M extends RayMode = RayMode> {
  /** The `first` triangle (default), `any` of them, which is found sooner, or `all`, the nearest first. */
  readonly mode?: M;
  /** Where the mesh is; objects of scenes and models have their own poses. */
  readonly pose?: Pose;
  /** Which sides of triangles count (default both): the front is where the corners turn counter-clockwise. */
  readonly faces?: 'both' | 'front' | 'back';
  /** Nothing nearer counts (default 0), nothing farther (default Infinity). */
  readonly atLeast?: number;
  readonly atMost?: number;
}

export const FACES = ['both', 'front', 'back'] as const;
export const MODES = ['first', 'any', 'all'] as const;
export type RayMode = (typeof MODES)[number];

/** A hit at the end of a segment counts, however its distance was rounded. */
const END = 1 + 4 * Number.EPSILON;

const NAMES = { faces: true, atLeast: true, atMost: true, mode: true, pose: true } as const;
const NAMES_INTO = { ...NAMES, into: true } as const;

export function readRayOptions(call: string, options: RaycastOptions | undefined, out: Asked): Asked {
  out.place(options?.pose);
  out.faces = out.mode = out.atLeast = 0;
  out.atMost = Infinity;
  if (options === undefined) return out;
  const {
    faces = 'both',
    mode = 'first',
    atLeast = 0,
    atMost = Infinity,
  } = readKnown<RaycastOptions>(call, options, call === 'raycast' ? NAMES_INTO : NAMES);
  out.faces = Faces[readChoice('faces', faces, FACES)];
  out.mode = Mode[readChoice('mode', mode, MODES)];
  out.atLeast = readAtMost('atLeast', atLeast);
  out.atMost = readAtMost('atMost', atMost);
  return out;
}

/** Where rays are asked about: a frame, and what is taken off its coordinates. */
export interface RayFrame {
  /** From the world; undefined: it is the world's. */
  readonly local: RigidPose | undefined;
  readonly origin: ArrayLike<number>;
}

/** The world itself. */
export const WORLD: RayFrame = { local: undefined, origin: [0, 0, 0] };

/** Writes the i-th ray as kernels read it: origin, direction, least and greatest distance. */
type RayWriter = (i: number, frame: RayFrame, out: Float64Array, at: number) => void;

/** Writes a ray, after checking it. */
export function writeOne(
  ray: Ray,
  ask: RayAsk,
  local: RigidPose | undefined,
  origin: ArrayLike<number>,
  out: Float64Array,
  at: number,
): void {
  const segment = isSegment(ray);
  if (segment) {
    readPoint('raycast: from', ray.from, out, at);
    readPoint('raycast: to', ray.to, out, at + 3);
  } else {
    readPoint('raycast: origin', ray.origin, out, at);
    readPoint('raycast: direction', ray.direction, out, at + 3);
  }
  if (!writeRay(out, at, out, at + 3, segment, ask, local, origin, out, at)) refuse('the ray', segment);
}

/** Many rays: how many, and how to write them. */
export function readRays(rays: Rays, ask: RayAsk): { readonly count: number; readonly write: RayWriter } {
  const segment = isSegment(rays);
  const [nameA, nameB] = segment ? ['from', 'to'] : ['origins', 'directions'];
  const given = rays as unknown as Record<string, ArrayLike<number>>;
  const from = steady(given[nameA]);
  const to = steady(given[nameB]);
  if (!from || !to || from.length !== to.length || from.length % 3 !== 0) {
    throw new ImpingeError(
      'bad-input',
      `raycastMany: ${nameA} and ${nameB} must have 3 numbers for each ray, got ${from?.length ?? 'none'} and ${to?.length ?? 'none'}`,
    );
  }
  return {
    count: from.length / 3,
    write: (i, frame, out, at) => {
      const k = 3 * i;
      if (writeRay(from, k, to, k, segment, ask, frame.local, frame.origin, out, at)) return;
      for (const points of [from, to])
        readPoint(`raycastMany: ray ${i}`, { x: points[k], y: points[k + 1], z: points[k + 2] }, []);
      refuse(`ray ${i}`, segment);
    },
  };
}

function isSegment<R extends Ray | Rays>(ray: R): ray is Extract<R, { readonly from: unknown }> {
  if (typeof ray !== 'object' || ray === null)
    throw new ImpingeError('bad-input', `raycast: a ray is an object, got ${shown(ray)}`);
  return 'from' in ray;
}

/** False: it has no direction, or numbers that are not finite. */
function writeRay(
  from: ArrayLike<number>,
  i: number,
  to: ArrayLike<number>,
  k: number,
  segment: boolean,
  { atLeast, atMost }: RayAsk,
  local: RigidPose | undefined,
  origin: ArrayLike<number>,
  out: Float64Array,
  at: number,
): boolean {
  const x = from[i];
  const y = from[i + 1];
  const z = from[i + 2];
  if (!areNumbers(x, y, z) || !areNumbers(to[k], to[k + 1], to[k + 2])) return false;
  const dx = segment ? to[k] - x : to[k];
  const dy = segment ? to[k + 1] - y : to[k + 1];
  const dz = segment ? to[k + 2] - z : to[k + 2];
  const size = Math.abs(dx) + Math.abs(dy) + Math.abs(dz);
  // x − x is 0 for finite numbers and NaN for the others
  if (!(size > 0 && size - size + (x - x) + (y - y) + (z - z) === 0)) return false;
  put(x, y, z, dx, dy, dz, local, origin, out, at);
  out[at + 6] = atLeast;
  out[at + 7] = segment ? Math.min(atMost, END * Math.hypot(dx, dy, dz)) : atMost;
  return true;
}

/** Writes a ray of the world, eight numbers, in another frame. */
export function writeIn(
  ray: Float64Array,
  local: RigidPose,
  origin: ArrayLike<number>,
  out: Float64Array,
  at: number,
): void {
  put(ray[0], ray[1], ray[2], ray[3], ray[4], ray[5], local, origin, out, at);
  out[at + 6] = ray[6];
  out[at + 7] = ray[7];
}

function put(
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
  local: RigidPose | undefined,
  origin: ArrayLike<number>,
  out: Float64Array,
  at: number,
): void {
  if (local) {
    out[at] = local[0] * x + local[1] * y + local[2] * z + local[9] - origin[0];
    out[at + 1] = local[3] * x + local[4] * y + local[5] * z + local[10] - origin[1];
    out[at + 2] = local[6] * x + local[7] * y + local[8] * z + local[11] - origin[2];
    out[at + 3] = local[0] * dx + local[1] * dy + local[2] * dz;
    out[at + 4] = local[3] * dx + local[4] * dy + local[5] * dz;
    out[at + 5] = local[6] * dx + local[7] * dy + local[8] * dz;
  } else {
    out[at] = x - origin[0];
    out[at + 1] = y - origin[1];
    out[at + 2] = z - origin[2];
    out[at + 3] = dx;
    out[at + 4] = dy;
    out[at + 5] = dz;
  }
}

function areNumbers(x: unknown, y: unknown, z: unknown): boolean {
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number';
}

function refuse(name: string, segment: boolean): never {
  const why = segment ? 'ends where it begins' : 'has no direction';
  throw new ImpingeError('bad-input', `raycast: ${name} ${why}`);
}
