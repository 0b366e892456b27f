/**
 * Spheres and capsules against boxes and triangles: how far these are from a point or an axis.
 *
 * Errs: boxes are measured in float32 from the middle of the shape, and compared with room for its rounding: none is dropped that the
 * shape meets, and what counts as inside is. Triangles count up to S_REACH, more than the radius by more than rounding.
 */
import { ROW } from '../layout';
import { BOX_MAX, BOX_MIN } from '../rays/layout';
import { pointTriangle } from '../rays/point-triangle';
import { gapX, gapY, gapZ, triangleDistanceSq } from '../triangles';
import { S_FROM, S_RADIUS, S_REACH, S_TO } from './layout';
import { AXIS, TRIANGLE, scratch } from './scratch';

const TINY: f32 = 1e-36;
/** Less than this, squares in float32 are coarse. */
const LEAST_SQ: f64 = 1e-34;

let cx: v128 = i64x2.splat(0), cy: v128 = i64x2.splat(0), cz: v128 = i64x2.splat(0);
let ex: v128 = i64x2.splat(0), ey: v128 = i64x2.splat(0), ez: v128 = i64x2.splat(0);
let fromX: f64 = 0, fromY: f64 = 0, fromZ: f64 = 0;
let reachSq: f64 = 0;
let outer: f32 = 0, outerSq: f32 = 0, inner: f32 = 0, innerSq: f32 = 0, perLengthSq: f32 = 0;
/** Lanes of the last block whose boxes are inside for certain. */
export let roundInside: i32 = 0;

export function setRound(query: usize): void {
  fromX = load<f64>(query, S_FROM); fromY = load<f64>(query, S_FROM + 8); fromZ = load<f64>(query, S_FROM + 16);
  const toX = load<f64>(query, S_TO), toY = load<f64>(query, S_TO + 8), toZ = load<f64>(query, S_TO + 16);
  const reach = load<f64>(query, S_REACH), radius = load<f64>(query, S_RADIUS);
  reachSq = reach * reach;
  const mx = 0.5 * (fromX + toX), my = 0.5 * (fromY + toY), mz = 0.5 * (fromZ + toZ);
  const hx = toX - mx, hy = toY - my, hz = toZ - mz;
  const x = <f32>mx, y = <f32>my, z = <f32>mz;
  const left = abs(mx - <f64>x) + abs(my - <f64>y) + abs(mz - <f64>z) + 2e-7 * (abs(hx) + abs(hy) + abs(hz));
  cx = f32x4.splat(x); cy = f32x4.splat(y); cz = f32x4.splat(z);
  ex = f32x4.splat(<f32>hx); ey = f32x4.splat(<f32>hy); ez = f32x4.splat(<f32>hz);
  const lengthSq = hx * hx + hy * hy + hz * hz;
  perLengthSq = lengthSq > LEAST_SQ ? <f32>(1 / lengthSq) : 0;
  const far = (reach + left) * 1.000001, near = max(0, radius - left) * 0.999999;
  outer = <f32>far + TINY;
  outerSq = <f32>(far * far) + TINY;
  inner = <f32>near;
  innerSq = near * near > LEAST_SQ ? <f32>(near * near) : -1;
  const axis = scratch + AXIS;
  for (let k: usize = 0; k < 24; k += 8) {
    store<f64>(axis + k, load<f64>(query + k, S_FROM));
    store<f64>(axis + k, load<f64>(query + k, S_TO), 24);
    store<f64>(axis + k, load<f64>(query + k, S_TO), 48);
  }
}

