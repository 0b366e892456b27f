/** Upper bounds of the distances of points from a triangle. */
import { indicesOf, positionsOf, vertexAt } from './layout';

/** Squared sine below which a triangle's face is ignored; and the error of a foot point relative to the extent. */
const NEEDLE: f64 = 1e-12;
const FOOT_ERROR: f64 = 2e-15;

/**
 * Writes the distances of corners (three float64 each) from a triangle, two at a time; there must be room for an even
 * number. No result is smaller than the true distance: heights are measured from the corner between the shorter sides,
 * where the sine of the angle bounds how far rounding turns the normal and shifts the foot point, and that error is
 * added. For needles and caps thinner than NEEDLE only the outline is used.
 */
export function cornerDistances(corners: usize, count: u32, mesh: usize, triangle: u32, out: usize): void {
  const positions = positionsOf(mesh);
  const corner = indicesOf(mesh) + 12 * <usize>triangle;
  let v0 = vertexAt(positions, load<u32>(corner)), v1 = vertexAt(positions, load<u32>(corner, 4)), v2 = vertexAt(positions, load<u32>(corner, 8));
  const l01 = apartSq(v0, v1), l02 = apartSq(v0, v2), l12 = apartSq(v1, v2);
  if (l01 > l02 && l01 > l12) { const v = v0; v0 = v2; v2 = v; } else if (l02 > l12) { const v = v0; v0 = v1; v1 = v; }
  const a0 = <f64>load<f32>(v0), a1 = <f64>load<f32>(v0, 4), a2 = <f64>load<f32>(v0, 8);
  const u0 = <f64>load<f32>(v1) - a0, u1 = <f64>load<f32>(v1, 4) - a1, u2 = <f64>load<f32>(v1, 8) - a2;
  const t0 = <f64>load<f32>(v2) - a0, t1 = <f64>load<f32>(v2, 4) - a1, t2 = <f64>load<f32>(v2, 8) - a2;
  const uu = u0 * u0 + u1 * u1 + u2 * u2, uv = u0 * t0 + u1 * t1 + u2 * t2, vv = t0 * t0 + t1 * t1 + t2 * t2;
  const n0 = u1 * t2 - u2 * t1, n1 = u2 * t0 - u0 * t2, n2 = u0 * t1 - u1 * t0;
  const nn = n0 * n0 + n1 * n1 + n2 * n2;
  const sliver = !(nn > NEEDLE * uu * vv);
  const unit: f64 = sliver ? 0 : 1 / nn;
  const blur = f64x2.splat(sliver ? FOOT_ERROR : FOOT_ERROR * sqrt(uu * vv * unit));
  const ux = f64x2.splat(u0), uy = f64x2.splat(u1), uz = f64x2.splat(u2), vx = f64x2.splat(t0), vy = f64x2.splat(t1), vz = f64x2.splat(t2);
  const nx = f64x2.splat(n0), ny = f64x2.splat(n1), nz = f64x2.splat(n2);
  const ex = f64x2.splat(t0 - u0), ey = f64x2.splat(t1 - u1), ez = f64x2.splat(t2 - u2);
  const ee = uu + vv - 2 * uv;
  const perU = f64x2.splat(uu > 0 ? 1 / uu : 0), perV = f64x2.splat(vv > 0 ? 1 / vv : 0), perE = f64x2.splat(ee > 0 ? 1 / ee : 0);
  const zero = f64x2.splat(0), all = f64x2.splat(nn), size = f64x2.splat(sqrt(uu) + sqrt(vv));
  for (let end = corners + 24 * <usize>count; corners < end; corners += 48, out += 16) {
    const px = f64x2.sub(v128.load64_lane(corners + 24, v128.load64_zero(corners), 1), f64x2.splat(a0));
    const py = f64x2.sub(v128.load64_lane(corners + 32, v128.load64_zero(corners, 8), 1), f64x2.splat(a1));
    const pz = f64x2.sub(v128.load64_lane(corners + 40, v128.load64_zero(corners, 16), 1), f64x2.splat(a2));
    // over the face: the height
    const h = dot2(px, py, pz, nx, ny, nz);
    const s = dot2(f64x2.sub(f64x2.mul(py, vz), f64x2.mul(pz, vy)), f64x2.sub(f64x2.mul(pz, vx), f64x2.mul(px, vz)), f64x2.sub(f64x2.mul(px, vy), f64x2.mul(py, vx)), nx, ny, nz);
    const t = dot2(f64x2.sub(f64x2.mul(uy, pz), f64x2.mul(uz, py)), f64x2.sub(f64x2.mul(uz, px), f64x2.mul(ux, pz)), f64x2.sub(f64x2.mul(ux, py), f64x2.mul(uy, px)), nx, ny, nz);
    let over = v128.and(v128.and(f64x2.ge(s, zero), f64x2.ge(t, zero)), f64x2.le(f64x2.add(s, t), all));
    if (sliver) over = zero;
    let d = f64x2.mul(f64x2.mul(h, h), f64x2.splat(unit));
    if (i64x2.bitmask(over) != 3) {
      const qx = f64x2.sub(px, ux), qy = f64x2.sub(py, uy), qz = f64x2.sub(pz, uz);
      const outline = f64x2.pmin(f64x2.pmin(edgeDistanceSq2(px, py, pz, ux, uy, uz, perU), edgeDistanceSq2(px, py, pz, vx, vy, vz, perV)), edgeDistanceSq2(qx, qy, qz, ex, ey, ez, perE));
      d = v128.bitselect(d, outline, over);
    }
    const reach = f64x2.add(size, f64x2.add(f64x2.add(f64x2.abs(px), f64x2.abs(py)), f64x2.abs(pz)));
    v128.store(out, f64x2.add(f64x2.sqrt(d), f64x2.mul(blur, reach)));
  }
}

// @ts-ignore: decorator
@inline function apartSq(p: usize, q: usize): f64 {
  const dx = <f64>load<f32>(p) - <f64>load<f32>(q), dy = <f64>load<f32>(p, 4) - <f64>load<f32>(q, 4), dz = <f64>load<f32>(p, 8) - <f64>load<f32>(q, 8);
  return dx * dx + dy * dy + dz * dz;
}

// @ts-ignore: decorator
@inline function dot2(ax: v128, ay: v128, az: v128, bx: v128, by: v128, bz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(ax, bx), f64x2.mul(ay, by)), f64x2.mul(az, bz));
}

/**
 * Squared distances of two points from an edge that starts at the origin; `per` is the inverse of its squared length.
 */
// @ts-ignore: decorator
@inline function edgeDistanceSq2(px: v128, py: v128, pz: v128, ex: v128, ey: v128, ez: v128, per: v128): v128 {
  const s = f64x2.pmin(f64x2.splat(1), f64x2.pmax(f64x2.splat(0), f64x2.mul(dot2(px, py, pz, ex, ey, ez), per)));
  const rx = f64x2.sub(px, f64x2.mul(s, ex)), ry = f64x2.sub(py, f64x2.mul(s, ey)), rz = f64x2.sub(pz, f64x2.mul(s, ez));
  return dot2(rx, ry, rz, rx, ry, rz);
}
