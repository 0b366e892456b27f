/**
 * The point of a difference patch closest to the origin, and the direction to it.
 *
 * Over the patch's face the direction is that of A × B, the place comes from cross products. Where the origin lies
 * beyond sides of the patch, the closest point is on one of these sides; its direction is made perpendicular to the
 * side, because a small residual of large numbers is not. Slivers have a coarse A × B: all sides compete there, and
 * the residual is projected on the face again and again.
 *
 * Twin: kernels/deform/ccd-closest.ts, the same steps in the same order.
 * Errs: the distance by less than 1e-13 times the patch's extent and distance.
 */
import { type DifferencePatch, differenceAt } from './difference-patch.js';

/** Squared sine of the angle between A and B below which a patch is a sliver. */
const SLIVER = 1e-4;
/** Each leaves 2⁻⁵³ / sine of the error. */
const SLIVER_PASSES = 4;
/** Below this, squares may have lost their precision. */
const SQUARED_UNDERFLOW = 1e-280;

/**
 * Returns the distance at time t. Writes x, y to out[1], out[2] and the unit direction to the closest point to
 * out[3 .. 6), the patch's normal where the origin is on the patch.
 */
export function closestOnPatch(
  p: Float64Array,
  { square, wFrom, wTo, aFrom, aTo, bFrom, bTo }: DifferencePatch,
  t: number,
  out: Float64Array,
): number {
  const ax = differenceAt(p, aFrom, aTo, t);
  const ay = differenceAt(p, aFrom + 1, aTo + 1, t);
  const az = differenceAt(p, aFrom + 2, aTo + 2, t);
  const bx = differenceAt(p, bFrom, bTo, t);
  const by = differenceAt(p, bFrom + 1, bTo + 1, t);
  const bz = differenceAt(p, bFrom + 2, bTo + 2, t);
  const wx = differenceAt(p, wFrom, wTo, t);
  const wy = differenceAt(p, wFrom + 1, wTo + 1, t);
  const wz = differenceAt(p, wFrom + 2, wTo + 2, t);
  const nx = ay * bz - az * by;
  const ny = az * bx - ax * bz;
  const nz = ax * by - ay * bx;
  const nn = nx * nx + ny * ny + nz * nz;
  const aa = ax * ax + ay * ay + az * az;
  const bb = bx * bx + by * by + bz * bz;
  // all places times nn
  let x = (by * wz - bz * wy) * nx + (bz * wx - bx * wz) * ny + (bx * wy - by * wx) * nz;
  let y = (wy * az - wz * ay) * nx + (wz * ax - wx * az) * ny + (wx * ay - wy * ax) * nz;
  const sliver = !(nn > SLIVER * (aa * bb) + SQUARED_UNDERFLOW);
  const beyondX = square ? x > nn : x + y > nn;
  const beyondY = square && y > nn;
  if (!sliver && !(x < 0 || y < 0 || beyondX || beyondY)) {
    const length = Math.sqrt(nn);
    const height = (wx * nx + wy * ny + wz * nz) / length;
    const scale = height < 0 ? -1 / length : 1 / length;
    out[1] = x / nn;
    out[2] = y / nn;
    out[3] = scale * nx;
    out[4] = scale * ny;
    out[5] = scale * nz;
    return Math.abs(height);
  }
  let best = Number.POSITIVE_INFINITY;
  out.fill(0, 1); // where numbers overflow, no side is found
  if (sliver || y < 0) {
    const found = closestOnSide(wx, wy, wz, ax, ay, az, best, out);
    if (found < best) {
      best = found;
      out[1] = out[0];
      out[2] = 0;
    }
  }
  if (sliver || x < 0) {
    const found = closestOnSide(wx, wy, wz, bx, by, bz, best, out);
    if (found < best) {
      best = found;
      out[1] = 0;
      out[2] = out[0];
    }
  }
  if (sliver || beyondX) {
    const cx = wx + ax;
    const cy = wy + ay;
    const cz = wz + az;
    const found = square
      ? closestOnSide(cx, cy, cz, bx, by, bz, best, out)
      : closestOnSide(cx, cy, cz, bx - ax, by - ay, bz - az, best, out);
    if (found < best) {
      best = found;
      out[1] = square ? 1 : 1 - out[0];
      out[2] = out[0];
    }
  }
  if (square && (sliver || beyondY)) {
    const found = closestOnSide(wx + bx, wy + by, wz + bz, ax, ay, az, best, out);
    if (found < best) {
      best = found;
      out[1] = out[0];
      out[2] = 1;
    }
  }
  if (sliver && nn > SQUARED_UNDERFLOW) {
    x /= nn;
    y /= nn;
    let rx = wx + x * ax + y * bx;
    let ry = wy + x * ay + y * by;
    let rz = wz + x * az + y * bz;
    for (let pass = 0; pass < SLIVER_PASSES; pass++) {
      const mx = ny * rz - nz * ry;
      const my = nz * rx - nx * rz;
      const mz = nx * ry - ny * rx;
      const dx = -(bx * mx + by * my + bz * mz) / nn;
      const dy = (ax * mx + ay * my + az * mz) / nn;
      x += dx;
      y += dy;
      rx += dx * ax + dy * bx;
      ry += dx * ay + dy * by;
      rz += dx * az + dy * bz;
    }
    const rr = rx * rx + ry * ry + rz * rz;
    if (rr < best && x >= 0 && y >= 0 && (square ? x <= 1 && y <= 1 : x + y <= 1)) {
      best = rr;
      out[1] = x;
      out[2] = y;
      out[3] = rx;
      out[4] = ry;
      out[5] = rz;
    }
  }
  return makeUnit(best, nx, ny, nz, nn, out);
}

/**
 * The squared distance of the origin from the side from f along e. If it is below `best`, the place goes to out[0] and
 * the closest point to out[3 .. 6).
 */
function closestOnSide(
  fx: number,
  fy: number,
  fz: number,
  ex: number,
  ey: number,
  ez: number,
  best: number,
  out: Float64Array,
): number {
  const ee = ex * ex + ey * ey + ez * ez;
  const fe = fx * ex + fy * ey + fz * ez;
  let s = fe < 0 ? (ee > -fe ? -fe / ee : 1) : 0;
  let cx = fx + s * ex;
  let cy = fy + s * ey;
  let cz = fz + s * ez;
  if (s > 0 && s < 1) {
    const ds = -(cx * ex + cy * ey + cz * ez) / ee;
    s += ds;
    cx += ds * ex;
    cy += ds * ey;
    cz += ds * ez;
  }
  const cc = cx * cx + cy * cy + cz * cz;
  if (cc < best) {
    out[0] = s;
    out[3] = cx;
    out[4] = cy;
    out[5] = cz;
  }
  return cc;
}

/** Makes out[3 .. 6) a unit vector, the patch's normal where it is zero, and returns its length. */
function makeUnit(
  lengthSq: number,
  nx: number,
  ny: number,
  nz: number,
  nn: number,
  out: Float64Array,
): number {
  if (lengthSq > SQUARED_UNDERFLOW) {
    const length = Math.sqrt(lengthSq);
    out[3] /= length;
    out[4] /= length;
    out[5] /= length;
    return length;
  }
  const area = Math.sqrt(nn);
  out[3] = area > 0 ? nx / area : 0;
  out[4] = area > 0 ? ny / area : 0;
  out[5] = area > 0 ? nz / area : 1;
  return 0;
}
