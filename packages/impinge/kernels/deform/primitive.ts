/**
 * Primitive culling: which triangles of neighbouring cells may meet.
 *
 * Idea: a cell meets itself, the later half of its neighbours of the same level, the cells around it of coarser levels,
 * and those of the static grid; so no pair is seen twice. Inside: pack against pack, four triangles against one, then
 * the other axes pair by pair. Along one axis, triangles on the same side of each other at both ends of the step are
 * so all the time, since every difference of two vertices is linear in time.
 * Layout: pairs of u32 triangles; the second carries COMMON_VERTEX and OPPOSITE_ONLY where they apply.
 */
import {
  BOUND_BYTES, CELL_BYTES, CELL_COUNT, CELL_FIRST_PACK, CELL_KEY, CELL_PACK_COUNT, COAT_BYTES, COMMON_VERTEX, CTX_BOX_MARGIN,
  CTX_CLEAR_RINGS, CTX_COATS, CTX_CORNERS, CTX_MOVING_GRID, CTX_OPTIONS, CTX_STATIC_GRID, CTX_STEPS, CTX_SURFACE_FLAGS, CTX_SURFACE_OF,
  GRID_BOUNDS, GRID_CELLS, GRID_COARSER, GRID_FINEST, GRID_LEVEL_COUNT, GRID_LEVEL_STARTS, GRID_MORTON_BITS, GRID_PACKS,
  GRID_RANGE, GROUP_SHIFT, HAS_THICKNESS, IS_STATIC, LEAVE_OUT_NEIGHBOURS, NONE, ONE_SURFACE, OPPOSITE_ONLY, PACK_BYTES,
  PACK_COATS, PACK_CORNERS, PACK_MEMBERS, TALLY_BOX, TALLY_CANDIDATES, TALLY_DOP, TALLY_PAIRS, TALLY_PRIMITIVE, TESTS_ITSELF,
} from './layout';
import { apart, coatsApart, least, most } from './dop';
import { cellOffset, findCell, morton, quarterScale } from './grid';
import { partedAtVertex, setNeighbours, unfoldedAtEdge } from './normal';
import { AROUND, COMMON_MORE, COMMON_ONE, ONE_PACK, QUEUES, QUEUE_CAPACITY, scratch } from './scratch';

const AROUND_CAPACITY: u32 = 512;
/** For each mask of four lanes, the bytes that bring its lanes to the front. */
const COMPACT = memory.data<u8>([0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,4,5,6,7,0,1,2,3,8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,8,9,10,11,0,1,2,3,4,5,6,7,12,13,14,15,0,1,2,3,8,9,10,11,4,5,6,7,12,13,14,15,4,5,6,7,8,9,10,11,0,1,2,3,12,13,14,15,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,12,13,14,15,0,1,2,3,4,5,6,7,8,9,10,11,0,1,2,3,12,13,14,15,4,5,6,7,8,9,10,11,4,5,6,7,12,13,14,15,0,1,2,3,8,9,10,11,0,1,2,3,4,5,6,7,12,13,14,15,8,9,10,11,8,9,10,11,12,13,14,15,0,1,2,3,4,5,6,7,0,1,2,3,8,9,10,11,12,13,14,15,4,5,6,7,4,5,6,7,8,9,10,11,12,13,14,15,0,1,2,3,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15], 16);

// the call under way
let ctx: usize = 0;
let corners: usize = 0, coats: usize = 0, surfaceOf: usize = 0, surfaceFlags: usize = 0;
let options: u32 = 0;
let out: usize = 0, outEnd: usize = 0;
let candidates: u64 = 0, boxPairs: u64 = 0, dopPairs: u64 = 0;
let around: u32 = 0;
let full = false;
let queued0: u32 = 0, queued1: u32 = 0, queued2: u32 = 0, queued3: u32 = 0;

// @ts-ignore: decorator
@inline export function addTally(tally: usize, field: usize, n: u64): void { store<f64>(tally + field, load<f64>(tally + field) + <f64>n); }

