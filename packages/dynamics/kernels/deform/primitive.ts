/**
 * Primitive culling: which triangles of neighbouring cells may meet.
 *
 * Idea: a cell is tested against itself, the later half of its neighbours of the same tier, and the cells around it of
 * coarser tiers; so no pair is tested twice. Within these: bound against bound, listing
 * the packs that may meet without branches; then four triangles against four; those whose boxes overlap are queued for
 * each of the four and tested in pairs.ts.
 */
import {
  BOUND_BYTES, CELL_BYTES, CELL_COUNT, CELL_FIRST_PACK, CELL_KEY, CELL_PACK_COUNT, CTX_BOX_MARGIN,
  CTX_GRID, GRID_BOUNDS, GRID_CELLS, GRID_FINEST, GRID_JOINS, GRID_TIER_COUNT,
  GRID_TIER_STARTS, GRID_MORTON_BITS, GRID_PACKS, GRID_RANGE, OWN_ONLY, PACK_BYTES, PACK_MEMBERS,
} from './layout';
import { apart } from './dop';
import { cellOffset, findCell, nextSpread, quarterScale, spread } from './grid';
import { beginPairs, cullQueue, endPairs, isFull, keepPart } from './pairs';
import { AROUND, COMPACT, MET, MET_CAPACITY, ONE_PACK, QUEUES, QUEUE_CAPACITY, scratch } from './scratch';

const AROUND_CAPACITY: u32 = 512;

// the current call
let ctx: usize = 0;
let candidates: u64 = 0;
let around: u32 = 0;
let queued0: u32 = 0, queued1: u32 = 0, queued2: u32 = 0, queued3: u32 = 0;

/** Writes COMPACT: for each mask of four lanes, the shuffle that moves its lanes to the front. */
export function writeCompact(): void {
  for (let mask: u32 = 0; mask < 16; mask++) {
    let at = scratch + COMPACT + 16 * <usize>mask;
    for (let lane: u32 = 0; lane < 4; lane++) {
      if (!(mask >> lane & 1)) continue;
      store<u32>(at, 0x03020100 + 0x04040404 * lane);
      at += 4;
    }
  }
}

/**
 * Writes the pairs of cells [from, to) of the grid; stops before the first cell whose pairs do not fit and
 * returns it, otherwise `to`. Adds to the tally, whose WRITTEN_PAIRS is the number of pairs written.
 */
export function cullPrimitives(context: usize, from: u32, to: u32, pairs: usize, capacity: u32, tally: usize): u32 {
  ctx = context;
  beginPairs(ctx, pairs, capacity, OWN_ONLY);
  writeCompact();
  const grid: usize = load<u32>(ctx, CTX_GRID);
  let all: u64 = 0;
  let cell = from;
  for (; cell < to; cell++) {
    const a = <usize>load<u32>(grid, GRID_CELLS) + CELL_BYTES * <usize>cell;
    candidates = 0;
    around = 0;
    add(grid, a, a);
    visitCells(grid, a);
    flush(grid, a);
    if (!keepPart()) break;
    all += candidates;
  }
  endPairs(tally, all);
  return cell;
}

// @ts-ignore: decorator
@inline function sweptLo(bound: usize): v128 { return f32x4.pmin(v128.load(bound), v128.load(bound, 16)); }
// @ts-ignore: decorator
@inline function sweptHi(bound: usize): v128 { return f32x4.pmax(v128.load(bound, 32), v128.load(bound, 48)); }

/** Coordinates of the cell that contains a point in a tier, counted from the finest. */
// @ts-ignore: decorator
@inline function cellAt(grid: usize, l: u32, point: v128): v128 {
  const tier = load<i32>(grid, GRID_FINEST) + <i32>l;
  const quarter = i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(point, quarterScale(tier))));
  const offset = i32x4.splat(cellOffset(tier, load<i32>(grid, GRID_RANGE)));
  return i32x4.shr_s(i32x4.add(quarter, offset), 2 + load<u32>(grid + 4 * <usize>l, GRID_JOINS));
}

/** The largest coordinate of a cell of a tier. */
// @ts-ignore: decorator
@inline function lastCell(grid: usize, l: u32): i32 {
  const tier = load<i32>(grid, GRID_FINEST) + <i32>l;
  return (2 * cellOffset(tier, load<i32>(grid, GRID_RANGE)) - 1) >> (2 + load<u32>(grid + 4 * <usize>l, GRID_JOINS));
}

