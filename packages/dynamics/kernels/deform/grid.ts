/**
 * The hierarchical grid: every triangle is in one cell of the tier of its size, four triangles of a cell in a pack.
 *
 * Idea: the tier of a triangle is the least power of two that its swept box, enlarged by the margin, does not exceed;
 * its cell there is the one with the lowest corner of the box. So two triangles of one tier that may meet lie in the
 * same or in adjacent cells. Keys are tier, then Morton code of the corner two bits finer than cells; sorted, cells
 * are runs, and so are coarser cells: if the cells of a tier hold fewer triangles than FILL on average, they are
 * joined by dropping bits. Boxes are kept for both ends of the step: triangles on the same side of each other at both
 * ends do not meet in between.
 * Layout: a pack: 12 rows of four float32 (lo0 x y z, lo1 x y z, hi0 x y z, hi1 x y z), four triangles, NONE for
 * missing ones; a bound: lo0, lo1, hi0, hi1, four float32 each; a cell: a bound and the words of layout.ts.
 */
import {
  BOUND_BYTES, CELL_BYTES, CELL_COUNT, CELL_FIRST, CELL_FIRST_PACK, CELL_KEY, CELL_PACK_COUNT, CTX_CORNERS,
  CTX_MOTIONS, CTX_RANGE, DEEPEST, FILL, GRID_BOUNDS, GRID_CELLS, GRID_CELL_COUNT, GRID_COUNT,
  GRID_FINEST, GRID_JOINS, GRID_KEYS, GRID_TIER_COUNT, GRID_TIER_STARTS, GRID_LIST, GRID_MARGIN, GRID_MORTON_BITS,
  GRID_ORDER, GRID_PACKS, GRID_PACK_COUNT, GRID_RANGE, GRID_TABLE, GRID_TABLE_BITS, TIER_SHIFT, MOST_JOINS, MOTION_BYTES,
  NONE, PACK_BYTES, PACK_MEMBERS,
} from './layout';
import { HISTOGRAM, scratch } from './scratch';

/** Factor that covers the relative rounding of extents. */
const ROUND_UP: f32 = 1.000001;

/** Tier of an extent: the least exponent whose power of two is not less. */
// @ts-ignore: decorator
@inline function tierOf(extent: f32, range: i32): i32 {
  const bits = reinterpret<i32>(extent);
  const tier = (bits >> 23) - 127 + ((bits & 0x7fffff) != 0 ? 1 : 0);
  return min(max(tier, range - DEEPEST), range + 2);
}

/** Factor from coordinates to numbers of quarter cells, before `cellOffset` is added. */
// @ts-ignore: decorator
@inline export function quarterScale(tier: i32): v128 { return f32x4.splat(reinterpret<f32>((129 - tier) << 23)); }
// @ts-ignore: decorator
@inline export function cellOffset(tier: i32, range: i32): i32 { return 4 << max(range - tier, 0); }

const EVERY_THIRD: u64 = 0x249249249249;

/** Spreads the bits of a coordinate to every third position. */
// @ts-ignore: decorator
@inline export function spread(x: u64): u64 {
  x = (x | (x << 16)) & 0x0000ff0000ff;
  x = (x | (x << 8)) & 0x00f00f00f00f;
  x = (x | (x << 4)) & 0x0c30c30c30c3;
  return (x | (x << 2)) & EVERY_THIRD;
}
/** The spread bits of the next coordinate. */
// @ts-ignore: decorator
@inline export function nextSpread(x: u64): u64 { return ((x | ~EVERY_THIRD) + 1) & EVERY_THIRD; }

// @ts-ignore: decorator
@inline export function morton(x: u32, y: u32, z: u32): u64 { return spread(x) | (spread(y) << 1) | (spread(z) << 2); }

