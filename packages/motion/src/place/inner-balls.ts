/**
 * A few balls that a body fills, and a few points of its surface, by which many poses are known not to be free: a ball
 * that comes within its radius of an obstacle, or whose middle is inside one, is in its way, by how much more it does.
 */
import { isClosed, type Mesh } from 'impinge';
import { posePoint, type RigidPose } from 'impinge/internal/math/pose.js';
import { signedDepth } from 'impinge/internal/query/solid/locate.js';
import type { HeldPair } from '../held-pair.js';

/** Places in the body's box that are looked at, and balls that are kept. */
const PLACES = 300;
const BALLS = 24;
/** A ball whose middle is nearer to that of a larger one, as a share of its radius, adds little. */
const APART = 0.7;

export class InnerBalls {
  /** Middle and radius of each, in the body's coordinates. */
  readonly balls: readonly Float64Array[];

  constructor(body: Mesh) {
    this.balls = [...(isClosed(body) ? ballsIn(body) : []), ...cornersOf(body)];
  }

  /**
   * By how much a body at a pose is certainly in the way of obstacles: moved by less, it is not free either. Looks no
   * farther than `enough`; 0 where nothing is known.
   */
  blockedBy(near: readonly { readonly pair: HeldPair }[], pose: RigidPose, enough: number): number {
    let most = 0;
    const at = new Float64Array(3);
    const own = new Float64Array(3);
    for (const [x, y, z, radius] of this.balls) {
      posePoint(pose, x, y, z, at, 0);
      for (const { pair } of near) {
        const { obstacle, clearance } = pair;
        const reach = radius + clearance;
        if (isBeyond(obstacle.box, at, reach)) continue;
        posePoint(obstacle.inverse, at[0], at[1], at[2], own, 0);
        for (let k = 0; k < 3; k++) own[k] -= obstacle.mesh.origin[k];
        const depth = signedDepth({ meshes: [obstacle.mesh], closed: obstacle.isSolid }, own);
        most = Math.max(most, reach + (obstacle.isSolid ? depth : -Math.abs(depth)));
        if (most > enough) return most;
      }
    }
    return most;
  }
}

function isBeyond(box: Float64Array, p: Float64Array, reach: number): boolean {
  for (let k = 0; k < 3; k++) if (p[k] < box[k] - reach || p[k] > box[3 + k] + reach) return true;
  return false;
}

/** The largest that are found, none much within another. */
function ballsIn(body: Mesh): Float64Array[] {
  const { min, max } = body.box;
  const sizes = max.map((high, k) => high - min[k]);
  const step = Math.cbrt((sizes[0] * sizes[1] * sizes[2]) / PLACES);
  const counts = sizes.map((size) => Math.max(1, Math.min(PLACES, Math.round(size / step))));
  const found: Float64Array[] = [];
  const point = new Float64Array(3);
  for (let i = 0; i < counts[0] * counts[1] * counts[2]; i++) {
    const cell = [
      i % counts[0],
      Math.floor(i / counts[0]) % counts[1],
      Math.floor(i / counts[0] / counts[1]),
    ];
    const [x, y, z] = cell.map((n, k) => min[k] + ((n + 0.5) / counts[k]) * sizes[k]);
    point.set([x - body.origin[0], y - body.origin[1], z - body.origin[2]]);
    const depth = signedDepth({ meshes: [body], closed: true }, point);
    if (depth > 0) found.push(Float64Array.of(x, y, z, depth * (1 - 1e-12)));
  }
  found.sort((a, b) => b[3] - a[3]);
  const kept: Float64Array[] = [];
  for (const ball of found) {
    if (kept.length === BALLS) break;
    const adds = kept.every(
      (one) => Math.hypot(one[0] - ball[0], one[1] - ball[1], one[2] - ball[2]) > APART * one[3],
    );
    if (adds) kept.push(ball);
  }
  return kept;
}

/** The farthest corners along the axes and the diagonals, as balls of no radius. */
function cornersOf({ storedPositions: p, storedIndices, origin }: Mesh): Float64Array[] {
  const found = new Set<number>();
  for (let i = 0; i < 27; i++) {
    const [a, b, c] = [(i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1];
    if (a === 0 && b === 0 && c === 0) continue;
    let farthest = -1;
    let most = -Infinity;
    for (const v of storedIndices) {
      const along = a * p[3 * v] + b * p[3 * v + 1] + c * p[3 * v + 2];
      if (along > most) [most, farthest] = [along, v];
    }
    found.add(farthest);
  }
  return Array.from(found, (v) =>
    Float64Array.of(p[3 * v] + origin[0], p[3 * v + 1] + origin[1], p[3 * v + 2] + origin[2], 0),
  );
}