/** Begins a list of pairs. */
export function beginPairs(context: usize, pairs: usize, capacity: u32): void {
  ctx = context;
  corners = load<u32>(ctx, CTX_CORNERS);
  coats = load<u32>(ctx, CTX_COATS);
  surfaceOf = load<u32>(ctx, CTX_SURFACE_OF);
  surfaceFlags = load<u32>(ctx, CTX_SURFACE_FLAGS);
  options = load<u32>(ctx, CTX_OPTIONS);
  setNeighbours(ctx);
  out = pairs;
  outEnd = pairs + 8 * <usize>capacity;
  full = false;
  candidates = boxPairs = dopPairs = 0;
}
export function pairsEnd(): usize { return out; }
export function isFull(): bool { return full; }
export function rewind(to: usize): void { out = to; }
export function dopPairsOf(): u64 { return dopPairs; }

/**
 * Writes the pairs of cells [from, to) of the moving grid; stops before the first cell whose pairs do not fit and
 * returns it, else `to`. Adds to the tally, whose TALLY_PAIRS says how many pairs were written.
 */
export function cullPrimitives(context: usize, from: u32, to: u32, pairs: usize, capacity: u32, tally: usize): u32 {
  beginPairs(context, pairs, capacity);
  const grid: usize = load<u32>(ctx, CTX_MOVING_GRID);
  const still: usize = load<u32>(ctx, CTX_STATIC_GRID);
  let cell = from;
  for (; cell < to; cell++) {
    const a = <usize>load<u32>(grid, GRID_CELLS) + CELL_BYTES * <usize>cell;
    const before = out;
    candidates = boxPairs = dopPairs = 0;
    around = 0;
    add(grid, a, a, grid);
    visitOwnGrid(grid, a);
    if (still) visitStaticGrid(grid, still, a);
    flush(grid, a);
    if (full) { out = before; break; }
    addTally(tally, TALLY_CANDIDATES, candidates);
    addTally(tally, TALLY_BOX, boxPairs);
    addTally(tally, TALLY_DOP, dopPairs);
    addTally(tally, TALLY_PRIMITIVE, (out - before) >> 3);
  }
  store<u32>(tally, <u32>((out - pairs) >> 3), TALLY_PAIRS);
  return cell;
}

// @ts-ignore: decorator
@inline function sweptLo(bound: usize): v128 { return f32x4.pmin(v128.load(bound), v128.load(bound, 16)); }
// @ts-ignore: decorator
@inline function sweptHi(bound: usize): v128 { return f32x4.pmax(v128.load(bound, 32), v128.load(bound, 48)); }

/** Coordinates of the cell of a level that holds a point. */
// @ts-ignore: decorator
@inline function cellAt(grid: usize, level: i32, point: v128): v128 {
  const range = load<i32>(grid, GRID_RANGE);
  const quarter = i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(point, quarterScale(level))));
  return i32x4.shr_s(i32x4.add(quarter, i32x4.splat(cellOffset(level, range))), 2 + load<u32>(grid, GRID_COARSER));
}

// @ts-ignore: decorator
@inline function lastCell(grid: usize, level: i32): i32 {
  return (2 * cellOffset(level, load<i32>(grid, GRID_RANGE)) - 1) >> (2 + load<u32>(grid, GRID_COARSER));
}

// @ts-ignore: decorator
@inline function levelShift(grid: usize): u64 { return load<u32>(grid, GRID_MORTON_BITS) - 3 * (2 + load<u32>(grid, GRID_COARSER)); }

function visitOwnGrid(grid: usize, a: usize): void {
  const shift = levelShift(grid);
  const finest = load<i32>(grid, GRID_FINEST);
  const own = <u32>(load<u64>(a, CELL_KEY) >> shift);
  const lo = sweptLo(a);
  const hi = f32x4.add(sweptHi(a), f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN)));
  // the 13 neighbours that come later in x, y, z order
  const level = finest + <i32>own;
  const at = cellAt(grid, level, lo);
  const last = lastCell(grid, level);
  const x = i32x4.extract_lane(at, 0), y = i32x4.extract_lane(at, 1), z = i32x4.extract_lane(at, 2);
  const top = i32x4.min_s(i32x4.min_s(cellAt(grid, level, hi), i32x4.add(at, i32x4.splat(1))), i32x4.splat(last));
  const topX = i32x4.extract_lane(top, 0), topY = i32x4.extract_lane(top, 1), topZ = i32x4.extract_lane(top, 2);
  for (let k = z; k <= topZ; k++) {
    for (let j = k == z ? y : max(y - 1, 0); j <= topY; j++) {
      for (let i = k == z && j == y ? x + 1 : max(x - 1, 0); i <= topX; i++) {
        const b = findCell(grid, (<u64>own << shift) | morton(i, j, k));
        if (b) add(grid, a, b, grid);
      }
    }
  }
  for (let l = own + 1; l < load<u32>(grid, GRID_LEVEL_COUNT); l++) visitLevel(grid, a, grid, l, lo, hi);
}