/** Writes keys and numbers of triangles [from, to) of the grid's list. */
export function writeKeys(ctx: usize, grid: usize, from: u32, to: u32): void {
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const margin = load<f32>(grid, GRID_MARGIN);
  const range = load<i32>(grid, GRID_RANGE);
  const list: usize = load<u32>(grid, GRID_LIST);
  const keys: usize = load<u32>(grid, GRID_KEYS);
  const order: usize = load<u32>(grid, GRID_ORDER);
  for (let i = from; i < to; i++) {
    const t = load<u32>(list + 4 * <usize>i);
    const c = corners + 12 * <usize>t;
    const p = motions + MOTION_BYTES * <usize>load<u32>(c);
    const q = motions + MOTION_BYTES * <usize>load<u32>(c, 4);
    const r = motions + MOTION_BYTES * <usize>load<u32>(c, 8);
    const p0 = v128.load(p), p1 = v128.load(p, 16), q0 = v128.load(q), q1 = v128.load(q, 16), r0 = v128.load(r), r1 = v128.load(r, 16);
    const lo = f32x4.pmin(f32x4.pmin(f32x4.pmin(p0, p1), f32x4.pmin(q0, q1)), f32x4.pmin(r0, r1));
    const hi = f32x4.pmax(f32x4.pmax(f32x4.pmax(p0, p1), f32x4.pmax(q0, q1)), f32x4.pmax(r0, r1));
    const size = f32x4.sub(hi, lo);
    const extent = max(max(f32x4.extract_lane(size, 0), f32x4.extract_lane(size, 1)), f32x4.extract_lane(size, 2));
    const tier = tierOf((extent + margin) * ROUND_UP, range);
    const at = i32x4.add(i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(lo, quarterScale(tier)))), i32x4.splat(cellOffset(tier, range)));
    const code = morton(i32x4.extract_lane(at, 0), i32x4.extract_lane(at, 1), i32x4.extract_lane(at, 2));
    store<u64>(keys + 8 * <usize>i, (<u64>(tier - range + DEEPEST) << TIER_SHIFT) | code);
    store<u32>(order + 4 * <usize>i, t);
  }
}

/** Sorts the keys and numbers that writeKeys has written, and counts the cells they make. */
export function sortCells(grid: usize): void {
  const count = load<u32>(grid, GRID_COUNT);
  store<u32>(grid, 0, GRID_CELL_COUNT);
  store<u32>(grid, 0, GRID_PACK_COUNT);
  store<u32>(grid, 0, GRID_TIER_COUNT);
  if (count == 0) return;
  sortKeys(grid, count);
  const keys: usize = load<u32>(grid, GRID_KEYS);
  const bits = <u64>load<u32>(grid, GRID_MORTON_BITS);
  let cells: u32 = 0;
  for (let from: u32 = 0, tier: u32 = 0; from < count; tier++) {
    let to = from;
    while (to < count && <u32>(load<u64>(keys + 8 * <usize>to) >> bits) == tier) to++;
    if (to > from) cells += joinCells(grid, tier, keys + 8 * <usize>from, to - from);
    from = to;
  }
  store<u32>(grid, cells, GRID_CELL_COUNT);
}

