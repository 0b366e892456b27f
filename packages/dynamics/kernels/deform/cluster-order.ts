/**
 * The order of the triangles of a surface from which clusters are cut: neighbours are near each other.
 *
 * Idea: a list is divided where the middles of its triangles extend most, into halves rounded to whole clusters, nodes
 * above them, and packs within them; so each of these lies in a box of its own. The half is found by halving the range
 * of the coordinate: at most 32 passes over what is left, two when middles are spread evenly.
 * Layout: a middle: i32 x, y, z at T0 in steps of the range by 2^29, 0.
 */
import { BRANCHES, CTX_CLUSTER_ORDER, CTX_CORNERS, CTX_MOTIONS, CTX_RANGE, CTX_TRIANGLE_BASE, MOTION_BYTES } from './layout';

/** Triangles of a pack. */
const LEAST: u32 = 4;

/** Writes the order of surfaces [from, to); `middles`: room for those of all triangles. */
export function orderTriangles(ctx: usize, middles: usize, from: u32, to: u32): void {
  const order: usize = load<u32>(ctx, CTX_CLUSTER_ORDER);
  const base: usize = load<u32>(ctx, CTX_TRIANGLE_BASE);
  for (let s: usize = from; s < <usize>to; s++) {
    const first = load<u32>(base + 4 * s), end = load<u32>(base + 4 * s, 4);
    for (let t = first; t < end; t++) {
      v128.store(middles + 16 * <usize>t, middleOf(ctx, t));
      store<u32>(order + 4 * <usize>t, t);
    }
    divide(order + 4 * <usize>first, end - first, middles);
  }
}

// @ts-ignore: decorator
@inline function middleOf(ctx: usize, t: u32): v128 {
  const c = <usize>load<u32>(ctx, CTX_CORNERS) + 12 * <usize>t;
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const p = v128.load(motions + MOTION_BYTES * <usize>load<u32>(c)), q = v128.load(motions + MOTION_BYTES * <usize>load<u32>(c, 4)), r = v128.load(motions + MOTION_BYTES * <usize>load<u32>(c, 8));
  const scale = f32x4.splat(reinterpret<f32>((127 + 29 - load<i32>(ctx, CTX_RANGE)) << 23) / 3);
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(f32x4.add(f32x4.add(p, q), r), scale));
}

function divide(list: usize, count: u32, middles: usize): void {
  while (count > LEAST) {
    let lo = i32x4.splat(i32.MAX_VALUE), hi = i32x4.splat(i32.MIN_VALUE);
    for (let at = list; at < list + 4 * <usize>count; at += 4) {
      const middle = v128.load(middles + 16 * <usize>load<u32>(at));
      lo = i32x4.min_s(lo, middle);
      hi = i32x4.max_s(hi, middle);
    }
    let unit = LEAST;
    while (unit * BRANCHES < count) unit *= BRANCHES;
    const half = (count + unit) / (2 * unit) * unit;
    const extent = i32x4.sub(hi, lo);
    const x = i32x4.extract_lane(extent, 0), y = i32x4.extract_lane(extent, 1), z = i32x4.extract_lane(extent, 2);
    if (x >= y && x >= z) select(list, count, half, middles, i32x4.extract_lane(lo, 0), i32x4.extract_lane(hi, 0));
    else if (y >= z) select(list, count, half, middles + 4, i32x4.extract_lane(lo, 1), i32x4.extract_lane(hi, 1));
    else select(list, count, half, middles + 8, i32x4.extract_lane(lo, 2), i32x4.extract_lane(hi, 2));
    divide(list, half, middles);
    list += 4 * <usize>half;
    count -= half;
  }
}

/** Moves the `half` with the least coordinates, which are in [low, high], to the front. */
function select(list: usize, count: u32, half: u32, coordinates: usize, low: i32, high: i32): void {
  const goal = list + 4 * <usize>half;
  let from = list, to = list + 4 * <usize>count;
  while (low < high) {
    const pivot = <i32>((<i64>low + <i64>high) >> 1);
    let at = from, end = to;
    while (at < end) {
      const t = load<u32>(at);
      if (load<i32>(coordinates + 16 * <usize>t) <= pivot) {
        at += 4;
      } else {
        end -= 4;
        store<u32>(at, load<u32>(end));
        store<u32>(end, t);
      }
    }
    if (at == goal) return;
    if (at > goal) {
      to = at;
      high = pivot;
    } else {
      from = at;
      low = pivot + 1;
    }
  }
}
