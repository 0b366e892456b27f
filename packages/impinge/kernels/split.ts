/**
 * Chooses where to cut a range of records in two. The result is the same on every platform: only float32 minima and
 * maxima (exact), and float64 arithmetic in a fixed order.
 *
 * Idea: a binned surface-area heuristic on all three axes; or, for fast builds, the middle of the longest axis.
 * Layout: record = min x y z, triangle number, max x y z, unused. Records are swapped in place.
 */
import { BIN_BOXES, BIN_COUNTS, KEYS, RIGHT_AREAS, RIGHT_COUNTS, scratch } from './scratch';

// host: RECORD_BYTES
export const RECORD_BYTES: usize = 32;
const BINS: u32 = 16;
/** Ranges of at most this many records are sorted and halved. */
const SMALL: u32 = 16;
/** Larger ranges are binned from a sample of about this many records, evenly spaced. */
const SAMPLED: u32 = 1024;

// a range while it is being split: 64 bytes
export const RANGE: usize = 64;
export const R_START: usize = 0;
export const R_COUNT: usize = 4;
export const R_AREA: usize = 8; // float64
export const R_PARENT: usize = 16;
export const R_LANE: usize = 20; // lane | depth << 8
const R_CLO: usize = 32; // bounds of the centroids (minimum + maximum of a box, not halved)
const R_CHI: usize = 48;

const BIN_BYTES: usize = 32; // minimum and maximum

// @ts-ignore: decorator
@inline function area(lo: v128, hi: v128): f64 {
  const dx = <f64>f32x4.extract_lane(hi, 0) - <f64>f32x4.extract_lane(lo, 0);
  const dy = <f64>f32x4.extract_lane(hi, 1) - <f64>f32x4.extract_lane(lo, 1);
  const dz = <f64>f32x4.extract_lane(hi, 2) - <f64>f32x4.extract_lane(lo, 2);
  return dx * dy + dy * dz + dz * dx;
}

// @ts-ignore: decorator
@inline function centroids(p: usize): v128 { return f32x4.add(v128.load(p), v128.load(p, 16)); }

/** Fills in the description of a range: the area of its box, the bounds of its centroids. */
export function measure(records: usize, range: usize): void {
  let p = records + RECORD_BYTES * <usize>load<u32>(range, R_START);
  const end = p + RECORD_BYTES * <usize>load<u32>(range, R_COUNT);
  let lo = f32x4.splat(Infinity), hi = f32x4.splat(-Infinity);
  let clo = lo, chi = hi;
  for (; p < end; p += RECORD_BYTES) {
    lo = f32x4.pmin(lo, v128.load(p));
    hi = f32x4.pmax(hi, v128.load(p, 16));
    const c = centroids(p);
    clo = f32x4.pmin(clo, c);
    chi = f32x4.pmax(chi, c);
  }
  store<f64>(range, area(lo, hi), R_AREA);
  v128.store(range, clo, R_CLO);
  v128.store(range, chi, R_CHI);
}

// @ts-ignore: decorator
@inline function swapRecords(p: usize, q: usize): void {
  const a = v128.load(p);
  const b = v128.load(p, 16);
  v128.store(p, v128.load(q));
  v128.store(p, v128.load(q, 16), 16);
  v128.store(q, a);
  v128.store(q, b, 16);
}

// @ts-ignore: decorator
@inline function longestAxis(extent: v128): usize {
  const x = f32x4.extract_lane(extent, 0), y = f32x4.extract_lane(extent, 1), z = f32x4.extract_lane(extent, 2);
  return y > x ? (z > y ? 2 : 1) : (z > x ? 2 : 0);
}

/** Divides `range` at `left` without moving records, and measures both halves. */
function cutAt(records: usize, range: usize, right: usize, left: u32): void {
  const start = load<u32>(range, R_START);
  const count = load<u32>(range, R_COUNT);
  store<u32>(range, left, R_COUNT);
  store<u32>(right, start + left, R_START);
  store<u32>(right, count - left, R_COUNT);
  measure(records, range);
  measure(records, right);
}