function visitStaticGrid(grid: usize, still: usize, a: usize): void {
  const lo = sweptLo(a);
  const hi = f32x4.add(sweptHi(a), f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN)));
  for (let l: u32 = 0; l < load<u32>(still, GRID_LEVEL_COUNT); l++) visitLevel(grid, a, still, l, lo, hi);
}

/** All cells of a level of `other` with triangles that may reach into the box: asked for, or gone through if that is less. */
function visitLevel(grid: usize, a: usize, other: usize, l: u32, lo: v128, hi: v128): void {
  const first = load<u32>(other + 4 * <usize>l, GRID_LEVEL_STARTS);
  const end = load<u32>(other + 4 * <usize>l, GRID_LEVEL_STARTS + 4);
  if (first == end) return;
  const level = load<i32>(other, GRID_FINEST) + <i32>l;
  const from = i32x4.max_s(i32x4.sub(cellAt(other, level, lo), i32x4.splat(1)), i32x4.splat(0));
  const to = i32x4.min_s(cellAt(other, level, hi), i32x4.splat(lastCell(other, level)));
  const x = i32x4.extract_lane(from, 0), y = i32x4.extract_lane(from, 1), z = i32x4.extract_lane(from, 2);
  const topX = i32x4.extract_lane(to, 0), topY = i32x4.extract_lane(to, 1), topZ = i32x4.extract_lane(to, 2);
  if (topX < x || topY < y || topZ < z) return;
  if (<u64>(topX - x + 1) * <u64>(topY - y + 1) * <u64>(topZ - z + 1) > <u64>(end - first)) {
    for (let c = first; c < end; c++) add(grid, a, <usize>load<u32>(other, GRID_CELLS) + CELL_BYTES * <usize>c, other);
    return;
  }
  const top = <u64>l << levelShift(other);
  for (let k = z; k <= topZ; k++) {
    for (let j = y; j <= topY; j++) {
      for (let i = x; i <= topX; i++) {
        const b = findCell(other, top | morton(i, j, k));
        if (b) add(grid, a, b, other);
      }
    }
  }
}

/** Notes a cell to be met by cell a, if it may be. */
function add(grid: usize, a: usize, b: usize, other: usize): void {
  const n = <u64>load<u32>(a, CELL_COUNT);
  candidates += a == b ? (n * (n - 1)) >> 1 : n * <u64>load<u32>(b, CELL_COUNT);
  const margin = f32x4.splat(load<f32>(ctx, CTX_BOX_MARGIN));
  if (apart(f32x4.sub(v128.load(a), margin), f32x4.sub(v128.load(a, 16), margin), f32x4.add(v128.load(a, 32), margin), f32x4.add(v128.load(a, 48), margin),
    v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48))) return;
  const surface = load<u32>(a, 12);
  if (surface != NONE && surface == load<u32>(b, 12)) return;
  // cells of the moving grid come before those of the static one; entries: cell, its packs, its bounds, how many
  if (around == AROUND_CAPACITY) flush(grid, a);
  const entry = scratch + AROUND + 12 * <usize>around;
  around++;
  const first = <usize>load<u32>(b, CELL_FIRST_PACK);
  store<u32>(entry, <u32>b);
  store<u32>(entry, <u32>(<usize>load<u32>(other, GRID_PACKS) + PACK_BYTES * first), 4);
  store<u32>(entry, <u32>(<usize>load<u32>(other, GRID_BOUNDS) + BOUND_BYTES * first), 8);
}

