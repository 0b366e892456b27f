/**
 * Where a ray that runs nearly along a triangle meets its plane: with corners A, B, C, the origin O and the direction
 * d, at (A − O)·n / d·n for n = (B − A) × (C − A), in arithmetic with twice the digits.
 *
 * Errs: differences of float64 are exact as two float64, and sums and products of such pairs have a relative error of
 * less than 2⁻¹⁰⁰. `decide` is certain only if d·n is more than 2⁻⁵⁰ of the lengths of n and d: the distance is off by
 * at most 2⁻⁵⁰ of the distance to A, and usually only in its last bit. Corners and unit directions neither overflow nor
 * underflow; an origin that does yields no number.
 */
import { axisZ, rayAt } from './ray';

/** Results: steps along the ray's longest axis from its origin, and the weights of the second and third corner. */
export let planeSteps: f64 = 0, planeU: f64 = 0, planeV: f64 = 0;

// the pair computed last
let hi: f64 = 0, lo: f64 = 0;

/** 2²⁷ + 1: splits a number into halves of 26 bits. */
const SPLIT: f64 = 134217729;

// @ts-ignore: decorator
@inline function difference(a: f64, b: f64): void {
  hi = a - b;
  const back = a - hi;
  lo = a - (hi + back) + (back - b);
}

// @ts-ignore: decorator
@inline function settle(a: f64, b: f64): void {
  hi = a + b;
  lo = b - (hi - a);
}

/** (a + b) + (c + d) for pairs. */
function plus(a: f64, b: f64, c: f64, d: f64): void {
  difference(a, -c);
  const sum = hi, rest = lo;
  difference(b, -d);
  const low = lo;
  settle(sum, rest + hi);
  settle(hi, lo + low);
}

/** (a + b) · (c + d) for pairs. */
function times(a: f64, b: f64, c: f64, d: f64): void {
  const product = a * c;
  const wideA = SPLIT * a, wideC = SPLIT * c;
  const topA = wideA - (wideA - a), topC = wideC - (wideC - c);
  const restA = a - topA, restC = c - topC;
  settle(product, topA * topC - product + topA * restC + restA * topC + restA * restC + (a * d + b * c));
}

/** a · d − b · c for the pairs (a, a2) and so on. */
function determinant(a: f64, a2: f64, b: f64, b2: f64, c: f64, c2: f64, d: f64, d2: f64): void {
  times(b, b2, c, c2);
  const high = hi, low = lo;
  times(a, a2, d, d2);
  plus(hi, lo, -high, -low);
}

/** Returns false if numbers exceed float64. */
export function meetPlane(a: usize, row: usize): bool {
  const b = a + 3 * row, c = b + 3 * row;
  const ax = <f64>load<f32>(a), ay = <f64>load<f32>(a + row), az = <f64>load<f32>(a + 2 * row);
  difference(<f64>load<f32>(b), ax); const px = hi, px2 = lo;
  difference(<f64>load<f32>(b + row), ay); const py = hi, py2 = lo;
  difference(<f64>load<f32>(b + 2 * row), az); const pz = hi, pz2 = lo;
  difference(<f64>load<f32>(c), ax); const qx = hi, qx2 = lo;
  difference(<f64>load<f32>(c + row), ay); const qy = hi, qy2 = lo;
  difference(<f64>load<f32>(c + 2 * row), az); const qz = hi, qz2 = lo;
  determinant(py, py2, pz, pz2, qy, qy2, qz, qz2); const nx = hi, nx2 = lo;
  determinant(pz, pz2, px, px2, qz, qz2, qx, qx2); const ny = hi, ny2 = lo;
  determinant(px, px2, py, py2, qx, qx2, qy, qy2); const nz = hi, nz2 = lo;

  const unit = powerBelow(abs(load<f64>(rayAt + axisZ, 24)));
  const dx = load<f64>(rayAt, 24) * unit, dy = load<f64>(rayAt, 32) * unit, dz = load<f64>(rayAt, 40) * unit;
  times(dx, 0, nx, nx2); let sum = hi, rest = lo;
  times(dy, 0, ny, ny2); plus(sum, rest, hi, lo); sum = hi; rest = lo;
  times(dz, 0, nz, nz2); plus(sum, rest, hi, lo);
  const slant = hi;

  const ox = load<f64>(rayAt), oy = load<f64>(rayAt, 8), oz = load<f64>(rayAt, 16);
  difference(ax, ox); times(hi, lo, nx, nx2); sum = hi; rest = lo;
  difference(ay, oy); times(hi, lo, ny, ny2); plus(sum, rest, hi, lo); sum = hi; rest = lo;
  difference(az, oz); times(hi, lo, nz, nz2); plus(sum, rest, hi, lo);
  const way = hi / slant;
  planeSteps = way * abs(load<f64>(rayAt + axisZ, 24) * unit);

  // the weights of that point, projected along the axis that the plane faces most
  const x = ox + way * dx - ax, y = oy + way * dy - ay, z = oz + way * dz - az;
  const mx = abs(nx), my = abs(ny), mz = abs(nz);
  if (mx >= my && mx >= mz) weigh(y, z, py, pz, qy, qz, nx);
  else if (my >= mz) weigh(z, x, pz, px, qz, qx, ny);
  else weigh(x, y, px, py, qx, qy, nz);
  return abs(planeSteps) < Infinity && planeU + planeV < Infinity;
}

// @ts-ignore: decorator
@inline function weigh(x: f64, y: f64, px: f64, py: f64, qx: f64, qy: f64, n: f64): void {
  planeU = min<f64>(1, max<f64>(0, (x * qy - y * qx) / n));
  planeV = min<f64>(1 - planeU, max<f64>(0, (px * y - py * x) / n));
}

/** A power of two whose product with x is between 1 and 2; x is normal. */
// @ts-ignore: decorator
@inline function powerBelow(x: f64): f64 {
  return reinterpret<f64>((2046 - (reinterpret<u64>(x) >> 52)) << 52);
}