/** For few records: sorts along the longest axis and cuts so that the number of leaves is smallest. */
function splitSmall(records: usize, range: usize, right: usize, leafSize: u32): void {
  const count = load<u32>(range, R_COUNT);
  const first = records + RECORD_BYTES * <usize>load<u32>(range, R_START);
  const axis = 4 * <i32>longestAxis(f32x4.sub(v128.load(range, R_CHI), v128.load(range, R_CLO)));
  const keys = scratch + KEYS;
  // insertion sort of (key, record) pairs, stable
  for (let i: u32 = 0; i < count; i++) {
    const p = first + RECORD_BYTES * <usize>i;
    const key: f32 = load<f32>(p + axis) + load<f32>(p + axis, 16);
    let at = keys + 8 * <usize>i;
    while (at > keys && load<f32>(at - 8) > key) {
      store<u64>(at, load<u64>(at - 8));
      at -= 8;
    }
    store<f32>(at, key);
    store<u32>(at, i, 4);
  }
  const copy = scratch + BIN_BOXES;
  memory.copy(copy, first, RECORD_BYTES * <usize>count);
  for (let i: u32 = 0; i < count; i++) {
    const from = copy + RECORD_BYTES * <usize>load<u32>(keys + 8 * <usize>i, 4);
    const to = first + RECORD_BYTES * <usize>i;
    v128.store(to, v128.load(from));
    v128.store(to, v128.load(from, 16), 16);
  }
  const leaves = (count + leafSize - 1) / leafSize;
  const leftLeaves = leaves >> 1;
  const rightLeaves = leaves - leftLeaves;
  let left = count * leftLeaves / leaves;
  if (count - left > rightLeaves * leafSize) left = count - rightLeaves * leafSize;
  cutAt(records, range, right, left);
}

/**
 * Splits `range` in two non-empty halves: it becomes the left half and `right` the other one. Preconditions: more than
 * leafSize records, measured.
 */