/** Meets cell a with the cells noted. */
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
    const surface = load<u32>(bound, 12);
    queued0 = queued1 = queued2 = queued3 = 0;
    let prepared = false;
    for (let entry = entries; entry < entriesEnd; entry += 12) {
      const b: usize = load<u32>(entry);
      let otherPack: usize = load<u32>(entry, 4), other: usize = load<u32>(entry, 8);
      const end = other + BOUND_BYTES * <usize>load<u32>(b, CELL_PACK_COUNT);
      if (b == a) { other = bound; otherPack = pack; }
      else if (apart(lo0, lo1, hi0, hi1, v128.load(b), v128.load(b, 16), v128.load(b, 32), v128.load(b, 48))) continue;
      for (; other < end; other += BOUND_BYTES, otherPack += PACK_BYTES) {
        if (apart(lo0, lo1, hi0, hi1, v128.load(other), v128.load(other, 16), v128.load(other, 32), v128.load(other, 48))) continue;
        if (surface != NONE && surface == load<u32>(other, 12)) continue;
        if (!prepared) { prepare(pack, margin); prepared = true; }
        meetPacks(pack, otherPack);
        if (max(max(queued0, queued1), max(queued2, queued3)) > QUEUE_CAPACITY - 4) drain(pack);
      }
    }
    if (prepared) drain(pack);
    if (full) return;
  }
}

/** Copies a pack, enlarged by the margin, to ONE_PACK. */
function prepare(pack: usize, margin: v128): void {
  const one = scratch + ONE_PACK;
  for (let row: usize = 0; row < 96; row += 16) {
    v128.store(one + row, f32x4.sub(v128.load(pack + row), margin));
    v128.store(one + row, f32x4.add(v128.load(pack + row, 96), margin), 96);
  }
}

/** Lanes of four boxes that triangle k of ONE_PACK may meet. */
// @ts-ignore: decorator
@inline function boxesMet(
  k: usize, lo0x: v128, lo0y: v128, lo0z: v128, lo1x: v128, lo1y: v128, lo1z: v128, hi0x: v128, hi0y: v128, hi0z: v128, hi1x: v128, hi1y: v128, hi1z: v128,
): i32 {
  const one = scratch + ONE_PACK + 4 * k;
  const x = v128.or(
    v128.and(f32x4.gt(lo0x, v128.load32_splat(one, 96)), f32x4.gt(lo1x, v128.load32_splat(one, 144))),
    v128.and(f32x4.lt(hi0x, v128.load32_splat(one)), f32x4.lt(hi1x, v128.load32_splat(one, 48))));
  const y = v128.or(
    v128.and(f32x4.gt(lo0y, v128.load32_splat(one, 112)), f32x4.gt(lo1y, v128.load32_splat(one, 160))),
    v128.and(f32x4.lt(hi0y, v128.load32_splat(one, 16)), f32x4.lt(hi1y, v128.load32_splat(one, 64))));
  const z = v128.or(
    v128.and(f32x4.gt(lo0z, v128.load32_splat(one, 128)), f32x4.gt(lo1z, v128.load32_splat(one, 176))),
    v128.and(f32x4.lt(hi0z, v128.load32_splat(one, 32)), f32x4.lt(hi1z, v128.load32_splat(one, 80))));
  return 15 & ~i32x4.bitmask(v128.or(v128.or(x, y), z));
}

/** Appends the slots in the mask to the queue of triangle k; returns its new length. */
// @ts-ignore: decorator
@inline function enqueue(k: usize, queued: u32, members: v128, mask: i32): u32 {
  v128.store(scratch + QUEUES + 4 * (k * <usize>QUEUE_CAPACITY + <usize>queued), i8x16.swizzle(members, v128.load(COMPACT + 16 * <usize>mask)));
  return queued + popcnt(mask);
}

function meetPacks(pack: usize, other: usize): void {
  const lo0x = v128.load(other), lo0y = v128.load(other, 16), lo0z = v128.load(other, 32);
  const lo1x = v128.load(other, 48), lo1y = v128.load(other, 64), lo1z = v128.load(other, 80);
  const hi0x = v128.load(other, 96), hi0y = v128.load(other, 112), hi0z = v128.load(other, 128);
  const hi1x = v128.load(other, 144), hi1y = v128.load(other, 160), hi1z = v128.load(other, 176);
  const members = i32x4.add(i32x4.splat(<i32>other), i32x4(0, 1, 2, 3));
  let m0 = boxesMet(0, lo0x, lo0y, lo0z, lo1x, lo1y, lo1z, hi0x, hi0y, hi0z, hi1x, hi1y, hi1z);
  let m1 = boxesMet(1, lo0x, lo0y, lo0z, lo1x, lo1y, lo1z, hi0x, hi0y, hi0z, hi1x, hi1y, hi1z);
  let m2 = boxesMet(2, lo0x, lo0y, lo0z, lo1x, lo1y, lo1z, hi0x, hi0y, hi0z, hi1x, hi1y, hi1z);
  let m3 = boxesMet(3, lo0x, lo0y, lo0z, lo1x, lo1y, lo1z, hi0x, hi0y, hi0z, hi1x, hi1y, hi1z);
  if (pack == other) { m0 &= 14; m1 &= 12; m2 &= 8; m3 = 0; }
  queued0 = enqueue(0, queued0, members, m0);
  queued1 = enqueue(1, queued1, members, m1);
  queued2 = enqueue(2, queued2, members, m2);
  queued3 = enqueue(3, queued3, members, m3);
}

