/**
 * How far two bodies at least stay apart along a direction, during a piece of a motion.
 *
 * Proof: let n be a unit vector in the frame of what both have in common, and x, y points of a and b with velocities
 * x', y' in the middle of the piece. By link-motion.ts, at a time s from the middle,
 *     n · (y(s) − x(s)) ≥ n · (y + s y') − n · (x + s x') − ½ s² (A_a + A_b).
 * Velocities of a rigid body are v + ω × x, so that n · (x + s x') = s n · v + (n + s n × ω) · x, whose maximum over a
 * is an extent of a. As a maximum of functions that are linear in s it is convex in s, likewise for b: the bound
 * without the last term is concave in s, and least at one of the two ends of the piece.
 */
import type { BodyPair } from './body-pair.js';
import type { ConvexSolid } from './convex-solid.js';
import type { LinkMotion } from './link-motion.js';

/** The bound for the whole piece; `bend` is A_a + A_b. Obstacles do not move. */
export function sweptGap(
  pair: BodyPair,
  piece: LinkMotion,
  nx: number,
  ny: number,
  nz: number,
  bend: number,
): number {
  const { half, poses, fields } = piece;
  const { linkA, linkB, ancestor } = pair;
  const still = linkB < 0 ? reachAlong(pair, -nx, -ny, -nz) : 0;
  let least = Infinity;
  for (let s = -half; ; s = half) {
    let gap = -posedExtent(pair.solidA, poses, linkA, fields, ancestor, nx, ny, nz, s) - still;
    if (linkB >= 0) gap -= posedExtent(pair.solidB, poses, linkB, fields, ancestor, -nx, -ny, -nz, s);
    if (gap < least) least = gap;
    if (s === half) break;
  }
  return least - 0.5 * half * half * bend;
}

/** Of an obstacle, which is where it is. */
function reachAlong({ solidB, normal }: BodyPair, nx: number, ny: number, nz: number): number {
  if (normal) return solidB.points[0] * nx + solidB.points[1] * ny + solidB.points[2] * nz;
  return solidB.extent(nx, ny, nz) + solidB.radius;
}

/** The maximum of n · (x + s x') over a body. */
function posedExtent(
  solid: ConvexSolid,
  p: Float64Array,
  link: number,
  fields: Float64Array,
  ancestor: number,
  nx: number,
  ny: number,
  nz: number,
  s: number,
): number {
  const f = 6 * link;
  let vx = fields[f];
  let vy = fields[f + 1];
  let vz = fields[f + 2];
  let wx = fields[f + 3];
  let wy = fields[f + 4];
  let wz = fields[f + 5];
  if (ancestor >= 0) {
    const g = 6 * ancestor;
    vx -= fields[g];
    vy -= fields[g + 1];
    vz -= fields[g + 2];
    wx -= fields[g + 3];
    wy -= fields[g + 4];
    wz -= fields[g + 5];
  }
  const dx = nx + s * (ny * wz - nz * wy);
  const dy = ny + s * (nz * wx - nx * wz);
  const dz = nz + s * (nx * wy - ny * wx);
  const at = 12 * link;
  const extent = solid.extent(
    p[at] * dx + p[at + 3] * dy + p[at + 6] * dz,
    p[at + 1] * dx + p[at + 4] * dy + p[at + 7] * dz,
    p[at + 2] * dx + p[at + 5] * dy + p[at + 8] * dz,
  );
  const round = solid.radius > 0 ? solid.radius * Math.sqrt(dx * dx + dy * dy + dz * dz) : 0;
  return (
    s * (nx * vx + ny * vy + nz * vz) + dx * p[at + 9] + dy * p[at + 10] + dz * p[at + 11] + extent + round
  );
}
