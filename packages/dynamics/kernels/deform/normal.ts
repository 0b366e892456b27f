/**
 * Triangles with a common vertex or edge: proof that they meet nowhere else during the step.
 *
 * A common vertex a, other corners b, c and d, e: if there is a direction M with M · ab, M · ac > 0 > M · ad, M · ae, a
 * plane through a always separates them. These products are linear in time: it suffices that they have the sign at both
 * ends of the step. A common edge ab, opposite corners c and d: if there is a direction N with N · (ab × ac) > 0 > N ·
 * (ab × ad), then seen along N the line ab always has c on one side and d on the other, so the triangles share nothing
 * but the edge. These products are quadratic in time: it suffices that their three Bernstein coefficients have the
 * sign. Both hold for any mesh: they require neither orientation nor a manifold nor an interior vertex, and slivers
 * pass only if they are really apart. If no direction is found, the pair is left to the exact test.
 * Errs: towards keeping pairs. Positions are float32 about the centre: off by 2^-24 R, R being the range, so
 * differences by at most 2^-22 R with their own rounding; the limits below add the rounding of products.
 */
import { CTX_MOTIONS, CTX_RANGE, MOTION_BYTES } from './layout';
import { NORMAL, scratch } from './scratch';

/** How often a direction is turned towards the vector with the least product. */
const TURNS: i32 = 3;

let motions: usize = 0;
let off: f32 = 0;

export function setNeighbours(ctx: usize): void {
  motions = load<u32>(ctx, CTX_MOTIONS);
  off = reinterpret<f32>((127 - 22 + load<i32>(ctx, CTX_RANGE)) << 23);
}

// @ts-ignore: decorator
@inline function place(v: u32): usize { return motions + MOTION_BYTES * <usize>v; }
// @ts-ignore: decorator
@inline function after(k: usize): usize { return k == 2 ? 0 : k + 1; }
// @ts-ignore: decorator
@inline function before(k: usize): usize { return k == 0 ? 2 : k - 1; }

/** Whether a triangle names a vertex twice. */
// @ts-ignore: decorator
@inline function repeats(c: usize): bool {
  const c0 = load<u32>(c), c1 = load<u32>(c, 4), c2 = load<u32>(c, 8);
  return ((c0 == c1 ? 1 : 0) | (c1 == c2 ? 1 : 0) | (c2 == c0 ? 1 : 0)) != 0;
}

/** Whether a plane through their one common vertex, corner k of d, separates the triangles at c and d all the time. */
export function partedAtVertex(c: usize, d: usize, k: usize): bool {
  if (repeats(c) || repeats(d)) return false;
  const a = load<u32>(d + 4 * k);
  const j = <usize>((load<u32>(c, 4) == a ? 1 : 0) + (load<u32>(c, 8) == a ? 2 : 0));
  const pa = place(a), pb = place(load<u32>(c + 4 * after(j))), pc = place(load<u32>(c + 4 * before(j)));
  const pd = place(load<u32>(d + 4 * after(k))), pe = place(load<u32>(d + 4 * before(k)));
  const a0 = v128.load(pa), a1 = v128.load(pa, 16);
  const flip = i32x4(0, 0, 0x80000000, 0x80000000); // all eight should be on the positive side
  transpose(f32x4.sub(v128.load(pb), a0), f32x4.sub(v128.load(pc), a0), f32x4.sub(v128.load(pd), a0), f32x4.sub(v128.load(pe), a0));
  const x0 = v128.xor(rowX, flip), y0 = v128.xor(rowY, flip), z0 = v128.xor(rowZ, flip);
  transpose(f32x4.sub(v128.load(pb, 16), a1), f32x4.sub(v128.load(pc, 16), a1), f32x4.sub(v128.load(pd, 16), a1), f32x4.sub(v128.load(pe, 16), a1));
  return isOneSided(x0, y0, z0, v128.xor(rowX, flip), v128.xor(rowY, flip), v128.xor(rowZ, flip), 8 * off);
}

/**
 * Whether the corners opposite the common edge of the triangles at c and d stay on different sides of it; bits of
 * `common` are its ends in d.
 */
export function unfoldedAtEdge(c: usize, d: usize, common: u32): bool {
  if (common == 7 || repeats(c) || repeats(d)) return false;
  if (common == 7) return true; // the same three vertices: nothing to test
  const k = <usize>ctz(7 ^ common);
  const a = load<u32>(d + 4 * after(k)), b = load<u32>(d + 4 * before(k));
  const c0 = load<u32>(c), c1 = load<u32>(c, 4);
  const j = <usize>(c0 != a && c0 != b ? 0 : c1 != a && c1 != b ? 1 : 2);
  const pa = place(a), pb = place(b), pc = place(load<u32>(c + 4 * j)), pd = place(load<u32>(d + 4 * k));
  const a0 = v128.load(pa), a1 = v128.load(pa, 16);
  const e0 = f32x4.sub(v128.load(pb), a0), e1 = f32x4.sub(v128.load(pb, 16), a1);
  const s0 = f32x4.sub(v128.load(pc), a0), s1 = f32x4.sub(v128.load(pc, 16), a1);
  const r0 = f32x4.sub(v128.load(pd), a0), r1 = f32x4.sub(v128.load(pd, 16), a1);
  const half = f32x4.splat(0.5);
  const s00 = cross(e0, s0), s11 = cross(e1, s1), s01 = f32x4.mul(half, f32x4.add(cross(e0, s1), cross(e1, s0)));
  const r00 = cross(r0, e0), r11 = cross(r1, e1), r01 = f32x4.mul(half, f32x4.add(cross(r0, e1), cross(r1, e0)));
  transpose(s00, s01, s11, s11);
  const x0 = rowX, y0 = rowY, z0 = rowZ;
  transpose(r00, r01, r11, r11);
  // a component is two products of at most E · S, each off by (E + S) · off and 2^-23 E · S; as much again for the dot
  // product
  const edge = greatest(f32x4.pmax(f32x4.abs(e0), f32x4.abs(e1)));
  const side = greatest(f32x4.pmax(f32x4.pmax(f32x4.abs(s0), f32x4.abs(s1)), f32x4.pmax(f32x4.abs(r0), f32x4.abs(r1))));
  return isOneSided(x0, y0, z0, rowX, rowY, rowZ, 4 * off * (edge + side) + <f32>4e-6 * edge * side);
}