function drain(pack: usize): void {
  cullSlots(load<u32>(pack, PACK_MEMBERS), scratch + QUEUES, queued0);
  cullSlots(load<u32>(pack, PACK_MEMBERS + 4), scratch + QUEUES + 4 * QUEUE_CAPACITY, queued1);
  cullSlots(load<u32>(pack, PACK_MEMBERS + 8), scratch + QUEUES + 8 * QUEUE_CAPACITY, queued2);
  cullSlots(load<u32>(pack, PACK_MEMBERS + 12), scratch + QUEUES + 12 * QUEUE_CAPACITY, queued3);
  queued0 = queued1 = queued2 = queued3 = 0;
}

// @ts-ignore: decorator
@inline function mayMeet(t: u32, u: u32): bool {
  const a = load<u32>(surfaceOf + 4 * <usize>t), b = load<u32>(surfaceOf + 4 * <usize>u);
  const flags = load<u32>(surfaceFlags + 4 * <usize>a);
  if (a == b) return (flags & TESTS_ITSELF) != 0;
  const other = load<u32>(surfaceFlags + 4 * <usize>b);
  if (flags & other & IS_STATIC) return false;
  return flags >> GROUP_SHIFT == 0 || flags >> GROUP_SHIFT != other >> GROUP_SHIFT;
}

/** Triangle t against a queue of slots: the address of a pack and the place in it. */
function cullSlots(t: u32, queue: usize, count: u32): void { cull(t, queue, count, true); }

/** Triangle t against a queue of triangles. */
export function cullQueue(t: u32, queue: usize, count: u32): void { cull(t, queue, count, false); }