export function splitRange(records: usize, range: usize, right: usize, leafSize: u32, fast: bool, middleOnly: bool): void {
  const start = load<u32>(range, R_START);
  const count = load<u32>(range, R_COUNT);
  const clo = v128.load(range, R_CLO);
  const extent = f32x4.sub(v128.load(range, R_CHI), clo);
  const positive = f32x4.gt(extent, f32x4.splat(0));
  if (middleOnly || (i32x4.bitmask(positive) & 7) == 0) return cutAt(records, range, right, count >> 1);
  if (count <= SMALL) return splitSmall(records, range, right, leafSize);

  const first = records + RECORD_BYTES * <usize>start;
  const end = first + RECORD_BYTES * <usize>count;
  const bins: u32 = fast ? 2 : BINS;
  // an axis without extent gets scale 0, which puts all records in bin 0; infinite scales (denormal extents) are
  // clamped
  const scale = f32x4.pmin(v128.and(f32x4.div(f32x4.splat(<f32>bins), extent), positive), f32x4.splat(1e30));
  const last = i32x4.splat(bins - 1);
  let bestAxis: usize = longestAxis(extent);
  let bestBin: u32 = 0;
  let leftArea: f64 = 0, rightArea: f64 = 0;
  if (!fast) {
    const binBoxes = scratch + BIN_BOXES;
    const binCounts = scratch + BIN_COUNTS;
    const rightAreas = scratch + RIGHT_AREAS;
    const rightCounts = scratch + RIGHT_COUNTS;
    const plusInf = f32x4.splat(Infinity);
    const minusInf = f32x4.splat(-Infinity);
    for (let i: usize = 0; i < 3 * 16 * BIN_BYTES; i += BIN_BYTES) {
      v128.store(binBoxes + i, plusInf);
      v128.store(binBoxes + i, minusInf, 16);
    }
    memory.fill(binCounts, 0, 3 * 16 * 4);
    // in large ranges, a sample of the records is enough to choose the cut
    const step: usize = count > SAMPLED ? RECORD_BYTES * <usize>(count / SAMPLED) : RECORD_BYTES;
    for (let p = first; p < end; p += step) {
      const lo = v128.load(p);
      const hi = v128.load(p, 16);
      const bin = i32x4.min_u(last, i32x4.trunc_sat_f32x4_u(f32x4.mul(f32x4.sub(f32x4.add(lo, hi), clo), scale)));
      const bx = <usize>i32x4.extract_lane(bin, 0);
      const by = 16 + <usize>i32x4.extract_lane(bin, 1);
      const bz = 32 + <usize>i32x4.extract_lane(bin, 2);
      let b = binBoxes + BIN_BYTES * bx;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      b = binBoxes + BIN_BYTES * by;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      b = binBoxes + BIN_BYTES * bz;
      v128.store(b, f32x4.pmin(v128.load(b), lo));
      v128.store(b, f32x4.pmax(v128.load(b, 16), hi), 16);
      let c = binCounts + 4 * bx;
      store<u32>(c, load<u32>(c) + 1);
      c = binCounts + 4 * by;
      store<u32>(c, load<u32>(c) + 1);
      c = binCounts + 4 * bz;
      store<u32>(c, load<u32>(c) + 1);
    }

    // sweep: the cheapest boundary between two bins over all axes
    let bestCost: f64 = Infinity;
    for (let axis: usize = 0; axis < 3; axis++) {
      const boxes = binBoxes + axis * 16 * BIN_BYTES;
      const counts = binCounts + axis * 64;
      let lo = plusInf;
      let hi = minusInf;
      let n: u32 = 0;
      let a: f64 = 0;
      for (let b: u32 = BINS - 1; b > 0; b--) {
        const c = load<u32>(counts + 4 * <usize>b);
        if (c != 0) {
          lo = f32x4.pmin(lo, v128.load(boxes + BIN_BYTES * <usize>b));
          hi = f32x4.pmax(hi, v128.load(boxes + BIN_BYTES * <usize>b, 16));
          n += c;
          a = area(lo, hi);
        }
        store<f64>(rightAreas + 8 * <usize>b, a);
        store<u32>(rightCounts + 4 * <usize>b, n);
      }
      lo = plusInf;
      hi = minusInf;
      n = 0;
      for (let b: u32 = 0; b < BINS - 1; b++) {
        const c = load<u32>(counts + 4 * <usize>b);
        if (c == 0) continue; // the same cut as one bin before
        const more = load<u32>(rightCounts + 4 * <usize>(b + 1));
        if (more == 0) break;
        lo = f32x4.pmin(lo, v128.load(boxes + BIN_BYTES * <usize>b));
        hi = f32x4.pmax(hi, v128.load(boxes + BIN_BYTES * <usize>b, 16));
        n += c;
        a = area(lo, hi);
        const ra = load<f64>(rightAreas + 8 * <usize>(b + 1));
        const cost = a * <f64>n + ra * <f64>more;
        if (cost < bestCost) {
          bestCost = cost;
          bestAxis = axis;
          bestBin = b;
          leftArea = a;
          rightArea = ra;
        }
      }
    }
    if (bestCost == Infinity) return cutAt(records, range, right, count >> 1);
  }

  // partition the records at that boundary, updating the bounds of the centroids on the way
  const lane = f32x4.splat(bestAxis == 0 ? f32x4.extract_lane(scale, 0) : bestAxis == 1 ? f32x4.extract_lane(scale, 1) : f32x4.extract_lane(scale, 2));
  const s = f32x4.extract_lane(lane, 0);
  const c0 = bestAxis == 0 ? f32x4.extract_lane(clo, 0) : bestAxis == 1 ? f32x4.extract_lane(clo, 1) : f32x4.extract_lane(clo, 2);
  const axis = 4 * bestAxis;
  const limit: f32 = <f32>(bestBin + 1); // bin ≤ bestBin  ⇔  scaled position < bestBin + 1
  let llo = f32x4.splat(Infinity), lhi = f32x4.splat(-Infinity), rlo = llo, rhi = lhi;
  let i = first;
  let j = end - RECORD_BYTES;
  while (i <= j) {
    const c = centroids(i);
    if ((load<f32>(i + axis) + load<f32>(i + axis, 16) - c0) * s < limit) {
      llo = f32x4.pmin(llo, c);
      lhi = f32x4.pmax(lhi, c);
      i += RECORD_BYTES;
    } else {
      rlo = f32x4.pmin(rlo, c);
      rhi = f32x4.pmax(rhi, c);
      swapRecords(i, j);
      j -= RECORD_BYTES;
    }
  }
  const left = <u32>((i - first) / RECORD_BYTES);
  if (left == 0 || left == count) return cutAt(records, range, right, count >> 1);
  store<u32>(range, left, R_COUNT);
  v128.store(range, llo, R_CLO);
  v128.store(range, lhi, R_CHI);
  store<u32>(right, start + left, R_START);
  store<u32>(right, count - left, R_COUNT);
  v128.store(right, rlo, R_CLO);
  v128.store(right, rhi, R_CHI);
  if (fast) {
    // the bounds of the centroids approximate the box: good enough to choose which half to split next
    leftArea = area(llo, lhi);
    rightArea = area(rlo, rhi);
  }
  store<f64>(range, leftArea, R_AREA);
  store<f64>(right, rightArea, R_AREA);
}
