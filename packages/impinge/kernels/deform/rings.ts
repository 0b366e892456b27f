/**
 * Vertices around which a surface stays unfolded during the step, so that no pair of triangles there need be looked at.
 *
 * Idea: let the triangles around a vertex a be one closed fan. If there is a direction N with N · n > 0 for the normal n of
 * each of them all the time, then seen along N every angle of the fan at a is between 0 and π, and their sum, a
 * multiple of 2 π that changes continuously, stays what it is. If it is 2 π once, the triangles seen along N never
 * overlap, so no two of them have more in common than their common vertex or edge.
 * Normals are quadratic in time: their three Bernstein coefficients have the sign. The sum at T0 is told by chords on the
 * unit circle: an angle w in [0, π] has a chord between 2 w / π and w, so one round gives at most 2 π, two at least 8.
 * Errs: to no verdict; normal.ts then looks at each pair.
 */
import {
  CTX_CLEAR_RINGS, CTX_CORNERS, CTX_FANS, CTX_MOTIONS, CTX_RANGE, CTX_RINGS, CTX_RING_START, CTX_SURFACE_FLAGS,
  CTX_SURFACE_OF, MOTION_BYTES, TESTS_ITSELF,
} from './layout';
import { FAN, FAN_CAPACITY, scratch } from './scratch';

/** Between 2 π and 8, with room for rounding on both sides. */
const ONE_ROUND: f32 = 7.1;

/** The corner of the triangle at c that is v. */
// @ts-ignore: decorator
@inline function cornerOf(c: usize, v: u32): usize { return <usize>((load<u32>(c, 4) == v ? 1 : 0) + (load<u32>(c, 8) == v ? 2 : 0)); }
// @ts-ignore: decorator
@inline function after(c: usize, k: usize): u32 { return load<u32>(c + 4 * (k == 2 ? 0 : k + 1)); }
// @ts-ignore: decorator
@inline function before(c: usize, k: usize): u32 { return load<u32>(c + 4 * (k == 0 ? 2 : k - 1)); }

/**
 * Writes for vertices [from, to) whether their triangles form closed fans: each neighbour ends one of them and begins
 * one. That it is one fan only is told by the chords.
 */
export function markFans(ctx: usize, from: u32, to: u32): void {
  const fans: usize = load<u32>(ctx, CTX_FANS);
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const ringStart: usize = load<u32>(ctx, CTX_RING_START);
  const rings: usize = load<u32>(ctx, CTX_RINGS);
  for (let v = from; v < to; v++) {
    const ring = rings + 4 * <usize>load<u32>(ringStart + 4 * <usize>v);
    const end = rings + 4 * <usize>load<u32>(ringStart + 4 * <usize>v, 4);
    let closed = end - ring >= 12 && end - ring <= 4 * FAN_CAPACITY;
    for (let entry = ring; closed && entry < end; entry += 4) {
      const c = corners + 12 * <usize>load<u32>(entry);
      const first = after(c, cornerOf(c, v)), last = before(c, cornerOf(c, v));
      let begins = 0, ends = 0;
      for (let other = ring; other < end; other += 4) {
        const d = corners + 12 * <usize>load<u32>(other);
        if (after(d, cornerOf(d, v)) == first) begins++;
        if (before(d, cornerOf(d, v)) == first) ends++;
      }
      closed = begins == 1 && ends == 1 && first != v && last != v && first != last;
    }
    store<u8>(fans + v, closed ? 1 : 0);
  }
}

/** Writes for vertices [from, to) whether the triangles around them meet nowhere else during the step. */
export function judgeRings(ctx: usize, from: u32, to: u32): void {
  const clear: usize = load<u32>(ctx, CTX_CLEAR_RINGS);
  const fans: usize = load<u32>(ctx, CTX_FANS);
  const ringStart: usize = load<u32>(ctx, CTX_RING_START);
  const rings: usize = load<u32>(ctx, CTX_RINGS);
  const off = reinterpret<f32>((127 - 22 + load<i32>(ctx, CTX_RANGE)) << 23);
  for (let v = from; v < to; v++) {
    let verdict: u32 = 0;
    if (load<u8>(fans + v)) {
      const ring = rings + 4 * <usize>load<u32>(ringStart + 4 * <usize>v);
      const end = rings + 4 * <usize>load<u32>(ringStart + 4 * <usize>v, 4);
      if (testsItself(ctx, load<u32>(ring)) && isUnfolded(ctx, v, ring, end, off)) verdict = 1;
    }
    store<u8>(clear + v, verdict);
  }
}

// @ts-ignore: decorator
@inline function testsItself(ctx: usize, t: u32): bool {
  const surface: usize = load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_OF) + 4 * <usize>t);
  return (load<u32>(<usize>load<u32>(ctx, CTX_SURFACE_FLAGS) + 4 * surface) & TESTS_ITSELF) != 0;
}

