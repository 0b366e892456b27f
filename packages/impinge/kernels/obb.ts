/**
 * One oriented box against the four of a block.
 * Twin: src/volumes/obb.ts.
 *
 * Layout of a "one": float32 centre (3), half extents (3), quaternion (4), rotation matrix (9, row-major), in the frame
 * of the block it is tested against.
 * Errs: towards overlap. Boxes are enlarged by the query's slack, several times what float32 may lose on numbers as
 * large as the two trees together; for parallel edges, EDGE_SLACK is added to every
 * |cosine|.
 */
import { ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION, ROW_REF } from './layout';

export const ONE_BYTES: usize = 80;
const EDGE_SLACK: f32 = 2e-6;

// the slot of the last "one" prepared: the same box is often tested against several blocks in a row
let heldSlot: usize = 0;
let heldMotion: usize = 0;

/** Must be called when a query starts or resumes. */
export function forgetOne(): void { heldSlot = 0; }

/** Reads the box at `slot`, transforms it by `motion` (quaternion, translation, slack) and writes it as a "one". */
export function prepareOne(slot: usize, motion: usize, one: usize): void {
  if (slot == heldSlot && motion == heldMotion) return;
  heldSlot = slot;
  heldMotion = motion;
  const px = load<f32>(motion), py = load<f32>(motion, 4), pz = load<f32>(motion, 8), pw = load<f32>(motion, 12);
  const cx = load<f32>(slot, ROW_CENTRE), cy = load<f32>(slot, ROW_CENTRE + ROW), cz = load<f32>(slot, ROW_CENTRE + 2 * ROW);
  const slack = load<f32>(motion, 28);
  // centre: c + 2 w (p × c) + 2 p × (p × c) + t
  const ux = <f32>2 * (py * cz - pz * cy), uy = <f32>2 * (pz * cx - px * cz), uz = <f32>2 * (px * cy - py * cx);
  store<f32>(one, cx + pw * ux + (py * uz - pz * uy) + load<f32>(motion, 16));
  store<f32>(one, cy + pw * uy + (pz * ux - px * uz) + load<f32>(motion, 20), 4);
  store<f32>(one, cz + pw * uz + (px * uy - py * ux) + load<f32>(motion, 24), 8);
  store<f32>(one, load<f32>(slot, ROW_HALF) + slack, 12);
  store<f32>(one, load<f32>(slot, ROW_HALF + ROW) + slack, 16);
  store<f32>(one, load<f32>(slot, ROW_HALF + 2 * ROW) + slack, 20);
  writeTurned(slot, motion, one);
}

/** Writes the quaternion and matrix of a "one": the rotation of the box at `slot` followed by that of a motion. */
// @ts-ignore: decorator
@inline export function writeTurned(slot: usize, motion: usize, one: usize): void {
  const px = load<f32>(motion), py = load<f32>(motion, 4), pz = load<f32>(motion, 8), pw = load<f32>(motion, 12);
  const bx = load<f32>(slot, ROW_QUATERNION), by = load<f32>(slot, ROW_QUATERNION + ROW);
  const bz = load<f32>(slot, ROW_QUATERNION + 2 * ROW), bw = load<f32>(slot, ROW_QUATERNION + 3 * ROW);
  const x = pw * bx + px * bw + py * bz - pz * by;
  const y = pw * by - px * bz + py * bw + pz * bx;
  const z = pw * bz + px * by - py * bx + pz * bw;
  const w = pw * bw - px * bx - py * by - pz * bz;
  store<f32>(one, x, 24);
  store<f32>(one, y, 28);
  store<f32>(one, z, 32);
  store<f32>(one, w, 36);
  writeMatrix(one + 40, x, y, z, w);
}

