/** Points as callers give them. */
import { ImpingeError } from '../../base/errors.js';
import { readAtMost, shown } from '../../base/options.js';
import { type Pose, posePoint, type RigidPose } from '../../math/pose.js';
import { steady } from '../../mesh/mesh-arrays.js';
import type { Asked } from '../ray/asked.js';

export interface PointOptions {
  /** Where the mesh is; objects of scenes and models have their own poses. */
  readonly pose?: Pose;
}

export interface ClosestOptions extends PointOptions {
  /** The farthest to look (default Infinity). */
  readonly atMost?: number;
}

/** What is asked of a mesh about points, of which `atMost` and where it is count. */
export function readPointOptions(options: ClosestOptions | undefined, out: Asked): Asked {
  out.atMost = readAtMost('atMost', options?.atMost ?? Infinity);
  out.place(options?.pose);
  return out;
}

/** Three finite numbers for each of many points. */
export function readPoints(call: string, given: ArrayLike<number>): ArrayLike<number> {
  const points = steady(given);
  if (!points || points.length % 3 !== 0) {
    throw new ImpingeError(
      'bad-input',
      `${call}: points must be a list with 3 numbers for each, got ${points?.length ?? shown(given)}`,
    );
  }
  for (let i = 0; i < points.length; i++) {
    if (!Number.isFinite(points[i])) {
      const k = Math.floor(i / 3);
      throw new ImpingeError('non-finite', `${call}: point ${k} has a number that is ${points[i]}`);
    }
  }
  return points;
}

/** Writes a point in the mesh's own numbers. */
export function writePoint(
  points: ArrayLike<number>,
  i: number,
  local: RigidPose | undefined,
  origin: ArrayLike<number>,
  out: Float64Array,
  at: number,
): void {
  const x = points[3 * i];
  const y = points[3 * i + 1];
  const z = points[3 * i + 2];
  if (local) posePoint(local, x, y, z, out, at);
  else {
    out[at] = x;
    out[at + 1] = y;
    out[at + 2] = z;
  }
  for (let k = 0; k < 3; k++) out[at + k] -= origin[k];
}
