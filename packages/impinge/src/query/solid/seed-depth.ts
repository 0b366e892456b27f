/**
 * How deep a few corners of two objects lie in each other: where the search for the deepest point was cut short before
 * it had found any. Large nested surfaces do that: everything is about equally deep, and nothing can be ruled out.
 */
import { IDENTITY, invertPose, posePoint, type RigidPose } from '../../math/pose.js';
import { locatePoint } from './locate.js';
import type { Parts } from './parts.js';
import { PosedSurface } from './posed-surface.js';

export interface SeedDepth {
  readonly depth: number;
  /** In the numbers stored in a's meshes. */
  readonly point: Float64Array;
  readonly side: 0 | 1;
}

/** Corners tried on each side. */
const SEEDS = 24;

/** The deepest of the corners tried; `pose` takes b's stored numbers to a's. Objects that are open hold nothing. */
export function deepestSeed(a: Parts, b: Parts, pose: RigidPose): SeedDepth | undefined {
  let best: SeedDepth | undefined;
  const point = new Float64Array(3);
  for (const side of [0, 1] as const) {
    const [own, other] = side === 0 ? [a, b] : [b, a];
    if (!other.closed) continue;
    const across = side === 0 ? invertPose(pose) : pose;
    const surfaces = other.meshes.map((mesh) => new PosedSurface(mesh, IDENTITY as RigidPose));
    for (const corner of corners(own)) {
      posePoint(across, corner[0], corner[1], corner[2], point, 0);
      if (locatePoint(other, point) !== 'inside') continue;
      const depth = surfaces.reduce((least, surface) => Math.min(least, surface.closest(point, 0)), Infinity);
      if (best && depth <= best.depth) continue;
      const inA = Float64Array.from(corner);
      if (side === 1) inA.set(point);
      best = { depth, point: inA, side };
    }
  }
  return best;
}

/** Corners of an object, spread over its triangles. */
function* corners({ meshes }: Parts): Generator<Float32Array> {
  const total = meshes.reduce((sum, { triangleCount }) => sum + triangleCount, 0);
  const step = Math.max(1, Math.floor(total / SEEDS));
  let skip = 0;
  for (const { positions, indices, triangleCount } of meshes) {
    let triangle = skip;
    for (; triangle < triangleCount; triangle += step) {
      const v = 3 * indices[3 * triangle];
      yield positions.slice(v, v + 3);
    }
    skip = triangle - triangleCount;
  }
}