/** Radix sort; digits that are equal in all keys take no pass. */
function sortKeys(grid: usize, count: u32): void {
  let keys: usize = load<u32>(grid, GRID_KEYS);
  let order: usize = load<u32>(grid, GRID_ORDER);
  // the packs are written later: until then, their memory serves as the second buffer
  let otherKeys: usize = load<u32>(grid, GRID_PACKS);
  let otherOrder = otherKeys + 8 * <usize>count;
  let finest: u64 = u64.MAX_VALUE, coarsest: u64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const tier = load<u64>(keys + 8 * <usize>i) >> TIER_SHIFT;
    finest = min(finest, tier);
    coarsest = max(coarsest, tier);
  }
  const range = load<i32>(grid, GRID_RANGE);
  const tier = <i32>finest + range - DEEPEST;
  const mortonBits = 3 * (3 + max(range - tier, 0));
  store<i32>(grid, tier, GRID_FINEST);
  store<u32>(grid, <u32>(coarsest - finest) + 1, GRID_TIER_COUNT);
  store<u32>(grid, mortonBits, GRID_MORTON_BITS);
  const bits = mortonBits + 32 - clz<u32>(<u32>(coarsest - finest));
  const passes = (bits + 10) / 11;
  const digit = (bits + passes - 1) / passes;
  const mask: u64 = (1 << digit) - 1;
  // tiers move down to the Morton codes; with an odd number of passes, into the second buffer
  const morton: u64 = (<u64>1 << mortonBits) - 1;
  const to = passes & 1 ? otherKeys : keys;
  for (let i: u32 = 0; i < count; i++) {
    const key = load<u64>(keys + 8 * <usize>i);
    store<u64>(to + 8 * <usize>i, (((key >> TIER_SHIFT) - finest) << mortonBits) | (key & morton));
  }
  if (passes & 1) {
    memory.copy(otherOrder, order, 4 * <usize>count);
    const k = keys; keys = otherKeys; otherKeys = k;
    const o = order; order = otherOrder; otherOrder = o;
  }
  const histogram = scratch + HISTOGRAM;
  for (let pass: i32 = 0; pass < passes; pass++) {
    const shift = <u64>(pass * digit);
    memory.fill(histogram, 0, 4 << digit);
    for (let i: u32 = 0; i < count; i++) {
      const slot = histogram + 4 * <usize>((load<u64>(keys + 8 * <usize>i) >> shift) & mask);
      store<u32>(slot, load<u32>(slot) + 1);
    }
    let sum: u32 = 0;
    for (let d: usize = 0; d <= <usize>mask; d++) {
      const n = load<u32>(histogram + 4 * d);
      store<u32>(histogram + 4 * d, sum);
      sum += n;
    }
    for (let i: u32 = 0; i < count; i++) {
      const key = load<u64>(keys + 8 * <usize>i);
      const slot = histogram + 4 * <usize>((key >> shift) & mask);
      const place = load<u32>(slot);
      store<u32>(slot, place + 1);
      store<u64>(otherKeys + 8 * <usize>place, key);
      store<u32>(otherOrder + 4 * <usize>place, load<u32>(order + 4 * <usize>i));
    }
    const k = keys; keys = otherKeys; otherKeys = k;
    const o = order; order = otherOrder; otherOrder = o;
  }
}

/**
 * Joins the cells of a tier until they hold FILL triangles on average, at most MOST_JOINS times; returns the number of
 * cells left, counted from where neighbours in the order first differ.
 */
function joinCells(grid: usize, tier: u32, keys: usize, count: u32): u32 {
  const histogram = scratch + HISTOGRAM;
  memory.fill(histogram, 0, 4 * 64);
  for (let i: usize = 1; i < <usize>count; i++) {
    const differ = load<u64>(keys + 8 * i) ^ load<u64>(keys + 8 * i - 8);
    if (differ == 0) continue;
    const slot = histogram + 4 * <usize>((63 - clz(differ)) / 3);
    store<u32>(slot, load<u32>(slot) + 1);
  }
  // the last two bits of each coordinate are below a cell
  let cells: u32 = 1;
  for (let bit: usize = 63; bit >= 2; bit--) cells += load<u32>(histogram + 4 * bit);
  let joins: u32 = 0;
  while (cells * FILL > count && joins < MOST_JOINS) {
    cells -= load<u32>(histogram + 4 * <usize>(joins + 2));
    joins++;
  }
  store<u32>(grid + 4 * <usize>tier, joins, GRID_JOINS);
  return cells;
}

/** The key of the cell of a triangle: tier, then Morton code. */
// @ts-ignore: decorator
@inline function cellKey(grid: usize, key: u64, bits: u64): u64 {
  const tier = key >> bits;
  return tier << bits | (key & ((<u64>1 << bits) - 1)) >> (3 * <u64>(2 + load<u32>(grid + 4 * <usize>tier, GRID_JOINS)));
}

// @ts-ignore: decorator
@inline function slotOf(grid: usize, key: u64): usize {
  return <usize>((key * 0x9e3779b97f4a7c15) >> (64 - <u64>load<u32>(grid, GRID_TABLE_BITS)));
}

