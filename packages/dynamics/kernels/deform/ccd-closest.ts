/**
 * The point of a difference patch closest to the origin, and the direction to it.
 * Twin: src/geometry/ccd/closest-on-patch.ts, which describes the method; the same steps in the same order.
 */
import { A, ANSWER, B, W, coordinate } from './ccd-patch';

const SLIVER: f64 = 1e-4;
const SLIVER_PASSES: i32 = 4;
const SQUARED_UNDERFLOW: f64 = 1e-280;

/** Returns the distance at time t; writes the place to the answer's u and v, the direction to its normal. */
export function closestOnPatch(patch: usize, square: bool, t: f64): f64 {
  const s: f64 = 1 - t;
  const ax = coordinate(patch + A, s, t), ay = coordinate(patch + A + 16, s, t), az = coordinate(patch + A + 32, s, t);
  const bx = coordinate(patch + B, s, t), by = coordinate(patch + B + 16, s, t), bz = coordinate(patch + B + 32, s, t);
  const wx = coordinate(patch + W, s, t), wy = coordinate(patch + W + 16, s, t), wz = coordinate(patch + W + 32, s, t);
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
  const out = patch + ANSWER;
  if (!sliver && !(x < 0 || y < 0 || beyondX || beyondY)) {
    const length = sqrt(nn);
    const height = (wx * nx + wy * ny + wz * nz) / length;
    const scale = height < 0 ? -1 / length : 1 / length;
    store<f64>(out, x / nn, 8);
    store<f64>(out, y / nn, 16);
    point(out, scale * nx, scale * ny, scale * nz);
    return abs(height);
  }
  let best: f64 = Infinity;
  // where numbers overflow, no side is found
  v128.store(out, f64x2.splat(0), 8);
  v128.store(out, f64x2.splat(0), 24);
  store<f64>(out, 0, 40);
  if (sliver || y < 0) {
    const found = closestOnSide(wx, wy, wz, ax, ay, az, best, out);
    if (found < best) {
      best = found;
      store<f64>(out, load<f64>(out), 8);
      store<f64>(out, 0, 16);
    }
  }
  if (sliver || x < 0) {
    const found = closestOnSide(wx, wy, wz, bx, by, bz, best, out);
    if (found < best) {
      best = found;
      store<f64>(out, 0, 8);
      store<f64>(out, load<f64>(out), 16);
    }
  }
  if (sliver || beyondX) {
    const cx = wx + ax, cy = wy + ay, cz = wz + az;
    const found = square
      ? closestOnSide(cx, cy, cz, bx, by, bz, best, out)
      : closestOnSide(cx, cy, cz, bx - ax, by - ay, bz - az, best, out);
    if (found < best) {
      best = found;
      store<f64>(out, square ? 1 : 1 - load<f64>(out), 8);
      store<f64>(out, load<f64>(out), 16);
    }
  }
  if (square && (sliver || beyondY)) {
    const found = closestOnSide(wx + bx, wy + by, wz + bz, ax, ay, az, best, out);
    if (found < best) {
      best = found;
      store<f64>(out, load<f64>(out), 8);
      store<f64>(out, 1, 16);
    }
  }
  if (sliver && nn > SQUARED_UNDERFLOW) {
    x /= nn;
    y /= nn;
    let rx = wx + x * ax + y * bx, ry = wy + x * ay + y * by, rz = wz + x * az + y * bz;
    for (let pass = 0; pass < SLIVER_PASSES; pass++) {
      const mx = ny * rz - nz * ry, my = nz * rx - nx * rz, mz = nx * ry - ny * rx;
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
      store<f64>(out, x, 8);
      store<f64>(out, y, 16);
      point(out, rx, ry, rz);
    }
  }
  if (best > SQUARED_UNDERFLOW) {
    const length = sqrt(best);
    point(out, load<f64>(out, 24) / length, load<f64>(out, 32) / length, load<f64>(out, 40) / length);
    return length;
  }
  const area = sqrt(nn);
  if (area > 0) point(out, nx / area, ny / area, nz / area);
  else point(out, 0, 0, 1);
  return 0;
}

// @ts-ignore: decorator
@inline function point(out: usize, x: f64, y: f64, z: f64): void {
  store<f64>(out, x, 24);
  store<f64>(out, y, 32);
  store<f64>(out, z, 40);
}

/**
 * The squared distance of the origin from the side from f along e. If it is below `best`, writes the place to the
 * answer's t and the closest point to its normal.
 */
function closestOnSide(fx: f64, fy: f64, fz: f64, ex: f64, ey: f64, ez: f64, best: f64, out: usize): f64 {
  const ee = ex * ex + ey * ey + ez * ez;
  const fe = fx * ex + fy * ey + fz * ez;
  let s: f64 = fe < 0 ? (ee > -fe ? -fe / ee : 1) : 0;
  let cx = fx + s * ex, cy = fy + s * ey, cz = fz + s * ez;
  if (s > 0 && s < 1) {
    const ds = -(cx * ex + cy * ey + cz * ez) / ee;
    s += ds;
    cx += ds * ex;
    cy += ds * ey;
    cz += ds * ez;
  }
  const cc = cx * cx + cy * cy + cz * cz;
  if (cc < best) {
    store<f64>(out, s);
    point(out, cx, cy, cz);
  }
  return cc;
}
