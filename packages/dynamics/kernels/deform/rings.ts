/**
 * Vertices around which a surface stays unfolded during the step, so that no pair of triangles there needs a test.
 *
 * Idea: let the triangles around a vertex a be one closed fan. If there is a direction N with N · n > 0 for the normal
 * n of each of them all the time, then seen along N every angle of the fan at a is between 0 and π, and their sum, a
 * multiple of 2 π that changes continuously, is constant. If it is 2 π once, the triangles seen along N never overlap,
 * so no two of them share more than their common vertex or edge. Normals are quadratic in time: it suffices that their
 * three Bernstein coefficients have the sign. The number of turns at T0 is counted by how often the fan, seen along N,
 * crosses a ray from a: no angle reaches π, so each turn crosses the line of the ray once upwards. The side of a
 * neighbour p is the sign of p · m, m being N with one component removed, the other two exchanged and one of them
 * negated: exactly at a right angle to N. Room: seen along N, a neighbour p is at least N · n / (|N| L) from the other
 * side of its triangle at a, n being that triangle's normal and L not less than any side at a. An edge opposite a lies
 * between two such sides, so edges opposite a without a common end are at least the least of these distances apart.
 * Errs: towards no verdict; normal.ts then tests each pair.
 */
import {
  CLEAR, CTX_BOX_MARGIN, CTX_CLEAR_RINGS, CTX_CORNERS, CTX_FANS, CTX_FAN_VERTICES, CTX_MOTIONS, CTX_RANGE, CTX_RINGS, CTX_RING_START,
  CTX_SURFACE_FLAGS, CTX_SURFACE_OF, MOTION_BYTES, ROOM, TESTS_ITSELF,
} from './layout';
import { FAN, FAN_CAPACITY, scratch } from './scratch';

/** The corner of the triangle at c that is v. */
// @ts-ignore: decorator
@inline function cornerOf(c: usize, v: u32): usize { return <usize>((load<u32>(c, 4) == v ? 1 : 0) + (load<u32>(c, 8) == v ? 2 : 0)); }
// @ts-ignore: decorator
@inline function after(c: usize, k: usize): u32 { return load<u32>(c + 4 * (k == 2 ? 0 : k + 1)); }
// @ts-ignore: decorator
@inline function before(c: usize, k: usize): u32 { return load<u32>(c + 4 * (k == 0 ? 2 : k - 1)); }

/**
 * Writes for vertices [from, to) whether their triangles form one closed fan, in which each neighbour ends one triangle
 * and begins one; if so, writes the neighbours.
 */
export function markFans(ctx: usize, from: u32, to: u32): void {
  const fans: usize = load<u32>(ctx, CTX_FANS);
  const neighbours: usize = load<u32>(ctx, CTX_FAN_VERTICES);
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const ringStart: usize = load<u32>(ctx, CTX_RING_START);
  const rings: usize = load<u32>(ctx, CTX_RINGS);
  for (let v = from; v < to; v++) {
    const first = <usize>load<u32>(ringStart + 4 * <usize>v), count = <usize>load<u32>(ringStart + 4 * <usize>v, 4) - first;
    const isClosed = count >= 3 && count <= FAN_CAPACITY && goRound(corners, v, rings + 4 * first, count, neighbours + 4 * first);
    store<u8>(fans + v, isClosed ? 1 : 0);
  }
}

/** Follows the fan from triangle to triangle; returns whether that visits all of them once and leads back. */
function goRound(corners: usize, v: u32, ring: usize, count: usize, out: usize): bool {
  const c = corners + 12 * <usize>load<u32>(ring);
  const start = after(c, cornerOf(c, v));
  let at = start;
  for (let i: usize = 0; i < count; i++) {
    store<u32>(out + 4 * i, at);
    let next = v, begins: u32 = 0;
    for (let entry = ring; entry < ring + 4 * count; entry += 4) {
      const d = corners + 12 * <usize>load<u32>(entry);
      const k = cornerOf(d, v);
      if (after(d, k) != at) continue;
      next = before(d, k);
      begins++;
    }
    if (begins != 1 || at == v || next == at || (next == start) != (i == count - 1)) return false;
    at = next;
  }
  return true;
}

/**
 * Writes for vertices [from, to) whether the triangles around them meet nowhere else during the step: CLEAR, and ROOM.
 */
