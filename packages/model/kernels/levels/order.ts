/**
 * Orders triangles so that near ones follow each other, and cuts them into parts: recursive halves at the median along
 * the longest side of the box around their centres.
 *
 * Layout: a record of 16 bytes per triangle, its centre (times three, float32) and its number, moved as a whole.
 */
import { BOX_STACK, scratch } from './scratch';

// host: RECORD_BYTES
const RECORD_BYTES: usize = 16;
/** Ranges of at most this many triangles need no order. */
const FEW: u32 = 4;

/** Writes the numbers of `count` triangles in order, and the end of each of `parts` parts; `records` is work space. */
export function orderTriangles(positions: usize, indices: usize, count: u32, parts: u32, records: usize, order: usize, ends: usize): void {
  for (let t: u32 = 0; t < count; t++) {
    const corner = indices + 12 * <usize>t, record = records + RECORD_BYTES * <usize>t;
    const a = positions + 12 * <usize>load<u32>(corner), b = positions + 12 * <usize>load<u32>(corner, 4), c = positions + 12 * <usize>load<u32>(corner, 8);
    for (let k: usize = 0; k < 12; k += 4) store<f32>(record + k, <f32>(<f64>load<f32>(a + k) + <f64>load<f32>(b + k) + <f64>load<f32>(c + k)));
    store<u32>(record, t, 12);
  }
  // stack of ranges: first, end, parts; one for each halving, plus one
  const stack = scratch + BOX_STACK;
  let top = stack;
  store<u32>(top, 0); store<u32>(top, count, 4); store<u32>(top, parts, 8);
  top += 12;
  while (top > stack) {
    top -= 12;
    const from = load<u32>(top), to = load<u32>(top, 4), wanted = load<u32>(top, 8);
    if (wanted == 1) { store<u32>(ends, to); ends += 4; }
    if (to - from <= FEW) continue;
    const left = wanted >> 1;
    const middle = wanted > 1 ? from + <u32>(<u64>(to - from) * left / wanted) : from + ((to - from + 1) >> 1);
    select(records + longestAxis(records, from, to), from, to, middle);
    store<u32>(top, middle); store<u32>(top, to, 4); store<u32>(top, wanted > 1 ? wanted - left : 0, 8);
    top += 12;
    store<u32>(top, from); store<u32>(top, middle, 4); store<u32>(top, wanted > 1 ? left : 0, 8);
    top += 12;
  }
  for (let i: u32 = 0; i < count; i++) store<u32>(order + 4 * <usize>i, load<u32>(records + RECORD_BYTES * <usize>i, 12));
}

/** Offset in a record of the coordinate in which these centres spread most. */
function longestAxis(records: usize, from: u32, to: u32): usize {
  let low = f32x4.splat(Infinity), high = f32x4.splat(-Infinity);
  for (let record = records + RECORD_BYTES * <usize>from, end = records + RECORD_BYTES * <usize>to; record < end; record += RECORD_BYTES) {
    const own = v128.load(record);
    low = f32x4.pmin(low, own);
    high = f32x4.pmax(high, own);
  }
  const d = f32x4.sub(high, low);
  const x = f32x4.extract_lane(d, 0), y = f32x4.extract_lane(d, 1), z = f32x4.extract_lane(d, 2);
  return x >= y && x >= z ? 0 : y >= z ? 4 : 8;
}

/**
 * Moves the smallest before `middle`; ties are broken by number, so that the result is unique. `at`: a coordinate of
 * record 0.
 */
function select(at: usize, from: i32, to: i32, middle: i32): void {
  const numbers = at & ~15; // records are aligned to 16 bytes
  let low = from, high = to - 1;
  while (low < high) {
    const pivot = (low + high) >> 1;
    const value = load<f32>(at + RECORD_BYTES * <usize>pivot);
    const number = load<u32>(numbers + RECORD_BYTES * <usize>pivot, 12);
    let i = low, j = high;
    // both stop at the pivot at the latest, and later at swapped records: neither leaves the range by more than one
    while (i <= j) {
      while (isBefore(at + RECORD_BYTES * <usize>i, numbers + RECORD_BYTES * <usize>i, value, number)) i++;
      while (isAfter(at + RECORD_BYTES * <usize>j, numbers + RECORD_BYTES * <usize>j, value, number)) j--;
      if (i > j) break;
      const p = numbers + RECORD_BYTES * <usize>i, q = numbers + RECORD_BYTES * <usize>j;
      const kept = v128.load(p);
      v128.store(p, v128.load(q));
      v128.store(q, kept);
      i++;
      j--;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}

// @ts-ignore: decorator
@inline function isBefore(at: usize, record: usize, value: f32, number: u32): bool {
  const x = load<f32>(at);
  return x < value || (x == value && load<u32>(record, 12) < number);
}
// @ts-ignore: decorator
@inline function isAfter(at: usize, record: usize, value: f32, number: u32): bool {
  const x = load<f32>(at);
  return x > value || (x == value && load<u32>(record, 12) > number);
}