function visitCells(grid: usize, a: usize): void {
  const shift = <u64>load<u32>(grid, GRID_MORTON_BITS);
  const own = <u32>(load<u64>(a, CELL_KEY) >> shift);
  const lo = sweptLo(a);
  const hi = f32x4.add(sweptHi(a), f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN)));
  // the 13 neighbours that come later in x, y, z order
  const at = cellAt(grid, own, lo);
  const last = lastCell(grid, own);
  const x = i32x4.extract_lane(at, 0), y = i32x4.extract_lane(at, 1), z = i32x4.extract_lane(at, 2);
  const top = i32x4.min_s(i32x4.min_s(cellAt(grid, own, hi), i32x4.add(at, i32x4.splat(1))), i32x4.splat(last));
  const topX = i32x4.extract_lane(top, 0), topY = i32x4.extract_lane(top, 1), topZ = i32x4.extract_lane(top, 2);
  const tier = <u64>own << shift;
  let sz = spread(z);
  for (let k = z; k <= topZ; k++, sz = nextSpread(sz)) {
    const firstY = k == z ? y : max(y - 1, 0);
    let sy = spread(firstY);
    for (let j = firstY; j <= topY; j++, sy = nextSpread(sy)) {
      const firstX = k == z && j == y ? x + 1 : max(x - 1, 0);
      let sx = spread(firstX);
      for (let i = firstX; i <= topX; i++, sx = nextSpread(sx)) {
        const b = findCell(grid, tier | sx | sy << 1 | sz << 2);
        if (b) add(grid, a, b);
      }
    }
  }
  for (let l = own + 1; l < load<u32>(grid, GRID_TIER_COUNT); l++) visitTier(grid, a, l, lo, hi);
}

/**
 * Visits all cells of a tier with triangles that may reach into the box: by lookup, or by a scan if that is shorter.
 */
function visitTier(grid: usize, a: usize, l: u32, lo: v128, hi: v128): void {
  const first = load<u32>(grid + 4 * <usize>l, GRID_TIER_STARTS);
  const end = load<u32>(grid + 4 * <usize>l, GRID_TIER_STARTS + 4);
  if (first == end) return;
  const from = i32x4.max_s(i32x4.sub(cellAt(grid, l, lo), i32x4.splat(1)), i32x4.splat(0));
  const to = i32x4.min_s(cellAt(grid, l, hi), i32x4.splat(lastCell(grid, l)));
  const x = i32x4.extract_lane(from, 0), y = i32x4.extract_lane(from, 1), z = i32x4.extract_lane(from, 2);
  const topX = i32x4.extract_lane(to, 0), topY = i32x4.extract_lane(to, 1), topZ = i32x4.extract_lane(to, 2);
  if (topX < x || topY < y || topZ < z) return;
  if (<u64>(topX - x + 1) * <u64>(topY - y + 1) * <u64>(topZ - z + 1) > <u64>(end - first)) {
    for (let c = first; c < end; c++) add(grid, a, <usize>load<u32>(grid, GRID_CELLS) + CELL_BYTES * <usize>c);
    return;
  }
  const top = <u64>l << <u64>load<u32>(grid, GRID_MORTON_BITS);
  const sx0 = spread(x), sy0 = spread(y);
  let sz = spread(z);
  for (let k = z; k <= topZ; k++, sz = nextSpread(sz)) {
    let sy = sy0;
    for (let j = y; j <= topY; j++, sy = nextSpread(sy)) {
      let sx = sx0;
      for (let i = x; i <= topX; i++, sx = nextSpread(sx)) {
        const b = findCell(grid, top | sx | sy << 1 | sz << 2);
        if (b) add(grid, a, b);
      }
    }
  }
}

