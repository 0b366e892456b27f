/**
 * One oriented box against the four of a block that move against it: how far they stay apart.
 *
 * Idea: surfaces that slide along each other move far, but hardly towards each other. Along an axis the gap of boxes
 * that move straight is at least its smaller one at both ends of their way, and gaps along three axes at right angles
 * are legs of the distance. The axes are those of either box, and the line of their centres.
 * Errs: downwards but for rounding, as lowerBoundSq4 of obb.ts.
 */
import { ROW, ROW_CENTRE, ROW_HALF, ROW_QUATERNION } from './layout';

/** Of each lane: the bound by the axes of the boxes, squared, and the line of the centres, squared. */
export let apartSq: v128 = f32x4.splat(0);
export let lineSq: v128 = f32x4.splat(0);
/** The gap along that line, times its length. */
export let gapByLine: v128 = f32x4.splat(0);

/**
 * Bounds how far the "one" and each lane stay apart while the lanes move by (ex, ey, ez), in the frame of the block;
 * with `bothWays` by as much forth and back.
 */
// @ts-ignore: decorator
@inline export function boundMoving4(one: usize, block: usize, ex: v128, ey: v128, ez: v128, bothWays: bool): void {
  // the lanes' axes in the frame of the "one", as in lowerBoundSq4
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
  let g0 = gapOf(tx, vx, h0, dot(k0, k1, k2, a00, a01, a02), bothWays), g1 = gapOf(ty, vy, h1, dot(k0, k1, k2, a10, a11, a12), bothWays);
  let g2 = gapOf(tz, vz, h2, dot(k0, k1, k2, a20, a21, a22), bothWays);
  const sumOne = dot(g0, g1, g2, g0, g1, g2);
  const l0 = dot(tx, ty, tz, r00, r10, r20), l1 = dot(tx, ty, tz, r01, r11, r21), l2 = dot(tx, ty, tz, r02, r12, r22);
  g0 = gapOf(l0, dot(vx, vy, vz, r00, r10, r20), k0, dot(h0, h1, h2, a00, a10, a20), bothWays);
  g1 = gapOf(l1, dot(vx, vy, vz, r01, r11, r21), k1, dot(h0, h1, h2, a01, a11, a21), bothWays);
  g2 = gapOf(l2, dot(vx, vy, vz, r02, r12, r22), k2, dot(h0, h1, h2, a02, a12, a22), bothWays);
  const sumLanes = dot(g0, g1, g2, g0, g1, g2);
  // along the line of the centres: (|t|² + what t · v takes away − Σ h |t_i| − Σ k |l_j|) / |t|
  const zero = f32x4.splat(0);
  const tt = dot(tx, ty, tz, tx, ty, tz);
  const spread = f32x4.add(
    dot(h0, h1, h2, f32x4.abs(tx), f32x4.abs(ty), f32x4.abs(tz)),
    dot(k0, k1, k2, f32x4.abs(l0), f32x4.abs(l1), f32x4.abs(l2)));
  const tv = dot(tx, ty, tz, vx, vy, vz);
  const nearer = bothWays ? f32x4.neg(f32x4.abs(tv)) : f32x4.pmin(zero, tv);
  gapByLine = f32x4.pmax(zero, f32x4.sub(f32x4.add(tt, nearer), spread));
  lineSq = tt;
  apartSq = f32x4.pmax(sumOne, sumLanes);
}

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}

/** The gap along an axis until the end of the way: from `far`, moving by `way`, less the extents of both. */
// @ts-ignore: decorator
@inline function gapOf(far: v128, way: v128, half: v128, extent: v128, bothWays: bool): v128 {
  const zero = f32x4.splat(0);
  const nearer = bothWays ? f32x4.neg(f32x4.abs(way)) : f32x4.pmin(zero, v128.xor(way, v128.and(far, f32x4.splat(-0.0))));
  return f32x4.pmax(zero, f32x4.sub(f32x4.add(f32x4.abs(far), nearer), f32x4.add(half, extent)));
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
