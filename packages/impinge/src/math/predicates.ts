/**
 * Exact orientation signs, the only thing intersection decisions rest on.
 *
 * Convention: orient3d is the sign of det(b − a, c − a, d − a): +1 when d lies on the side to which
 * (b − a) × (c − a) points. orient2d is +1 when a, b, c turn counter-clockwise with y pointing up.
 * Both are the negatives of what `robust-predicates` returns.
 * The float64 determinant decides when it exceeds its forward error bound (Shewchuk's stage A); the few remaining cases
 * go to adaptive expansions. A bound of zero means that every product has a factor of exactly zero.
 * Errs: never, while coordinates are 0 or of magnitude 1e-90 … 1e100, so that no product under- or overflows.
 */
import { orient2d, orient3d } from 'robust-predicates';
import { type Coords, compareLexicographic } from './coords.js';

const UNIT = 2 ** -53;
const BOUND_2D = 4 * UNIT;
/** Factor of Σ |products|: bounds the rounding of a determinant of differences (7 units) and of the bound itself. */
export const ORIENT_3D_BOUND = 8 * UNIT;

/** The exact sign of orient2d for three points given by coordinates. */
export function orient2dSign(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const value = orient2d(ax, ay, bx, by, cx, cy);
  return value < 0 ? 1 : value > 0 ? -1 : 0;
}

/** The exact sign of orient2d for points at offsets, with the coordinate `axis` dropped, the rest in cyclic order. */
export function orient2dAt(
  a: Coords,
  ai: number,
  b: Coords,
  bi: number,
  c: Coords,
  ci: number,
  axis: number,
): number {
  const u = axis === 2 ? 0 : axis + 1;
  const v = axis === 0 ? 2 : axis - 1;
  const left = (b[bi + u] - a[ai + u]) * (c[ci + v] - a[ai + v]);
  const right = (b[bi + v] - a[ai + v]) * (c[ci + u] - a[ai + u]);
  const det = left - right;
  const bound = BOUND_2D * (Math.abs(left) + Math.abs(right));
  if (det > bound) return 1;
  if (-det > bound) return -1;
  if (bound === 0) return 0;
  return orient2dSign(a[ai + u], a[ai + v], b[bi + u], b[bi + v], c[ci + u], c[ci + v]);
}

/** The exact sign of orient3d for points at offsets. Allocation-free unless the filter fails. */
export function orient3dAt(
  a: Coords,
  ai: number,
  b: Coords,
  bi: number,
  c: Coords,
  ci: number,
  d: Coords,
  di: number,
): number {
  const ax = a[ai];
  const ay = a[ai + 1];
  const az = a[ai + 2];
  const ux = b[bi] - ax;
  const uy = b[bi + 1] - ay;
  const uz = b[bi + 2] - az;
  const vx = c[ci] - ax;
  const vy = c[ci + 1] - ay;
  const vz = c[ci + 2] - az;
  const wx = d[di] - ax;
  const wy = d[di + 1] - ay;
  const wz = d[di + 2] - az;
  const yz = uy * vz;
  const zy = uz * vy;
  const zx = uz * vx;
  const xz = ux * vz;
  const xy = ux * vy;
  const yx = uy * vx;
  const det = wx * (yz - zy) + wy * (zx - xz) + wz * (xy - yx);
  const bound =
    ORIENT_3D_BOUND *
    (Math.abs(wx) * (Math.abs(yz) + Math.abs(zy)) +
      Math.abs(wy) * (Math.abs(zx) + Math.abs(xz)) +
      Math.abs(wz) * (Math.abs(xy) + Math.abs(yx)));
  if (det > bound) return 1;
  if (-det > bound) return -1;
  if (bound === 0) return 0;
  return orient3dExactAt(a, ai, b, bi, c, ci, d, di);
}

/** orient3dAt past its filter. Equal points, the usual cause in connected meshes, need no expansions. */
export function orient3dExactAt(
  a: Coords,
  ai: number,
  b: Coords,
  bi: number,
  c: Coords,
  ci: number,
  d: Coords,
  di: number,
): number {
  if (
    compareLexicographic(d, di, a, ai) === 0 ||
    compareLexicographic(d, di, b, bi) === 0 ||
    compareLexicographic(d, di, c, ci) === 0 ||
    compareLexicographic(a, ai, b, bi) === 0 ||
    compareLexicographic(b, bi, c, ci) === 0 ||
    compareLexicographic(c, ci, a, ai) === 0
  ) {
    return 0;
  }
  const value = orient3d(
    a[ai],
    a[ai + 1],
    a[ai + 2],
    b[bi],
    b[bi + 1],
    b[bi + 2],
    c[ci],
    c[ci + 1],
    c[ci + 2],
    d[di],
    d[di + 1],
    d[di + 2],
  );
  return value < 0 ? 1 : value > 0 ? -1 : 0;
}