/** Which boxes of a block a sphere may meet: a bit each. */
export function sphereLanes(block: usize): i32 {
  const zero = f32x4.splat(0);
  let low = f32x4.sub(v128.load(block, BOX_MIN), cx), high = f32x4.sub(v128.load(block, BOX_MAX), cx);
  let gap = f32x4.pmax(zero, f32x4.pmax(low, f32x4.neg(high))), far = f32x4.pmax(f32x4.abs(low), f32x4.abs(high));
  let gapSq = f32x4.mul(gap, gap), farSq = f32x4.mul(far, far);
  low = f32x4.sub(v128.load(block, BOX_MIN + ROW), cy);
  high = f32x4.sub(v128.load(block, BOX_MAX + ROW), cy);
  gap = f32x4.pmax(zero, f32x4.pmax(low, f32x4.neg(high)));
  far = f32x4.pmax(f32x4.abs(low), f32x4.abs(high));
  gapSq = f32x4.add(gapSq, f32x4.mul(gap, gap));
  farSq = f32x4.add(farSq, f32x4.mul(far, far));
  low = f32x4.sub(v128.load(block, BOX_MIN + 2 * ROW), cz);
  high = f32x4.sub(v128.load(block, BOX_MAX + 2 * ROW), cz);
  gap = f32x4.pmax(zero, f32x4.pmax(low, f32x4.neg(high)));
  far = f32x4.pmax(f32x4.abs(low), f32x4.abs(high));
  gapSq = f32x4.add(gapSq, f32x4.mul(gap, gap));
  farSq = f32x4.add(farSq, f32x4.mul(far, far));
  roundInside = i32x4.bitmask(f32x4.lt(farSq, f32x4.splat(innerSq)));
  return i32x4.bitmask(f32x4.le(gapSq, f32x4.splat(outerSq)));
}

let centre: v128 = i64x2.splat(0), half: v128 = i64x2.splat(0);
/** The middle of four boxes along an axis, seen from that of the shape, and half their widths. */
// @ts-ignore: decorator
@inline function span(block: usize, row: usize, from: v128): void {
  const low = f32x4.sub(v128.load(block + row, BOX_MIN), from), high = f32x4.sub(v128.load(block + row, BOX_MAX), from);
  centre = f32x4.mul(f32x4.add(low, high), f32x4.splat(0.5));
  half = f32x4.mul(f32x4.sub(high, low), f32x4.splat(0.5));
}
/** Whether the axis passes the boxes, as seen along a third direction: |p e − q d| beyond what they and the axis span. */
// @ts-ignore: decorator
@inline function passes(p: v128, q: v128, hp: v128, hq: v128, d: v128, e: v128): v128 {
  const dd = f32x4.abs(d), ee = f32x4.abs(e);
  const off = f32x4.abs(f32x4.sub(f32x4.mul(p, e), f32x4.mul(q, d)));
  const room = f32x4.add(f32x4.mul(hp, ee), f32x4.mul(hq, dd));
  const slack = f32x4.add(f32x4.mul(f32x4.splat(1e-5), f32x4.add(room, f32x4.mul(dd, ee))), f32x4.splat(TINY));
  return f32x4.gt(off, f32x4.add(room, slack));
}

