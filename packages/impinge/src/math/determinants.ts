/**
 * The values of the orientation determinants, not only their signs: where an edge cuts a plane is a quotient of
 * two of them, and for slivers and nearly parallel planes float64 would leave no correct digit.
 *
 * Products and sums carry their rounding errors along (Veltkamp, Dekker, Knuth), as do the coordinate
 * differences to first order: about 106 bits in all, rounded once at the end. Where even that is not enough
 * for the sign, the adaptive predicate takes over.
 * Errs: by a few units of rounding of the value itself plus 1e-30 of the sum of its absolute products.
 */
import { orient2d, orient3d } from 'robust-predicates';
import type { Coords } from './coords.js';

const SPLITTER = 2 ** 27 + 1;
/** Relative to the sum of absolute products: below this, the compensated value may have the wrong sign. */
const DOUBT = 1e-29;

/** The value of orient2d (see `predicates.ts`) with the coordinate `axis` dropped. The sign is exact. */
export function orient2dValueAt(
  a: Coords,
  ai: number,
  b: Coords,
  bi: number,
  c: Coords,
  ci: number,
  axis: number,
): number {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const ax = a[ai + u];
  const ay = a[ai + v];
  const bx = b[bi + u];
  const by = b[bi + v];
  const cx = c[ci + u];
  const cy = c[ci + v];
  const px = bx - ax;
  const py = by - ay;
  const qx = cx - ax;
  const qy = cy - ay;
  const tails =
    differenceTail(bx, ax, px) * qy +
    px * differenceTail(cy, ay, qy) -
    differenceTail(by, ay, py) * qx -
    py * differenceTail(cx, ax, qx);
  const value = px * qy - py * qx + (minorTail(px, qy, py, qx) + tails);
  if (Math.abs(value) > DOUBT * (Math.abs(px * qy) + Math.abs(py * qx))) return value;
  return -orient2d(ax, ay, bx, by, cx, cy);
}

/** det(b − a, c − a, d − a), the value of orient3d (see `predicates.ts`). The sign is exact. */
export function orient3dValueAt(
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
  const bx = b[bi];
  const by = b[bi + 1];
  const bz = b[bi + 2];
  const cx = c[ci];
  const cy = c[ci + 1];
  const cz = c[ci + 2];
  const dx = d[di];
  const dy = d[di + 1];
  const dz = d[di + 2];
  const ux = bx - ax;
  const uy = by - ay;
  const uz = bz - az;
  const vx = cx - ax;
  const vy = cy - ay;
  const vz = cz - az;
  const wx = dx - ax;
  const wy = dy - ay;
  const wz = dz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const x = wx * nx;
  const y = wy * ny;
  const z = wz * nz;
  const xy = x + y;
  const sum = xy + z;
  const rounding =
    sumTail(x, y, xy) +
    sumTail(xy, z, sum) +
    (productTail(wx, nx, x) + productTail(wy, ny, y) + productTail(wz, nz, z)) +
    (wx * minorTail(uy, vz, uz, vy) + wy * minorTail(uz, vx, ux, vz) + wz * minorTail(ux, vy, uy, vx));
  // first order in the tails of the nine differences
  const tails =
    differenceTail(dx, ax, wx) * nx +
    differenceTail(dy, ay, wy) * ny +
    differenceTail(dz, az, wz) * nz +
    differenceTail(bx, ax, ux) * (vy * wz - vz * wy) +
    differenceTail(by, ay, uy) * (vz * wx - vx * wz) +
    differenceTail(bz, az, uz) * (vx * wy - vy * wx) +
    differenceTail(cx, ax, vx) * (wy * uz - wz * uy) +
    differenceTail(cy, ay, vy) * (wz * ux - wx * uz) +
    differenceTail(cz, az, vz) * (wx * uy - wy * ux);
  const value = sum + (rounding + tails);
  const products =
    Math.abs(wx) * (Math.abs(uy * vz) + Math.abs(uz * vy)) +
    Math.abs(wy) * (Math.abs(uz * vx) + Math.abs(ux * vz)) +
    Math.abs(wz) * (Math.abs(ux * vy) + Math.abs(uy * vx));
  if (Math.abs(value) > DOUBT * products) return value;
  return -orient3d(ax, ay, az, bx, by, bz, cx, cy, cz, dx, dy, dz);
}

/** The rounding error of p q − r s in float64. */
function minorTail(p: number, q: number, r: number, s: number): number {
  const left = p * q;
  const right = r * s;
  return differenceTail(left, right, left - right) + (productTail(p, q, left) - productTail(r, s, right));
}

/** a + b − sum, exactly, for sum = fl(a + b). */
function sumTail(a: number, b: number, sum: number): number {
  const bRounded = sum - a;
  return a - (sum - bRounded) + (b - bRounded);
}

/** a − b − difference, exactly, for difference = fl(a − b). */
function differenceTail(a: number, b: number, difference: number): number {
  return sumTail(a, -b, difference);
}

/** a b − product, exactly, for product = fl(a b). */
function productTail(a: number, b: number, product: number): number {
  const aScaled = SPLITTER * a;
  const aHigh = aScaled - (aScaled - a);
  const aLow = a - aHigh;
  const bScaled = SPLITTER * b;
  const bHigh = bScaled - (bScaled - b);
  const bLow = b - bHigh;
  return aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
}
