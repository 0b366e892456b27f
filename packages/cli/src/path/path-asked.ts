/** What a path is held to besides keeping clear: to be upright, to be walked; and how the library is asked for it. */
import type { Upright, Walk } from '@impinge/motion';
import type { Vec3 } from 'impinge';
import type { Region } from '../wire/path-region.js';
import type { PathBody } from './path-body.js';

/** What a path is held to. */
export interface PathAsked {
  /** Metres. */
  readonly clearance: number;
  /** By how much the body may lean, in radians, where it is to be upright. */
  readonly upright?: number;
  /** Where it walks: metres, radians. */
  readonly walk?: { readonly stepHeight: number; readonly maxSlope: number };
}

/** A body stands upright where it is unturned: its mesh may have been stored in any turn. */
export function uprightOf({ frame }: PathBody, angle: number): Upright & { readonly own: readonly number[] } {
  return { angle, own: [2, 6, 10].map((i) => frame[i]) };
}

export function walkOf(
  body: PathBody,
  { stepHeight, maxSlope }: NonNullable<PathAsked['walk']>,
  unit: number,
): Walk {
  const { own } = uprightOf(body, 0);
  return { stepHeight: stepHeight / unit, maxSlope, own: own! };
}

/** In metres, how far from the body matters what is there: also the floor that it stands on. */
export function reachBeyond({ clearance, walk }: PathAsked): number {
  return clearance + (walk ? walk.stepHeight : 0);
}

/** Where its feet may be, if its middle may be in a region. */
export function feetIn({ min, max }: Region, body: PathBody): Region {
  const { own } = uprightOf(body, 0);
  const { min: low, max: high } = body.mesh.box;
  // half of the height of the box around it, which is the body's where it was stored as it stands
  const height = 0.5 * low.reduce((sum, x, k) => sum + Math.abs(own[k]) * (high[k] - x), 0);
  const lowered = ([x, y, z]: Vec3): Vec3 => [x, y, z - height];
  return { min: lowered(min), max: lowered(max) };
}
