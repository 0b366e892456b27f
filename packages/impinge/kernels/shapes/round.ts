/**
 * Spheres and capsules against boxes and triangles: their distances from a point or an axis.
 *
 * Errs: boxes are measured in float32 from the middle of the shape, and compared with a margin for rounding: no box
 * that the shape meets is dropped, and boxes that count as inside are inside. Triangles count up to S_REACH, which
 * exceeds the radius by more than rounding.
 */
import { ROW } from '../layout';
import { BOX_MAX, BOX_MIN } from '../rays/layout';
import { pointTriangle } from '../rays/point-triangle';
import { gapX, gapY, gapZ, triangleDistanceSq } from '../triangles';
import { S_FROM, S_RADIUS, S_REACH, S_TO } from './layout';
import { AXIS, TRIANGLE, scratch } from './scratch';

const TINY: f32 = 1e-36;
/** Below this, squares in float32 are imprecise. */
const LEAST_SQ: f64 = 1e-34;

let cx: v128 = i64x2.splat(0), cy: v128 = i64x2.splat(0), cz: v128 = i64x2.splat(0);
let ex: v128 = i64x2.splat(0), ey: v128 = i64x2.splat(0), ez: v128 = i64x2.splat(0);
let fromX: f64 = 0, fromY: f64 = 0, fromZ: f64 = 0;
let reachSq: f64 = 0;
let outer: f32 = 0, outerSq: f32 = 0, inner: f32 = 0, innerSq: f32 = 0, perLengthSq: f32 = 0;
/** Lanes of the last block whose boxes are certainly inside. */
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

/** Which boxes of a block a sphere may meet: one bit each. */
export function sphereLanes(block: usize): i32 {
  return sphereMask(
    v128.load(block, BOX_MIN), v128.load(block, BOX_MIN + ROW), v128.load(block, BOX_MIN + 2 * ROW),
    v128.load(block, BOX_MAX), v128.load(block, BOX_MAX + ROW), v128.load(block, BOX_MAX + 2 * ROW),
  );
}

let gapSq: v128 = i64x2.splat(0), farSq: v128 = i64x2.splat(0);
// @ts-ignore: decorator
@inline function alongAxis(low: v128, high: v128, centre: v128): void {
  const below = f32x4.sub(low, centre), above = f32x4.sub(high, centre);
  const gap = f32x4.pmax(f32x4.splat(0), f32x4.pmax(below, f32x4.neg(above))), far = f32x4.pmax(f32x4.abs(below), f32x4.abs(above));
  gapSq = f32x4.add(gapSq, f32x4.mul(gap, gap));
  farSq = f32x4.add(farSq, f32x4.mul(far, far));
}

// @ts-ignore: decorator
@inline function sphereMask(lowX: v128, lowY: v128, lowZ: v128, highX: v128, highY: v128, highZ: v128): i32 {
  gapSq = f32x4.splat(0);
  farSq = f32x4.splat(0);
  alongAxis(lowX, highX, cx);
  alongAxis(lowY, highY, cy);
  alongAxis(lowZ, highZ, cz);
  roundInside = i32x4.bitmask(f32x4.lt(farSq, f32x4.splat(innerSq)));
  return i32x4.bitmask(f32x4.le(gapSq, f32x4.splat(outerSq)));
}

/**
 * Among some lanes of the block last tested against a sphere, the one whose box ends nearest to its centre; 4 if there
 * are none.
 */
// @ts-ignore: decorator
@inline export function nearestLane(mask: i32): usize {
  let best: f32 = Infinity;
  let lane: usize = 4;
  if (mask & 1) { best = f32x4.extract_lane(farSq, 0); lane = 0; }
  if (mask & 2 && f32x4.extract_lane(farSq, 1) < best) { best = f32x4.extract_lane(farSq, 1); lane = 1; }
  if (mask & 4 && f32x4.extract_lane(farSq, 2) < best) { best = f32x4.extract_lane(farSq, 2); lane = 2; }
  if (mask & 8 && f32x4.extract_lane(farSq, 3) < best) lane = 3;
  return lane;
}

/**
 * Which of up to four triangles, whose numbers are rows apart, a sphere may meet by their boxes; inside: those with a
 * corner in the sphere.
 */