/** Lists a cell to be tested against cell a, if they may meet. */
function add(grid: usize, a: usize, b: usize): void {
  const n = <u64>load<u32>(a, CELL_COUNT);
  candidates += a == b ? (n * (n - 1)) >> 1 : n * <u64>load<u32>(b, CELL_COUNT);
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  if (apart(f32x4.sub(v128.load(a), margin), f32x4.sub(v128.load(a, 16), margin), f32x4.add(v128.load(a, 32), margin), f32x4.add(v128.load(a, 48), margin),
    v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48))) return;
  // entries: cell, its packs, its bounds
  if (around == AROUND_CAPACITY) flush(grid, a);
  const entry = scratch + AROUND + 12 * <usize>around;
  around++;
  const first = <usize>load<u32>(b, CELL_FIRST_PACK);
  store<u32>(entry, <u32>b);
  store<u32>(entry, <u32>(<usize>load<u32>(grid, GRID_PACKS) + PACK_BYTES * first), 4);
  store<u32>(entry, <u32>(<usize>load<u32>(grid, GRID_BOUNDS) + BOUND_BYTES * first), 8);
}

/** Tests cell a against the listed cells. */
function flush(grid: usize, a: usize): void {
  const entries = scratch + AROUND;
  const entriesEnd = entries + 12 * <usize>around;
  around = 0;
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  const first = <usize>load<u32>(a, CELL_FIRST_PACK);
  let pack = <usize>load<u32>(grid, GRID_PACKS) + PACK_BYTES * first;
  let bound = <usize>load<u32>(grid, GRID_BOUNDS) + BOUND_BYTES * first;
  const boundsEnd = bound + BOUND_BYTES * <usize>load<u32>(a, CELL_PACK_COUNT);
  for (; bound < boundsEnd; bound += BOUND_BYTES, pack += PACK_BYTES) {
    const lo0 = f32x4.sub(v128.load(bound), margin), lo1 = f32x4.sub(v128.load(bound, 16), margin);
    const hi0 = f32x4.add(v128.load(bound, 32), margin), hi1 = f32x4.add(v128.load(bound, 48), margin);
    beginQueues();
    const met = scratch + MET;
    let metEnd = met;
    for (let entry = entries; entry < entriesEnd; entry += 12) {
      const b: usize = load<u32>(entry);
      let otherPack: usize = load<u32>(entry, 4), other: usize = load<u32>(entry, 8);
      const end = other + BOUND_BYTES * <usize>load<u32>(b, CELL_PACK_COUNT);
      if (b == a) { other = bound; otherPack = pack; }
      else if (apart(lo0, lo1, hi0, hi1, v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48))) continue;
      for (; other < end; other += BOUND_BYTES, otherPack += PACK_BYTES) {
        const isApart = apart(lo0, lo1, hi0, hi1, v128.load(other), v128.load(other, 16), v128.load(other, 32), v128.load(other, 48));
        store<u32>(metEnd, <u32>otherPack);
        metEnd += <usize>(1 ^ <u32>isApart) << 2;
        if (metEnd == met + 4 * MET_CAPACITY) {
          meetAll(pack, margin, metEnd);
          metEnd = met;
        }
      }
    }
    meetAll(pack, margin, metEnd);
    endQueues(pack);
    if (isFull()) return;
  }
}

/** Empties the queues of a pack. */
// @ts-ignore: decorator
@inline export function beginQueues(): void { queued0 = queued1 = queued2 = queued3 = 0; }
/** Tests the remaining entries of the queues. */
// @ts-ignore: decorator
@inline export function endQueues(pack: usize): void { if (queued0 | queued1 | queued2 | queued3) drain(pack); }

/** Tests a pack against those in MET. */
export function meetAll(pack: usize, margin: v128, end: usize): void {
  if (end == scratch + MET) return;
  prepare(pack, margin);
  for (let at = scratch + MET; at < end; at += 4) {
    meetPacks(pack, load<u32>(at));
    if (max(max(queued0, queued1), max(queued2, queued3)) > QUEUE_CAPACITY - 4) drain(pack);
  }
}

/**
 * Writes a pack, enlarged by the margin, to ONE_PACK, each number four times, so that it need not be splatted for each
 * other pack: axis by axis, triangle by triangle: lo0, lo1, hi0, hi1.
 */
function prepare(pack: usize, margin: v128): void {
  let one = scratch + ONE_PACK;
  for (let row = pack; row < pack + 48; row += 16) {
    const lo0 = f32x4.sub(v128.load(row), margin), lo1 = f32x4.sub(v128.load(row, 48), margin);
    const hi0 = f32x4.add(v128.load(row, 96), margin), hi1 = f32x4.add(v128.load(row, 144), margin);
    storeFour(one, all0(lo0), all0(lo1), all0(hi0), all0(hi1));
    storeFour(one + 64, all1(lo0), all1(lo1), all1(hi0), all1(hi1));
    storeFour(one + 128, all2(lo0), all2(lo1), all2(hi0), all2(hi1));
    storeFour(one + 192, all3(lo0), all3(lo1), all3(hi0), all3(hi1));
    one += 256;
  }
}
// @ts-ignore: decorator
@inline function storeFour(at: usize, a: v128, b: v128, c: v128, d: v128): void {
  v128.store(at, a);
  v128.store(at, b, 16);
  v128.store(at, c, 32);
  v128.store(at, d, 48);
}

