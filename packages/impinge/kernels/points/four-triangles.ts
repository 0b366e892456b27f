/**
 * Lower bounds of the distances of four triangles from a point, in float32, to choose which to test closely.
 *
 * Idea: for any direction g, a triangle is no nearer than the nearest of its corners measured along g. With g towards
 * the closest point this is the distance itself, so the closest point may be approximate: a poor one only gives a lower
 * bound.
 * Errs: with P and S the largest coordinates of the point and the corners, bounds are too high by less than 15 · 2⁻²⁴
 * (P + S), of which 3.5 are for differences, and the rest for products, root and quotient of lengths below √3 (P + S);
 * see `BOUND_ERROR`. Overflow produces NaN, which compares above nothing.
 */

/** Share of P + S that exceeds the error by which bounds may be too high. */
export const BOUND_ERROR: f64 = 1.2e-6;
/** Additional margin for underflow: lengths below 10⁻¹⁸ are not distinguished. */
export const BOUND_TINY: f64 = 1e-18;
const LEAST_SQ: f32 = 1e-36;

// @ts-ignore: decorator
@inline function dot(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(ax, bx), f32x4.mul(ay, by)), f32x4.mul(az, bz));
}
/** Position of the closest point along an edge, from 0 to 1; 0 if the edge has no length. */
// @ts-ignore: decorator
@inline function shareOf(along: v128, lengthSq: v128): v128 {
  return f32x4.pmin(f32x4.splat(1), f32x4.pmax(f32x4.splat(0), f32x4.div(f32x4.neg(along), lengthSq)));
}
// @ts-ignore: decorator
@inline function along(a: v128, share: v128, u: v128): v128 { return f32x4.add(a, f32x4.mul(share, u)); }

/** Bounds for up to four triangles whose numbers are rows apart; the first triangle's are at `a`. */
// @ts-ignore: decorator
@inline export function leastAway(a: usize, row: usize, px: v128, py: v128, pz: v128): v128 {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = f32x4.sub(v128.load(a), px), ay = f32x4.sub(v128.load(a + row), py), az = f32x4.sub(v128.load(a + 2 * row), pz);
  const bx = f32x4.sub(v128.load(b), px), by = f32x4.sub(v128.load(b + row), py), bz = f32x4.sub(v128.load(b + 2 * row), pz);
  const cx = f32x4.sub(v128.load(c), px), cy = f32x4.sub(v128.load(c + row), py), cz = f32x4.sub(v128.load(c + 2 * row), pz);
  const ux = f32x4.sub(bx, ax), uy = f32x4.sub(by, ay), uz = f32x4.sub(bz, az);
  const vx = f32x4.sub(cx, ax), vy = f32x4.sub(cy, ay), vz = f32x4.sub(cz, az);
  const ex = f32x4.sub(cx, bx), ey = f32x4.sub(cy, by), ez = f32x4.sub(cz, bz);
  const uu = dot(ux, uy, uz, ux, uy, uz), vv = dot(vx, vy, vz, vx, vy, vz), uv = dot(ux, uy, uz, vx, vy, vz);
  const au = dot(ax, ay, az, ux, uy, uz), av = dot(ax, ay, az, vx, vy, vz);
  // the closest of the points on the three edges
  const onU = shareOf(au, uu), onV = shareOf(av, vv), onE = shareOf(dot(bx, by, bz, ex, ey, ez), dot(ex, ey, ez, ex, ey, ez));
  let gx = along(ax, onU, ux), gy = along(ay, onU, uy), gz = along(az, onU, uz);
  let gg = dot(gx, gy, gz, gx, gy, gz);
  let hx = along(ax, onV, vx), hy = along(ay, onV, vy), hz = along(az, onV, vz);
  let hh = dot(hx, hy, hz, hx, hy, hz);
  let nearer = f32x4.lt(hh, gg);
  gx = v128.bitselect(hx, gx, nearer); gy = v128.bitselect(hy, gy, nearer); gz = v128.bitselect(hz, gz, nearer);
  gg = v128.bitselect(hh, gg, nearer);
  hx = along(bx, onE, ex); hy = along(by, onE, ey); hz = along(bz, onE, ez);
  hh = dot(hx, hy, hz, hx, hy, hz);
  nearer = f32x4.lt(hh, gg);
  gx = v128.bitselect(hx, gx, nearer); gy = v128.bitselect(hy, gy, nearer); gz = v128.bitselect(hz, gz, nearer);
  // or the one on the face
  const s = f32x4.sub(f32x4.mul(uv, av), f32x4.mul(vv, au)), t = f32x4.sub(f32x4.mul(uv, au), f32x4.mul(uu, av));
  const whole = f32x4.sub(f32x4.mul(uu, vv), f32x4.mul(uv, uv));
  const over = v128.and(f32x4.gt(f32x4.pmin(s, t), f32x4.splat(0)), f32x4.lt(f32x4.add(s, t), whole));
  const part = f32x4.div(f32x4.splat(1), whole), p = f32x4.mul(s, part), q = f32x4.mul(t, part);
  gx = v128.bitselect(along(along(ax, p, ux), q, vx), gx, over);
  gy = v128.bitselect(along(along(ay, p, uy), q, vy), gy, over);
  gz = v128.bitselect(along(along(az, p, uz), q, vz), gz, over);
  gg = f32x4.pmax(dot(gx, gy, gz, gx, gy, gz), f32x4.splat(LEAST_SQ));
  const least = f32x4.pmin(f32x4.pmin(dot(ax, ay, az, gx, gy, gz), dot(bx, by, bz, gx, gy, gz)), dot(cx, cy, cz, gx, gy, gz));
  return f32x4.div(least, f32x4.sqrt(gg));
}