export function sphereTriangles(a: usize, row: usize): i32 {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = v128.load(a), ay = v128.load(a + row), az = v128.load(a + 2 * row);
  const bx = v128.load(b), by = v128.load(b + row), bz = v128.load(b + 2 * row);
  const qx = v128.load(c), qy = v128.load(c + row), qz = v128.load(c + 2 * row);
  const mask = sphereMask(least(ax, bx, qx), least(ay, by, qy), least(az, bz, qz), most(ax, bx, qx), most(ay, by, qy), most(az, bz, qz));
  const nearest = f32x4.pmin(f32x4.pmin(awaySq(ax, ay, az), awaySq(bx, by, bz)), awaySq(qx, qy, qz));
  roundInside = i32x4.bitmask(f32x4.lt(nearest, f32x4.splat(innerSq)));
  return mask;
}

// @ts-ignore: decorator
@inline function least(a: v128, b: v128, c: v128): v128 { return f32x4.pmin(f32x4.pmin(a, b), c); }
// @ts-ignore: decorator
@inline function most(a: v128, b: v128, c: v128): v128 { return f32x4.pmax(f32x4.pmax(a, b), c); }
// @ts-ignore: decorator
@inline function awaySq(x: v128, y: v128, z: v128): v128 {
  const dx = f32x4.sub(x, cx), dy = f32x4.sub(y, cy), dz = f32x4.sub(z, cz);
  return f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz));
}

/**
 * Whether the axis passes the boxes in a projection along a third direction: |p e − q d| exceeds the extents of boxes
 * and axis.
 */
// @ts-ignore: decorator
@inline function passes(p: v128, q: v128, hp: v128, hq: v128, d: v128, e: v128): v128 {
  const dd = f32x4.abs(d), ee = f32x4.abs(e);
  const off = f32x4.abs(f32x4.sub(f32x4.mul(p, e), f32x4.mul(q, d)));
  const room = f32x4.add(f32x4.mul(hp, ee), f32x4.mul(hq, dd));
  const slack = f32x4.add(f32x4.mul(f32x4.splat(1e-5), f32x4.add(room, f32x4.mul(dd, ee))), f32x4.splat(TINY));
  return f32x4.gt(off, f32x4.add(room, slack));
}
// @ts-ignore: decorator
@inline function middleOf(low: v128, high: v128, from: v128): v128 {
  return f32x4.mul(f32x4.add(f32x4.sub(low, from), f32x4.sub(high, from)), f32x4.splat(0.5));
}
// @ts-ignore: decorator
@inline function halfOf(low: v128, high: v128): v128 { return f32x4.mul(f32x4.sub(high, low), f32x4.splat(0.5)); }

/** The boxes that a capsule's axis meets after they are enlarged by the radius. */
// @ts-ignore: decorator
@inline function capsuleMask(px: v128, py: v128, pz: v128, wx: v128, wy: v128, wz: v128): i32 {
  const reach = f32x4.splat(outer), more = f32x4.splat(1.00001);
  // measured from the middle of the shape, float32 misplaces boxes in proportion to their distance
  const slip = f32x4.mul(f32x4.add(f32x4.add(f32x4.abs(px), f32x4.abs(py)), f32x4.abs(pz)), f32x4.splat(1e-6));
  const grow = f32x4.add(reach, slip);
  const hx = f32x4.mul(f32x4.add(wx, grow), more), hy = f32x4.mul(f32x4.add(wy, grow), more), hz = f32x4.mul(f32x4.add(wz, grow), more);
  let missed = f32x4.gt(f32x4.abs(px), f32x4.mul(f32x4.add(hx, f32x4.abs(ex)), more));
  missed = v128.or(missed, f32x4.gt(f32x4.abs(py), f32x4.mul(f32x4.add(hy, f32x4.abs(ey)), more)));
  missed = v128.or(missed, f32x4.gt(f32x4.abs(pz), f32x4.mul(f32x4.add(hz, f32x4.abs(ez)), more)));
  missed = v128.or(missed, passes(px, py, hx, hy, ex, ey));
  missed = v128.or(missed, passes(py, pz, hy, hz, ey, ez));
  missed = v128.or(missed, passes(pz, px, hz, hx, ez, ex));
  return ~i32x4.bitmask(missed) & 15;
}

