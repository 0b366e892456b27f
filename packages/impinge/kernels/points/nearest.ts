/**
 * The triangle of a mesh closest to a point, and the closest point: by a walk down a box tree, the closest of four
 * boxes first.
 *
 * Idea: in float32, a far point is equally far from all boxes. So lengths are measured from c, the point of the whole
 * mesh's box closest to p, and boxes are compared by how much farther than c they are: (|v| + g)² − |v|² = g (g + 2
 * |v|) along each axis, where v = p − c and g is the gap between c and the box. In a leaf, float32 selects the
 * triangles that may be closer than the closest so far.
 * Layout: the stack holds (reference, that excess as float32); as in kernels/rays/cast.ts.
 * Errs: gaps are reduced by more than their rounding, and compared with a margin for the remaining rounding: no closer
 * triangle is missed. Distances are off by less than 1e-13 of the extent of point and triangle. Of triangles at the
 * same distance, the lowest number wins.
 */
import { EMPTY, ROW, isLeaf, leafCount, leafStart } from '../layout';
import {
  BOXES_BLOCKS, BOXES_CORNERS, BOXES_ORDER, BOXES_ROOT, BOX_BLOCK_BYTES, BOX_MAX, BOX_MIN, BOX_REF, DONE, HIT_BYTES, HIT_CORNERS, HIT_DISTANCE,
  HIT_ROW, HIT_TRIANGLE, HIT_U, HIT_V, RAY_BYTES, RAY_MOST, R_COUNT, R_HITS, R_RAYS, R_TREE,
} from '../rays/layout';
import { footU, footV, pointTriangle } from '../rays/point-triangle';
import { readAhead } from '../rays/read-ahead';
import { LANE_KEYS, STACK, scratch } from '../rays/scratch';
import { BOUND_ERROR, BOUND_TINY, leastAway } from './four-triangles';

/** Share of the largest coordinate by which float32 may misplace a gap. */
const SLACK: f64 = 2.4e-7;

/** Writes a hit for each point; points are stored like the origins of rays. */
export function nearestPoints(query: usize): i32 {
  const boxes = <usize>load<u32>(query, R_TREE);
  const count = load<u32>(query, R_COUNT);
  let point = <usize>load<u32>(query, R_RAYS), hit = <usize>load<u32>(query, R_HITS);
  for (let i: u32 = 0; i < count; i++, point += RAY_BYTES, hit += HIT_BYTES) nearest(boxes, point, hit);
  return DONE;
}

let v: f64 = 0;
/** The coordinate of c along an axis; sets v. */
// @ts-ignore: decorator
@inline function clamped(side: usize, p: f64): f64 {
  const c = max(<f64>load<f32>(side), min(<f64>load<f32>(side, 12), p));
  v = p - c;
  return c;
}

// @ts-ignore: decorator
@inline function gap(block: usize, row: usize, c: v128, slack: v128): v128 {
  return gapBetween(v128.load(block + row, BOX_MIN), v128.load(block + row, BOX_MAX), c, slack);
}
/**
 * The same for the boxes of up to four triangles, along the axis whose numbers begin at `a`; corners are `next` bytes
 * apart.
 */
// @ts-ignore: decorator
@inline function cornerGap(a: usize, next: usize, c: v128, slack: v128): v128 {
  const p = v128.load(a), q = v128.load(a + next), r = v128.load(a + 2 * next);
  return gapBetween(f32x4.pmin(f32x4.pmin(p, q), r), f32x4.pmax(f32x4.pmax(p, q), r), c, slack);
}
// @ts-ignore: decorator
@inline function gapBetween(low: v128, high: v128, c: v128, slack: v128): v128 {
  const below = f32x4.sub(low, c), above = f32x4.sub(c, high);
  return f32x4.pmax(f32x4.splat(0), f32x4.sub(f32x4.pmax(below, above), slack));
}

/** The greatest excess over c of a box that may contain a point at this squared distance, rounded up. */
// @ts-ignore: decorator
@inline function roomFor(square: f64, least: f64): f32 {
  return <f32>((square - least + 1e-15 * square) * 1.000004 + 1e-36);
}

/** A float32 distance above this is certainly farther than `best`. */
// @ts-ignore: decorator
@inline function reachOf(best: f64, slip: f64): f32 { return <f32>(sqrt(best) * 1.000001 + slip); }

/** Among some lanes, the one with the least key. */
// @ts-ignore: decorator
@inline function nearestOf(mask: i32, keys: usize): usize {
  let lane = <usize>ctz(mask) << 2;
  for (let rest = mask & (mask - 1); rest; rest &= rest - 1) {
    const other = <usize>ctz(rest) << 2;
    if (load<f32>(keys + other) < load<f32>(keys + lane)) lane = other;
  }
  return lane;
}

