/** Quantities of two bodies, side by side: a's in the first lane, b's in the second. */
import { ANGULAR, BODY, bodies, INVERSE_INERTIA, INVERSE_MASS, ROW_NORMAL, SPIN } from './layout';

// @ts-ignore: decorator
@inline export function bodyAt(pair: usize, side: usize): usize {
  return bodies + BODY * <usize>load<u32>(pair + 4 * side);
}

// @ts-ignore: decorator
@inline export function lanes(a: usize, b: usize): v128 {
  return f64x2.replace_lane(v128.load64_splat(a), 1, load<f64>(b));
}

// @ts-ignore: decorator
@inline export function put(a: usize, b: usize, x: v128): void {
  store<f64>(a, f64x2.extract_lane(x, 0));
  store<f64>(b, f64x2.extract_lane(x, 1));
}

// @ts-ignore: decorator
@inline export function both(x: v128): f64 {
  return f64x2.extract_lane(x, 0) + f64x2.extract_lane(x, 1);
}

/** b's lane minus a's. */
// @ts-ignore: decorator
@inline export function apart(x: v128): f64 {
  return f64x2.extract_lane(x, 1) - f64x2.extract_lane(x, 0);
}

/** x u + y v + z w */
// @ts-ignore: decorator
@inline export function dot3(x: v128, y: v128, z: v128, u: v128, v: v128, w: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(x, u), f64x2.mul(y, v)), f64x2.mul(z, w));
}

/** x v − y u */
// @ts-ignore: decorator
@inline export function cross2(x: v128, y: v128, u: v128, v: v128): v128 {
  return f64x2.sub(f64x2.mul(x, v), f64x2.mul(y, u));
}

/** The speed at which b leaves a along the normal of a row. */
export function leaving(pair: usize, row: usize): f64 {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
  const wx = lanes(a + SPIN, b + SPIN), wy = lanes(a + SPIN + 8, b + SPIN + 8), wz = lanes(a + SPIN + 16, b + SPIN + 16);
  const x = apart(f64x2.add(lanes(a, b), cross2(wy, wz, ry, rz)));
  const y = apart(f64x2.add(lanes(a + 8, b + 8), cross2(wz, wx, rz, rx)));
  const z = apart(f64x2.add(lanes(a + 16, b + 16), cross2(wx, wy, rx, ry)));
  return load<f64>(row, ROW_NORMAL) * x + load<f64>(row, ROW_NORMAL + 8) * y + load<f64>(row, ROW_NORMAL + 16) * z;
}

/** Applies an impulse to both bodies of a row: to b, and its opposite to a. */
export function push(pair: usize, row: usize, px: f64, py: f64, pz: f64): void {
  const x = f64x2.splat(px), y = f64x2.splat(py), z = f64x2.splat(pz);
  const rx = v128.load(row), ry = v128.load(row, 16), rz = v128.load(row, 32);
  pushBoth(pair, px, py, pz, cross2(ry, rz, y, z), cross2(rz, rx, z, x), cross2(rx, ry, x, y));
}

/** The same for the sum of several impulses, and their moments about the centres of both. */
export function pushBoth(pair: usize, px: f64, py: f64, pz: f64, momentX: v128, momentY: v128, momentZ: v128): void {
  const a = bodyAt(pair, 0), b = bodyAt(pair, 1);
  const sign = f64x2(-1, 1);
  const m = f64x2.mul(sign, lanes(a + INVERSE_MASS, b + INVERSE_MASS));
  put(a, b, f64x2.add(lanes(a, b), f64x2.mul(m, f64x2.splat(px))));
  put(a + 8, b + 8, f64x2.add(lanes(a + 8, b + 8), f64x2.mul(m, f64x2.splat(py))));
  put(a + 16, b + 16, f64x2.add(lanes(a + 16, b + 16), f64x2.mul(m, f64x2.splat(pz))));
  const tx = f64x2.mul(sign, momentX), ty = f64x2.mul(sign, momentY), tz = f64x2.mul(sign, momentZ);
  turnBoth(a, b, tx, ty, tz);
  const i = a + INVERSE_INERTIA, j = b + INVERSE_INERTIA;
  const xx = lanes(i, j), xy = lanes(i + 8, j + 8), xz = lanes(i + 16, j + 16);
  const yy = lanes(i + 24, j + 24), yz = lanes(i + 32, j + 32), zz = lanes(i + 40, j + 40);
  const s = a + SPIN, t = b + SPIN;
  put(s, t, f64x2.add(lanes(s, t), dot3(xx, xy, xz, tx, ty, tz)));
  put(s + 8, t + 8, f64x2.add(lanes(s + 8, t + 8), dot3(xy, yy, yz, tx, ty, tz)));
  put(s + 16, t + 16, f64x2.add(lanes(s + 16, t + 16), dot3(xz, yz, zz, tx, ty, tz)));
}

/** Changes the angular momenta of two bodies. */
// @ts-ignore: decorator
@inline export function turnBoth(a: usize, b: usize, tx: v128, ty: v128, tz: v128): void {
  const l = a + ANGULAR, k = b + ANGULAR;
  put(l, k, f64x2.add(lanes(l, k), tx));
  put(l + 8, k + 8, f64x2.add(lanes(l + 8, k + 8), ty));
  put(l + 16, k + 16, f64x2.add(lanes(l + 16, k + 16), tz));
}