/** Lanes of four intervals that lie, at both ends, on one side of the one at `one`. */
// @ts-ignore: decorator
@inline function aside(one: usize, bLo0: v128, bLo1: v128, bHi0: v128, bHi1: v128): v128 {
  return v128.or(v128.and(f32x4.gt(bLo0, v128.load(one, 32)), f32x4.gt(bLo1, v128.load(one, 48))), v128.and(f32x4.lt(bHi0, v128.load(one)), f32x4.lt(bHi1, v128.load(one, 16))));
}
// @ts-ignore: decorator
@inline function all0(a: v128): v128 { return i32x4.shuffle(a, a, 0, 0, 0, 0); }
// @ts-ignore: decorator
@inline function all1(a: v128): v128 { return i32x4.shuffle(a, a, 1, 1, 1, 1); }
// @ts-ignore: decorator
@inline function all2(a: v128): v128 { return i32x4.shuffle(a, a, 2, 2, 2, 2); }
// @ts-ignore: decorator
@inline function all3(a: v128): v128 { return i32x4.shuffle(a, a, 3, 3, 3, 3); }

/** Number of bits of each mask, four bits each. */
const COUNTS: u64 = 0x4332322132212110;

/** Appends the members in the mask to the queue of triangle k; returns its new length. */
// @ts-ignore: decorator
@inline function enqueue(k: usize, queued: u32, members: v128, mask: u32): u32 {
  v128.store(scratch + QUEUES + 4 * (k * <usize>QUEUE_CAPACITY + <usize>queued), i8x16.swizzle(members, v128.load(scratch + COMPACT + 16 * <usize>mask)));
  return queued + <u32>(COUNTS >> <u64>(4 * mask) & 7);
}

function meetPacks(pack: usize, other: usize): void {
  let off0 = i32x4.splat(0), off1 = off0, off2 = off0, off3 = off0;
  // axis by axis: all at once would need more registers than there are
  let one = scratch + ONE_PACK;
  for (let b = other; b < other + 48; b += 16, one += 256) {
    const bLo0 = v128.load(b), bLo1 = v128.load(b, 48), bHi0 = v128.load(b, 96), bHi1 = v128.load(b, 144);
    off0 = v128.or(off0, aside(one, bLo0, bLo1, bHi0, bHi1));
    off1 = v128.or(off1, aside(one + 64, bLo0, bLo1, bHi0, bHi1));
    off2 = v128.or(off2, aside(one + 128, bLo0, bLo1, bHi0, bHi1));
    off3 = v128.or(off3, aside(one + 192, bLo0, bLo1, bHi0, bHi1));
  }
  let met = 0xffff & ~<u32>i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(off0, off1), i16x8.narrow_i32x4_s(off2, off3)));
  if (pack == other) met &= 0x08ce;
  if (met == 0) return;
  const members = v128.load(other, PACK_MEMBERS);
  queued0 = enqueue(0, queued0, members, met & 15);
  queued1 = enqueue(1, queued1, members, met >> 4 & 15);
  queued2 = enqueue(2, queued2, members, met >> 8 & 15);
  queued3 = enqueue(3, queued3, members, met >> 12);
}

function drain(pack: usize): void {
  cullQueue(load<u32>(pack, PACK_MEMBERS), scratch + QUEUES, queued0);
  cullQueue(load<u32>(pack, PACK_MEMBERS + 4), scratch + QUEUES + 4 * QUEUE_CAPACITY, queued1);
  cullQueue(load<u32>(pack, PACK_MEMBERS + 8), scratch + QUEUES + 8 * QUEUE_CAPACITY, queued2);
  cullQueue(load<u32>(pack, PACK_MEMBERS + 12), scratch + QUEUES + 12 * QUEUE_CAPACITY, queued3);
  queued0 = queued1 = queued2 = queued3 = 0;
}