function nearest(boxes: usize, point: usize, hit: usize): void {
  const px = load<f64>(point), py = load<f64>(point, 8), pz = load<f64>(point, 16), most = load<f64>(point, RAY_MOST);
  const root = boxes + BOXES_ROOT;
  const x = clamped(root, px), vx = v, y = clamped(root + 4, py), vy = v, z = clamped(root + 8, pz), vz = v;
  const least = vx * vx + vy * vy + vz * vz;
  let size: f64 = 0;
  for (let k: usize = 0; k < 24; k += 4) size = max(size, <f64>abs(load<f32>(root + k)));
  const slack = f32x4.splat(<f32>(SLACK * size));
  const cx = f32x4.splat(<f32>x), cy = f32x4.splat(<f32>y), cz = f32x4.splat(<f32>z);
  const wx = f32x4.splat(<f32>(2 * abs(vx))), wy = f32x4.splat(<f32>(2 * abs(vy))), wz = f32x4.splat(<f32>(2 * abs(vz)));
  const qx = f32x4.splat(<f32>px), qy = f32x4.splat(<f32>py), qz = f32x4.splat(<f32>pz);
  const slip = BOUND_ERROR * (max(abs(px), max(abs(py), abs(pz))) + size) + BOUND_TINY;
  const blocks = boxes + load<u32>(boxes, BOXES_BLOCKS), order = boxes + load<u32>(boxes, BOXES_ORDER);
  const corners = boxes + load<u32>(boxes, BOXES_CORNERS);
  const stack = scratch + STACK, keys = scratch + LANE_KEYS;
  // slightly more, so that triangles at exactly this distance are found; the host compares them
  let best = most * most * 1.000000000000001;
  let room = roomFor(best, least);
  let triangle = EMPTY;
  let top = stack;
  let ref: u32 = 0;
  let ahead: u32 = 0;
  while (true) {
    if (isLeaf(ref)) {
      const start = leafStart(ref);
      const row: usize = 4 * <usize>leafCount(ref);
      const first = corners + 36 * <usize>start;
      const gx = cornerGap(first, 3 * row, cx, slack), gy = cornerGap(first + row, 3 * row, cy, slack), gz = cornerGap(first + 2 * row, 3 * row, cz, slack);
      const excess = f32x4.add(
        f32x4.add(f32x4.mul(gx, f32x4.add(gx, wx)), f32x4.mul(gy, f32x4.add(gy, wy))),
        f32x4.mul(gz, f32x4.add(gz, wz)),
      );
      let mask = i32x4.bitmask(f32x4.le(excess, f32x4.splat(room))) & ((1 << leafCount(ref)) - 1);
      if (mask) {
        const away = leastAway(first, row, qx, qy, qz);
        mask &= ~i32x4.bitmask(f32x4.gt(away, f32x4.splat(reachOf(best, slip))));
        v128.store(keys, away);
      }
      while (mask) {
        const lane = nearestOf(mask, keys);
        mask &= ~(1 << <i32>(lane >> 2));
        if (load<f32>(keys + lane) > reachOf(best, slip)) continue;
        const square = pointTriangle(px, py, pz, first + lane, row, best);
        if (!(square <= best)) continue;
        const candidate = load<u32>(order + 4 * <usize>start + lane);
        if (square == best && candidate > triangle) continue;
        best = square;
        triangle = candidate;
        store<f64>(hit, sqrt(square), HIT_DISTANCE);
        store<f64>(hit, footU, HIT_U);
        store<f64>(hit, footV, HIT_V);
        store<u32>(hit, <u32>(first + lane), HIT_CORNERS);
        store<u32>(hit, <u32>row, HIT_ROW);
      }
      room = roomFor(best, least);
    } else {
      const block = blocks + BOX_BLOCK_BYTES * <usize>ref;
      const gx = gap(block, 0, cx, slack), gy = gap(block, ROW, cy, slack), gz = gap(block, 2 * ROW, cz, slack);
      const excess = f32x4.add(
        f32x4.add(f32x4.mul(gx, f32x4.add(gx, wx)), f32x4.mul(gy, f32x4.add(gy, wy))),
        f32x4.mul(gz, f32x4.add(gz, wz)),
      );
      // the gap of an empty lane is infinite, so it is excluded even if the limit is, too
      let mask = i32x4.bitmask(v128.and(f32x4.le(excess, f32x4.splat(room)), i32x4.ne(v128.load(block, BOX_REF), i32x4.splat(-1))));
      v128.store(keys, excess);
      const under = top;
      while (mask) {
        const lane = <usize>ctz(mask) << 2;
        mask &= mask - 1;
        const key = load<f32>(keys + lane);
        let at = top;
        while (at > under && load<f32>(at - 4) < key) {
          store<u64>(at, load<u64>(at - 8));
          at -= 8;
        }
        const child = load<u32>(block + lane, BOX_REF);
        ahead |= readAhead(child, blocks, corners);
        store<u32>(at, child);
        store<f32>(at, key, 4);
        top += 8;
      }
    }
    do {
      if (top == stack) {
        store<u32>(hit, triangle, HIT_TRIANGLE);
        store<u32>(keys, ahead);
        return;
      }
      top -= 8;
    } while (load<f32>(top, 4) > room);
    ref = load<u32>(top);
  }
}