/** Creates the cells and packs counted by sortCells, for which there must be room. */
export function cutCells(grid: usize): void {
  const count = load<u32>(grid, GRID_COUNT);
  const keys: usize = load<u32>(grid, GRID_KEYS);
  const bits = <u64>load<u32>(grid, GRID_MORTON_BITS);
  const cells: usize = load<u32>(grid, GRID_CELLS);
  const table: usize = load<u32>(grid, GRID_TABLE);
  const tableMask = (<usize>1 << load<u32>(grid, GRID_TABLE_BITS)) - 1;
  memory.fill(table, 0xff, 4 * (tableMask + 1));
  let cell: u32 = 0, pack: u32 = 0, tier: u32 = 0;
  store<u32>(grid, 0, GRID_TIER_STARTS);
  for (let i: u32 = 0; i < count; ) {
    const key = cellKey(grid, load<u64>(keys + 8 * <usize>i), bits);
    let end = i + 1;
    while (end < count && cellKey(grid, load<u64>(keys + 8 * <usize>end), bits) == key) end++;
    while (tier < <u32>(key >> bits)) store<u32>(grid + 4 * <usize>++tier, cell, GRID_TIER_STARTS);
    const at = cells + CELL_BYTES * <usize>cell;
    const packs = (end - i + 3) >> 2;
    store<u64>(at, key, CELL_KEY);
    store<u32>(at, pack, CELL_FIRST_PACK);
    store<u32>(at, packs, CELL_PACK_COUNT);
    store<u32>(at, i, CELL_FIRST);
    store<u32>(at, end - i, CELL_COUNT);
    let slot = slotOf(grid, key);
    while (load<u32>(table + 4 * slot) != NONE) slot = (slot + 1) & tableMask;
    store<u32>(table + 4 * slot, cell);
    pack += packs;
    cell++;
    i = end;
  }
  while (tier < load<u32>(grid, GRID_TIER_COUNT)) store<u32>(grid + 4 * <usize>++tier, cell, GRID_TIER_STARTS);
  store<u32>(grid, pack, GRID_PACK_COUNT);
}

/** The cell with this key, or 0. */
// @ts-ignore: decorator
@inline export function findCell(grid: usize, key: u64): usize {
  const cells: usize = load<u32>(grid, GRID_CELLS);
  const table: usize = load<u32>(grid, GRID_TABLE);
  const tableMask = (<usize>1 << load<u32>(grid, GRID_TABLE_BITS)) - 1;
  let slot = slotOf(grid, key);
  let cell = load<u32>(table + 4 * slot);
  while (cell != NONE) {
    const at = cells + CELL_BYTES * <usize>cell;
    if (load<u64>(at, CELL_KEY) == key) return at;
    slot = (slot + 1) & tableMask;
    cell = load<u32>(table + 4 * slot);
  }
  return 0;
}

/** Writes the first three columns of the matrix whose rows are the arguments. */
// @ts-ignore: decorator
@inline function storeColumns(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  const ab = i32x4.shuffle(a, b, 0, 4, 1, 5), cd = i32x4.shuffle(c, d, 0, 4, 1, 5);
  v128.store(at, i64x2.shuffle(ab, cd, 0, 2));
  v128.store(at, i64x2.shuffle(ab, cd, 1, 3), 16);
  v128.store(at, i64x2.shuffle(i32x4.shuffle(a, b, 2, 6, 2, 6), i32x4.shuffle(c, d, 2, 6, 2, 6), 0, 2), 32);
}

/** Writes packs and bounds of cells [from, to). */
export function writePacks(ctx: usize, grid: usize, from: u32, to: u32): void {
  const order: usize = load<u32>(grid, GRID_ORDER);
  const least = f32x4.splat(Infinity), greatest = f32x4.splat(-Infinity);
  for (let cell = from; cell < to; cell++) {
    const at = <usize>load<u32>(grid, GRID_CELLS) + CELL_BYTES * <usize>cell;
    let pack = <usize>load<u32>(grid, GRID_PACKS) + PACK_BYTES * <usize>load<u32>(at, CELL_FIRST_PACK);
    let bound = <usize>load<u32>(grid, GRID_BOUNDS) + BOUND_BYTES * <usize>load<u32>(at, CELL_FIRST_PACK);
    let i = load<u32>(at, CELL_FIRST);
    const end = i + load<u32>(at, CELL_COUNT);
    let cellLo0 = least, cellLo1 = least, cellHi0 = greatest, cellHi1 = greatest;
    for (; i < end; i += 4) {
      writePack(ctx, order + 4 * <usize>i, end - i, pack, bound);
      cellLo0 = f32x4.pmin(cellLo0, v128.load(bound));
      cellLo1 = f32x4.pmin(cellLo1, v128.load(bound, 16));
      cellHi0 = f32x4.pmax(cellHi0, v128.load(bound, 32));
      cellHi1 = f32x4.pmax(cellHi1, v128.load(bound, 48));
      pack += PACK_BYTES;
      bound += BOUND_BYTES;
    }
    v128.store(at, cellLo0);
    v128.store(at, cellLo1, 16);
    v128.store(at, cellHi0, 32);
    v128.store(at, cellHi1, 48);
  }
}

