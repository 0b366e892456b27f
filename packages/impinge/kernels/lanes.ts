/** Gathers numbers from lanes of several vectors into the lanes of one. */

/** The smallest or largest lane of each of three vectors, in lanes 0, 1, 2. */
// @ts-ignore: decorator
@inline export function minima(u: v128, v: v128, w: v128): v128 {
  const uv = f32x4.pmin(i32x4.shuffle(u, v, 0, 4, 1, 5), i32x4.shuffle(u, v, 2, 6, 3, 7));
  const ww = f32x4.pmin(w, i32x4.shuffle(w, w, 2, 3, 0, 1));
  return f32x4.pmin(i32x4.shuffle(uv, ww, 0, 1, 4, 5), i32x4.shuffle(uv, ww, 2, 3, 5, 4));
}
// @ts-ignore: decorator
@inline export function maxima(u: v128, v: v128, w: v128): v128 {
  const uv = f32x4.pmax(i32x4.shuffle(u, v, 0, 4, 1, 5), i32x4.shuffle(u, v, 2, 6, 3, 7));
  const ww = f32x4.pmax(w, i32x4.shuffle(w, w, 2, 3, 0, 1));
  return f32x4.pmax(i32x4.shuffle(uv, ww, 0, 1, 4, 5), i32x4.shuffle(uv, ww, 2, 3, 5, 4));
}

/** The first, second and third numbers of four vectors. */
// @ts-ignore: decorator
@inline export function row0(a: v128, b: v128, c: v128, d: v128): v128 {
  return i64x2.shuffle(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(c, d, 0, 4, 1, 5), 0, 2);
}
// @ts-ignore: decorator
@inline export function row1(a: v128, b: v128, c: v128, d: v128): v128 {
  return i64x2.shuffle(i32x4.shuffle(a, b, 0, 4, 1, 5), i32x4.shuffle(c, d, 0, 4, 1, 5), 1, 3);
}
// @ts-ignore: decorator
@inline export function row2(a: v128, b: v128, c: v128, d: v128): v128 {
  return i64x2.shuffle(i32x4.shuffle(a, b, 2, 6, 3, 7), i32x4.shuffle(c, d, 2, 6, 3, 7), 0, 2);
}