/** Writes the rotation matrix of a quaternion, row by row. */
// @ts-ignore: decorator
@inline export function writeMatrix(to: usize, x: f32, y: f32, z: f32, w: f32): void {
  const x2 = x + x, y2 = y + y, z2 = z + z;
  store<f32>(to, 1 - (y2 * y + z2 * z));
  store<f32>(to, x2 * y - z2 * w, 4);
  store<f32>(to, x2 * z + y2 * w, 8);
  store<f32>(to, x2 * y + z2 * w, 12);
  store<f32>(to, 1 - (x2 * x + z2 * z), 16);
  store<f32>(to, y2 * z - x2 * w, 20);
  store<f32>(to, x2 * z - y2 * w, 24);
  store<f32>(to, y2 * z + x2 * w, 28);
  store<f32>(to, 1 - (x2 * x + y2 * y), 32);
}

/** Bit l is set if the "one" may overlap lane l: none of the fifteen axes separates them. */
export function overlap4(one: usize, block: usize): i32 {
  // the lanes' axes in the frame of the "one": conj(q1) q2, then its matrix
  const x1 = v128.load32_splat(one, 24), y1 = v128.load32_splat(one, 28), z1 = v128.load32_splat(one, 32), w1 = v128.load32_splat(one, 36);
  const xl = v128.load(block, ROW_QUATERNION), yl = v128.load(block, ROW_QUATERNION + ROW);
  const zl = v128.load(block, ROW_QUATERNION + 2 * ROW), wl = v128.load(block, ROW_QUATERNION + 3 * ROW);
  const w = f32x4.add(f32x4.add(f32x4.mul(w1, wl), f32x4.mul(x1, xl)), f32x4.add(f32x4.mul(y1, yl), f32x4.mul(z1, zl)));
  const x = f32x4.add(f32x4.sub(f32x4.mul(w1, xl), f32x4.mul(x1, wl)), f32x4.sub(f32x4.mul(z1, yl), f32x4.mul(y1, zl)));
  const y = f32x4.add(f32x4.sub(f32x4.mul(w1, yl), f32x4.mul(y1, wl)), f32x4.sub(f32x4.mul(x1, zl), f32x4.mul(z1, xl)));
  const z = f32x4.add(f32x4.sub(f32x4.mul(w1, zl), f32x4.mul(z1, wl)), f32x4.sub(f32x4.mul(y1, xl), f32x4.mul(x1, yl)));
  const x2 = f32x4.add(x, x), y2 = f32x4.add(y, y), z2 = f32x4.add(z, z);
  const unit = f32x4.splat(1);
  const xx = f32x4.mul(x2, x), yy = f32x4.mul(y2, y), zz = f32x4.mul(z2, z);
  const xy = f32x4.mul(x2, y), xz = f32x4.mul(x2, z), yz = f32x4.mul(y2, z);
  const xw = f32x4.mul(x2, w), yw = f32x4.mul(y2, w), zw = f32x4.mul(z2, w);
  const r00 = f32x4.sub(unit, f32x4.add(yy, zz)), r01 = f32x4.sub(xy, zw), r02 = f32x4.add(xz, yw);
  const r10 = f32x4.add(xy, zw), r11 = f32x4.sub(unit, f32x4.add(xx, zz)), r12 = f32x4.sub(yz, xw);
  const r20 = f32x4.sub(xz, yw), r21 = f32x4.add(yz, xw), r22 = f32x4.sub(unit, f32x4.add(xx, yy));
  const eps = f32x4.splat(EDGE_SLACK);
  const a00 = f32x4.add(f32x4.abs(r00), eps), a01 = f32x4.add(f32x4.abs(r01), eps), a02 = f32x4.add(f32x4.abs(r02), eps);
  const a10 = f32x4.add(f32x4.abs(r10), eps), a11 = f32x4.add(f32x4.abs(r11), eps), a12 = f32x4.add(f32x4.abs(r12), eps);
  const a20 = f32x4.add(f32x4.abs(r20), eps), a21 = f32x4.add(f32x4.abs(r21), eps), a22 = f32x4.add(f32x4.abs(r22), eps);
  // vector between the centres, in the frame of the "one"
  const dx = f32x4.sub(v128.load(block, ROW_CENTRE), v128.load32_splat(one));
  const dy = f32x4.sub(v128.load(block, ROW_CENTRE + ROW), v128.load32_splat(one, 4));
  const dz = f32x4.sub(v128.load(block, ROW_CENTRE + 2 * ROW), v128.load32_splat(one, 8));
  const tx = f32x4.add(f32x4.add(f32x4.mul(dx, v128.load32_splat(one, 40)), f32x4.mul(dy, v128.load32_splat(one, 52))), f32x4.mul(dz, v128.load32_splat(one, 64)));
  const ty = f32x4.add(f32x4.add(f32x4.mul(dx, v128.load32_splat(one, 44)), f32x4.mul(dy, v128.load32_splat(one, 56))), f32x4.mul(dz, v128.load32_splat(one, 68)));
  const tz = f32x4.add(f32x4.add(f32x4.mul(dx, v128.load32_splat(one, 48)), f32x4.mul(dy, v128.load32_splat(one, 60))), f32x4.mul(dz, v128.load32_splat(one, 72)));
  const h0 = v128.load32_splat(one, 12), h1 = v128.load32_splat(one, 16), h2 = v128.load32_splat(one, 20);
  const k0 = v128.load(block, ROW_HALF), k1 = v128.load(block, ROW_HALF + ROW), k2 = v128.load(block, ROW_HALF + 2 * ROW);
  // face normals of the "one"
  let apart = f32x4.gt(f32x4.abs(tx), f32x4.add(f32x4.add(h0, f32x4.mul(k0, a00)), f32x4.add(f32x4.mul(k1, a01), f32x4.mul(k2, a02))));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(ty), f32x4.add(f32x4.add(h1, f32x4.mul(k0, a10)), f32x4.add(f32x4.mul(k1, a11), f32x4.mul(k2, a12)))));
  apart = v128.or(apart, f32x4.gt(f32x4.abs(tz), f32x4.add(f32x4.add(h2, f32x4.mul(k0, a20)), f32x4.add(f32x4.mul(k1, a21), f32x4.mul(k2, a22)))));
  if (i32x4.bitmask(apart) == 15) return 0;
  // face normals of the lanes
  apart = v128.or(apart, f32x4.gt(
    f32x4.abs(f32x4.add(f32x4.add(f32x4.mul(tx, r00), f32x4.mul(ty, r10)), f32x4.mul(tz, r20))),
    f32x4.add(f32x4.add(k0, f32x4.mul(h0, a00)), f32x4.add(f32x4.mul(h1, a10), f32x4.mul(h2, a20)))));
  apart = v128.or(apart, f32x4.gt(
    f32x4.abs(f32x4.add(f32x4.add(f32x4.mul(tx, r01), f32x4.mul(ty, r11)), f32x4.mul(tz, r21))),
    f32x4.add(f32x4.add(k1, f32x4.mul(h0, a01)), f32x4.add(f32x4.mul(h1, a11), f32x4.mul(h2, a21)))));
  apart = v128.or(apart, f32x4.gt(
    f32x4.abs(f32x4.add(f32x4.add(f32x4.mul(tx, r02), f32x4.mul(ty, r12)), f32x4.mul(tz, r22))),
    f32x4.add(f32x4.add(k2, f32x4.mul(h0, a02)), f32x4.add(f32x4.mul(h1, a12), f32x4.mul(h2, a22)))));
  if (i32x4.bitmask(apart) == 15) return 0;
  // edge × edge: axis i of the "one", axis j of the lanes
  apart = v128.or(apart, edge(tz, r10, ty, r20, h1, a20, h2, a10, k1, a02, k2, a01));
  apart = v128.or(apart, edge(tz, r11, ty, r21, h1, a21, h2, a11, k0, a02, k2, a00));
  apart = v128.or(apart, edge(tz, r12, ty, r22, h1, a22, h2, a12, k0, a01, k1, a00));
  apart = v128.or(apart, edge(tx, r20, tz, r00, h0, a20, h2, a00, k1, a12, k2, a11));
  apart = v128.or(apart, edge(tx, r21, tz, r01, h0, a21, h2, a01, k0, a12, k2, a10));
  apart = v128.or(apart, edge(tx, r22, tz, r02, h0, a22, h2, a02, k0, a11, k1, a10));
  apart = v128.or(apart, edge(ty, r00, tx, r10, h0, a10, h1, a00, k1, a22, k2, a21));
  apart = v128.or(apart, edge(ty, r01, tx, r11, h0, a11, h1, a01, k0, a22, k2, a20));
  apart = v128.or(apart, edge(ty, r02, tx, r12, h0, a12, h1, a02, k0, a21, k1, a20));
  return i32x4.bitmask(v128.or(apart, emptyLanes(block))) ^ 15;
}

