/**
 * The distance of the finest mesh from the surface after a collapse: of those vertices that were collapsed into one of
 * the two vertices, from the future triangles around the new one.
 *
 * Idea: a quadric contains the mean of squared distances from planes, and tends to shorten thin, long parts, where few
 * triangles contribute. So collapses are ordered by the final criterion, the largest distance. Coordinates are relative
 * to the new position, four points at a time.
 * Errs: float32, and only vertices are measured; costs only choose the order.
 */
import { FAN, FAN_BYTES, FAN_CAPACITY, STRAYS, STRAYS_CAPACITY, scratch } from './scratch';

// a triangle of the fan around the new vertex: its other corners y and z, the unit normal, products, inverse squares
const F_Y: usize = 0;
const F_Z: usize = 12;
const F_NORMAL: usize = 24;
const F_YY: usize = 36;
const F_ZZ: usize = 40;
const F_YZ: usize = 44;
const F_EE: usize = 48; // of the side between y and z
const F_PER_YY: usize = 52;
const F_PER_ZZ: usize = 56;
const F_PER_EE: usize = 60;

let fanEnd: usize = 0;
let strays: u32 = 0;

export function beginFan(): void {
  fanEnd = scratch + FAN;
  strays = 0;
}

/** Adds a triangle; returns false if there is no room. */
export function addToFan(yx: f32, yy: f32, yz: f32, zx: f32, zy: f32, zz: f32): bool {
  const at = fanEnd;
  if (at == scratch + FAN + FAN_BYTES * <usize>FAN_CAPACITY) return false;
  fanEnd = at + FAN_BYTES;
  store<f32>(at, yx, F_Y); store<f32>(at, yy, F_Y + 4); store<f32>(at, yz, F_Y + 8);
  store<f32>(at, zx, F_Z); store<f32>(at, zy, F_Z + 4); store<f32>(at, zz, F_Z + 8);
  const nx = yy * zz - yz * zy, ny = yz * zx - yx * zz, nz = yx * zy - yy * zx;
  const n = perSquare(nx * nx + ny * ny + nz * nz), unit = sqrt(n);
  store<f32>(at, nx * unit, F_NORMAL); store<f32>(at, ny * unit, F_NORMAL + 4); store<f32>(at, nz * unit, F_NORMAL + 8);
  const ll = yx * yx + yy * yy + yz * yz, rr = zx * zx + zy * zy + zz * zz;
  const ex = zx - yx, ey = zy - yy, ez = zz - yz, ee = ex * ex + ey * ey + ez * ez;
  store<f32>(at, ll, F_YY); store<f32>(at, rr, F_ZZ); store<f32>(at, yx * zx + yy * zy + yz * zz, F_YZ); store<f32>(at, ee, F_EE);
  store<f32>(at, perSquare(ll), F_PER_YY); store<f32>(at, perSquare(rr), F_PER_ZZ); store<f32>(at, perSquare(ee), F_PER_EE);
  return true;
}

// @ts-ignore: decorator
@inline function perSquare(square: f32): f32 { return square > 0 ? 1 / square : 0; }

/** Adds a point; returns false if there is no room. Layout: four x, four y, four z. */
export function addStray(x: f32, y: f32, z: f32): bool {
  if (strays == STRAYS_CAPACITY) return false;
  const at = scratch + STRAYS + 48 * <usize>(strays >> 2) + 4 * <usize>(strays & 3);
  store<f32>(at, x); store<f32>(at, y, 16); store<f32>(at, z, 32);
  strays++;
  return true;
}

/** The largest distance of a point from the fan, squared. */
export function farthestStray(): f32 {
  if (strays == 0) return 0;
  const first = scratch + STRAYS;
  // unused places repeat the first point
  for (; (strays & 3) != 0;) addStray(load<f32>(first), load<f32>(first, 16), load<f32>(first, 32));
  const zero = f32x4.splat(0), one = f32x4.splat(1);
  let most = zero;
  for (let at = first, end = first + 12 * <usize>strays; at < end; at += 48) {
    const x = v128.load(at), y = v128.load(at, 16), z = v128.load(at, 32);
    const pp = f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
    let least = f32x4.splat(Infinity);
    for (let fan = scratch + FAN; fan < fanEnd; fan += FAN_BYTES) {
      const py = dot(x, y, z, fan + F_Y), pz = dot(x, y, z, fan + F_Z), height = dot(x, y, z, fan + F_NORMAL);
      const ll = v128.load32_splat(fan, F_YY), rr = v128.load32_splat(fan, F_ZZ), yz = v128.load32_splat(fan, F_YZ);
      // over the triangle
      const v = f32x4.sub(f32x4.mul(rr, py), f32x4.mul(yz, pz)), w = f32x4.sub(f32x4.mul(ll, pz), f32x4.mul(yz, py));
      const all = f32x4.sub(f32x4.mul(ll, rr), f32x4.mul(yz, yz));
      const over = v128.and(v128.and(f32x4.ge(v, zero), f32x4.ge(w, zero)), v128.and(f32x4.le(f32x4.add(v, w), all), f32x4.gt(all, zero)));
      // from its sides
      const s = clamped(f32x4.mul(py, v128.load32_splat(fan, F_PER_YY)), zero, one), r = clamped(f32x4.mul(pz, v128.load32_splat(fan, F_PER_ZZ)), zero, one);
      const fromY = f32x4.add(pp, f32x4.mul(s, f32x4.sub(f32x4.mul(s, ll), f32x4.add(py, py))));
      const fromZ = f32x4.add(pp, f32x4.mul(r, f32x4.sub(f32x4.mul(r, rr), f32x4.add(pz, pz))));
      const qe = f32x4.sub(f32x4.sub(pz, yz), f32x4.sub(py, ll)), ee = v128.load32_splat(fan, F_EE);
      const t = clamped(f32x4.mul(qe, v128.load32_splat(fan, F_PER_EE)), zero, one);
      const qq = f32x4.add(f32x4.sub(pp, f32x4.add(py, py)), ll);
      const fromE = f32x4.add(qq, f32x4.mul(t, f32x4.sub(f32x4.mul(t, ee), f32x4.add(qe, qe))));
      const sides = f32x4.max(zero, f32x4.min(fromE, f32x4.min(fromY, fromZ)));
      least = f32x4.min(least, v128.bitselect(f32x4.mul(height, height), sides, over));
    }
    most = f32x4.max(most, least);
  }
  return max(max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)), max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)));
}

// @ts-ignore: decorator
@inline function dot(x: v128, y: v128, z: v128, at: usize): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, v128.load32_splat(at)), f32x4.mul(y, v128.load32_splat(at, 4))), f32x4.mul(z, v128.load32_splat(at, 8)));
}

// @ts-ignore: decorator
@inline function clamped(x: v128, low: v128, high: v128): v128 { return f32x4.min(f32x4.max(x, low), high); }
