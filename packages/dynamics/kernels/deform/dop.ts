/**
 * 26-DOPs computed from positions on demand, and their rounded form for quick comparison.
 *
 * Layout: float lanes of the sides: x + y, y + z, z + x, 0 and x − y, y − z, z − x, 0; of the corners: x + y + z, x + y
 * − z, x − y + z, x − y − z. A quantised DOP: for T0 and T1 each 16 numbers of 16 bits: the six sides and the first two
 * corners; x, y, z, 0, the other two corners, 0, 0. A number is a coordinate along its axis in steps of its range by
 * 2^15, rounded.
 */

/** 3 · 2^22: a sum with it, as bits, is that of itself and the nearest whole number, if that is below 2^22. */
const ROUNDING: f32 = 12582912;

// @ts-ignore: decorator
@inline export function turned(p: v128): v128 { return i32x4.shuffle(p, p, 1, 2, 0, 3); }

/** The four corner axes of a position, given x + y and x − y in the first lanes of `sum` and `difference`. */
// @ts-ignore: decorator
@inline export function cornersOf(p: v128, sum: v128, difference: v128): v128 {
  const xy = i32x4.shuffle(sum, difference, 0, 0, 4, 4);
  return f32x4.add(xy, v128.xor(i32x4.shuffle(p, p, 2, 2, 2, 2), i32x4(0, 0x80000000, 0, 0x80000000))); // ± z
}

/**
 * Writes the quantised DOP of position p (half of one: 32 bytes), given steps per unit along axes of length 1, √2, √3.
 */
// @ts-ignore: decorator
@inline export function storeDop(at: usize, p: v128, box: v128, side: v128, corner: v128): void {
  const s = f32x4.add(p, turned(p)), d = f32x4.sub(p, turned(p)), c = cornersOf(p, s, d);
  const sums = steps(s, side), differences = steps(d, side), corners = steps(c, corner);
  // x + y, y + z, z + x, x − y | y − z, z − x, two corners
  v128.store(at, i16x8.narrow_i32x4_s(i32x4.shuffle(sums, differences, 0, 1, 2, 4), i32x4.shuffle(differences, corners, 1, 2, 4, 5)));
  v128.store(at, i16x8.narrow_i32x4_s(steps(p, box), i32x4.shuffle(corners, corners, 2, 3, 2, 3)), 16);
}
// @ts-ignore: decorator
@inline function steps(x: v128, perUnit: v128): v128 { return i32x4.sub(f32x4.add(f32x4.mul(x, perUnit), f32x4.splat(ROUNDING)), i32x4.splat(0x4b400000)); }

/** Whether b is separated from the enlarged a: on the same side along one axis at both ends. */
// @ts-ignore: decorator
@inline export function apart(
  aLo0: v128, aLo1: v128, aHi0: v128, aHi1: v128, bLo0: v128, bLo1: v128, bHi0: v128, bHi1: v128,
): bool {
  return v128.any_true(v128.or(
    v128.and(f32x4.gt(bLo0, aHi0), f32x4.gt(bLo1, aHi1)),
    v128.and(f32x4.lt(bHi0, aLo0), f32x4.lt(bHi1, aLo1)),
  ));
}

/** The same for quantised DOPs: lanes along which they are separated. */
// @ts-ignore: decorator
@inline export function dopsApart(
  aLo0: v128, aLo1: v128, aHi0: v128, aHi1: v128, bLo0: v128, bLo1: v128, bHi0: v128, bHi1: v128,
): v128 {
  return v128.or(
    v128.and(i16x8.gt_s(bLo0, aHi0), i16x8.gt_s(bLo1, aHi1)),
    v128.and(i16x8.gt_s(aLo0, bHi0), i16x8.gt_s(aLo1, bHi1)),
  );
}
// @ts-ignore: decorator
@inline export function least(a: v128, b: v128): v128 { return i16x8.min_s(a, b); }
// @ts-ignore: decorator
@inline export function most(a: v128, b: v128): v128 { return i16x8.max_s(a, b); }

/** Writes a bound: its least and its most along up to eight axes. */
// @ts-ignore: decorator
@inline export function storeBound(at: usize, lo0: v128, lo1: v128, hi0: v128, hi1: v128): void {
  v128.store(at, lo0);
  v128.store(at, lo1, 16);
  v128.store(at, hi0, 32);
  v128.store(at, hi1, 48);
}

/** Whether two bounds are farther apart than a margin along some axis. */
// @ts-ignore: decorator
@inline export function areApart(a: usize, b: usize, margin: v128): bool {
  return apart(f32x4.sub(v128.load(a), margin), f32x4.sub(v128.load(a, 16), margin), f32x4.add(v128.load(a, 32), margin), f32x4.add(v128.load(a, 48), margin),
    v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48));
}
