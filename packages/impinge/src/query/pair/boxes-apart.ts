/**
 * Whether the boxes of two meshes alone show that these are apart: then nothing has to be built, opened, walked or
 * written. Errs: to the side of meeting, by more than posing rounds: the posed corners of b, as the exact predicates
 * see them, are in its posed box.
 */
import { arena } from '../../base/arena.js';
import { MeshHeader } from '../../kernel/layout.generated.js';
import type { RigidPose } from '../../math/pose.js';
import type { Mesh } from '../../mesh/mesh.js';
import { FARTHEST } from '../../mesh/reach.js';
import { storedPose } from '../../mesh/stored-pose.js';
import type { QueryStats } from './context.js';
import type { CollideResult } from './results.js';

/** Of the numbers that are added up; their sums lose less than 2⁻⁵⁰. */
const SLACK = 2 ** -47;

/** Whether they are farther apart than `distance`, or do not meet where that is 0. */
export function boxesApart(a: Mesh, b: Mesh, bToA: RigidPose, distance = 0): boolean {
  const p = storedPose(a, b, bToA);
  const floats = arena().f32();
  const ofA = (a.block >>> 2) + MeshHeader.box;
  const ofB = (b.block >>> 2) + MeshHeader.box;
  const x0 = floats[ofB];
  const y0 = floats[ofB + 1];
  const z0 = floats[ofB + 2];
  const x1 = floats[ofB + 3];
  const y1 = floats[ofB + 4];
  const z1 = floats[ofB + 5];
  let gapSq = 0;
  for (let k = 0; k < 3; k++) {
    const r0 = p[3 * k];
    const r1 = p[3 * k + 1];
    const r2 = p[3 * k + 2];
    const t = p[9 + k];
    const low = r0 * (r0 > 0 ? x0 : x1) + r1 * (r1 > 0 ? y0 : y1) + r2 * (r2 > 0 ? z0 : z1) + t;
    const high = r0 * (r0 > 0 ? x1 : x0) + r1 * (r1 > 0 ? y1 : y0) + r2 * (r2 > 0 ? z1 : z0) + t;
    const reach =
      Math.abs(t) +
      Math.abs(r0) * (Math.abs(x0) + Math.abs(x1)) +
      Math.abs(r1) * (Math.abs(y0) + Math.abs(y1)) +
      Math.abs(r2) * (Math.abs(z0) + Math.abs(z1));
    const lowA = floats[ofA + k];
    const highA = floats[ofA + 3 + k];
    // what reaches so far is refused where it is walked
    if (reach + Math.abs(lowA) + Math.abs(highA) > 0.1 * FARTHEST) return false;
    const gap = Math.max(0, low - SLACK * reach - highA, lowA - SLACK * reach - high);
    gapSq += gap * gap;
  }
  return gapSq > distance * distance * (1 + SLACK);
}

/** The answer about meshes that are apart. */
export function nothingMeets(): CollideResult {
  return {
    colliding: false,
    count: 0,
    pairs: new Uint32Array(0),
    complete: true,
    error: 0,
    stats: ONE_TEST,
  };
}

/** What was done to find that out. */
export const ONE_TEST: QueryStats = { volumeTests: 1, triangleTests: 0, exactTests: 0, adaptiveTests: 0 };