export function judgeRings(ctx: usize, from: u32, to: u32): void {
  const clear: usize = load<u32>(ctx, CTX_CLEAR_RINGS);
  const fans: usize = load<u32>(ctx, CTX_FANS);
  const ringStart: usize = load<u32>(ctx, CTX_RING_START);
  const rings: usize = load<u32>(ctx, CTX_RINGS);
  const neighbours: usize = load<u32>(ctx, CTX_FAN_VERTICES);
  const off = reinterpret<f32>((127 - 22 + load<i32>(ctx, CTX_RANGE)) << 23);
  for (let v = from; v < to; v++) {
    let verdict: u32 = 0;
    if (load<u8>(fans + v)) {
      const first = <usize>load<u32>(ringStart + 4 * <usize>v), end = <usize>load<u32>(ringStart + 4 * <usize>v, 4);
      if (testsItself(ctx, load<u32>(rings + 4 * first))) verdict = verdictOn(ctx, v, neighbours + 4 * first, neighbours + 4 * end, off);
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

/** Sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(i32x4.shuffle(a, b, 0, 1, 4, 5), i32x4.shuffle(a, b, 2, 3, 6, 7));
  const cd = f32x4.add(i32x4.shuffle(c, d, 0, 1, 4, 5), i32x4.shuffle(c, d, 2, 3, 6, 7));
  return f32x4.add(i32x4.shuffle(ab, cd, 0, 2, 4, 6), i32x4.shuffle(ab, cd, 1, 3, 5, 7));
}

/** `ring` to `end`: the neighbours of v. */
function verdictOn(ctx: usize, v: u32, ring: usize, end: usize, off: f32): u32 {
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const at = motions + MOTION_BYTES * <usize>v;
  const a0 = v128.load(at), a1 = v128.load(at, 16);
  const last = motions + MOTION_BYTES * <usize>load<u32>(end - 4);
  let p0 = f32x4.sub(v128.load(last), a0), p1 = f32x4.sub(v128.load(last, 16), a1);
  // for each triangle: coefficients (rotated lanes), and its second edge at T0
  let fan = scratch + FAN;
  let normal = f32x4.splat(0), extent = f32x4.splat(0);
  for (let neighbour = ring; neighbour < end; neighbour += 4) {
    const q = motions + MOTION_BYTES * <usize>load<u32>(neighbour);
    const q0 = f32x4.sub(v128.load(q), a0), q1 = f32x4.sub(v128.load(q, 16), a1);
    const n0 = turnedCross(p0, q0), n1 = turnedCross(p1, q1);
    v128.store(fan, n0);
    v128.store(fan, f32x4.mul(f32x4.splat(0.5), f32x4.add(turnedCross(p0, q1), turnedCross(p1, q0))), 16);
    v128.store(fan, n1, 32);
    v128.store(fan, q0, 48);
    fan += 64;
    normal = f32x4.add(normal, f32x4.add(n0, n1));
    extent = f32x4.pmax(extent, f32x4.pmax(f32x4.abs(q0), f32x4.abs(q1)));
    p0 = q0;
    p1 = q1;
  }
  const tops = sums(f32x4.abs(normal), f32x4.mul(normal, normal), f32x4.mul(extent, extent), normal);
  const e = max(max(f32x4.extract_lane(extent, 0), f32x4.extract_lane(extent, 1)), f32x4.extract_lane(extent, 2));
  // as in normal.ts: two products of at most E · E; includes room for the angle of N to m, off by less than 10^-6
  const limit = f32x4.extract_lane(tops, 0) * (8 * off * e + <f32>4e-6 * e * e);
  const m = acrossFrom(f32x4.extract_lane(normal, 1), f32x4.extract_lane(normal, 2), f32x4.extract_lane(normal, 0));
  let least = f32x4.splat(Infinity), nearest = least;
  // bit i: the side of neighbour i
  let sides: u32 = 0;
  for (let at = scratch + FAN; at < fan; at += 64) {
    const products = sums(f32x4.mul(v128.load(at), normal), f32x4.mul(v128.load(at, 16), normal), f32x4.mul(v128.load(at, 32), normal), f32x4.mul(v128.load(at, 48), m));
    least = f32x4.pmin(least, products);
    nearest = f32x4.pmin(nearest, f32x4.abs(products));
    sides = sides << 1 | <u32>i32x4.bitmask(products) >> 3;
  }
  const product = min(min(f32x4.extract_lane(least, 0), f32x4.extract_lane(least, 1)), f32x4.extract_lane(least, 2));
  // components of m add up to less than twice those of N
  const near: f32 = f32x4.extract_lane(tops, 0) * (4 * off + <f32>2e-6 * e);
  if (!(product > limit && f32x4.extract_lane(nearest, 3) > near)) return 0;
  // one change of side upwards, and one back
  const count = <u32>((end - ring) >> 2);
  const turned = sides >> 1 | (sides & 1) << (count - 1);
  if (popcnt(sides ^ turned) != 2) return 0;
  const longest = sqrt<f32>(f32x4.extract_lane(tops, 2)) + 2 * off;
  const reached = load<f32>(ctx, CTX_BOX_MARGIN) * sqrt<f32>(f32x4.extract_lane(tops, 1)) * longest;
  return product - limit > <f32>1.00001 * reached ? CLEAR | ROOM : CLEAR;
}

/** A vector at a right angle to N, and unlikely to be at a right angle to any edge of a mesh. */
// @ts-ignore: decorator
@inline function acrossFrom(x: f32, y: f32, z: f32): v128 {
  const slant: f32 = 0.59;
  if (abs(y) >= max(abs(x), abs(z))) return vector(y, slant * z - x, -slant * y);
  if (abs(x) >= abs(z)) return vector(slant * z - y, x, -slant * x);
  return vector(z, -slant * z, slant * y - x);
}
// @ts-ignore: decorator
@inline function vector(x: f32, y: f32, z: f32): v128 {
  return f32x4.replace_lane(f32x4.replace_lane(f32x4.replace_lane(f32x4.splat(0), 0, x), 1, y), 2, z);
}