/** Which boxes of a block a capsule may meet: those that its axis meets when they are larger by the radius. */
export function capsuleLanes(block: usize): i32 {
  const reach = f32x4.splat(outer), more = f32x4.splat(1.00001);
  span(block, 0, cx);
  const px = centre, wx = half, hx = f32x4.mul(f32x4.add(half, reach), more);
  span(block, ROW, cy);
  const py = centre, wy = half, hy = f32x4.mul(f32x4.add(half, reach), more);
  span(block, 2 * ROW, cz);
  const pz = centre, wz = half, hz = f32x4.mul(f32x4.add(half, reach), more);
  let missed = f32x4.gt(f32x4.abs(px), f32x4.mul(f32x4.add(hx, f32x4.abs(ex)), more));
  missed = v128.or(missed, f32x4.gt(f32x4.abs(py), f32x4.mul(f32x4.add(hy, f32x4.abs(ey)), more)));
  missed = v128.or(missed, f32x4.gt(f32x4.abs(pz), f32x4.mul(f32x4.add(hz, f32x4.abs(ez)), more)));
  missed = v128.or(missed, passes(px, py, hx, hy, ex, ey));
  missed = v128.or(missed, passes(py, pz, hy, hz, ey, ez));
  missed = v128.or(missed, passes(pz, px, hz, hx, ez, ex));
  // inside: the middle is near enough to a point of the axis for the whole box to be
  const along = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(px, ex), f32x4.mul(py, ey)), f32x4.mul(pz, ez)), f32x4.splat(perLengthSq));
  const share = f32x4.pmax(f32x4.splat(-1), f32x4.pmin(f32x4.splat(1), along));
  const dx = f32x4.sub(px, f32x4.mul(share, ex)), dy = f32x4.sub(py, f32x4.mul(share, ey)), dz = f32x4.sub(pz, f32x4.mul(share, ez));
  const away = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz)));
  const wide = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(wx, wx), f32x4.mul(wy, wy)), f32x4.mul(wz, wz)));
  const bulk = f32x4.add(f32x4.add(f32x4.abs(px), f32x4.abs(py)), f32x4.abs(pz));
  const farthest = f32x4.mul(f32x4.add(f32x4.add(away, wide), f32x4.mul(bulk, f32x4.splat(1e-6))), more);
  roundInside = innerSq < 0 ? 0 : i32x4.bitmask(f32x4.lt(farthest, f32x4.splat(inner)));
  return ~i32x4.bitmask(missed) & 15;
}

/** Whether a sphere meets the triangle whose corners' numbers are rows apart. */
export function sphereTriangle(a: usize, row: usize): bool {
  return pointTriangle(fromX, fromY, fromZ, a, row, reachSq) <= reachSq;
}

/** Whether a capsule meets the triangle of the work space. */
export function capsuleTriangle(): bool { return axisDistanceSq() <= reachSq; }

export { gapX, gapY, gapZ };

/** The squared distance of the axis from the triangle of the work space, with the gap from the one to the other. */
export function axisDistanceSq(): f64 {
  const axis = scratch + AXIS, triangle = scratch + TRIANGLE;
  return pierces(axis, triangle) ? 0 : triangleDistanceSq(axis, triangle);
}

/** Whether a segment passes through a triangle; where rounding tells wrongly, their distance is no more than that. */
function pierces(s: usize, t: usize): bool {
  const px = load<f64>(s), py = load<f64>(s, 8), pz = load<f64>(s, 16);
  const dx = load<f64>(s, 24) - px, dy = load<f64>(s, 32) - py, dz = load<f64>(s, 40) - pz;
  const ax = load<f64>(t) - px, ay = load<f64>(t, 8) - py, az = load<f64>(t, 16) - pz;
  const bx = load<f64>(t, 24) - px, by = load<f64>(t, 32) - py, bz = load<f64>(t, 40) - pz;
  const qx = load<f64>(t, 48) - px, qy = load<f64>(t, 56) - py, qz = load<f64>(t, 64) - pz;
  const u = dx * (by * qz - bz * qy) + dy * (bz * qx - bx * qz) + dz * (bx * qy - by * qx);
  const v = dx * (qy * az - qz * ay) + dy * (qz * ax - qx * az) + dz * (qx * ay - qy * ax);
  const w = dx * (ay * bz - az * by) + dy * (az * bx - ax * bz) + dz * (ax * by - ay * bx);
  if (!((u > 0 && v > 0 && w > 0) || (u < 0 && v < 0 && w < 0))) return false;
  const nx = (by - ay) * (qz - az) - (bz - az) * (qy - ay), ny = (bz - az) * (qx - ax) - (bx - ax) * (qz - az), nz = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax);
  const begins = ax * nx + ay * ny + az * nz;
  const ends = begins - (dx * nx + dy * ny + dz * nz);
  return (begins > 0) != (ends > 0);
}