/** Lanes without a child; their boxes are meaningless. */
// @ts-ignore: decorator
@inline export function emptyLanes(block: usize): v128 { return i32x4.eq(v128.load(block, ROW_REF), i32x4.splat(-1)); }

// @ts-ignore: decorator
@inline function edge(t0: v128, r0: v128, t1: v128, r1: v128, h0: v128, a0: v128, h1: v128, a1: v128, k0: v128, b0: v128, k1: v128, b1: v128): v128 {
  return f32x4.gt(
    f32x4.abs(f32x4.sub(f32x4.mul(t0, r0), f32x4.mul(t1, r1))),
    f32x4.add(f32x4.add(f32x4.mul(h0, a0), f32x4.mul(h1, a1)), f32x4.add(f32x4.mul(k0, b0), f32x4.mul(k1, b1))));
}

/** Whether boxes move, `boundBoxes4` is told: one way, or as much forth and back. */
const STILL: i32 = 0;
export const ONE_WAY: i32 = 1;
export const BOTH_WAYS: i32 = 2;

/**
 * Four lower bounds, squared, of how far the "one" and each lane stay apart while the lanes move by (ex, ey, ez) in the
 * frame of the block. The gaps along the axes of one box are at right angles, so their squares add up, which gives
 * a bound for either box; the gap along the line of the centres is a third. Along each of them, the gap of boxes that
 * move straight is at least its smaller one at both ends of their way: surfaces that slide along each other move far,
 * but hardly towards each other. The largest of the three is returned.
 */