/** Upper bounds of the distances from the axis of points relative to the middle of the shape. */
// @ts-ignore: decorator
@inline function fromAxis(px: v128, py: v128, pz: v128): v128 {
  const along = f32x4.mul(f32x4.add(f32x4.add(f32x4.mul(px, ex), f32x4.mul(py, ey)), f32x4.mul(pz, ez)), f32x4.splat(perLengthSq));
  const share = f32x4.pmax(f32x4.splat(-1), f32x4.pmin(f32x4.splat(1), along));
  const dx = f32x4.sub(px, f32x4.mul(share, ex)), dy = f32x4.sub(py, f32x4.mul(share, ey)), dz = f32x4.sub(pz, f32x4.mul(share, ez));
  const bulk = f32x4.add(f32x4.add(f32x4.abs(px), f32x4.abs(py)), f32x4.abs(pz));
  const away = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(dx, dx), f32x4.mul(dy, dy)), f32x4.mul(dz, dz)));
  return f32x4.add(away, f32x4.mul(bulk, f32x4.splat(1e-6)));
}

/** Which boxes of a block a capsule may meet. */
export function capsuleLanes(block: usize): i32 {
  const lowX = v128.load(block, BOX_MIN), lowY = v128.load(block, BOX_MIN + ROW), lowZ = v128.load(block, BOX_MIN + 2 * ROW);
  const highX = v128.load(block, BOX_MAX), highY = v128.load(block, BOX_MAX + ROW), highZ = v128.load(block, BOX_MAX + 2 * ROW);
  const px = middleOf(lowX, highX, cx), py = middleOf(lowY, highY, cy), pz = middleOf(lowZ, highZ, cz);
  const wx = halfOf(lowX, highX), wy = halfOf(lowY, highY), wz = halfOf(lowZ, highZ);
  // inside: the middle is near enough to a point of the axis for the whole box to be inside
  const wide = f32x4.sqrt(f32x4.add(f32x4.add(f32x4.mul(wx, wx), f32x4.mul(wy, wy)), f32x4.mul(wz, wz)));
  const farthest = f32x4.mul(f32x4.add(fromAxis(px, py, pz), wide), f32x4.splat(1.00001));
  roundInside = innerSq < 0 ? 0 : i32x4.bitmask(f32x4.lt(farthest, f32x4.splat(inner)));
  return capsuleMask(px, py, pz, wx, wy, wz);
}

/** As `sphereTriangles`, for a capsule. */
export function capsuleTriangles(a: usize, row: usize): i32 {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = f32x4.sub(v128.load(a), cx), ay = f32x4.sub(v128.load(a + row), cy), az = f32x4.sub(v128.load(a + 2 * row), cz);
  const bx = f32x4.sub(v128.load(b), cx), by = f32x4.sub(v128.load(b + row), cy), bz = f32x4.sub(v128.load(b + 2 * row), cz);
  const qx = f32x4.sub(v128.load(c), cx), qy = f32x4.sub(v128.load(c + row), cy), qz = f32x4.sub(v128.load(c + 2 * row), cz);
  const zero = f32x4.splat(0);
  const lowX = least(ax, bx, qx), lowY = least(ay, by, qy), lowZ = least(az, bz, qz);
  const highX = most(ax, bx, qx), highY = most(ay, by, qy), highZ = most(az, bz, qz);
  const nearest = least(fromAxis(ax, ay, az), fromAxis(bx, by, bz), fromAxis(qx, qy, qz));
  roundInside = innerSq < 0 ? 0 : i32x4.bitmask(f32x4.lt(f32x4.mul(nearest, f32x4.splat(1.00001)), f32x4.splat(inner)));
  return capsuleMask(
    middleOf(lowX, highX, zero), middleOf(lowY, highY, zero), middleOf(lowZ, highZ, zero),
    halfOf(lowX, highX), halfOf(lowY, highY), halfOf(lowZ, highZ),
  );
}

/** Whether a sphere meets the triangle whose corners' numbers are rows apart. */
export function sphereTriangle(a: usize, row: usize): bool {
  return pointTriangle(fromX, fromY, fromZ, a, row, reachSq) <= reachSq;
}

/** Whether a capsule meets the triangle in the work space. */
export function capsuleTriangle(): bool { return axisDistanceSq() <= reachSq; }

export { gapX, gapY, gapZ };

/** The squared distance of the axis from the triangle in the work space; sets the gap vector between them. */
export function axisDistanceSq(): f64 {
  const axis = scratch + AXIS, triangle = scratch + TRIANGLE;
  return pierces(axis, triangle) ? 0 : triangleDistanceSq(axis, triangle);
}

/**
 * Whether a segment passes through a triangle; if rounding makes this wrong, their distance is no more than that
 * rounding.
 */
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
