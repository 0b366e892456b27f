/**
 * The order of the triangles of a surface from which clusters are cut: neighbours are near each other.
 *
 * Idea: a list is divided where the middles of its triangles extend most, into halves rounded to whole clusters, nodes
 * above them, and packs within them; so each of these lies in a box of its own. The half is found by halving the range
 * of the coordinate: at most 32 passes over what is left, two when middles are spread evenly.
 * Layout: a middle: i32 x, y, z in steps of the largest extent by 2^30, and one more.
 */
import { BRANCHES } from './layout';

/** Triangles of a pack. */
const LEAST: u32 = 4;

/** Writes the order of the triangles at `corners`, of vertices at float64 `positions`; `middles`: room for theirs. */
export function orderTriangles(positions: usize, corners: usize, count: u32, middles: usize, order: usize): void {
  let lo = f64x2.splat(Infinity), hi = f64x2.splat(-Infinity), loZ = lo, hiZ = hi;
  const end = corners + 12 * <usize>count;
  for (let c = corners; c < end; c += 12) {
    const xy = sumXY(positions, c), z = sumZ(positions, c);
    lo = f64x2.pmin(lo, xy);
    hi = f64x2.pmax(hi, xy);
    loZ = f64x2.pmin(loZ, z);
    hiZ = f64x2.pmax(hiZ, z);
  }
  const extent = f64x2.pmax(f64x2.sub(hi, lo), f64x2.sub(hiZ, loZ));
  const scale = f64x2.splat(<f64>(1 << 30) / max(f64x2.extract_lane(extent, 0), f64x2.extract_lane(extent, 1)));
  let middle = middles;
  for (let c = corners; c < end; c += 12, middle += 16) {
    const xy = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.sub(sumXY(positions, c), lo), scale));
    const z = i32x4.trunc_sat_f64x2_s_zero(f64x2.mul(f64x2.sub(sumZ(positions, c), loZ), scale));
    v128.store(middle, i64x2.shuffle(xy, z, 0, 2));
  }
  for (let t: u32 = 0; t < count; t++) store<u32>(order + 4 * <usize>t, t);
  divide(order, count, middles);
}

// @ts-ignore: decorator
@inline function placeOf(positions: usize, corner: usize): usize { return positions + 24 * <usize>load<u32>(corner); }
// @ts-ignore: decorator
@inline function sumXY(positions: usize, c: usize): v128 {
  return f64x2.add(f64x2.add(v128.load(placeOf(positions, c)), v128.load(placeOf(positions, c + 4))), v128.load(placeOf(positions, c + 8)));
}
// @ts-ignore: decorator
@inline function sumZ(positions: usize, c: usize): v128 {
  return f64x2.splat(load<f64>(placeOf(positions, c), 16) + load<f64>(placeOf(positions, c + 4), 16) + load<f64>(placeOf(positions, c + 8), 16));
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