// @ts-ignore: decorator
@inline export function boundBoxes4(one: usize, block: usize, ex: v128, ey: v128, ez: v128, moves: i32): v128 {
  const x1 = v128.load32_splat(one, 24), y1 = v128.load32_splat(one, 28), z1 = v128.load32_splat(one, 32), w1 = v128.load32_splat(one, 36);
  const xl = v128.load(block, ROW_QUATERNION), yl = v128.load(block, ROW_QUATERNION + ROW);
  const zl = v128.load(block, ROW_QUATERNION + 2 * ROW), wl = v128.load(block, ROW_QUATERNION + 3 * ROW);
  const w = f32x4.add(f32x4.add(f32x4.mul(w1, wl), f32x4.mul(x1, xl)), f32x4.add(f32x4.mul(y1, yl), f32x4.mul(z1, zl)));
  const x = f32x4.add(f32x4.sub(f32x4.mul(w1, xl), f32x4.mul(x1, wl)), f32x4.sub(f32x4.mul(z1, yl), f32x4.mul(y1, zl)));
  const y = f32x4.add(f32x4.sub(f32x4.mul(w1, yl), f32x4.mul(y1, wl)), f32x4.sub(f32x4.mul(x1, zl), f32x4.mul(z1, xl)));
  const z = f32x4.add(f32x4.sub(f32x4.mul(w1, zl), f32x4.mul(z1, wl)), f32x4.sub(f32x4.mul(y1, xl), f32x4.mul(x1, yl)));
  const x2 = f32x4.add(x, x), y2 = f32x4.add(y, y), z2 = f32x4.add(z, z);
  const unit = f32x4.splat(1);
  const xx = f32x4.mul(x2, x), yy = f32x4.mul(y2, y), zz = f32x4.mul(z2, z);
  const xy = f32x4.mul(x2, y), xz = f32x4.mul(x2, z), yz = f32x4.mul(y2, z);
  const xw = f32x4.mul(x2, w), yw = f32x4.mul(y2, w), zw = f32x4.mul(z2, w);
  const r00 = f32x4.sub(unit, f32x4.add(yy, zz)), r01 = f32x4.sub(xy, zw), r02 = f32x4.add(xz, yw);
  const r10 = f32x4.add(xy, zw), r11 = f32x4.sub(unit, f32x4.add(xx, zz)), r12 = f32x4.sub(yz, xw);
  const r20 = f32x4.sub(xz, yw), r21 = f32x4.add(yz, xw), r22 = f32x4.sub(unit, f32x4.add(xx, yy));
  const dx = f32x4.sub(v128.load(block, ROW_CENTRE), v128.load32_splat(one));
  const dy = f32x4.sub(v128.load(block, ROW_CENTRE + ROW), v128.load32_splat(one, 4));
  const dz = f32x4.sub(v128.load(block, ROW_CENTRE + 2 * ROW), v128.load32_splat(one, 8));
  const m0 = v128.load32_splat(one, 40), m1 = v128.load32_splat(one, 44), m2 = v128.load32_splat(one, 48);
  const m3 = v128.load32_splat(one, 52), m4 = v128.load32_splat(one, 56), m5 = v128.load32_splat(one, 60);
  const m6 = v128.load32_splat(one, 64), m7 = v128.load32_splat(one, 68), m8 = v128.load32_splat(one, 72);
  const tx = dot(dx, dy, dz, m0, m3, m6), ty = dot(dx, dy, dz, m1, m4, m7), tz = dot(dx, dy, dz, m2, m5, m8);
  const vx = dot(ex, ey, ez, m0, m3, m6), vy = dot(ex, ey, ez, m1, m4, m7), vz = dot(ex, ey, ez, m2, m5, m8);
  const h0 = v128.load32_splat(one, 12), h1 = v128.load32_splat(one, 16), h2 = v128.load32_splat(one, 20);
  const k0 = v128.load(block, ROW_HALF), k1 = v128.load(block, ROW_HALF + ROW), k2 = v128.load(block, ROW_HALF + 2 * ROW);
  const a00 = f32x4.abs(r00), a01 = f32x4.abs(r01), a02 = f32x4.abs(r02);
  const a10 = f32x4.abs(r10), a11 = f32x4.abs(r11), a12 = f32x4.abs(r12);
  const a20 = f32x4.abs(r20), a21 = f32x4.abs(r21), a22 = f32x4.abs(r22);
  let g0 = gapOf(tx, vx, h0, f32x4.mul(k0, a00), f32x4.mul(k1, a01), f32x4.mul(k2, a02), moves), g1 = gapOf(ty, vy, h1, f32x4.mul(k0, a10), f32x4.mul(k1, a11), f32x4.mul(k2, a12), moves);
  let g2 = gapOf(tz, vz, h2, f32x4.mul(k0, a20), f32x4.mul(k1, a21), f32x4.mul(k2, a22), moves);
  const sumOne = dot(g0, g1, g2, g0, g1, g2);
  const l0 = dot(tx, ty, tz, r00, r10, r20), l1 = dot(tx, ty, tz, r01, r11, r21), l2 = dot(tx, ty, tz, r02, r12, r22);
  g0 = gapOf(l0, dot(vx, vy, vz, r00, r10, r20), k0, f32x4.mul(h0, a00), f32x4.mul(h1, a10), f32x4.mul(h2, a20), moves);
  g1 = gapOf(l1, dot(vx, vy, vz, r01, r11, r21), k1, f32x4.mul(h0, a01), f32x4.mul(h1, a11), f32x4.mul(h2, a21), moves);
  g2 = gapOf(l2, dot(vx, vy, vz, r02, r12, r22), k2, f32x4.mul(h0, a02), f32x4.mul(h1, a12), f32x4.mul(h2, a22), moves);
  const sumLanes = dot(g0, g1, g2, g0, g1, g2);
  // along the line of the centres: (|t|² + what t · v takes away − Σ h |t_i| − Σ k |l_j|) / |t|
  const zero = f32x4.splat(0);
  const tt = dot(tx, ty, tz, tx, ty, tz);
  const spread = f32x4.add(
    dot(h0, h1, h2, f32x4.abs(tx), f32x4.abs(ty), f32x4.abs(tz)),
    dot(k0, k1, k2, f32x4.abs(l0), f32x4.abs(l1), f32x4.abs(l2)));
  const tv = dot(tx, ty, tz, vx, vy, vz);
  const nearest = moves == STILL ? tt : f32x4.add(tt, moves == BOTH_WAYS ? f32x4.neg(f32x4.abs(tv)) : f32x4.pmin(zero, tv));
  const excess = f32x4.pmax(zero, f32x4.sub(nearest, spread));
  const along = f32x4.mul(excess, f32x4.div(excess, f32x4.pmax(tt, f32x4.splat(1e-37)))); // the square would overflow early
  return f32x4.pmax(f32x4.pmax(sumOne, sumLanes), along);
}

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** The gap along an axis until the end of the way: from `far`, moving by `way`, less four extents. */
// @ts-ignore: decorator
@inline function gapOf(far: v128, way: v128, e0: v128, e1: v128, e2: v128, e3: v128, moves: i32): v128 {
  const zero = f32x4.splat(0);
  const nearer = moves == BOTH_WAYS ? f32x4.neg(f32x4.abs(way)) : f32x4.pmin(zero, v128.xor(way, v128.and(far, f32x4.splat(-0.0))));
  const apart = moves == STILL ? f32x4.abs(far) : f32x4.add(f32x4.abs(far), nearer);
  return f32x4.pmax(zero, f32x4.sub(apart, f32x4.add(f32x4.add(e0, e1), f32x4.add(e2, e3))));
}