// @ts-ignore: decorator
@inline function turn(a: v128): v128 { return i32x4.shuffle(a, a, 1, 2, 0, 3); }
/** The cross product, its lanes in the order z, x, y. */
// @ts-ignore: decorator
@inline function turnedCross(a: v128, b: v128): v128 { return f32x4.sub(f32x4.mul(a, turn(b)), f32x4.mul(turn(a), b)); }

/** A vector in the same order. */
// @ts-ignore: decorator
@inline function turnedBack(a: v128): v128 { return i32x4.shuffle(a, a, 2, 0, 1, 3); }

/** Sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(i32x4.shuffle(a, b, 0, 1, 4, 5), i32x4.shuffle(a, b, 2, 3, 6, 7));
  const cd = f32x4.add(i32x4.shuffle(c, d, 0, 1, 4, 5), i32x4.shuffle(c, d, 2, 3, 6, 7));
  return f32x4.add(i32x4.shuffle(ab, cd, 0, 2, 4, 6), i32x4.shuffle(ab, cd, 1, 3, 5, 7));
}

function isUnfolded(ctx: usize, v: u32, ring: usize, end: usize, off: f32): bool {
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const at = motions + MOTION_BYTES * <usize>v;
  const a0 = v128.load(at), a1 = v128.load(at, 16);
  // coefficients (turned) and the two edges at T0 of each triangle
  let fan = scratch + FAN;
  let normal = f32x4.splat(0), extent = f32x4.splat(0);
  for (let entry = ring; entry < end; entry += 4) {
    const c = corners + 12 * <usize>load<u32>(entry);
    const k = cornerOf(c, v);
    const p = motions + MOTION_BYTES * <usize>after(c, k), q = motions + MOTION_BYTES * <usize>before(c, k);
    const p0 = f32x4.sub(v128.load(p), a0), p1 = f32x4.sub(v128.load(p, 16), a1);
    const q0 = f32x4.sub(v128.load(q), a0), q1 = f32x4.sub(v128.load(q, 16), a1);
    const n0 = turnedCross(p0, q0), n1 = turnedCross(p1, q1);
    v128.store(fan, n0);
    v128.store(fan, f32x4.mul(f32x4.splat(0.5), f32x4.add(turnedCross(p0, q1), turnedCross(p1, q0))), 16);
    v128.store(fan, n1, 32);
    v128.store(fan, turnedBack(p0), 48);
    v128.store(fan, turnedBack(q0), 64);
    fan += 80;
    normal = f32x4.add(normal, f32x4.add(n0, n1));
    extent = f32x4.pmax(extent, f32x4.pmax(f32x4.abs(p0), f32x4.abs(p1))); // every edge is the first of one triangle
  }
  const e = max(max(f32x4.extract_lane(extent, 0), f32x4.extract_lane(extent, 1)), f32x4.extract_lane(extent, 2));
  const tops = sums(f32x4.abs(normal), f32x4.mul(normal, normal), normal, normal);
  // as in normal.ts: two products of at most E · E
  const limit = f32x4.splat(f32x4.extract_lane(tops, 0) * (8 * off * e + <f32>4e-6 * e * e));
  const inverse: f32 = 1 / f32x4.extract_lane(tops, 1);
  let chords: f32 = 0;
  for (let at = scratch + FAN; at < fan; at += 80) {
    const p = v128.load(at, 48), q = v128.load(at, 64);
    const pn = f32x4.mul(p, normal);
    const products = sums(f32x4.mul(v128.load(at), normal), f32x4.mul(v128.load(at, 16), normal), f32x4.mul(v128.load(at, 32), normal), pn);
    if ((i32x4.bitmask(f32x4.gt(products, limit)) & 7) != 7) return false;
    // seen along N: squared lengths and dot product
    const lengths = sums(f32x4.mul(p, p), f32x4.mul(q, q), f32x4.mul(p, q), f32x4.mul(q, normal));
    const up = f32x4.extract_lane(products, 3), uq = f32x4.extract_lane(lengths, 3);
    const lp = f32x4.extract_lane(lengths, 0), lq = f32x4.extract_lane(lengths, 1);
    const pp = lp - up * up * inverse, qq = lq - uq * uq * inverse;
    if (!(pp > <f32>0.01 * lp && qq > <f32>0.01 * lq)) return false;
    const cosine = (f32x4.extract_lane(lengths, 2) - up * uq * inverse) / sqrt<f32>(pp * qq);
    chords += sqrt<f32>(max<f32>(0, 2 - 2 * cosine));
  }
  return chords < ONE_ROUND;
}
