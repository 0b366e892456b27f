/**
 * On which sides of a triangle's plane the three vertices of another triangle lie.
 *
 * The three determinants share the plane's normal, and so do their error bounds: one filtered sweep instead of
 * three orient3d.
 * Layout: the signs s0, s1, s2 travel as one small integer, (s0 + 1) + 3 (s1 + 1) + 9 (s2 + 1).
 */
import type { Coords } from '../../math/coords.js';
import { ORIENT_3D_BOUND, orient3dExactAt } from '../../math/predicates.js';

export const ALL_BELOW = 0;
export const ALL_ON = 13;
export const ALL_ABOVE = 26;

/**
 * The exact signs of p's three vertices against the plane of t, packed. A degenerate t gives `ALL_ON`.
 */
export function sidesOfPlane(t: Coords, to: number, p: Coords, po: number): number {
  const x = t[to];
  const y = t[to + 1];
  const z = t[to + 2];
  const ux = t[to + 3] - x;
  const uy = t[to + 4] - y;
  const uz = t[to + 5] - z;
  const vx = t[to + 6] - x;
  const vy = t[to + 7] - y;
  const vz = t[to + 8] - z;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  const nx = yz - zy;
  const ny = zx - xz;
  const nz = xy - yx;
  const mx = ORIENT_3D_BOUND * (Math.abs(yz) + Math.abs(zy));
  const my = ORIENT_3D_BOUND * (Math.abs(zx) + Math.abs(xz));
  const mz = ORIENT_3D_BOUND * (Math.abs(xy) + Math.abs(yx));
  const px = p[po] - x;
  const py = p[po + 1] - y;
  const pz = p[po + 2] - z;
  const qx = p[po + 3] - x;
  const qy = p[po + 4] - y;
  const qz = p[po + 5] - z;
  const rx = p[po + 6] - x;
  const ry = p[po + 7] - y;
  const rz = p[po + 8] - z;
  const d0 = px * nx + py * ny + pz * nz;
  const d1 = qx * nx + qy * ny + qz * nz;
  const d2 = rx * nx + ry * ny + rz * nz;
  const e0 = Math.abs(px) * mx + Math.abs(py) * my + Math.abs(pz) * mz;
  const e1 = Math.abs(qx) * mx + Math.abs(qy) * my + Math.abs(qz) * mz;
  const e2 = Math.abs(rx) * mx + Math.abs(ry) * my + Math.abs(rz) * mz;
  // counted, not branched on: these signs are as good as random to the processor
  const above0 = +(d0 > e0);
  const above1 = +(d1 > e1);
  const above2 = +(d2 > e2);
  const below0 = +(-d0 > e0);
  const below1 = +(-d1 > e1);
  const below2 = +(-d2 > e2);
  if (above0 + above1 + above2 + below0 + below1 + below2 === 3) return 2 * above0 + 6 * above1 + 18 * above2;
  return (
    certainSign(d0, e0, t, to, p, po) +
    3 * certainSign(d1, e1, t, to, p, po + 3) +
    9 * certainSign(d2, e2, t, to, p, po + 6) +
    ALL_ON
  );
}

/** The sign of a determinant whose float64 value is off by at most `bound`. */
function certainSign(value: number, bound: number, t: Coords, to: number, p: Coords, at: number): number {
  if (value > bound) return 1;
  if (-value > bound) return -1;
  return bound === 0 ? 0 : orient3dExactAt(t, to, t, to + 3, t, to + 6, p, at);
}

/**
 * For each packed triple that is neither all on one side nor all zero: the vertex whose two edges both meet the
 * plane in exactly one point, plus 4 when that vertex counts as the one below.
 */
// biome-ignore format: one row per s2, within it s1 and then s0 run fastest
export const LONE_VERTEX = [
  -1, 0, 0, 1, 6, 0, 1, 1, 6,
  2, 5, 0, 4, -1, 0, 1, 1, 6,
  2, 2, 5, 2, 2, 5, 4, 4, -1,
] as const;