/** Writes a pack of the first four of `count` triangles in a list, and its bound. */
export function writePack(ctx: usize, list: usize, count: u32, pack: usize, bound: usize): void {
  const corners: usize = load<u32>(ctx, CTX_CORNERS);
  const motions: usize = load<u32>(ctx, CTX_MOTIONS);
  const last: usize = 4 * <usize>(min<u32>(count, 4) - 1);
  // if there are fewer, the last one is repeated until the extra lanes are emptied
  const t0 = load<u32>(list), t1 = load<u32>(list + min<usize>(4, last)), t2 = load<u32>(list + min<usize>(8, last)), t3 = load<u32>(list + last);
  const c0 = corners + 12 * <usize>t0, c1 = corners + 12 * <usize>t1, c2 = corners + 12 * <usize>t2, c3 = corners + 12 * <usize>t3;
  for (let end: usize = 0; end < 2; end++) {
    const at = motions + 16 * end;
    const p0 = motionAt(at, c0), q0 = motionAt(at, c0 + 4), r0 = motionAt(at, c0 + 8), p1 = motionAt(at, c1), q1 = motionAt(at, c1 + 4), r1 = motionAt(at, c1 + 8);
    const p2 = motionAt(at, c2), q2 = motionAt(at, c2 + 4), r2 = motionAt(at, c2 + 8), p3 = motionAt(at, c3), q3 = motionAt(at, c3 + 4), r3 = motionAt(at, c3 + 8);
    const lo0 = f32x4.pmin(f32x4.pmin(p0, q0), r0), lo1 = f32x4.pmin(f32x4.pmin(p1, q1), r1), lo2 = f32x4.pmin(f32x4.pmin(p2, q2), r2), lo3 = f32x4.pmin(f32x4.pmin(p3, q3), r3);
    storeColumns(pack + 48 * end, lo0, lo1, lo2, lo3);
    v128.store(bound + 16 * end, f32x4.pmin(f32x4.pmin(lo0, lo1), f32x4.pmin(lo2, lo3)));
    const hi0 = f32x4.pmax(f32x4.pmax(p0, q0), r0), hi1 = f32x4.pmax(f32x4.pmax(p1, q1), r1), hi2 = f32x4.pmax(f32x4.pmax(p2, q2), r2), hi3 = f32x4.pmax(f32x4.pmax(p3, q3), r3);
    storeColumns(pack + 96 + 48 * end, hi0, hi1, hi2, hi3);
    v128.store(bound + 32 + 16 * end, f32x4.pmax(f32x4.pmax(hi0, hi1), f32x4.pmax(hi2, hi3)));
  }
  v128.store(pack, i32x4(t0, t1, t2, t3), PACK_MEMBERS);
  for (let k = <usize>count; k < 4; k++) {
    store<u32>(pack + 4 * k, NONE, PACK_MEMBERS);
    for (let row: usize = 0; row < 96; row += 16) {
      store<f32>(pack + row + 4 * k, Infinity);
      store<f32>(pack + row + 4 * k, -Infinity, 96);
    }
  }
}

/** One end of the motion of the vertex at a corner. */
// @ts-ignore: decorator
@inline function motionAt(motions: usize, corner: usize): v128 { return v128.load(motions + MOTION_BYTES * <usize>load<u32>(corner)); }