/** Coats and surfaces, and without branches into pairs with and without common vertices. */
// @ts-ignore: decorator
@inline function cull(t: u32, queue: usize, count: u32, slots: bool): void {
  if (count == 0) return;
  boxPairs += count;
  if (out + 8 * <usize>count > outEnd) full = true;
  if (full) return;
  const c = corners + 12 * <usize>t;
  const v0 = v128.load32_splat(c), v1 = v128.load32_splat(c, 4), v2 = v128.load32_splat(c, 8);
  const p = coats + COAT_BYTES * <usize>load<u32>(c);
  const q = coats + COAT_BYTES * <usize>load<u32>(c, 4);
  const r = coats + COAT_BYTES * <usize>load<u32>(c, 8);
  const p0 = v128.load(p), q0 = v128.load(q), r0 = v128.load(r), p1 = v128.load(p, 32), q1 = v128.load(q, 32), r1 = v128.load(r, 32);
  const margin = v128.load(ctx, CTX_STEPS);
  const lo0 = i16x8.sub_sat_s(least(least(p0, q0), r0), margin), lo1 = i16x8.sub_sat_s(least(least(p1, q1), r1), margin);
  const hi0 = i16x8.add_sat_s(most(most(p0, q0), r0), margin), hi1 = i16x8.add_sat_s(most(most(p1, q1), r1), margin);
  const one = scratch + COMMON_ONE, more = scratch + COMMON_MORE;
  const several = !(options & ONE_SURFACE);
  let oneEnd = one, moreEnd = more;
  let shares: usize = 0;
  const thick = (options & HAS_THICKNESS) != 0; // opposite edges of clear triangles may still come close
  const clear: usize = load<u32>(ctx, CTX_CLEAR_RINGS);
  const before = out;
  for (let at = queue; at < queue + 4 * <usize>count; at += 4) {
    let u = load<u32>(at);
    let w: v128, off: v128;
    if (slots) {
      const slot = <usize>(u & 3), pack = <usize>(u & ~3);
      u = load<u32>(pack + 4 * slot, PACK_MEMBERS);
      w = v128.load(pack + 12 * slot, PACK_CORNERS);
      const coat = pack + 64 * slot;
      off = coatsApart(lo0, lo1, hi0, hi1, v128.load(coat, PACK_COATS), v128.load(coat, PACK_COATS + 16), v128.load(coat, PACK_COATS + 32), v128.load(coat, PACK_COATS + 48));
    } else {
      w = v128.load(corners + 12 * <usize>u);
      const bp = coats + COAT_BYTES * <usize>i32x4.extract_lane(w, 0);
      const bq = coats + COAT_BYTES * <usize>i32x4.extract_lane(w, 1);
      const br = coats + COAT_BYTES * <usize>i32x4.extract_lane(w, 2);
      const bp0 = v128.load(bp), bq0 = v128.load(bq), br0 = v128.load(br), bp1 = v128.load(bp, 32), bq1 = v128.load(bq, 32), br1 = v128.load(br, 32);
      off = coatsApart(lo0, lo1, hi0, hi1, least(least(bp0, bq0), br0), least(least(bp1, bq1), br1), most(most(bp0, bq0), br0), most(most(bp1, bq1), br1));
    }
    const shared = commonCorners(w, v0, v1, v2);
    // the triangles around a common vertex that is clear need not be looked at
    const cleared = (shared & (<u32>load<u8>(clear + i32x4.extract_lane(w, 0)) | <u32>load<u8>(clear + i32x4.extract_lane(w, 1)) << 1 | <u32>load<u8>(clear + i32x4.extract_lane(w, 2)) << 2)) != 0;
    let keep: usize = v128.any_true(off) ? 0 : 4;
    if (several && keep) keep = mayMeet(t, u) ? 4 : 0;
    const isOne: usize = (shared & (shared - 1)) == 0 ? keep : 0;
    const isNone: usize = shared == 0 ? keep : 0;
    store<u32>(out, t);
    store<u32>(out, u, 4);
    out += isNone << 1;
    store<u32>(oneEnd, u);
    oneEnd += cleared && !thick ? 0 : isOne - isNone;
    store<u32>(moreEnd, u);
    moreEnd += cleared ? 0 : keep - isOne;
    shares += keep - isNone;
  }
  dopPairs += ((out - before) >> 3) + (shares >> 2);
  if (options & LEAVE_OUT_NEIGHBOURS) return;
  const parted: u32 = thick ? COMMON_VERTEX | OPPOSITE_ONLY : 0;
  for (let at = one; at < oneEnd; at += 4) {
    const u = load<u32>(at);
    const d = corners + 12 * <usize>u;
    // asked for in the order of their numbers, so that the answer does not depend on the grid
    const low = t < u ? c : d, high = t < u ? d : c;
    const k = <usize>ctz(commonCorners(v128.load(high), v128.load32_splat(low), v128.load32_splat(low, 4), v128.load32_splat(low, 8)));
    const flags = load<u8>(clear + load<u32>(high + 4 * k)) || partedAtVertex(low, high, k) ? parted : COMMON_VERTEX;
    store<u32>(out, t);
    store<u32>(out, u | flags, 4);
    out += flags ? 8 : 0;
  }
  for (let at = more; at < moreEnd; at += 4) {
    const u = load<u32>(at);
    const d = corners + 12 * <usize>u;
    const low = t < u ? c : d, high = t < u ? d : c;
    const shared = commonCorners(v128.load(high), v128.load32_splat(low), v128.load32_splat(low, 4), v128.load32_splat(low, 8));
    if (shared == 7 || unfoldedAtEdge(low, high, shared)) continue; // with all vertices common there is nothing to test
    store<u32>(out, t);
    store<u32>(out, u | COMMON_VERTEX, 4);
    out += 8;
  }
}

/** Bits of the corners in w that are among v0, v1, v2. */
// @ts-ignore: decorator
@inline function commonCorners(w: v128, v0: v128, v1: v128, v2: v128): u32 {
  return 7 & i32x4.bitmask(v128.or(v128.or(i32x4.eq(w, v0), i32x4.eq(w, v1)), i32x4.eq(w, v2)));
}