/** Half the diagonals of the boxes of a block. */
// @ts-ignore: decorator
@inline export function halfDiagonals4(block: usize): v128 {
  const x = v128.load(block, ROW_HALF), y = v128.load(block, ROW_HALF + ROW), z = v128.load(block, ROW_HALF + 2 * ROW);
  return f32x4.sqrt(dot(x, y, z, x, y, z));
}

/** Half the diagonal of a "one". */
// @ts-ignore: decorator
@inline export function halfDiagonal(one: usize): f32 {
  const x = load<f32>(one, 12), y = load<f32>(one, 16), z = load<f32>(one, 20);
  return sqrt<f32>(x * x + y * y + z * z);
}

/** Writes four lower bounds of the squared distance between the "one" and each lane to `out`. */
export function lowerBoundSq4(one: usize, block: usize, out: usize): void {
  const zero = f32x4.splat(0);
  v128.store(out, boundBoxes4(one, block, zero, zero, zero, STILL));
}

/** A measure that grows with the box at `slot`, used to choose which of two boxes to open first. */
// @ts-ignore: decorator
@inline export function boxSize(slot: usize): f32 {
  const x = load<f32>(slot, ROW_HALF), y = load<f32>(slot, ROW_HALF + ROW), z = load<f32>(slot, ROW_HALF + 2 * ROW);
  return x * x + y * y + z * z;
}