// @ts-ignore: decorator
@inline function cross(a: v128, b: v128): v128 { return turn(f32x4.sub(f32x4.mul(a, turn(b)), f32x4.mul(turn(a), b))); }
// @ts-ignore: decorator
@inline function turn(a: v128): v128 { return i32x4.shuffle(a, a, 1, 2, 0, 3); }
// @ts-ignore: decorator
@inline function greatest(a: v128): f32 { return max(max(f32x4.extract_lane(a, 0), f32x4.extract_lane(a, 1)), f32x4.extract_lane(a, 2)); }
// @ts-ignore: decorator
@inline function sum(a: v128): f32 {
  const pairs = f32x4.add(a, i32x4.shuffle(a, a, 2, 3, 0, 1));
  return f32x4.extract_lane(pairs, 0) + f32x4.extract_lane(pairs, 1);
}

let rowX: v128 = i32x4.splat(0), rowY: v128 = i32x4.splat(0), rowZ: v128 = i32x4.splat(0);

/** Transposes four vectors into rows of x, y, z. */
// @ts-ignore: decorator
@inline function transpose(a: v128, b: v128, c: v128, d: v128): void {
  const ab = i32x4.shuffle(a, b, 0, 4, 1, 5), cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
  rowX = i64x2.shuffle(ab, cd, 0, 2);
  rowY = i64x2.shuffle(ab, cd, 1, 3);
  rowZ = i64x2.shuffle(i32x4.shuffle(a, b, 2, 6, 2, 6), i32x4.shuffle(c, d, 2, 6, 2, 6), 0, 2);
}

/**
 * Whether a direction is found that has a positive product with all eight vectors in the rows, of which each component
 * may be off by `error` with the rounding of the products: first their mean, then turned towards vectors with a product
 * that is too small.
 */
function isOneSided(x0: v128, y0: v128, z0: v128, x1: v128, y1: v128, z1: v128, error: f32): bool {
  const tiny = f32x4.splat(1e-30);
  const one = f32x4.splat(1);
  const n0 = f32x4.div(one, f32x4.sqrt(f32x4.add(tiny, f32x4.add(f32x4.add(f32x4.mul(x0, x0), f32x4.mul(y0, y0)), f32x4.mul(z0, z0)))));
  const n1 = f32x4.div(one, f32x4.sqrt(f32x4.add(tiny, f32x4.add(f32x4.add(f32x4.mul(x1, x1), f32x4.mul(y1, y1)), f32x4.mul(z1, z1)))));
  let mx = sum(f32x4.add(f32x4.mul(x0, n0), f32x4.mul(x1, n1)));
  let my = sum(f32x4.add(f32x4.mul(y0, n0), f32x4.mul(y1, n1)));
  let mz = sum(f32x4.add(f32x4.mul(z0, n0), f32x4.mul(z1, n1)));
  for (let turns = 0; ; turns++) {
    const vx = f32x4.splat(mx), vy = f32x4.splat(my), vz = f32x4.splat(mz);
    const limit = f32x4.splat(error * (abs(mx) + abs(my) + abs(mz)));
    const p0 = f32x4.add(f32x4.add(f32x4.mul(x0, vx), f32x4.mul(y0, vy)), f32x4.mul(z0, vz));
    const p1 = f32x4.add(f32x4.add(f32x4.mul(x1, vx), f32x4.mul(y1, vy)), f32x4.mul(z1, vz));
    if (i32x4.bitmask(v128.and(f32x4.gt(p0, limit), f32x4.gt(p1, limit))) == 15) return true;
    if (turns == TURNS) break;
    // towards the unit vector with the least product
    const u0 = f32x4.mul(p0, n0), u1 = f32x4.mul(p1, n1);
    const least0 = f32x4.pmin(u0, u1);
    const least1 = f32x4.pmin(least0, i32x4.shuffle(least0, least0, 2, 3, 0, 1));
    const worst = f32x4.pmin(least1, i32x4.shuffle(least1, least1, 1, 0, 3, 2));
    const first = i32x4.bitmask(f32x4.eq(u0, worst)), second = i32x4.bitmask(f32x4.eq(u1, worst));
    if (!(first | second)) break; // not a number
    const at = scratch + NORMAL + 4 * <usize>ctz(first ? first : second);
    v128.store(scratch + NORMAL, f32x4.mul(first ? x0 : x1, first ? n0 : n1));
    v128.store(scratch + NORMAL, f32x4.mul(first ? y0 : y1, first ? n0 : n1), 16);
    v128.store(scratch + NORMAL, f32x4.mul(first ? z0 : z1, first ? n0 : n1), 32);
    const by: f32 = <f32>0.05 * sqrt<f32>(mx * mx + my * my + mz * mz) - <f32>1.5 * f32x4.extract_lane(worst, 0);
    mx += by * load<f32>(at);
    my += by * load<f32>(at, 16);
    mz += by * load<f32>(at, 32);
  }
  return false;
}
